import Foundation
import MartletTransport
import NIOCore

/// A request that an HTTP service received, as its log keeps it.
package struct RequestRecord: LoggedRecord {
    /// Bytes of a body that are kept.
    static let bodyLimit = 8 * 1_024

    package var seq = 0
    var time: Int64
    var connection: Int
    var protocolName: String
    var method: String
    var path: String
    /// `authorization` without what is secret in it.
    var headers: [HTTP2Header]
    var body: [UInt8]
    package var outcome = ReceivedOutcome.answered
    package var status: Int16 = 0
    package var reason: String?
    /// The token or subscription that the request is for.
    var target: String?
    /// What the service found out, by name.
    var details: [String: JSONValue] = [:]

    /// - Parameter keepsBody: `false` where the body is a secret.
    init(_ request: HTTP2ServerRequest, on exchange: ServiceExchange, time: Int64, keepsBody: Bool = true) {
        self.time = time
        connection = exchange.connection
        protocolName = exchange.protocolName
        method = request.method
        path = request.path
        headers = request.headers.map { header in
            guard header.name == "authorization" else { return header }
            let scheme = header.value.prefix { $0 != " " }
            return HTTP2Header(header.name, "\(scheme) (\(header.value.utf8.count) bytes)")
        }
        body = keepsBody ? Array(request.body.readableBytesView.prefix(Self.bodyLimit)) : []
    }

    package func unpacked() -> ReceivedRequest {
        let payload = body.isEmpty ? nil : try? JSONDecoder().decode(JSONValue.self, from: Data(body))
        let text = body.isEmpty || payload != nil ? nil : String(validating: body, as: UTF8.self)
        return ReceivedRequest(
            seq: seq,
            time: time,
            connection: connection,
            protocol: protocolName,
            method: method,
            path: path,
            target: target,
            headers: Dictionary(headers.map { ($0.name, $0.value) }) { "\($0), \($1)" },
            payload: payload,
            payloadText: text,
            payloadBytes: body.count,
            outcome: outcome,
            status: outcome == .answered ? Int(status) : nil,
            reason: reason,
            details: details.isEmpty ? nil : details
        )
    }

    package static let filters = ["target", "path"]

    package static func filter(_ parameter: (String) -> String?) -> (RequestRecord) -> Bool {
        let (target, path) = (parameter("target"), parameter("path"))
        return { target.allows($0.target) && path.allows($0.path) }
    }
}

/// A request that an HTTP service received: an element of the answer of `GET …/received`.
package struct ReceivedRequest: Sendable, Equatable, Codable {
    /// Number of the request since the start, from 1.
    package var seq: Int
    /// Milliseconds since 1970.
    package var time: Int64
    /// Number of its connection.
    package var connection: Int
    /// `h2` or `http/1.1`.
    package var `protocol`: String
    package var method: String
    package var path: String
    /// The token or subscription that it is for.
    package var target: String?
    /// Its headers; a repeated one's values are joined with a comma. Of `authorization` the scheme and the length.
    package var headers: [String: String]
    /// The body when it is JSON.
    package var payload: JSONValue?
    /// The body when it is other text.
    package var payloadText: String?
    /// Bytes of the body that were kept, at most 8,192.
    package var payloadBytes: Int
    package var outcome: ReceivedOutcome
    /// The answer's status; `nil` without an answer.
    package var status: Int?
    /// Why it was refused.
    package var reason: String?
    /// What the service found out.
    package var details: [String: JSONValue]?
}
