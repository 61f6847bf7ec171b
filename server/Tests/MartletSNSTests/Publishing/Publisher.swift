import MartletStore
import MartletTesting
import MartletWire
import Testing

@testable import MartletCore
@testable import MartletSNS

extension Harness {
    /// Subscribes an endpoint and says the subscription's ARN.
    @discardableResult
    func subscribe(_ endpoint: String, to topic: String, filter: String? = nil) async throws -> String {
        try await subscribe(topic, endpoint, attributes: filter.map { [("FilterPolicy", $0)] } ?? [])
    }

    /// Publishes, and says the message's id.
    @discardableResult
    func publish(_ target: (String, String), _ parameters: [(String, String)]) async throws -> String {
        let reply = try await call("Publish", [target] + parameters)
        return try #require(reply["MessageId"], "\(reply.body)")
    }

    /// What publishers gave of the payloads that a phone was sent.
    func payloads(_ token: String) -> [String] {
        pushes.attempts.filter { $0.token == token }.map { Self.given($0.message.payload.bytes) }
    }

    /// What a publisher gave of a payload: behind its last member stands the id that the server adds.
    static func given(_ payload: [UInt8]) -> String {
        String(decoding: payload, as: UTF8.self).replacing(/,?"message_id":"[0-9a-f-]{36}"}$/, with: "}")
    }

    /// What became of a message's deliveries, when all of it is over.
    func outcome(of message: String) async throws -> [String] {
        let id = try #require(PublicID(message))
        let deadline = ContinuousClock.now + .seconds(120)
        while true {
            try #require(ContinuousClock.now < deadline, "the message \(message) does not come to its end")
            let known = try #require(try await store.notification(id))
            if known.state == .done { break }
            await Task.yield()
        }
        let known = try #require(try await store.notification(id))
        let deliveries = try await store.deliveries(known.row, PageRequest()).items
        // What was not made for a person, and so for none of their devices.
        let people = try await store.suppressions(known.row, PageRequest()).items.filter { $0.endpointRow == nil }
        return (deliveries + people).map { report in
            [report.state.rawValue, report.reason].compactMap { $0 }.joined(separator: " ")
        }
    }
}
