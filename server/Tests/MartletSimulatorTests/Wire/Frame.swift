import NIOCore

/// A frame of HTTP/2 (RFC 9113, section 4.1), written and read here without any library.
struct Frame: Sendable, Equatable {
    enum Kind: UInt8, Sendable {
        case data, headers, priority, reset, settings, pushPromise, ping, goAway, windowUpdate, continuation
    }

    /// END_STREAM of DATA and HEADERS, ACK of SETTINGS and PING.
    static let end: UInt8 = 0x1
    /// END_HEADERS.
    static let endHeaders: UInt8 = 0x4

    var kind: Kind
    var flags: UInt8 = 0
    var stream: Int = 0
    var payload: [UInt8] = []

    static let ping = Frame(kind: .ping, payload: Array("pingpong".utf8))

    static func headers(_ stream: Int, _ fields: [(String, String)], isEnd: Bool = false) -> Frame {
        let flags = Self.endHeaders | (isEnd ? Self.end : 0)
        return Frame(kind: .headers, flags: flags, stream: stream, payload: block(fields))
    }

    static func data(_ stream: Int, _ text: String = #"{"aps":{"alert":"x"}}"#) -> Frame {
        Frame(kind: .data, flags: end, stream: stream, payload: Array(text.utf8))
    }

    static func reset(_ stream: Int, code: UInt32 = 8) -> Frame {
        Frame(kind: .reset, stream: stream, payload: bytes(code))
    }

    static func windowUpdate(_ stream: Int, _ count: UInt32 = 100) -> Frame {
        Frame(kind: .windowUpdate, stream: stream, payload: bytes(count))
    }

    static func settings(_ values: [(UInt16, UInt32)] = []) -> Frame {
        Frame(kind: .settings, payload: values.flatMap { [UInt8($0.0 >> 8), UInt8($0.0 & 0xFF)] + bytes($0.1) })
    }

    /// RST_STREAM's code.
    var resetCode: UInt32? { kind == .reset ? number(at: 0) : nil }
    /// GOAWAY's last stream.
    var lastStream: UInt32? { kind == .goAway ? number(at: 0) : nil }
    /// GOAWAY's code.
    var goAwayCode: UInt32? { kind == .goAway ? number(at: 4) : nil }
    /// Whether it is the last frame of a stream's answer.
    var endsAnswer: Bool { kind == .reset || ((kind == .data || kind == .headers) && flags & Self.end != 0) }

    /// SETTINGS, in the order sent.
    var settings: [[UInt32]] {
        guard kind == .settings else { return [] }
        return stride(from: 0, to: payload.count - 5, by: 6).map { start in
            [UInt32(payload[start]) << 8 | UInt32(payload[start + 1]), number(at: start + 2)]
        }
    }

    private func number(at place: Int) -> UInt32 {
        payload.dropFirst(place).prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    }

    private static func bytes(_ value: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> UInt32($0)) }
    }

    /// Fields as literals without indexing (RFC 7541, section 6.2.2), so that no block depends on another.
    private static func block(_ fields: [(String, String)]) -> [UInt8] {
        fields.flatMap { [0] + string($0.0) + string($0.1) }
    }

    /// Without Huffman coding (RFC 7541, sections 5.1 and 5.2).
    private static func string(_ text: String) -> [UInt8] {
        let bytes = Array(text.utf8)
        var length: [UInt8] = [UInt8(min(bytes.count, 127))]
        var rest = bytes.count - 127
        if rest >= 0 {
            while rest > 127 {
                length.append(UInt8(rest & 0x7F) | 0x80)
                rest >>= 7
            }
            length.append(UInt8(rest))
        }
        return length + bytes
    }
}

extension Frame {
    /// The next whole frame; `nil` when it has not arrived yet. One of an unknown type is skipped.
    init?(from buffer: inout ByteBuffer) {
        while let header = buffer.getBytes(at: buffer.readerIndex, length: 9) {
            let length = Int(header[0]) << 16 | Int(header[1]) << 8 | Int(header[2])
            guard var whole = buffer.readSlice(length: 9 + length) else { return nil }
            guard let kind = Kind(rawValue: header[3]) else { continue }
            whole.moveReaderIndex(forwardBy: 9)
            let stream = header[5...].reduce(0) { $0 << 8 | Int($1) } & 0x7FFF_FFFF
            self.init(kind: kind, flags: header[4], stream: stream, payload: Array(whole.readableBytesView))
            return
        }
        return nil
    }

    func write(to buffer: inout ByteBuffer) {
        buffer.writeInteger(UInt32(payload.count) << 8 | UInt32(kind.rawValue))
        buffer.writeInteger(flags)
        buffer.writeInteger(UInt32(stream))
        buffer.writeBytes(payload)
    }
}
