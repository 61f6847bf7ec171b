import MartletWire

/// The last registration that the server took in this launch; each launch makes one.
struct RegistrationRecord: Sendable, Hashable {
    var token: PushToken
    /// Who the device's owner is, nobody where the server did not take the user.
    var user: IdentityUser
    /// What the person allowed then.
    var permission: AuthorizationStatus
    /// When, by the device's clock: UTC milliseconds since 1970.
    var time: Int64
    /// The server's answer.
    var response: DeviceTokenRegistrationResponse

    /// After how many milliseconds an unchanged token is sent again: a day, so that the server can tell stale ones.
    static let lifetime: Int64 = 24 * 60 * 60 * 1000

    /// Whether all of it need not be sent. A clock that was set back makes it due.
    func covers(
        token: PushToken,
        user: IdentityUser,
        permission: AuthorizationStatus,
        installationID: String,
        now: Int64
    ) -> Bool {
        self.token == token && self.user == user && self.permission == permission
            && response.installationID.description == installationID && (time..<time + Self.lifetime).contains(now)
    }
}
