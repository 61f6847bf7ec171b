import Crypto
import Foundation

/// The names that an alert has at Martlet and on the phones.
package struct AlertNames: Sendable, Equatable {
    private let short: String

    /// - Parameter id: the agency's; one that is long or has other characters is replaced by a hash of it.
    package init(_ id: String) {
        let plain =
            id.utf8.count <= 40
            && id.utf8.allSatisfy { byte in
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                    || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                    || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) || byte == UInt8(ascii: "_")
                    || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
            }
        short =
            plain && !id.isEmpty
            ? id
            : "h"
                + SHA256.hash(data: Data(id.utf8)).prefix(16)
                .map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// The same for every version: an update replaces what shows. At most 64 bytes.
    package var collapseID: String { "alert-\(short)" }

    /// One for each version: a rider is told each once.
    package func dedupKey(version: Int) -> String { "alert-\(short)-v\(version)" }

    /// One for each request.
    package func idempotencyKey(epoch: String, version: Int, part: Int) -> String {
        "\(epoch)-\(short)-v\(version)-p\(part)"
    }
}
