public import MartletCore
import MartletStore
import MartletWire

/// A store under test, with the steps that checks have in common.
struct World: Sendable {
    let store: Store
    let clock: ManualClock
    /// Takes a notification back from a user.
    let withdraw: StoreConformance.Withdraw
    let ids = NotificationIDs()

    /// Where the clock stands.
    var now: Timestamp { clock.now() }

    /// A new id.
    func makeID() -> PublicID {
        ids.next(at: now)
    }

    /// A token of 32 bytes that differs by number.
    func token(_ number: Int) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 64 - digits.count) + digits
    }

    /// An app of that name.
    func makeApp(_ name: String = "com.example.app") async throws -> App {
        try await store.createApp(name: name, identity: Identity())
    }

    /// A queue with a credential.
    func makeQueue(
        _ app: App,
        _ environment: Environment = .production,
        platform: Platform = .apns
    ) async throws -> DeliveryQueue {
        let queue = DeliveryQueue(app: app.row, platform: platform, environment: environment)
        _ = try await store.storeCredential(queue, credentialDraft())
        return queue
    }

    /// A credential that looks like a signing key.
    func credentialDraft(topic: String = "com.example.app") -> StoredCredentialDraft {
        let summary = CredentialSummary(kind: .token, topic: topic, keyID: "KEY", teamID: "TEAM", expiresAt: nil)
        return StoredCredentialDraft(summary: summary, sealed: [1, 2, 3], url: nil, trust: nil)
    }

    /// Registers a token; by default for the production environment, without an installation.
    @discardableResult
    func register(
        _ app: App,
        _ number: Int,
        user: String? = nil,
        environment: Environment? = .production
    ) async throws -> Endpoint {
        let owner: Registration.Owner = user.map { .user($0) } ?? .unchanged
        let registration = Registration(
            app: app.row,
            platform: .apns,
            token: token(number),
            environment: environment,
            owner: owner
        )
        return try await store.register(registration).endpoint
    }

    /// A notification for everybody, unless said otherwise.
    func draft(
        _ app: App,
        to audience: Audience = .all,
        dedup: Dedup? = nil,
        class: NotificationClass = .default,
        sendAt: Timestamp? = nil,
        lifetime: Duration = .seconds(86_400)
    ) -> NotificationDraft {
        NotificationDraft(
            id: makeID(),
            app: app.row,
            audience: audience,
            content: Content(title: "Line 4 is late"),
            class: `class`,
            priority: .high,
            dedup: dedup,
            collapseID: dedup?.collapseID,
            sendAt: sendAt,
            expiresAt: now + lifetime,
            retry: .standard,
            messages: [
                Message(platform: .apns, headers: ["apns-push-type": "alert"], payload: Payload(Array("{}".utf8)))
            ]
        )
    }

    /// Submits a notification and reads it back.
    func submit(_ draft: NotificationDraft) async throws -> Notification {
        let submitted = try await store.submit(draft, idempotency: nil)
        return try await read(submitted.id)
    }

    /// What a platform gets of a notification, as an attempt would find it.
    func message(_ sent: Notification, _ platform: Platform) async throws -> Message? {
        let batch = Batch(
            row: RowID(1),
            notification: sent.row,
            notificationID: sent.id,
            queue: DeliveryQueue(app: sent.app, platform: platform, environment: .production),
            isEnvironmentKnown: true,
            attempts: 0,
            expiresAt: now,
            isCancelled: false,
            retry: .standard,
            members: []
        )
        return try await store.context(of: batch).message
    }

    /// A notification that must be there.
    func read(_ id: PublicID) async throws -> Notification {
        try unwrap(try await store.notification(id), "notification \(id)")
    }

    /// A lease that nobody else has.
    func newLease() -> Lease { Lease(holder: Int64.random(in: 1...Int64.max)) }

    /// Reads the audiences of all due notifications to their ends and writes their batches.
    func fanOut(pageSize: Int = 1_000) async throws {
        for leased in try await store.leaseFanOuts(limit: 100, lease: newLease()) {
            var position: FanOut? = leased
            while let current = position {
                let page = try await store.audience(of: current, limit: pageSize)
                position = try await store.commit(gate(for: current).decide(page), of: current)
            }
        }
    }

    /// Every enabled endpoint is delivered to, in its environment or in production.
    func gated(_ page: AudiencePage, _ app: RowID<App>) -> GatedPage { gate(of: app).decide(page) }

    /// The gate of a worker that reads an audience, with a credential for each queue.
    func gate(for fanOut: FanOut) -> Gate {
        var gate = gate(of: fanOut.notification.app)
        gate.person = PersonGate(fanOut)
        gate.device.alerts = fanOut.alerts
        return gate
    }

    /// A gate with a credential for each queue.
    func gate(of app: RowID<App>) -> Gate {
        let queues = Platform.allCases.flatMap { platform in
            Environment.allCases.map { DeliveryQueue(app: app, platform: platform, environment: $0) }
        }
        return Gate(app: app, queues: Set(queues))
    }

    /// Submits a notification and writes its batches.
    func send(
        _ app: App,
        to audience: Audience = .all,
        dedup: Dedup? = nil,
        class: NotificationClass = .default,
        lifetime: Duration = .seconds(86_400)
    ) async throws -> Notification {
        let sent = try await submit(draft(app, to: audience, dedup: dedup, class: `class`, lifetime: lifetime))
        try await fanOut()
        return try await read(sent.id)
    }

    /// A leased batch with its lease.
    struct Leased: Sendable {
        var batch: Batch
        var lease: Lease

        var settlement: Settlement { Settlement(batch: batch, lease: lease) }
    }

    /// Leases what is due in a queue.
    func lease(_ queue: DeliveryQueue, limit: Int = 100) async throws -> [Leased] {
        let lease = newLease()
        return try await store.leaseBatches(queue, limit: limit, lease: lease).map { Leased(batch: $0, lease: lease) }
    }

    /// The one batch that is due.
    func leaseOne(_ queue: DeliveryQueue) async throws -> Leased {
        let leased = try await lease(queue)
        try expect(leased.count, is: 1, "due batches")
        return leased[0]
    }

    /// Ends all deliveries of a batch.
    func settle(_ leased: Leased, _ state: DeliveryResult.State = .accepted, reason: String? = nil) async throws {
        var settlement = leased.settlement
        settlement.results = leased.batch.members.map { result($0, state, reason: reason) }
        try await store.settle(settlement)
    }

    /// A result after one attempt.
    func result(_ member: Member, _ state: DeliveryResult.State = .accepted, reason: String? = nil) -> DeliveryResult {
        DeliveryResult(member: member, state: state, reason: reason, attempts: 1)
    }

    /// Ends all deliveries that are due in a queue.
    func deliver(_ queue: DeliveryQueue, _ state: DeliveryResult.State = .accepted, reason: String? = nil) async throws
    {
        for leased in try await lease(queue) { try await settle(leased, state, reason: reason) }
    }

    /// An endpoint that must be there.
    func endpoint(_ app: App, _ row: RowID<Endpoint>) async throws -> Endpoint {
        try unwrap(try await store.endpoint(app.row, .row(row)), "endpoint \(row)")
    }

    /// Reads a list to its end in pages of a size.
    func readAll<Item: Sendable>(
        pagesOf size: Int,
        mayBeShort: Bool = false,
        _ read: (PageRequest) async throws -> Page<Item>
    ) async throws -> [Item] {
        var items: [Item] = []
        var request: PageRequest? = PageRequest(count: size)
        while let current = request {
            let page = try await read(current)
            try expect(page.items.count <= size, "a page of \(size) has \(page.items.count)")
            try expect(
                mayBeShort || page.next == nil || page.items.count == size,
                "a page that is not the last is not full"
            )
            items += page.items
            request = page.next.map { PageRequest(after: $0, count: size) }
        }
        return items
    }
}

extension Lease {
    /// A lease of a process of its own.
    public init(holder: Int64) { self.init(process: holder, holder: holder) }
}
