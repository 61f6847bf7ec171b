/// A message of Google's Mobile Connection Server, whose client Chromium has (`google_apis/gcm/protocol/mcs.proto`).
struct MCSFrame: Equatable {
    /// What a message is.
    enum Tag: UInt8 {
        case heartbeatPing = 0
        case heartbeatAck = 1
        case loginRequest = 2
        case loginResponse = 3
        case close = 4
        case dataMessage = 8
    }

    /// The protocol's version, the first byte of both directions.
    static let version: UInt8 = 41

    var tag: UInt8
    var body: [UInt8]

    init(_ tag: Tag, _ body: [UInt8] = []) {
        self.tag = tag.rawValue
        self.body = body
    }

    fileprivate init(tag: UInt8, body: [UInt8]) {
        self.tag = tag
        self.body = body
    }

    /// Tag, length as a varint, body.
    var encoded: [UInt8] { [tag] + ProtoField.varint(UInt64(body.count)) + body }

    /// The answer to a login: its id told back, and the time.
    static func loginResponse(now: Int64) -> MCSFrame {
        MCSFrame(
            .loginResponse,
            ProtoField.text("martlet-1").encoded(as: 1) + ProtoField.varint(UInt64(now)).encoded(as: 8)
        )
    }

    /// A push: `DataMessageStanza`.
    ///
    /// - Parameters:
    ///   - app: the form field of its registration.
    ///   - subtype: `X-subtype` of its registration.
    static func push(_ message: WebPushMessage, app: String, subtype: String, sender: String) -> MCSFrame {
        func pair(_ key: String, _ value: String) -> [UInt8] {
            let entry = ProtoField.text(key).encoded(as: 1) + ProtoField.text(value).encoded(as: 2)
            return ProtoField.bytes(entry).encoded(as: 7)
        }
        var body = ProtoField.text(message.id).encoded(as: 2)
        body += ProtoField.text(sender).encoded(as: 3)
        body += ProtoField.text(app).encoded(as: 5)
        body += pair("subtype", subtype)
        if !message.body.isEmpty { body += pair("content-encoding", "aes128gcm") }
        body += ProtoField.text(message.id).encoded(as: 9)
        body += ProtoField.varint(UInt64(message.timeToLive)).encoded(as: 17)
        body += ProtoField.varint(UInt64(message.time)).encoded(as: 18)
        if !message.body.isEmpty { body += ProtoField.bytes(message.body).encoded(as: 21) }
        return MCSFrame(.dataMessage, body)
    }
}

/// Takes frames out of the bytes of a connection.
struct MCSReader {
    /// Bytes of a frame at most; Chromium's own bound of a message is far below.
    static let limit = 64 * 1_024

    /// Bytes that are no frames.
    struct Malformed: Error {}

    private var bytes: [UInt8] = []
    private var hasVersion = false

    /// - Returns: the frames that are whole by now.
    mutating func read(_ new: some Sequence<UInt8>) throws(Malformed) -> [MCSFrame] {
        bytes += new
        if !hasVersion, let first = bytes.first {
            // 38 is the version of clients before 41.
            guard first >= 38 else { throw Malformed() }
            hasVersion = true
            bytes.removeFirst()
        }
        var frames: [MCSFrame] = []
        while let tag = bytes.first {
            var rest = bytes.dropFirst()
            guard let count = ProtoField.readVarint(&rest) else {
                if bytes.count > 10 { throw Malformed() }
                break
            }
            guard count <= Self.limit else { throw Malformed() }
            guard rest.count >= Int(count) else { break }
            frames.append(MCSFrame(tag: tag, body: Array(rest.prefix(Int(count)))))
            bytes = Array(rest.dropFirst(Int(count)))
        }
        return frames
    }
}
