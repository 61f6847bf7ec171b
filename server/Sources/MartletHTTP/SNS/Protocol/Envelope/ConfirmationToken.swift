import MartletCore
import MartletWire

/// What confirms a subscription, or takes its end back: it says of which, and when it was made, sealed with the server's
/// key. Nobody else can make one, and nothing has to be kept of it: each of several confirmations has its own, and all of them
/// are good.
struct ConfirmationToken: Hashable, Sendable {
    /// What it confirms.
    let subscription: PublicID
    /// When it was made.
    let madeAt: Timestamp

    private static let purpose = "subscription-token"

    /// A token of this moment.
    init(of subscription: PublicID, at madeAt: Timestamp) {
        self.subscription = subscription
        self.madeAt = madeAt
    }

    /// Reads a token; `nil` for what this server did not make, or made with another encryption key.
    init?(_ text: String, _ vault: Vault) {
        guard let sealed = Hex.bytes(text), let bytes = try? vault.open(sealed, for: Self.purpose), bytes.count == 24,
            let subscription = PublicID(bytes: bytes.prefix(16))
        else { return nil }
        let time = bytes.suffix(8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        self.init(of: subscription, at: Timestamp(milliseconds: Int64(bitPattern: time)))
    }

    /// What the subscriber gets: 104 hexadecimal digits, others each time.
    ///
    /// - Throws: what the vault throws.
    func text(_ vault: Vault) throws -> String {
        let time = UInt64(bitPattern: madeAt.rawValue)
        let bytes = stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: time >> $0) }
        return Hex.text(try vault.seal(subscription.bytes + bytes, for: Self.purpose))
    }

    /// Looks whether a text has the form of a token: hexadecimal digits, which `abc123` is to AWS and `randomtoken` is not.
    ///
    /// - Throws: `InvalidParameter` with AWS's `Invalid token`; a token that has the form and is not known is
    ///   `Invalid parameter: Token`.
    static func check(_ text: String) throws(SNSError) {
        guard (1...1024).contains(text.utf8.count), text.utf8.allSatisfy({ Hex.value($0) != nil }) else {
            throw SNSError(.invalidParameter, "Invalid token")
        }
    }
}
