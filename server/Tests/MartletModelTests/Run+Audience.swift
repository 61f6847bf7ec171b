import MartletCore
import MartletStore
import MartletTesting
import MartletWire

/// A worker on one audience, with what it knows: `FanOutWorker`, cut where it may be interrupted.
struct Reading {
    var position: FanOut
    let gate: Gate
    /// A part that was read and is not written yet.
    var page: AudiencePage?
}

extension Run {
    func leaseAudience(limit: Int) async throws {
        let lease = newLease()
        let live = reference.sent.values.filter { $0.reader != nil && $0.readUntil > now }.map(\.row)
        let expected = reference.leaseFanOuts(limit: limit, lease: lease, now: now)
        let leased = try await store.leaseFanOuts(limit: limit, lease: lease)
        note("read \(leased.map(\.notification.row.rawValue)) by \(lease.holder % 1_000)")
        try expect(leased.map(\.notification.row), is: expected, "audiences that are leased")
        for position in leased {
            let row = position.notification.row
            try expect(!live.contains(row), "audience \(row.rawValue) has two live holders")
            try expect(position.cursor, is: reference.sent[row]?.cursor ?? FanOut.Cursor(), "cursor")
            let queues = try await store.credentials(app.row).map { queue($0.environment) }
            reads.append(Reading(position: position, gate: Gate(app: app.row, queues: Set(queues))))
        }
    }

    func readAudience() async throws {
        guard !reads.isEmpty else { return }
        let index = Int.random(in: 0..<reads.count, using: &random)
        if try await advance(&reads[index]) { reads.remove(at: index) }
    }

    /// One step of a reader; says whether it was the last one.
    func advance(_ reading: inout Reading) async throws -> Bool {
        guard let page = reading.page else {
            let limit = Int.random(in: 1...4, using: &random)
            reading.page = try await store.audience(of: reading.position, limit: limit)
            return false
        }
        reading.page = nil
        let row = reading.position.notification.row
        var gated = reading.gate.decide(page)
        let wasOpen = reference.sent[row]?.isAudienceOpen == true
        let further = try await store.commit(gated, of: reading.position)
        // Whether there is more to read is the store's to say; that it ends is the drain's to see.
        if gated.next == nil { gated.next = further?.cursor }
        let goesOn = reference.commit(gated, of: reading.position, now: now)
        note(
            "part of \(row.rawValue): \(gated.batches.map { $0.members.map(\.endpoint.rawValue) }), "
                + "not made \(gated.suppressions.map { $0.endpoint?.rawValue ?? 0 }), goes on \(goesOn)"
        )
        try expect(further != nil, is: goesOn, "whether the reader goes on")
        // A part whose answer was lost on the way is written once.
        if random.chance(10) {
            try expect(try await store.commit(gated, of: reading.position) == nil, "a part is written twice")
        }
        try await audit([row])
        guard let further else {
            if wasOpen, reference.sent[row]?.isAudienceOpen == false { try checkNobodyWasMissed(row) }
            return true
        }
        try expect(further.cursor, is: reference.sent[row]?.cursor ?? FanOut.Cursor(), "cursor")
        reading.position = further
        return false
    }

    /// A reader dies, or stops and gives its lease back.
    func loseReader() async throws {
        guard !reads.isEmpty else { return }
        let reading = reads.remove(at: Int.random(in: 0..<reads.count, using: &random))
        note("a reader of \(reading.position.notification.row.rawValue) ends")
        guard random.chance(50) else { return }
        try await store.endLease(.releaseFanOut(reading.position))
        reference.release(reading.position)
    }

    /// Who belonged to the audience from the submission to the end of reading has a state.
    private func checkNobodyWasMissed(_ row: RowID<Notification>) throws {
        let sent = reference.sent[row]
        let missed = (sent?.steady ?? []).subtracting(sent?.met ?? [])
        try expect(missed.isEmpty, "notification \(row.rawValue) missed endpoints \(missed.map(\.rawValue))")
    }
}
