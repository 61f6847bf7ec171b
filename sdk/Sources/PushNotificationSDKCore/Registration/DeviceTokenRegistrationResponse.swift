package import MartletWire

/// The result of a registration of the device's token.
package struct DeviceTokenRegistrationResponse: Sendable, Hashable, Codable {
    /// The endpoint's id at the server.
    package var endpointID: PublicID
    /// The installation's id.
    package var installationID: PublicID
    /// Who the device belongs to at the server.
    package var userID: String?
    /// Which of the provider's environments the token is of, where the server knows it.
    package var environment: EnvironmentName?
    /// Whether pushes are made to it.
    package var isActive: Bool
    /// When the server took it: UTC milliseconds since 1970, by the server's clock.
    package var registeredAt: Int64

    init(_ answer: TokenRegistrationResponse) {
        endpointID = answer.endpointID
        installationID = answer.installationID
        userID = answer.userID
        environment = answer.environment
        isActive = answer.isActive
        registeredAt = answer.registeredAt.milliseconds
    }
}
