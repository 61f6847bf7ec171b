import Foundation
import MartletTransport
import NIOCore

/// A received push in one allocation, since hundreds of thousands are kept.
///
/// Layout of `bytes`: path, number of headers, then name and value of each, then the payload. A text is its length
/// and its UTF-8; a known header name is one byte.
package struct PackedPush: LoggedRecord {
    package var seq = 0
    var time: Int64
    var connection: Int32
    var stream: Int32
    package var status: Int16
    var environment: APNsEnvironment
    package var outcome: ReceivedOutcome
    /// One of Apple's reasons costs nothing: its text is the program's.
    package var reason: String?
    private var bytes: [UInt8]

    /// Payload bytes kept of a larger one.
    static let payloadLimit = 8 * 1_024
    private static let textLimit = Int(UInt16.max)
    private static let headerLimit = 255
    /// Names that almost every push has; 0 stands for a name that follows as text.
    private static let names = [
        "", "authorization", "apns-topic", "apns-push-type", "apns-id", "apns-expiration", "apns-priority",
        "apns-collapse-id", "content-type", "content-length", "user-agent", "accept", ":method", ":apns-id",
    ]
    private static let methodCode = UInt8(12)
    private static let answerCode = UInt8(13)

    init(
        _ request: HTTP2ServerRequest,
        keyID: String?,
        answerID: String?,
        time: Int64,
        connection: Int,
        stream: Int32,
        environment: APNsEnvironment,
        outcome: ReceivedOutcome,
        status: Int,
        reason: String?
    ) {
        self.time = time
        self.connection = Int32(clamping: connection)
        self.stream = stream
        self.status = Int16(clamping: status)
        self.environment = environment
        self.outcome = outcome
        self.reason = reason
        bytes = []
        bytes.reserveCapacity(Self.size(of: request))
        append(request.path)
        let isPost = request.method == "POST"
        let headers = request.headers.prefix(Self.headerLimit - 2)
        let sentID = headers.first { $0.name == "apns-id" }?.value
        let ownID = answerID == sentID ? nil : answerID
        bytes.append(UInt8(headers.count + (isPost ? 0 : 1) + (ownID == nil ? 0 : 1)))
        if !isPost { append(code: Self.methodCode, request.method) }
        if let ownID { append(code: Self.answerCode, ownID) }
        for header in headers { append(header, keyID: keyID) }
        bytes.append(contentsOf: request.body.readableBytesView.prefix(Self.payloadLimit))
    }

    /// A little more than the packed size, so that the array is allocated once.
    private static func size(of request: HTTP2ServerRequest) -> Int {
        request.headers.reduce(64 + request.path.utf8.count + min(request.body.readableBytes, payloadLimit)) {
            $0 + 3 + ($1.name == names[1] ? 32 : $1.value.utf8.count)
        }
    }

    private mutating func append(_ header: HTTP2Header, keyID: String?) {
        let code = UInt8(Self.names.firstIndex(of: header.name) ?? 0)
        if code == 1 {
            append(code: code, keyID.map { "bearer (key \($0))" } ?? "(\(header.value.utf8.count) bytes)")
        } else if code == 0 || code >= Self.methodCode {
            bytes.append(0)
            append(header.name)
            append(header.value)
        } else {
            append(code: code, header.value)
        }
    }

    private mutating func append(code: UInt8, _ value: String) {
        bytes.append(code)
        append(value)
    }

    private mutating func append(_ text: String) {
        let utf8 = text.utf8.prefix(Self.textLimit)
        let count = utf8.count
        bytes.append(UInt8(truncatingIfNeeded: count))
        bytes.append(UInt8(truncatingIfNeeded: count >> 8))
        bytes.append(contentsOf: utf8)
    }
}

// MARK: Reading

extension PackedPush {
    private struct Reader {
        var rest: ArraySlice<UInt8>

        mutating func byte() -> Int { Int(rest.removeFirst()) }

        mutating func text() -> String {
            let count = byte() | byte() << 8
            defer { rest = rest.dropFirst(count) }
            return String(decoding: rest.prefix(count), as: UTF8.self)
        }
    }

    /// Whether it was answered with 200.
    var isAccepted: Bool { outcome == .answered && status == 200 }

    /// The path, without unpacking the rest.
    var path: String {
        var reader = Reader(rest: bytes[...])
        return reader.text()
    }

    /// The first header of that name, without unpacking the rest.
    func header(_ wanted: String) -> String? {
        var reader = Reader(rest: bytes[...])
        _ = reader.text()
        for _ in 0..<reader.byte() {
            let code = reader.byte()
            let name = code == 0 ? reader.text() : Self.names[code]
            let value = reader.text()
            if name == wanted { return value }
        }
        return nil
    }

    package func unpacked() -> ReceivedPush {
        var reader = Reader(rest: bytes[...])
        let path = reader.text()
        var push = ReceivedPush(
            seq: seq,
            time: time,
            environment: environment,
            connection: Int(connection),
            stream: Int(stream),
            method: "POST",
            path: path,
            token: Self.token(in: path),
            headers: [:],
            payload: nil,
            payloadText: nil,
            payloadBytes: 0,
            outcome: outcome,
            status: outcome == .answered ? Int(status) : nil,
            reason: reason,
            apnsID: nil
        )
        for _ in 0..<reader.byte() {
            let code = reader.byte()
            let name = code == 0 ? reader.text() : Self.names[code]
            let value = reader.text()
            switch name {
            case ":method": push.method = value
            case ":apns-id": push.apnsID = value
            default: push.headers[name] = push.headers[name].map { "\($0), \(value)" } ?? value
            }
        }
        if outcome != .answered {
            push.apnsID = nil
        } else if push.apnsID == nil {
            push.apnsID = push.headers["apns-id"]
        }
        push.payloadBytes = reader.rest.count
        let payload = Data(reader.rest)
        push.payload = try? JSONDecoder().decode(JSONValue.self, from: payload)
        if push.payload == nil { push.payloadText = String(decoding: reader.rest, as: UTF8.self) }
        return push
    }

    package static let filters = ["token", "topic"]

    package static func filter(_ parameter: (String) -> String?) -> (PackedPush) -> Bool {
        filter(token: parameter("token"), topic: parameter("topic"))
    }

    static func filter(token: String?, topic: String?) -> (PackedPush) -> Bool {
        let token = token?.lowercased()
        return {
            (token == nil || Self.token(in: $0.path) == token) && (topic == nil || $0.header("apns-topic") == topic)
        }
    }

    /// The last part of a device path, in lower case.
    static func token(in path: String) -> String? {
        guard path.hasPrefix("/3/device/") else { return nil }
        let token = path.dropFirst(10).lowercased()
        return token.isEmpty ? nil : token
    }
}

// MARK: - Waiting

extension PackedPush: WaitingMessage {
    /// Apple keeps fewer for a phone that is switched off.
    static let waitingLimit = 1_000

    var collapseKey: String? { header("apns-collapse-id") }

    /// `apns-expiration`, where 0 means one try (Apple, "Sending notification requests to APNs").
    func life(at now: Int64) -> MessageLife {
        guard let expiration = header("apns-expiration").flatMap({ Int64($0) }) else { return .unlimited }
        return expiration == 0 ? .once : .until(expiration * 1_000)
    }
}

/// The pushes that wait for one phone.
typealias DeviceMailbox = Mailbox<PackedPush>
