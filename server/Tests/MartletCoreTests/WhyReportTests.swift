import MartletWire
import Testing

@testable import MartletCore

@Suite("Why a notification came to a person, or did not")
struct WhyReportTests {
    static let now = Timestamp(milliseconds: 1_800_000_000_000)
    static let id = PublicID(high: 0x0190_0000_0000_7000, low: 0x8000_0000_0000_0001)
    static let other = PublicID(high: 0x0190_0000_0000_7000, low: 0x8000_0000_0000_0002)

    static func notification(_ audience: Audience, _ state: NotificationStatus, dedup: Dedup? = nil) -> Notification {
        Notification(
            row: RowID(1),
            id: id,
            app: RowID(1),
            state: state,
            audience: audience,
            content: Content(title: "Hello"),
            class: .default,
            priority: .high,
            dedup: dedup,
            collapseID: nil,
            sendAt: now,
            expiresAt: now + .seconds(60),
            retry: .standard,
            counts: DeliveryCounts(),
            createdAt: now
        )
    }

    static func facts(
        _ audience: Audience = .users(["ann"]),
        _ state: NotificationStatus = .done,
        dedup: Dedup? = nil,
        _ change: (inout WhyFacts) -> Void = { _ in }
    ) -> WhyFacts {
        var facts = WhyFacts(notification: notification(audience, state, dedup: dedup), user: "ann")
        change(&facts)
        return facts
    }

    /// The line of a device; device 0 is none.
    static func line(
        _ device: Int64,
        _ state: DeliveryState,
        _ reason: String? = nil,
        heldBy: PublicID? = nil,
        detail: Suppression.Detail? = nil
    ) -> DeliveryReport {
        DeliveryReport(
            endpoint: nil,
            endpointRow: device == 0 ? nil : RowID(device),
            platform: nil,
            user: "ann",
            state: state,
            reason: reason,
            heldBy: heldBy,
            detail: detail,
            attempts: 1,
            at: now
        )
    }

    static let follow = Category(row: RowID(7), app: RowID(1), key: "follow", createdAt: now)

    static func found(_ status: InboxStatus) -> InboxItem {
        InboxItem(
            row: RowID(1),
            id: id,
            category: nil,
            content: Content(title: "Hello"),
            publishedAt: now,
            expiresAt: now + .seconds(60),
            status: status
        )
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var facts: WhyFacts
        var isInAudience: Bool?
        /// The steps, with a minus sign before what stopped it.
        var steps: [String]
        var summary: String
    }

    static let people = [
        Case(
            testDescription: "somebody who is not named",
            facts: facts(.users(["bob"])),
            isInAudience: false,
            steps: ["-audience"],
            summary: "No push was sent. The notification does not name the user."
        ),
        Case(
            testDescription: "a topic that was sent to, and nothing is recorded",
            facts: facts(.topic(TopicSelection(id: other, name: "news"))),
            isInAudience: false,
            steps: ["-audience"],
            summary:
                "No push was sent. The user was no subscriber of topic 'news', or their filter did not let it through."
        ),
        Case(
            testDescription: "a topic whose subscribers are being read",
            facts: facts(.topic(TopicSelection(id: other, name: "news")), .sending),
            isInAudience: nil,
            steps: ["-audience"],
            summary:
                "No push was sent. Nothing is recorded of the user. Whether they are among the subscribers of topic "
                + "'news' is not decided yet."
        ),
        Case(
            testDescription: "a topic whose notification was cancelled before",
            facts: facts(.topic(TopicSelection(id: other, name: "news")), .cancelled),
            isInAudience: nil,
            steps: ["-audience"],
            summary:
                "No push was sent. Nothing is recorded of the user. Whether they are among the subscribers of topic "
                + "'news' is not known: the notification was cancelled."
        ),
        Case(
            testDescription: "somebody unknown who is named",
            facts: facts(.users(["ann"]), .scheduled) {
                $0.isKnown = false
                $0.category = follow
            },
            isInAudience: true,
            steps: ["audience", "category"],
            summary: "Nothing was sent yet: the notification is scheduled for \(UTCTime(now))."
        ),
        Case(
            testDescription: "somebody of whom nothing is stored, and others who are named",
            facts: facts(.users(["", "bob"])) { $0.isKnown = false },
            isInAudience: false,
            steps: ["-audience"],
            summary: "No push was sent. Nothing is stored of the user: they were erased, or never known."
        ),
        Case(
            testDescription: "somebody of whom nothing is stored, and an announcement",
            facts: facts(.all) { $0.isKnown = false },
            isInAudience: false,
            steps: ["-audience"],
            summary: "No push was sent. Nothing is stored of the user: they were erased, or never known."
        ),
        Case(
            testDescription: "somebody of whom nothing is stored, and a topic that is being read",
            facts: facts(.topic(TopicSelection(id: other, name: "news")), .sending) { $0.isKnown = false },
            isInAudience: false,
            steps: ["-audience"],
            summary: "No push was sent. Nothing is stored of the user: they were erased, or never known."
        ),
        Case(
            testDescription: "a topic that says it by a delivery",
            facts: facts(.topic(TopicSelection(id: other, name: "news"))) { $0.lines = [line(1, .accepted)] },
            isInAudience: true,
            steps: ["audience", "category"],
            summary: "A provider took the push for 1 of 1 device."
        ),
        Case(
            testDescription: "somebody who came after an announcement",
            facts: facts(.all) { $0.item = WhyFacts.Item(isForUser: false, expiresAt: now + .seconds(9)) },
            isInAudience: false,
            steps: ["-audience"],
            summary: "No push was sent. The notification is for everybody, and the user came later."
        ),
        Case(
            testDescription: "everybody, without a trace of the user",
            facts: facts(.all),
            isInAudience: nil,
            steps: ["-audience"],
            summary:
                "No push was sent. The notification is for everybody, and nothing is recorded of the user: they had no "
                + "device, or came later."
        ),
        Case(
            testDescription: "a device that is named and waits",
            facts: facts(.endpoints([other]), .sending) {
                $0.hasNamedDevice = true
                $0.lines = [line(1, .pending)]
            },
            isInAudience: true,
            steps: ["audience", "category"],
            summary: "The push waits to be sent to 1 device."
        ),
        Case(
            testDescription: "what is scheduled",
            facts: facts(.users(["ann"]), .scheduled),
            isInAudience: true,
            steps: ["audience", "category"],
            summary: "Nothing was sent yet: the notification is scheduled for \(UTCTime(now))."
        ),
        Case(
            testDescription: "what was cancelled before",
            facts: facts(.users(["ann"]), .cancelled),
            isInAudience: true,
            steps: ["audience", "category"],
            summary: "The notification was cancelled before it came to the user."
        ),
    ]

    static let outcomes = [
        Case(
            testDescription: "some devices got it, others not",
            facts: facts {
                $0.lines = [
                    line(1, .accepted), line(2, .suppressed, "endpoint_disabled"), line(3, .suppressed, "device_off"),
                    line(4, .suppressed, "endpoint_disabled"), line(5, .rejected, "BadTopic"),
                ]
            },
            isInAudience: true,
            steps: ["audience", "category"],
            summary:
                "A provider took the push for 1 of 5 devices. On 2 devices: the device is disabled. On 1 device: pushes "
                + "are switched off on the device. On 1 device: the provider refused it (BadTopic)."
        ),
        Case(
            testDescription: "no device",
            facts: facts { $0.lines = [line(0, .suppressed, "no_endpoint")] },
            isInAudience: true,
            steps: ["audience", "category", "-devices"],
            summary: "No push was sent. The user had no device."
        ),
        Case(
            testDescription: "a duplicate",
            facts: facts(dedup: Dedup(key: "k")) {
                $0.lines = [line(1, .suppressed, "duplicate", heldBy: other)]
                $0.holder = other
            },
            isInAudience: true,
            steps: ["audience", "category", "-dedup"],
            summary: "No push was sent. Notification \(other) came first with the same dedup key, 'k'."
        ),
        Case(
            testDescription: "a dedup key that was free",
            facts: facts(dedup: Dedup(key: "k")) {
                $0.lines = [line(1, .accepted)]
                $0.holder = id
            },
            isInAudience: true,
            steps: ["audience", "category", "dedup"],
            summary: "A provider took the push for 1 of 1 device."
        ),
        Case(
            testDescription: "a category that is switched off leaves neither push nor item",
            facts: facts {
                $0.category = follow
                $0.leavesItem = true
                $0.choice.category = ChannelChoice(enabled: false)
                $0.lines = [line(0, .suppressed, "preference_off")]
            },
            isInAudience: true,
            steps: ["audience", "-category", "-inbox"],
            summary:
                "No push was sent. The user switched category 'follow' off."
        ),
        Case(
            testDescription: "pushes off, and an item",
            facts: facts {
                $0.category = follow
                $0.leavesItem = true
                $0.choice.category = ChannelChoice(push: false)
                $0.lines = [line(0, .suppressed, "preference_off")]
                $0.found = found(InboxStatus(isSeen: true))
            },
            isInAudience: true,
            steps: ["audience", "-category", "inbox"],
            summary:
                "No push was sent. The user switched pushes of category 'follow' off. The item is in the inbox, seen."
        ),
        Case(
            testDescription: "what was switched off while it was sent",
            facts: facts {
                $0.category = follow
                $0.lines = [line(1, .suppressed, "preference_off", detail: .late)]
            },
            isInAudience: true,
            steps: ["audience", "-category"],
            summary: "No push was sent. The user switched it off after it was published and before it was sent."
        ),
        Case(
            testDescription: "a delivery takes precedence over what holds now",
            facts: facts {
                $0.choice.master = ChannelChoice(enabled: false)
                $0.lines = [line(1, .accepted)]
            },
            isInAudience: true,
            steps: ["audience", "category"],
            summary: "A provider took the push for 1 of 1 device."
        ),
        Case(
            testDescription: "the choice of today, where that of then is not kept",
            facts: facts {
                $0.choice.master = ChannelChoice(push: false)
                $0.isChoiceOfToday = true
            },
            isInAudience: true,
            steps: ["audience", "-category"],
            summary: "No push was sent. The user switched all pushes off. That holds now; what held then is not kept."
        ),
        Case(
            testDescription: "an item that was recalled",
            facts: facts {
                $0.leavesItem = true
                $0.lines = [line(1, .suppressed, "read_in_inbox")]
                $0.item = WhyFacts.Item(recalledAt: now, expiresAt: now + .seconds(9))
            },
            isInAudience: true,
            steps: ["audience", "category", "-inbox"],
            summary:
                "On 1 device: the user read it in the inbox before it was sent. The item was recalled at \(UTCTime(now))."
        ),
        Case(
            testDescription: "quiet hours",
            facts: facts { $0.lines = [line(0, .suppressed, "quiet_hours")] },
            isInAudience: true,
            steps: ["audience", "category", "-quiet_hours"],
            summary: "No push was sent. The user wanted quiet, and it could not wait for the end of that."
        ),
    ]

    @Test("each answer has its steps and its sentence", arguments: people + outcomes)
    func table(_ one: Case) {
        let report = WhyReport(one.facts, now: Self.now)
        #expect(report.isInAudience == one.isInAudience)
        #expect(report.steps.map { ($0.passed ? "" : "-") + $0.step } == one.steps)
        #expect(report.summary == one.summary)
    }

    @Test("every reason of a suppression has a sentence of its own")
    func everyReason() {
        let sentences = Suppression.Reason.allCases.map(\.sentence)
        #expect(Set(sentences).count == sentences.count)
        for sentence in sentences { #expect(!sentence.hasSuffix(".") && sentence.first?.isLowercase == true) }
    }

    @Test("every source of a preference says what it is", arguments: PreferenceSource.allCases, [true, false])
    func everySource(_ source: PreferenceSource, _ isOn: Bool) {
        let facts = Self.facts { $0.category = Self.follow }
        let sentence = facts.sentence(PreferenceDecision(isOn: isOn, source: source), .push)
        #expect(sentence.hasSuffix(".") && sentence.first?.isUppercase == true)
    }
}
