import MartletStore
import MartletWire

@testable import MartletConsole
@testable import MartletCore
@testable import MartletTesting

/// Plants texts into a store, by the operations that senders, phones and operators come to.
struct Planting: Sendable {
    let world: World
    let app: App
    let plants: Plants

    private var store: Store { world.store }

    func queue(_ environment: Environment) async throws -> DeliveryQueue {
        let queue = DeliveryQueue(app: app.row, platform: .apns, environment: environment)
        let summary = CredentialSummary(
            kind: .token,
            topic: plants.name,
            keyID: plants.name,
            teamID: plants.name,
            expiresAt: nil
        )
        let draft = StoredCredentialDraft(summary: summary, sealed: [1], url: plants.address, trust: nil)
        _ = try await store.storeCredential(queue, draft)
        return queue
    }

    func category() async throws -> MartletCore.Category {
        let draft = CategoryRequest(key: "news", names: ["en": plants.name, "ja": plants.name])
        return try await store.createCategory(draft, of: app.row, actor: plants.name)
    }

    func devices() async throws {
        let device = DeviceInfo(
            model: plants.name,
            osVersion: plants.name,
            appVersion: plants.name,
            locale: plants.name,
            timeZone: plants.name
        )
        _ = try await store.register(
            Registration(
                app: app.row,
                platform: .apns,
                token: Plants.token,
                environment: .production,
                owner: .user(plants.name),
                device: device
            )
        )
        try await world.register(app, 2, user: "second", environment: .sandbox)
        let chosen = PreferencesDraft(user: plants.name, master: ChannelPatch(push: .value(true)))
        _ = try await store.changePreferences([chosen], of: app.row, actor: plants.name)
    }

    // MARK: Notifications

    /// One that was refused, one that was given up, one that is quarantined, one whose queue is paused.
    func notifications(_ queue: DeliveryQueue, _ category: MartletCore.Category) async throws
        -> [MartletCore.Notification]
    {
        var sent: [MartletCore.Notification] = []
        let people = [plants.name, "nobody\(plants.name)"]
        for state in [DeliveryResult.State.rejected, .dead] {
            sent.append(try await send(to: people, category))
            try await world.deliver(queue, state, reason: plants.reason)
        }
        sent.append(try await send(to: [plants.name], category))
        try await world.crash(queue)
        let sandbox = try await self.queue(.sandbox)
        sent.append(try await send(to: ["second"], category))
        try await pause(sandbox)
        return sent
    }

    private func send(to users: [String], _ category: MartletCore.Category) async throws -> MartletCore.Notification {
        var draft = world.draft(app, to: .users(users))
        draft.content = Content(
            title: plants.payload,
            subtitle: plants.payload,
            body: plants.payload,
            image: plants.link,
            deepLink: plants.link,
            data: ["note": .string(plants.payload)]
        )
        draft.category = category
        draft.inbox = InboxDraft()
        let payload: JSONValue = ["aps": ["alert": .string(plants.payload)], "link": .string(plants.link)]
        draft.messages = [
            Message(
                platform: .apns,
                headers: ["apns-push-type": plants.name],
                payload: Payload(Array(try payload.json()))
            )
        ]
        let sent = try await world.submit(draft)
        try await world.fanOut()
        return sent
    }

    private func pause(_ queue: DeliveryQueue) async throws {
        let leased = try await world.leaseOne(queue)
        var settlement = leased.settlement
        settlement.remaining = leased.batch.members
        settlement.isLeaseReleased = true
        settlement.pause = Pause(queue: queue, reason: plants.reason, advice: plants.reason, since: world.now)
        try await store.settle(settlement)
    }

    // MARK: Topics

    func topic() async throws -> Topic {
        let draft = TopicDraft(
            name: "news",
            attributes: [plants.name: plants.name],
            tags: [plants.name: plants.name]
        )
        let topic = try await store.createTopic(draft).topic
        let filter = try SubscriptionFilter(String(decoding: Self.policy(plants.name).json(), as: UTF8.self))
        _ = try await store.subscribe(
            SubscriptionDraft(
                topic: topic.row,
                subject: .user(plants.name, app: app.row),
                address: plants.name,
                filter: filter
            )
        )
        return topic
    }

    private static func policy(_ word: String) -> JSONValue { ["kind": [.string(word)]] }

    /// A message that a webhook did not take.
    func webhookLetter(_ topic: Topic) async throws {
        _ = try await world.hook(topic, "https://\(plants.hookUser)@hooks.example/?q=\(plants.name)")
        _ = try await world.enqueueWebhooks(topic)
        try await world.fanOutWebhooks()
        let lease = world.newLease()
        for delivery in try await world.leaseWebhooks(10, lease) {
            try await store.settle(delivery, .dead(reason: plants.reason), lease: lease)
        }
    }

    // MARK: Other

    func events(of notification: MartletCore.Notification) async throws {
        var events: [EventDraft] = []
        for message in [notification.id.description, plants.name] {
            var event = EventDraft(type: .open, platform: .ios, clientTime: world.now)
            (event.messageID, event.user, event.value) = (message, plants.name, plants.link)
            (event.deviceModel, event.osVersion, event.appVersion) = (plants.name, plants.name, plants.name)
            event.apnsToken = Plants.token
            events.append(event)
        }
        _ = try await store.record(EventBatch(app: app.row, events: events, retention: .seconds(86_400)))
    }

    func audit() async throws {
        let document: JSONValue = [plants.name: .string(plants.name), "list": [.string(plants.name)]]
        try await store.record([
            AuditDraft(
                AuditAction(rawValue: plants.name),
                of: AuditSubject(plants.name, plants.name),
                by: AuditActor(.key, id: plants.name, name: plants.name),
                app: app.row,
                before: document,
                after: [plants.name: "other"]
            )
        ])
    }

    func identity() async throws {
        let identity = Identity(
            mode: .asserted,
            issuer: plants.name,
            audience: plants.name,
            verification: .keySetURL(plants.address)
        )
        _ = try await store.updateApp(app.row, name: nil, identity: identity)
    }
}
