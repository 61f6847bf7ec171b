import Crypto
import Foundation

@testable import MartletSimulator

/// Bodies of the encoding `aes128gcm`, on their way to what a browser reads: from 128 on a body as it comes; below it so many
/// changes, three bytes each, of the body that holds the record behind them.
///
/// The keys, the sender and the salt are those of RFC 8291, Appendix A, which also tells the record's key: sealing takes
/// none of the code that opens.
enum SealedTarget {
    private static let keys = try? UserAgentKeys(
        privateKey: bytes("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"),
        authSecret: bytes("BTBZMqHH6r4Tts7J_aSIgg")
    )
    /// Salt, record size, and the sender's key with its length.
    private static let header = Array(
        bytes(
            "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK"
                + "6PBru3jl7A8"
        )
    )
    private static let contentKey = SymmetricKey(data: bytes("oIhVW04MRdy2XN9CiKLxTg"))
    private static let nonce = bytes("4h_95klXJ5E_qnoN")
    /// Where the record size stands, which nothing authenticates.
    private static let recordSize = 16..<20
    private static let tagSize = 16

    private static func bytes(_ text: String) -> Data { Base64URL.decode(text) ?? Data() }

    static func run(_ input: FuzzInput) -> Bool {
        var input = input
        guard let changes = input.byte() else { return false }
        if changes >= 0x80 {
            open(Array(input.rest))
            return true
        }
        let steps = (0..<changes).map { _ in input.take(3) }
        let record = Array(input.rest)
        // One byte at least, and no more than the header's record size.
        guard (1...4_096 - tagSize).contains(record.count), let whole = seal(record) else { return false }
        var body = whole
        for step in steps where step.count == 3 { change(&body, step) }
        let text = open(body)
        if body == whole { demand(text == said(by: record), "what was sealed is opened as something else") }
        return true
    }

    /// A record is sealed.
    private static func seal(_ record: [UInt8]) -> [UInt8]? {
        guard let nonce = try? AES.GCM.Nonce(data: nonce),
            let box = try? AES.GCM.seal(record, using: contentKey, nonce: nonce)
        else { return nil }
        return header + box.ciphertext + box.tag
    }

    /// What a record says: what stands before the last 2, behind which only zeros are (RFC 8188, section 2).
    private static func said(by record: [UInt8]) -> [UInt8]? {
        var rest = record[...]
        while rest.last == 0 { rest.removeLast() }
        return rest.popLast() == 2 ? Array(rest) : nil
    }

    /// Changes a byte, ends the body there, or puts one behind it.
    private static func change(_ body: inout [UInt8], _ step: [UInt8]) {
        let place = (Int(step[0]) << 8 | Int(step[1])) % (body.count + 1)
        if place == body.count {
            body.append(step[2])
        } else if step[2] == 0 {
            body.removeLast(body.count - place)
        } else {
            body[place] ^= step[2]
        }
    }

    /// Opens a body. What opens is, sealed again, the same body but for its record size: nobody else seals anything.
    @discardableResult
    private static func open(_ body: [UInt8]) -> [UInt8]? {
        guard let keys else {
            demand(false, "the keys are none")
            return nil
        }
        guard let text = try? keys.open(body) else { return nil }
        let padding = body.count - header.count - tagSize - text.count - 1
        demand(padding >= 0, "\(text.count) bytes come of \(body.count)")
        guard var again = seal(text + [2] + [UInt8](repeating: 0, count: padding)) else {
            demand(false, "\(text.count) bytes are not sealed")
            return nil
        }
        let size = body[recordSize].reduce(0) { $0 << 8 | Int($1) }
        demand(size >= body.count - header.count, "a record is longer than its size, \(size)")
        again.replaceSubrange(recordSize, with: body[recordSize])
        demand(again == body, "something is opened that nobody sealed")
        return text
    }
}
