import MartletCore
import MartletStore
import MartletWire

extension StoreConformance {
    /// Notifications that are submitted in one call.
    static let submittedTogether: [Check] = [
        Check("of many notifications at once each is written, and none of none") { world in
            let app = try await world.makeApp()
            let other = try await world.makeApp("com.example.other")
            let requests = (0..<150).map { index in
                SubmitRequest(
                    world.draft(
                        index.isMultiple(of: 2) ? app : other,
                        to: .users(["user \(index)"]),
                        sendAt: index == 7 ? world.now + .seconds(60) : nil
                    )
                )
            }
            let outcomes = try await world.store.submit(requests)
            let expected = requests.map { SubmitOutcome.submitted(Submitted(id: $0.draft.id, isRepeated: false)) }
            try expect(outcomes, is: expected, "outcomes")
            for (index, request) in requests.enumerated() {
                let found = try await world.read(request.draft.id)
                try expect(found.audience, is: request.draft.audience, "audience")
                try expect(found.app, is: request.draft.app, "app")
                try expect(found.state, is: index == 7 ? .scheduled : .sending, "state")
            }
            try expect(try await world.store.submit([]), is: [], "outcomes of none")
        },
        Check("of several requests under one key in one call the first is written, and the same ones repeat it") {
            world in
            let app = try await world.makeApp()
            let record = try await world.idempotency("1")
            var mismatch = record
            mismatch.bodyHash = SecretHash(of: "another body")
            var other = record
            other.value = "order-2"
            let requests = [record, record, mismatch, other].map {
                SubmitRequest(world.draft(app), idempotency: $0)
            }
            let first = requests[0].draft.id
            let outcomes = try await world.store.submit(requests)
            try expect(outcomes[0], is: .submitted(Submitted(id: first, isRepeated: false)), "first")
            try expect(outcomes[1], is: .submitted(Submitted(id: first, isRepeated: true)), "the same again")
            try expect(outcomes[2].refusal, is: .idempotencyMismatch, "another body")
            try expect(
                outcomes[3],
                is: .submitted(Submitted(id: requests[3].draft.id, isRepeated: false)),
                "another key"
            )
            let all = try await world.store.notifications(app.row, state: nil, PageRequest()).items
            try expect(all.map(\.id), is: [requests[3].draft.id, first], "notifications")
        },
        Check("a key that one call used is known to the next, alone and among others") { world in
            let app = try await world.makeApp()
            let record = try await world.idempotency("1")
            var mismatch = record
            mismatch.bodyHash = SecretHash(of: "another body")
            let first = try await world.store.submit(world.draft(app), idempotency: record)
            let again = Submitted(id: first.id, isRepeated: true)
            let new = world.draft(app)
            let outcomes = try await world.store.submit([
                SubmitRequest(world.draft(app), idempotency: record), SubmitRequest(new),
                SubmitRequest(world.draft(app), idempotency: mismatch),
            ])
            try expect(outcomes[0], is: .submitted(again), "repeated")
            try expect(outcomes[1], is: .submitted(Submitted(id: new.id, isRepeated: false)), "new")
            try expect(outcomes[2].refusal, is: .idempotencyMismatch, "another body")
            try expect(try await world.store.submit(world.draft(app), idempotency: record), is: again, "alone")
            let all = try await world.store.notifications(app.row, state: nil, PageRequest()).items
            try expect(all.count, is: 2, "notifications")
        },
        Check("what is refused in a call writes nothing, leaves its key free, and stops no other") { world in
            let app = try await world.makeApp()
            let gone = try await world.makeApp("com.example.gone")
            try await world.store.deleteApp(gone.row)
            let sent = try await world.send(app)
            let record = try await world.idempotency("1")
            var taken = world.draft(app)
            taken.id = PublicID(key: sent.id.key)
            let topic = TopicSelection(id: world.makeID(), name: "news")
            let requests = [
                SubmitRequest(world.draft(gone), idempotency: record), SubmitRequest(world.draft(gone)),
                SubmitRequest(taken, idempotency: record), SubmitRequest(world.draft(app, to: .topic(topic))),
                SubmitRequest(world.draft(app), idempotency: record),
            ]
            let outcomes = try await world.store.submit(requests)
            try expect(outcomes[0].refusal, is: .notFound, "an app that is gone")
            try expect(outcomes[1].refusal, is: .notFound, "the same app")
            try expect(outcomes[2], is: .idTaken, "an id that is taken")
            try expect(outcomes[3].refusal, is: .notFound, "a topic that there is not")
            let last = requests[4].draft.id
            try expect(outcomes[4], is: .submitted(Submitted(id: last, isRepeated: false)), "the last")
            let all = try await world.store.notifications(nil, state: nil, PageRequest()).items
            try expect(Set(all.map(\.id)), is: [last, sent.id], "notifications")
        },
        Check("each of a call begins with its own reservation, and claims what those before it left") { world in
            let app = try await world.makeApp()
            let queue = try await world.makeQueue(app)
            try await world.register(app, 1, user: "ann")
            let gate = Gate(app: app.row, queues: [queue])
            let lease = world.newLease()
            let requests = [Dedup(key: "alert"), Dedup(key: "alert"), nil].map { dedup in
                SubmitRequest(
                    world.draft(app, to: .users(["ann"]), dedup: dedup),
                    gate: gate,
                    reservation: dedup == nil ? nil : Reservation(lease: lease, queues: [queue])
                )
            }
            let submitted = try await world.store.submit(requests).map { try $0.submitted() }
            try expect(submitted.map(\.leased.count), is: [1, 0, 0], "batches that begin at once")
            try expect(try await world.lease(queue).count, is: 1, "batches that wait")
            let duplicate = try await world.read(submitted[1].id)
            try expect(duplicate.counts, is: DeliveryCounts(suppressed: 1), "counts of the duplicate")
        },
    ]
}

extension SubmitOutcome {
    /// The code of the refusal; `nil` where it was not refused.
    fileprivate var refusal: ErrorCode? { if case .refused(let failure) = self { failure.code } else { nil } }
}
