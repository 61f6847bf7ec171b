import Crypto
package import Foundation

/// A record as a line of the journal: eight digits of its checksum, a space, and JSON.
package enum JournalLine {
    package static func bytes(_ record: StateRecord) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let json = try encoder.encode(record)
        return Data(checksum(json).utf8) + Data(" ".utf8) + json + Data("\n".utf8)
    }

    /// - Returns: `nil` when the line is not whole.
    package static func record(_ line: Data) -> StateRecord? {
        guard line.count > 9, line[line.startIndex + 8] == UInt8(ascii: " ") else { return nil }
        let json = line.dropFirst(9)
        guard String(decoding: line.prefix(8), as: UTF8.self) == checksum(json) else { return nil }
        return try? JSONDecoder().decode(StateRecord.self, from: json)
    }

    private static func checksum(_ bytes: some DataProtocol) -> String {
        SHA256.hash(data: bytes).prefix(4).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
