import Crypto
import Foundation

/// The text by which a list goes on. It is opaque to callers, and good only for the list that it came from.
package enum Cursor {
    /// The bytes of a check over list and key: enough that a typing error is noticed. It guards nothing.
    private static let checkLength = 4

    /// The text for a row's key.
    package static func text(of key: Int64, list: String) -> String {
        let bytes = withUnsafeBytes(of: key.bigEndian) { Array($0) }
        return Secret.base64URL(bytes + check(bytes, list))
    }

    /// The row's key in a text.
    ///
    /// - Throws: `Failure` naming `cursor` when it is not one of this list.
    package static func key(of text: String, list: String) throws(Failure) -> Int64 {
        let standard = text.replacing("-", with: "+").replacing("_", with: "/")
        guard text.utf8.count == 16, let data = Data(base64Encoded: standard), data.count == 8 + checkLength else {
            throw invalid
        }
        let bytes = Array(data.prefix(8))
        guard Array(data.suffix(checkLength)) == check(bytes, list) else { throw invalid }
        return bytes.reduce(0) { $0 << 8 | Int64($1) }
    }

    private static var invalid: Failure {
        .invalid("cursor", "It is not a cursor of this list.", hint: "Send the 'next' of the page before as it came.")
    }

    private static func check(_ key: [UInt8], _ list: String) -> [UInt8] {
        Array(SHA256.hash(data: Array(list.utf8) + key).prefix(checkLength))
    }
}
