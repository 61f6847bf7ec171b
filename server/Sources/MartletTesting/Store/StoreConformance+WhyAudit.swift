import MartletCore
import MartletPipeline
import MartletStore
import MartletWire

extension StoreConformance {
    /// Why a notification came to a person or did not, beside what was recorded and what the rules said at the time.
    static let whyAudit: [Check] = [
        Check("why is what was recorded and what the rules said, for two hundred notifications and people") { world in
            var run = try await WhyRun(world, seed: 23, people: 10)
            for _ in 0..<20 { try await run.send() }
            _ = try await run.compare()
        }
    ]

    /// The same for a thousand pairs, among which every reason is that leaves a trace of a person.
    static let wholeWhyAudit = Check(
        "why is what was recorded and what the rules said, for a thousand notifications and people"
    ) { world in
        var run = try await WhyRun(world, seed: 24, people: 40)
        for _ in 0..<25 { try await run.send() }
        let reasons = try await run.compare()
        // Of a device that there is not nobody is the person; an item that a newer one replaced has checks of its own.
        let unasked: Set<String> = ["unknown_endpoint", "superseded"]
        let expected = Set(Suppression.Reason.allCases.map(\.rawValue)).subtracting(unasked)
        try expect(expected.subtracting(reasons), is: [], "reasons that nobody had")
    }
}

/// People, devices, choices and notifications at random, with what should be said of each pair.
private struct WhyRun {
    /// A device, and what of it keeps a push away.
    struct Device {
        var endpoint: Endpoint
        var obstacle: Suppression.Reason?
    }

    /// A notification as it was published.
    struct Sent {
        var notification: Notification
        var category: MartletCore.Category?
        /// Who was in a topic or named; `nil` is everybody.
        var people: Set<String>?
        /// What people had chosen then.
        var choices: [String: PersonChoice] = [:]
        var isHeld = false
        var isRecalled = false
        /// Who read the item.
        var readers: Set<String> = []
    }

    let world: World
    let app: App
    let queue: DeliveryQueue
    let topic: Topic
    let users: [String]
    let categories: [MartletCore.Category]
    var devices: [String: [Device]] = [:]
    var master: [String: ChannelChoice] = [:]
    var ofCategory: [String: [RowID<MartletCore.Category>: ChannelChoice]] = [:]
    var subscribers: Set<String> = []
    var sent: [Sent] = []
    var random: SeededRandom

    init(_ world: World, seed: UInt64, people: Int) async throws {
        self.world = world
        random = SeededRandom(seed: seed)
        app = try await world.makeApp()
        queue = try await world.makeQueue(app)
        topic = try await world.makeTopic(of: app)
        users = (0..<people).map { "user-\($0)" }
        categories = [
            try await world.makeCategory(app, "news"),
            try await world.makeCategory(app, "login", required: [.push]),
            try await world.makeCategory(app, "offers", defaults: ChannelChoice(push: false)),
        ]
        for number in users.indices { try await makePerson(number) }
    }

    /// Somebody with up to three devices; one in eight has none.
    private mutating func makePerson(_ number: Int) async throws {
        let user = users[number]
        for device in 0..<(number % 8 == 7 ? 0 : 1 + number % 3) {
            let obstacles: [Suppression.Reason?] = [
                nil, nil, nil, .deviceOff, .permissionOff, .endpointDisabled, .noCredential,
            ]
            let obstacle = device == 0 && number % 2 == 0 ? nil : random.pick(obstacles)
            let endpoint = try await world.register(
                app,
                number * 8 + device,
                user: user,
                environment: obstacle == .noCredential ? .sandbox : .production
            )
            let update: EndpointUpdate? =
                switch obstacle {
                case .deviceOff: EndpointUpdate(hasPush: false)
                case .permissionOff: EndpointUpdate(device: DeviceInfo(permission: .denied))
                case .endpointDisabled: EndpointUpdate(status: .disabled(.byRequest))
                default: nil
                }
            if let update { _ = try await world.store.updateEndpoint(endpoint.row, update) }
            devices[user, default: []].append(Device(endpoint: endpoint, obstacle: obstacle))
        }
        // Everybody is known, also who has no device.
        try await choose(user, nil, ChannelPatch(push: .value(number % 10 != 9)))
        if number % 2 == 0 { try await choose(user, random.pick(categories), patch()) }
        guard random.chance(60) else { return }
        subscribers.insert(user)
        _ = try await world.subscribe(user, of: app, to: topic)
    }

    private mutating func patch() -> ChannelPatch {
        func value(_ random: inout SeededRandom) -> NullablePatch<Bool> {
            random.chance(50) ? .unset : .value(random.chance(50))
        }
        return ChannelPatch(enabled: value(&random), push: value(&random), inbox: value(&random))
    }

    private mutating func choose(_ user: String, _ category: MartletCore.Category?, _ patch: ChannelPatch)
        async throws
    {
        guard let category else {
            try await world.change(app, user, master: patch)
            master[user] = (master[user] ?? ChannelChoice()).applying(patch)
            return
        }
        try await world.change(app, user, categories: [category.row: patch])
        let before = ofCategory[user]?[category.row] ?? ChannelChoice()
        ofCategory[user, default: [:]][category.row] = before.applying(patch)
    }

    /// Sends one, lets a few people change their minds or read it, and has most of what waits delivered.
    mutating func send() async throws {
        world.clock.advance(by: .milliseconds(1))
        let number = sent.count
        let audience: Audience
        let people: Set<String>?
        switch number % 3 {
        case 0: (audience, people) = (.all, nil)
        case 1: (audience, people) = (.topic(TopicSelection(topic)), subscribers)
        default:
            let named = users.filter { _ in random.chance(60) } + [users[0]]
            (audience, people) = (.users(named), Set(named))
        }
        let isHeld = number % 8 == 5
        let dedup = number % 4 == 3 && !isHeld ? Dedup(key: "key-\(number / 4 % 2)") : nil
        var draft = world.draft(app, to: audience, dedup: dedup, lifetime: isHeld ? .seconds(60) : .seconds(86_400))
        draft.category = number % 5 == 0 ? nil : random.pick(categories)
        if dedup == nil, random.chance(70) { draft.inbox = InboxDraft() }
        var one = Sent(notification: try await world.submit(draft), category: draft.category, people: people)
        one.isHeld = isHeld
        for user in users {
            let choice = draft.category.flatMap { ofCategory[user]?[$0.row] }
            one.choices[user] = PersonChoice(
                master: master[user] ?? ChannelChoice(),
                category: choice ?? ChannelChoice()
            )
        }
        try await fanOut(until: isHeld ? HoldRule(until: world.now + .seconds(60), reason: .quietHours) : nil)
        for _ in 0..<2 { try await choose(random.pick(users), draft.category, patch()) }
        try await choose(random.pick(users), nil, ChannelPatch(push: .value(random.chance(60))))
        if draft.inbox != nil { try await read(&one) }
        if random.chance(80) { try await deliver() }
        if draft.inbox != nil, random.chance(15) {
            _ = try await world.store.recall(one.notification.row)
            one.isRecalled = true
        }
        sent.append(one)
    }

    private func fanOut(until hold: HoldRule?) async throws {
        for leased in try await world.store.leaseFanOuts(limit: 100, lease: world.newLease()) {
            var position: FanOut? = leased
            while let current = position {
                let page = try await world.store.audience(of: current, limit: 16)
                var gate = Gate(app: app.row, queues: [queue])
                gate.person = PersonGate(current)
                gate.person.hold = hold
                gate.device.alerts = current.alerts
                position = try await world.store.commit(gate.decide(page), of: current)
            }
        }
    }

    private mutating func read(_ one: inout Sent) async throws {
        for _ in 0..<3 {
            let user = random.pick(users)
            guard try await world.inboxIDs(app, user).contains(one.notification.id) else { continue }
            try await world.mark(one.notification, .read, app, user)
            one.readers.insert(user)
        }
    }

    /// Ends what is due; a device of some batches was removed meanwhile.
    private mutating func deliver() async throws {
        for leased in try await world.lease(queue) {
            var settlement = leased.settlement
            let state = random.pick(DeliveryResult.State.allCases)
            var members = leased.batch.members
            if random.chance(50), let gone = members.popLast() {
                settlement.suppressions = [
                    Suppression(endpoint: gone.endpoint, user: gone.user, reason: .endpointRemoved)
                ]
            }
            settlement.results = members.map { world.result($0, state, reason: "x") }
            try await world.store.settle(settlement)
        }
    }

    // MARK: What should be said

    /// Compares each pair.
    ///
    /// - Returns: the reasons that were found.
    func compare() async throws -> Set<String> {
        let history = PersonHistory(store: world.store, clock: world.clock)
        var inboxes: [String: Set<PublicID>] = [:]
        for user in users { inboxes[user] = Set(try await world.inboxIDs(app, user)) }
        var reasons: Set<String> = []
        for one in sent {
            let row = one.notification.row
            let deliveries = try await world.readAll(pagesOf: 100) { try await world.store.deliveries(row, $0) }
            let suppressions = try await world.readAll(pagesOf: 100) { try await world.store.suppressions(row, $0) }
            // What was suppressed is in both lists.
            let recorded = Dictionary(grouping: Set(deliveries).union(suppressions)) { $0.user ?? "" }
            for user in users {
                let lines = recorded[user] ?? []
                let report = try await history.why(one.notification, user: user)
                let story = "\(user) of notification \(row), category \(one.category?.key ?? "none")"
                try expect(Set(report.facts.lines), is: Set(lines), "what is recorded of \(story)")
                let hasItem = inboxes[user]?.contains(one.notification.id) ?? false
                try expect(report.facts.found != nil, is: hasItem, "the item of \(story)")
                try checkRecord(one, user, lines, hasItem: hasItem, story)
                try check(report, one, user, lines, hasItem: hasItem, story)
                reasons.formUnion(lines.filter { $0.state == .suppressed }.compactMap(\.reason))
            }
        }
        return reasons
    }

    private func wants(_ channel: ChannelName, _ one: Sent, _ user: String) -> Bool {
        let choice = one.choices[user] ?? PersonChoice()
        return PreferenceDecision(channel, category: one.category, choice: choice).isOn
    }

    /// What was recorded is what the rules say.
    private func checkRecord(_ one: Sent, _ user: String, _ lines: [DeliveryReport], hasItem: Bool, _ story: String)
        throws
    {
        let isIn = one.people?.contains(user) ?? true
        let own = devices[user] ?? []
        let reasons = Set(lines.filter { $0.state == .suppressed }.compactMap(\.reason))
        if one.notification.inbox != nil, !one.isRecalled {
            try expect(hasItem, is: isIn && wants(.inbox, one, user), "whether there is an item, \(story)")
        }
        if one.isRecalled { try expect(!hasItem, "recalled, \(story)") }
        // An audience of all is read by devices.
        guard isIn, one.people != nil || own.contains(where: { $0.obstacle != .endpointDisabled }) else {
            return try expect(lines.allSatisfy { _ in isIn }, "nothing of who is not meant, \(story)")
        }
        guard wants(.push, one, user) else {
            try expect(reasons, is: ["preference_off"], "who does not want it, \(story)")
            return try expect(lines.allSatisfy { $0.detail == nil && $0.endpoint == nil }, "once, \(story)")
        }
        try expect(
            lines.allSatisfy { $0.reason != "preference_off" || $0.detail == .late && $0.endpoint != nil },
            "what changed later, \(story)"
        )
        if one.isHeld { return try expect(reasons, is: ["quiet_hours"], "quiet, \(story)") }
        if reasons.contains("duplicate") {
            let holders = Set(sent.filter { $0.notification.dedup == one.notification.dedup }.map(\.notification.id))
            // A device with an obstacle claims nothing.
            for line in lines where line.reason != "duplicate" {
                let obstacle = own.first { $0.endpoint.row == line.endpointRow }?.obstacle
                try expect(line.reason, is: unwrap(obstacle, "an obstacle, \(story)").rawValue, "beside it, \(story)")
            }
            let held = lines.filter { $0.reason == "duplicate" }
            return try expect(held.allSatisfy { $0.heldBy.map(holders.contains) ?? false }, "who holds it, \(story)")
        }
        if own.isEmpty { return try expect(reasons, is: ["no_endpoint"], "no device, \(story)") }
        try expect(reasons.contains("read_in_inbox") ? one.readers.contains(user) : true, "who read it, \(story)")
        for device in own { try checkRecord(of: device, lines, isOfAll: one.people == nil, story) }
    }

    private func checkRecord(of device: Device, _ lines: [DeliveryReport], isOfAll: Bool, _ story: String) throws {
        let line = lines.first { $0.endpointRow == device.endpoint.row }
        guard let obstacle = device.obstacle else {
            let line = try unwrap(line, "line of a device that gets it, \(story)")
            let later: Set<String> = ["preference_off", "read_in_inbox", "endpoint_removed"]
            return try expect(
                line.state != .suppressed || later.contains(line.reason ?? ""),
                "a device that gets it: \(line), \(story)"
            )
        }
        guard line != nil || !isOfAll || obstacle != .endpointDisabled else { return }
        try expect(line?.state, is: .suppressed, "a device with an obstacle, \(story)")
        try expect(line?.reason, is: obstacle.rawValue, "the obstacle, \(story)")
    }

    /// What `why` says is what was recorded, and where nothing was, what the rules say.
    private func check(
        _ report: WhyReport,
        _ one: Sent,
        _ user: String,
        _ lines: [DeliveryReport],
        hasItem: Bool,
        _ story: String
    ) throws {
        let isIn = one.people?.contains(user) ?? true
        let names = Set(report.steps.map(\.step))
        func passed(_ step: String) -> Bool? { report.steps.first { $0.step == step }?.passed }
        func has(_ reason: Suppression.Reason) -> Bool {
            lines.contains { $0.state == .suppressed && $0.reason == reason.rawValue }
        }
        try expect(report.steps.first?.step, is: "audience", "the first step, \(story)")
        try expect(report.summary.hasSuffix("."), "a sentence, \(story)")
        switch one.notification.audience {
        case .users: try expect(report.isInAudience, is: isIn, "named, \(story)")
        case .all: try expect(report.isInAudience != false, "everybody, \(story)")
        default: try expect(report.isInAudience == true, is: !lines.isEmpty || hasItem, "of the topic, \(story)")
        }
        guard passed("audience") == true else {
            try expect(names, is: ["audience"], "no further step, \(story)")
            return try expect(lines.isEmpty, "nothing is recorded, \(story)")
        }
        let isOn = lines.isEmpty ? wants(.push, one, user) : !has(.preferenceOff)
        try expect(passed("category"), is: isOn, "category, \(story)")
        if one.notification.dedup != nil, isOn {
            try expect(passed("dedup"), is: !has(.duplicate), "dedup, \(story)")
        } else {
            try expect(passed("dedup"), is: nil, "no dedup, \(story)")
        }
        try expect(passed("inbox"), is: one.notification.inbox == nil ? nil : hasItem, "inbox, \(story)")
        try expect(names.contains("quiet_hours"), is: has(.quietHours), "quiet hours, \(story)")
        try expect(names.contains("devices"), is: has(.noEndpoint), "no device, \(story)")
        let accepted = lines.count { $0.state == .accepted }
        let count = lines.count { $0.endpointRow != nil }
        if accepted > 0 {
            let start = "A provider took the push for \(accepted) of \(count) device\(count == 1 ? "" : "s")."
            try expect(report.summary.hasPrefix(start), "\(report.summary) has not '\(start)', \(story)")
        }
        guard isOn, !has(.duplicate), !has(.quietHours), !has(.noEndpoint) else { return }
        for line in lines where line.state == .suppressed {
            let reason = Suppression.Reason.allCases.first { $0.rawValue == line.reason }
            let sentence = try unwrap(reason, "reason, \(story)").sentence
            try expect(report.summary.contains(sentence), "\(report.summary) has not '\(sentence)', \(story)")
        }
    }
}
