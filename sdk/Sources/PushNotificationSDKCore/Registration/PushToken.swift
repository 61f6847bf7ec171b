package import MartletWire

/// What this install is reached by: a provider's token.
package struct PushToken: Sendable, Hashable, Codable {
    /// The provider.
    package var platform: PlatformName
    /// The token as the server takes it; Apple's is in hexadecimal.
    package var text: String

    package static func apns(_ hex: String) -> PushToken { PushToken(platform: .apns, text: hex) }
    static func fcm(_ text: String) -> PushToken { PushToken(platform: .fcm, text: text) }
}

extension PushToken {
    /// The longest token of Firebase's in bytes that is taken: the server's bound.
    static let longestOfFirebase = 4_096

    /// A token as Firebase gives it.
    ///
    /// - Throws: ``PushNotificationError/invalidToken`` where the server would not take it: it is empty, longer than
    ///   ``longestOfFirebase``, or has other characters than letters, digits and `- _ : . ~ %`.
    static func checked(fcm text: String) throws(PushNotificationError) -> String {
        guard (1...longestOfFirebase).contains(text.utf8.count), text.utf8.allSatisfy(isOfFirebase) else {
            throw .invalidToken
        }
        return text
    }

    private static func isOfFirebase(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: ":"),
            UInt8(ascii: "."), UInt8(ascii: "~"), UInt8(ascii: "%"):
            true
        default: false
        }
    }
}
