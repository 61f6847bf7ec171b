/// Decides for each part of an audience which deliveries are made, and into which batches they go: first for each person,
/// then for each device of those who are sent to. A pure value; the dedup decision, which must be one atomic statement, is
/// the store's.
public struct Gate: Sendable {
    /// What decides for a person.
    public var person: PersonGate
    /// What decides for a device.
    public var device: DeviceGate

    package init(person: PersonGate = PersonGate(), device: DeviceGate) {
        self.person = person
        self.device = device
    }

    /// The gate of what is read as it is accepted, over that of the app's devices.
    package init(_ draft: NotificationDraft, device: DeviceGate) {
        self.init(person: PersonGate(draft), device: device)
        self.device.alerts = draft.messages.alerts
    }

    /// The queues that can be sent to.
    public var queues: Set<DeliveryQueue> { device.queues }

    /// Decides on one part of an audience. As a rule a user's candidates follow each other, and those that do are decided
    /// on together; where they do not, each has the same decision.
    public func decide(_ page: AudiencePage) -> GatedPage {
        var draft = PageDraft()
        for user in page.usersWithoutEndpoint { decide(Person(subject: .user(user)), into: &draft) }
        if page.unknownEndpoints > 0 {
            draft.suppressions.append(Suppression(endpoint: nil, user: nil, reason: .unknownEndpoint))
        }
        var start = 0
        while start < page.candidates.count {
            let person = Person(at: start, of: page.candidates)
            decide(person, into: &draft)
            start = person.candidates.upperBound
        }
        return draft.gated(next: page.next)

        func decide(_ person: Person, into draft: inout PageDraft) {
            let decision = self.person.decide(person, page.choices)
            if decision.hasItem, case .user(let user) = person.subject { draft.addItem(of: user, self.person) }
            switch decision.push {
            case .deliver: for index in person.candidates { draft.add(page.candidates[index], device) }
            case .hold(let rule): draft.hold(people(person), rule, times: self.person.times + 1)
            case .suppress(let reason):
                draft.suppressions.append(Suppression(person.subject, platform: platform(person), reason))
            }
        }

        /// Of an anonymous device; a user may have devices of several.
        func platform(_ person: Person) -> Platform? {
            guard case .endpoint = person.subject else { return nil }
            return page.candidates[person.candidates].first?.platform
        }

        func people(_ person: Person) -> [Subject] {
            guard self.person.isOfDevices else { return [person.subject] }
            return page.candidates[person.candidates].map { .endpoint($0.member.endpoint) }
        }
    }
}

/// A part of an audience while it is decided on.
private struct PageDraft {
    var suppressions: [Suppression] = []
    private var inboxUsers: [RowID<User>] = []
    private var usersWithItem: Set<RowID<User>> = []
    private var holds: [HoldRule: HoldDraft] = [:]
    private var groups: [DeviceGate.Group: [Member]] = [:]
    /// As a rule all of a part go into one group.
    private var current: (group: DeviceGate.Group, members: [Member])?

    /// Adds a device as the gate decides.
    mutating func add(_ candidate: Candidate, _ gate: DeviceGate) {
        let member = candidate.member
        switch gate.decide(candidate) {
        case .deliver(let group):
            if current?.group == group {
                current?.members.append(member)
            } else {
                closeGroup()
                current = (group, [member])
            }
        case .suppress(let reason):
            suppressions.append(
                Suppression(
                    endpoint: member.endpoint,
                    user: member.user,
                    platform: candidate.platform,
                    reason: reason
                )
            )
        }
    }

    /// Adds somebody who gets an item, once: among devices that are named, a person's need not follow each other.
    mutating func addItem(of user: RowID<User>, _ gate: PersonGate) {
        guard !gate.isOfDevices || usersWithItem.insert(user).inserted else { return }
        inboxUsers.append(user)
    }

    /// Adds people who are held.
    mutating func hold(_ people: [Subject], _ rule: HoldRule, times: Int) {
        holds[rule, default: HoldDraft(rule: rule, times: times, people: [])].people += people
    }

    private mutating func closeGroup() {
        if let current { groups[current.group, default: []] += current.members }
        current = nil
    }

    /// What was decided, always in the same order, which a dictionary has not.
    mutating func gated(next: FanOut.Cursor?) -> GatedPage {
        closeGroup()
        let batches = groups.sorted { $0.key < $1.key }.flatMap { PageDraft.batches($0.key, $0.value) }
        let held = holds.sorted { $0.key < $1.key }.map(\.value)
        return GatedPage(batches: batches, suppressions: suppressions, holds: held, inboxUsers: inboxUsers, next: next)
    }

    private static func batches(_ group: DeviceGate.Group, _ members: [Member]) -> [BatchDraft] {
        stride(from: 0, to: members.count, by: MemberList.limit).map { start in
            BatchDraft(
                queue: group.queue,
                isEnvironmentKnown: group.isEnvironmentKnown,
                members: Array(members[start..<min(start + MemberList.limit, members.count)])
            )
        }
    }
}

extension Suppression {
    /// That nothing is sent to a person: one of a user, whatever devices they have.
    package init(
        _ person: Subject,
        platform: Platform? = nil,
        _ reason: Reason,
        heldBy holder: RowID<Notification>? = nil
    ) {
        switch person {
        case .user(let user): self.init(endpoint: nil, user: user, platform: platform, reason: reason, heldBy: holder)
        case .endpoint(let endpoint):
            self.init(endpoint: endpoint, user: nil, platform: platform, reason: reason, heldBy: holder)
        }
    }
}
