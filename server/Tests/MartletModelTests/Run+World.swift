import MartletCore
import MartletStore
import MartletTesting
import MartletWire

/// What senders, devices and operators do meanwhile.
extension Run {
    func submit() async throws {
        guard reference.sent.count < Run.mostNotifications else { return }
        let audience = anyAudience()
        let key = random.pick(["alert", "news"])
        let dedup: Dedup? = random.chance(40) ? nil : Dedup(key: key, cooldown: anyCooldown())
        let sendAt: Timestamp? = random.chance(80) ? nil : now + .seconds(random.pick([5, 90]))
        let lifetime: Duration = .seconds(random.pick([20, 300, 86_400, 86_400]))
        let draft = NotificationDraft(
            id: ids.next(at: now),
            app: app.row,
            audience: audience,
            content: Content(title: "Delay"),
            class: random.pick(NotificationClass.allCases),
            priority: .high,
            dedup: dedup,
            collapseID: nil,
            sendAt: sendAt,
            expiresAt: (sendAt ?? now) + lifetime,
            retry: RetryPolicy(
                maxAttempts: Int.random(in: 1...4, using: &random),
                steadyTries: 1,
                growingTries: 2,
                minimumDelay: .seconds(random.pick([0, 5])),
                maximumDelay: .seconds(60),
                rateLimitedDelay: .seconds(20)
            ),
            messages: []
        )
        let lease = newLease()
        let submitted = try await submit(draft, lease)
        guard let found = try await store.notification(draft.id) else { throw Broken("a notification is not there") }
        var sent = Reference.Sent(
            row: found.row,
            id: draft.id,
            audience: audience,
            class: NotificationClass.allCases.firstIndex(of: draft.class) ?? 0,
            dedup: dedup,
            acceptedAt: now,
            sendAt: sendAt ?? now,
            expiresAt: draft.expiresAt,
            state: (sendAt ?? now) > now ? .scheduled : .sending
        )
        sent.steady = Set(endpoints.values.filter { belongs($0, to: audience) }.map(\.row))
        reference.sent[found.row] = sent
        note("submit \(found.row.rawValue) to \(audience), dedup \(dedup.map { "\($0)" } ?? "none")")
        try begin(submitted, of: sent, lease)
        try await audit([found.row])
    }

    /// With its audience read at once or left for later, and with a reservation for some, all or none of its batches.
    private func submit(_ draft: NotificationDraft, _ lease: Lease) async throws -> Submitted {
        guard random.chance(60) else { return try await store.submit(draft, idempotency: nil) }
        let queues = try await store.credentials(app.row).map { queue($0.environment) }
        let open = Set(queues.filter { _ in random.chance(60) })
        return try await store.submit(
            draft,
            idempotency: nil,
            gate: Gate(app: app.row, queues: Set(queues)),
            reservation: Reservation(lease: lease, queues: open)
        )
    }

    /// Goes on with what was read and leased as it was accepted.
    private func begin(_ submitted: Submitted, of sent: Reference.Sent, _ lease: Lease) throws {
        reference.begin(submitted, of: sent, lease: lease, now: now)
        for batch in submitted.leased {
            note("begin \(batch.notification.rawValue) in \(batch.queue.environment) at once: \(batch.row.rawValue)")
            try expect(reference.queues[batch.queue]?.isPaused != true, "a reservation in a paused queue")
            let isKnown = reference.waiting.contains { $0.row == batch.row && $0.holder == lease.holder }
            try expect(isKnown, "batch \(batch.row.rawValue) is not what the gate decided")
            jobs.append(newJob(batch, lease, skew: .zero))
        }
    }

    private func anyCooldown() -> Duration? {
        random.pick([nil, Duration.zero, .seconds(30), .seconds(7_200), .seconds(7_200)])
    }

    private func anyAudience() -> Audience {
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<5: return .all
        case 5..<8:
            let users = (Run.users + ["nobody has met"]).filter { _ in random.chance(60) }
            return .users(users.isEmpty ? ["ann"] : users.shuffled(using: &random))
        case 8: return .tokens(Array(Run.tokens.shuffled(using: &random).prefix(4)), platform: .apns)
        default:
            let known = endpoints.values.sorted { $0.row < $1.row }.map(\.id).shuffled(using: &random).prefix(3)
            return .endpoints(known + [PublicID(milliseconds: now.rawValue, using: &random)])
        }
    }

    private func belongs(_ endpoint: Endpoint, to audience: Audience) -> Bool {
        switch audience {
        case .all: true
        case .topic: false
        case .users(let ids): endpoint.user.map { ids.contains($0.id) } ?? false
        case .tokens(let tokens, _): tokens.contains(endpoint.token)
        case .endpoints(let ids): ids.contains(endpoint.id)
        }
    }

    /// Reads the endpoints anew; who left an audience meanwhile is not missed by it.
    func lookAtEndpoints() async throws {
        let found = try await store.endpoints(app.row, user: nil, PageRequest(count: 1_000)).items
        endpoints = Dictionary(uniqueKeysWithValues: found.map { ($0.row, $0) })
        for (row, sent) in reference.sent where sent.isAudienceOpen {
            let staying = sent.steady.filter { endpoints[$0].map { belongs($0, to: sent.audience) } ?? false }
            reference.sent[row]?.steady = staying
        }
    }

    private func anySent() -> RowID<Notification>? {
        let rows = reference.sent.keys.sorted()
        return rows.isEmpty ? nil : random.pick(rows)
    }

    func cancel() async throws {
        guard let row = anySent() else { return }
        note("cancel \(row.rawValue)")
        _ = try await store.cancel(row)
        reference.cancel(row)
        try await audit([row])
    }

    func register() async throws {
        let owner: Registration.Owner = random.pick([.unchanged, .nobody] + Run.users.map { .user($0) })
        let previous = random.chance(20) ? random.pick(Run.tokens) : nil
        try await register(random.pick(Run.tokens), random.pick([.production, .sandbox, nil]), owner, over: previous)
    }

    func register(
        _ token: String,
        _ environment: Environment?,
        _ owner: Registration.Owner,
        over previous: String? = nil
    ) async throws {
        var registration = Registration(app: app.row, platform: .apns, token: token, environment: environment)
        registration.previousToken = previous == token ? nil : previous
        registration.owner = owner
        let endpoint = try await store.register(registration).endpoint
        note("register \(token) over \(previous ?? "none") as \(endpoint.row.rawValue) for \(owner)")
        try await lookAtEndpoints()
    }

    func changeEndpoint() async throws {
        guard !endpoints.isEmpty else { return }
        let row = random.pick(endpoints.keys.sorted())
        var update = EndpointUpdate()
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<4: update.status = .enabled
        case 4..<6: update.status = .disabled(.byRequest)
        case 6: update.status = .removed(.byRequest)
        default: update.owner = random.pick([.nobody] + Run.users.map { .user($0) })
        }
        note("change \(row.rawValue): \(update)")
        _ = try await store.updateEndpoint(row, update)
        try await lookAtEndpoints()
    }

    func changeCredential() async throws {
        let queue = queue(random.pick([Environment.sandbox, .production]))
        if random.chance(70) { return try await storeCredential(queue) }
        note("no credential for \(queue.environment)")
        _ = try await store.deleteCredential(queue)
        reference.queues[queue, default: Reference.QueueState()].credentialSince = nil
    }

    func storeCredential(_ queue: DeliveryQueue) async throws {
        note("credential for \(queue.environment)")
        let summary = CredentialSummary(kind: .token, topic: "com.example", keyID: nil, teamID: nil, expiresAt: nil)
        let draft = StoredCredentialDraft(summary: summary, sealed: [1], url: nil, trust: nil)
        _ = try await store.storeCredential(queue, draft)
        reference.queues[queue] = Reference.QueueState(credentialSince: now)
    }

    func resume() async throws {
        let paused = reference.queues.filter(\.value.isPaused).map(\.key)
        try expect(Set(try await store.pauses(app.row).map(\.queue)), is: Set(paused), "paused queues")
        for queue in paused {
            note("resume \(queue.environment)")
            try expect(try await store.resume(queue), "\(queue.environment) was not paused")
            reference.queues[queue]?.isPaused = false
        }
    }

    func expire() async throws {
        let before = Set(reference.waiting.compactMap(\.row))
        let number = Int64(process)
        let expected = reference.expire(process: number, now: now)
        note("expire \(expected)")
        let ended = try await store.expire(limit: 1_000, process: number)
        try expect(ended.batches.count, is: expected.batches, "batches whose time ran out")
        try expect(ended.fanOuts, is: expected.fanOuts, "quarantined fan-outs whose time ran out")
        try noteEnds(of: before.subtracting(reference.waiting.compactMap(\.row)))
        try await auditAll()
    }

    func retryQuarantined() async throws {
        let found = try await store.failedWork(QuarantinedWork.self, PageRequest(count: 1_000)).items
        try expect(found.count, is: reference.quarantinedCount, "what is quarantined")
        guard !found.isEmpty else { return }
        note("retry \(found.count) that are quarantined")
        for one in found { _ = try await store.retry(QuarantinedWork.self, one.id) }
        reference.retryQuarantined()
    }

    func retryDeadLetter() async throws {
        let letters = try await store.failedWork(DeadLetter.self, of: app.row, PageRequest(count: 1_000)).items
        guard !letters.isEmpty else { return }
        let letter = random.pick(letters)
        guard let sent = reference.sent.values.first(where: { $0.id == letter.notification }),
            let endpoint = try await store.endpoint(app.row, .id(letter.endpoint)),
            let ended = sent.results[endpoint.row]
        else { throw Broken("a dead letter of a delivery that did not die") }
        try expect(ended.state, is: .dead, "state of a dead letter's delivery")
        guard sent.state != .cancelled else { return }
        note("retry \(sent.row.rawValue) to \(endpoint.row.rawValue)")
        let retry = try await store.retry(DeadLetter.self, letter.id)
        try expect(!retry.isRepeated, "a dead letter was retried before")
        reference.revive(
            Member(endpoint: endpoint.row, user: ended.user),
            of: sent.row,
            in: queue(endpoint.environment ?? ended.queue.environment),
            isKnown: endpoint.environment != nil,
            now: now
        )
        try await audit([sent.row])
        try expect(try await store.retry(DeadLetter.self, letter.id).isRepeated, "a second retry was made")
        try await audit([sent.row])
    }
}
