import MartletCore
import MartletStore
import MartletTesting
import MartletWire

/// What is compared.
extension Run {
    func auditAll() async throws { try await audit(Set(reference.sent.keys)) }

    /// The store's states and counters are the reference's.
    func audit(_ rows: Set<RowID<Notification>>) async throws {
        for row in rows.sorted() {
            guard let sent = reference.sent[row], let found = try await store.notification(sent.id) else {
                throw Broken("notification \(row.rawValue) is gone")
            }
            try expect(found.counts, is: reference.counts(row), "counts of \(row.rawValue)")
            try expect(found.state, is: sent.state, "state of \(row.rawValue)")
            try await auditDeliveries(sent)
        }
    }

    private func auditDeliveries(_ sent: Reference.Sent) async throws {
        var states: [RowID<Endpoint>: DeliveryState] = [:]
        for line in try await store.deliveries(sent.row, PageRequest(count: 1_000)).items {
            guard let endpoint = line.endpointRow else { throw Broken("a delivery to no endpoint") }
            try expect(states[endpoint] == nil, "endpoint \(endpoint.rawValue) has two states")
            states[endpoint] = line.state
        }
        try expect(states, is: reference.states(sent.row), "states of \(sent.row.rawValue)")
        let lost = sent.met.filter { states[$0] == nil }
        try expect(lost.isEmpty, "notification \(sent.row.rawValue) lost endpoints \(lost.map(\.rawValue))")
        let suppressed = try await store.suppressions(sent.row, PageRequest(count: 1_000)).items
        try expect(suppressed.count, is: sent.suppressions.count, "suppressions of \(sent.row.rawValue)")
        for line in suppressed where line.reason == Suppression.Reason.duplicate.rawValue {
            try expect(line.heldBy != sent.id, "notification \(sent.row.rawValue) is suppressed by its own claim")
        }
    }

    /// Works on everything with workers that do not fail and a provider that accepts, until nothing waits.
    func drain() async throws {
        note("drain")
        // All clocks are right again.
        skews = skews.map { _ in .zero }
        act(as: 0)
        // By then every lease, every delay and every lifetime has passed, an hour back included.
        for _ in 0..<60 {
            reference.step += 1
            try await seeSetBack()
            try await resume()
            try await retryQuarantined()
            try await leaseAudience(limit: 100)
            while var reading = reads.popLast() { while try await !advance(&reading) {} }
            for environment in [Environment.sandbox, .production] {
                try await leaseBatches(queue(environment), limit: 100)
            }
            while var job = jobs.popLast() { while try await !advance(&job, accepting: true) {} }
            try await expire()
            if reference.sent.values.allSatisfy({ $0.state == .done || $0.state == .cancelled }),
                reference.waiting.isEmpty
            {
                return
            }
            try await move(by: .seconds(random.pick([1, 60, 3_600])))
        }
        throw Broken("after 60 rounds there is still something pending: \(reference.waiting)")
    }

    /// At the end nothing is pending, every delivery has one state, and the counters are the results.
    func auditEnd() async throws {
        try await auditAll()
        for sent in reference.sent.values {
            guard let found = try await store.notification(sent.id) else { throw Broken("a notification is gone") }
            try expect(found.counts.pending, is: 0, "pending of \(sent.row.rawValue)")
            let lines = try await store.deliveries(sent.row, PageRequest(count: 1_000)).items
            try expect(lines.allSatisfy { $0.state != .pending }, "a delivery of \(sent.row.rawValue) is pending")
            // Beside the endpoints' lines there are suppressions of users and of names that are nobody's.
            let nameless = sent.suppressions.keys.count { if case .endpoint = $0 { false } else { true } }
            let counts = found.counts
            let all = counts.accepted + counts.rejected + counts.suppressed + counts.expired + counts.cancelled
            try expect(all + counts.dead, is: lines.count + nameless, "sum of the counts of \(sent.row.rawValue)")
        }
        try expect(try await store.dueWork(), is: DueWork(queues: [], next: nil), "due work at the end")
        try expect(try await store.statistics().backlogs.isEmpty, "a backlog at the end")
    }
}
