import MartletCore

extension ServerAddress {
    /// Apple's own address for an environment (Apple, "Sending notification requests to APNs").
    static func apns(_ environment: Environment) -> ServerAddress {
        ServerAddress(
            host: environment == .production ? "api.push.apple.com" : "api.sandbox.push.apple.com",
            port: 443
        )
    }

    /// Where a credential's pushes go.
    ///
    /// - Throws: `Failure` when its `url` is none.
    static func apns(_ credential: Credential) throws(Failure) -> ServerAddress {
        if let url = credential.url { try ServerAddress(url: url) } else { apns(credential.environment) }
    }
}
