import Foundation

/// The simulated Firebase: projects, service accounts, access tokens and devices.
struct FCMRegistry {
    /// Access tokens remembered at most.
    static let accessLimit = 10_000
    /// Devices whose quota is counted at most; all are forgotten when more come.
    static let quotaLimit = 200_000
    /// Google: 240 messages a minute and 5,000 an hour to one Android device.
    static let deviceMinute = 240, deviceHour = 5_000

    struct Access {
        var project: String
        /// Milliseconds since 1970.
        var expires: Int64
    }

    private struct DeviceQuota {
        var minute: TokenBucket
        var hour: TokenBucket

        mutating func take(at now: Int64) -> Int64? { minute.take(at: now) ?? hour.take(at: now) }
    }

    private(set) var projects: [String: FCMProject] = [:]
    private(set) var accounts: [String: FCMAccount] = [:]
    private(set) var devices: [String: FCMDevice] = [:]
    private(set) var access: [String: Access] = [:]
    /// Whether a well-formed token that nobody registered is answered UNREGISTERED.
    var knownTokensOnly = false
    /// Seconds that Google's clock is ahead of this machine's.
    var clockSkew: Int64 = 0
    /// Seconds that an access token is good for.
    var accessLifetime: Int64 = 3_599
    var perDeviceMinute = FCMRegistry.deviceMinute
    private var quotas: [String: DeviceQuota] = [:]

    mutating func register(project: String, perMinute: Int? = nil, hasAPNsKey: Bool? = nil) {
        var found = projects[project] ?? FCMProject()
        if let perMinute {
            found.perMinute = perMinute
            found.quota = TokenBucket(capacity: perMinute, period: 60_000)
        }
        if let hasAPNsKey { found.hasAPNsKey = hasAPNsKey }
        projects[project] = found
    }

    mutating func register(_ account: FCMAccount) {
        register(project: account.project)
        accounts[account.email] = account
    }

    /// - Returns: `false` when there is no such account.
    mutating func revoke(_ email: String, isRevoked: Bool) -> Bool {
        accounts[email]?.isRevoked = isRevoked
        return accounts[email] != nil
    }

    mutating func register(_ device: FCMDevice) {
        devices[device.token] = device
    }

    mutating func unregister(_ token: String) {
        devices[token]?.state = .unregistered
    }

    /// A new access token for the account's project.
    mutating func grant(_ account: FCMAccount, now: Int64) -> String {
        if access.count >= Self.accessLimit { access = access.filter { $0.value.expires > now } }
        let token = "ya29.c." + Self.randomText(count: 64)
        access[token] = Access(project: account.project, expires: now + accessLifetime * 1_000)
        return token
    }

    /// All access tokens are expired from now on.
    mutating func expireAccess() {
        for token in access.keys { access[token]?.expires = 0 }
    }

    mutating func forgetAccess() {
        access = [:]
        quotas = [:]
    }

    /// Takes a message from the project's quota: the seconds to wait when there is none.
    mutating func takeFromProject(_ project: String, now: Int64) -> Int? {
        (projects[project]?.quota.take(at: now)).flatMap { $0 }.map(Self.seconds)
    }

    /// Takes a message from the device's quotas: the seconds to wait when there is none.
    mutating func takeFromDevice(_ token: String, now: Int64) -> Int? {
        if quotas.count >= Self.quotaLimit { quotas = [:] }
        let fresh = DeviceQuota(
            minute: TokenBucket(capacity: perDeviceMinute, period: 60_000),
            hour: TokenBucket(capacity: Self.deviceHour, period: 3_600_000)
        )
        return quotas[token, default: fresh].take(at: now).map(Self.seconds)
    }

    private static func seconds(_ milliseconds: Int64) -> Int { Int((milliseconds + 999) / 1_000) }
}

// MARK: - Forms

extension FCMRegistry {
    /// 22 characters of base64url whose first four bits are 0111: a Firebase installation id.
    static func isWellFormedFID(_ text: String) -> Bool {
        text.utf8.count == 22 && text.utf8.allSatisfy(isBase64URL) && "cdef".utf8.contains(text.utf8.first ?? 0)
    }

    /// An instance id, a colon and the rest, as tokens have been for years. FCM documents no form.
    static func isWellFormedToken(_ text: String) -> Bool {
        let bytes = text.utf8
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return false }
        let (instance, rest) = (bytes[..<colon], bytes[colon...].dropFirst())
        return (8...64).contains(instance.count) && (32...4_096).contains(rest.count)
            && instance.allSatisfy(isBase64URL) && rest.allSatisfy(isBase64URL)
    }

    static func newFID() -> String { ["c", "d", "e", "f"].randomElement().map { $0 + randomText(count: 21) } ?? "" }

    static func newToken() -> String { "\(randomText(count: 22)):APA91b\(randomText(count: 134))" }

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    private static func isBase64URL(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    static func randomText(count: Int) -> String {
        var generator = SystemRandomNumberGenerator()
        return String(
            decoding: (0..<count).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &generator)] },
            as: UTF8.self
        )
    }
}
