import HTTPTypes
import MartletCore
import MartletWire

/// Several subscriptions to a topic in one request. Each is read, created or refused on its own, as if it had a
/// request of its own.
extension MartletAPI {
    func subscribeMany(
        _ request: SubscriptionBatchRequest,
        _ call: Call
    ) async throws -> Reply<SubscriptionBatchResponse> {
        let count = request.subscriptions.count
        guard (1...SubscriptionBatchRequest.limit).contains(count) else {
            throw Failure.invalid(
                "subscriptions",
                "One request has 1 to \(SubscriptionBatchRequest.limit) subscriptions; this one has \(count).",
                hint: count == 0 ? nil : "Send them in several requests."
            )
        }
        let topic = try await topic(of: call)
        let receipts = try await inTurns(Array(request.subscriptions.enumerated())) { position, value in
            do {
                try SubscriptionRequest.schema.check(value)
                let one = try DocumentDecoder.decode(SubscriptionRequest.self, from: value)
                let app = try await subscriberApp(one.app, topic, call.caller)
                let subscribed = try await subscribe(one, to: topic, app: app).0
                return SubscriptionReceipt(id: subscribed.subscription.id, isNew: subscribed.isNew)
            } catch let failure as Failure where failure.code.status.code < 500 {
                return SubscriptionReceipt(refused: failure.inside("subscriptions[\(position)]").detail)
            }
        }
        let new = receipts.count { $0.status == .created }
        if new > 0 {
            await record(
                "subscription.import",
                of: AuditSubject(topic),
                by: call.caller,
                app: topic.app,
                after: [
                    "subscriptions": .integer(Int64(new)),
                    "refused": .integer(Int64(receipts.count { $0.error != nil })),
                ]
            )
        }
        return Reply(SubscriptionBatchResponse(receipts: receipts))
    }

    /// Does the same with each part of a request, some at a time, which share their commits; the results are in the parts'
    /// order.
    func inTurns<Part: Sendable, Outcome: Sendable>(
        _ parts: [Part],
        _ act: @escaping @Sendable (Part) async throws -> Outcome
    ) async throws -> [Outcome] {
        // Ours: commits are shared, and other requests have their turns between.
        let width = 50
        var outcomes: [Outcome] = []
        for start in stride(from: 0, to: parts.count, by: width) {
            outcomes += try await withThrowingTaskGroup(of: (Int, Outcome).self) { group in
                for index in start..<min(start + width, parts.count) {
                    group.addTask { (index, try await act(parts[index])) }
                }
                var found: [(Int, Outcome)] = []
                for try await outcome in group { found.append(outcome) }
                return found.sorted { $0.0 < $1.0 }.map(\.1)
            }
        }
        return outcomes
    }
}
