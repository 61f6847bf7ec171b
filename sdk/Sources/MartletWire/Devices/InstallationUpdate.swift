/// What a device says about itself: `PATCH /api/v1/installations/{id}`, with the installation's secret. What is absent
/// stays.
public struct InstallationUpdate: Sendable, Hashable, Codable {
    /// Whether the person wants pushes on this device.
    public var push: Bool?
    /// What the person allowed the app to show.
    public var permission: PermissionName?
    /// The language and region.
    public var locale: String?
    /// The IANA time zone.
    public var timeZone: String?

    public init(
        push: Bool? = nil,
        permission: PermissionName? = nil,
        locale: String? = nil,
        timeZone: String? = nil
    ) {
        self.push = push
        self.permission = permission
        self.locale = locale
        self.timeZone = timeZone
    }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case push, permission, locale
        case timeZone = "time_zone"
    }
}
