import Crypto

/// What keeps a subject from getting the same thing twice.
///
/// The subject is the user, or the endpoint where there is no user. (app, subject, key) is unique in the store; the row
/// says which notification holds it and since when.
public struct Dedup: Sendable, Hashable, Codable {
    /// What counts as the same thing, such as an alert's id; 1 to 256 bytes.
    public var key: String
    /// For how long the subject is spared; `nil` means for ever.
    public var cooldown: Duration?

    /// The cooldown where a request names none: 30 minutes, as transit alerts use it.
    public static let defaultCooldown: Duration = .seconds(30 * 60)

    package init(key: String, cooldown: Duration? = Dedup.defaultCooldown) {
        self.key = key
        self.cooldown = cooldown
    }

    /// Checks the key's length and that the cooldown is between nothing and ten years.
    public func validate() throws(Failure) {
        guard (1...256).contains(key.utf8.count) else {
            throw .invalid("dedup.key", "A dedup key has 1 to 256 bytes.")
        }
        if let cooldown, cooldown < .zero || cooldown > .seconds(315_360_000) {
            throw .invalid("dedup.cooldown_seconds", "A cooldown is between 0 and 315360000 seconds, or null for ever.")
        }
    }

    /// The collapse id that a notification has when it names none: the key itself where it fits into Apple's 64 bytes
    /// of `apns-collapse-id` and has no spaces (RFC 9113, section 8.2.1: none at the ends of a field value), otherwise 32 hexadecimal digits of its SHA-256.
    public var collapseID: String {
        let fits = key.utf8.count <= 64 && key.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        guard !fits else { return key }
        let digits = Array("0123456789abcdef".utf8)
        let hash = SHA256.hash(data: Array(key.utf8)).prefix(16)
        return String(decoding: hash.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
