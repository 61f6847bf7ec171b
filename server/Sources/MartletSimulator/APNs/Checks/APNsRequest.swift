import MartletTransport
import NIOCore

/// One push as it arrived: what the checks look at, and nothing of the connection's machinery.
struct APNsRequest: Sendable {
    var method = "POST"
    var path: String
    var authorization: String?
    var topic: String?
    var pushType: String?
    var id: String?
    var expiration: String?
    var priority: String?
    var collapseID: String?
    /// The first header name that was seen twice.
    var repeatedHeader: String?
    var payload = PayloadSummary(size: 0, isObject: false)

    init(path: String) {
        self.path = path
    }
}

/// What the checks need to know of a payload.
struct PayloadSummary: Sendable, Equatable {
    /// Bytes.
    var size: Int
    /// Whether it is JSON (RFC 8259) and an object.
    var isObject: Bool
}

extension APNsRequest {
    init(_ request: HTTP2ServerRequest) {
        method = request.method
        path = request.path
        var others: [String] = []
        for header in request.headers {
            switch header.name {
            case "authorization": Self.set(&authorization, header, &repeatedHeader)
            case "apns-topic": Self.set(&topic, header, &repeatedHeader)
            case "apns-push-type": Self.set(&pushType, header, &repeatedHeader)
            case "apns-id": Self.set(&id, header, &repeatedHeader)
            case "apns-expiration": Self.set(&expiration, header, &repeatedHeader)
            case "apns-priority": Self.set(&priority, header, &repeatedHeader)
            case "apns-collapse-id": Self.set(&collapseID, header, &repeatedHeader)
            // RFC 9113 section 8.2.3 lets a client split its cookies.
            case "cookie": continue
            default:
                if repeatedHeader == nil, others.contains(header.name) { repeatedHeader = header.name }
                others.append(header.name)
            }
        }
        payload = PayloadSummary(
            size: request.body.readableBytes,
            isObject: !request.isBodyTruncated
                && request.body.withUnsafeReadableBytes { JSONGrammar.isObject($0) }
        )
    }

    private static func set(_ field: inout String?, _ header: HTTP2Header, _ repeated: inout String?) {
        if field != nil, repeated == nil { repeated = header.name }
        field = header.value
    }
}
