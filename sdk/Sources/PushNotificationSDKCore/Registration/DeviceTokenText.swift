package import Foundation

/// A device token as its bytes in hexadecimal.
package struct DeviceTokenText: Sendable, Hashable {
    /// The digits, in lower case.
    package let hex: String

    /// The longest token in bytes that is taken: the server's bound. Apple's have 32 today, and no size is promised.
    package static let longest = 200

    /// Takes a token as the system gives it.
    ///
    /// - Throws: ``PushNotificationError/invalidToken`` when it is empty or longer than ``longest``.
    package init(_ token: Data) throws(PushNotificationError) {
        guard (1...Self.longest).contains(token.count) else { throw .invalidToken }
        let digits = Array("0123456789abcdef".utf8)
        hex = String(decoding: token.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// Takes a token that somebody has put into hexadecimal already, in either case.
    ///
    /// - Throws: ``PushNotificationError/invalidToken`` when it is not hexadecimal, or as above.
    package init(hex text: String) throws(PushNotificationError) {
        let digits = Array(text.utf8)
        guard digits.count.isMultiple(of: 2), (2...2 * Self.longest).contains(digits.count),
            digits.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0 | 0x20) })
        else { throw .invalidToken }
        hex = text.lowercased()
    }
}
