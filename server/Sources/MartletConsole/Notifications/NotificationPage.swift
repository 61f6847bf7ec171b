import MartletCore
import MartletPipeline
import MartletStore
import MartletWire

/// What became of one notification.
extension ConsoleService {
    /// The notification in the path.
    func notification(of call: ConsoleCall) async throws -> MartletCore.Notification {
        guard let found = try await store.notification(call.id(of: "notification")) else {
            throw Failure.notFound("notification")
        }
        return found
    }

    /// Whether who asks may cancel or take it back: any, or what they sent themselves.
    func mayStop(_ id: PublicID, _ call: ConsoleCall) async throws -> Bool {
        if call.may(.cancelAny) { return true }
        guard call.may(.cancelOwn), let sender = try await sender(of: id) else { return false }
        let owner = try call.owner()
        return sender.kind == .operator && sender.id == owner.id.description
    }

    func notificationPage(_ call: ConsoleCall) async throws -> Page {
        let notification = try await notification(of: call)
        let progress = try await progress(notification, samples: nil)
        let part = livePart(notification, progress, call.texts)
        var values = try await facts(notification, call)
        values.merge(part.values) { $1 }
        let address = "/console/notifications/\(notification.id)"
        values["address"] = address
        if !part.isSilent { values["live"] = "\(address)/live?v=\(part.live(pages, call.texts).version)" }
        let mayStop = try await mayStop(notification.id, call)
        values["may_cancel"] = mayStop && notification.mayBeCancelled
        values["may_recall"] = mayStop && notification.mayBeRecalled
        let isScheduled = notification.state == .scheduled
        values["cancel_note"] = call.texts["notifications.\(isScheduled ? "cancel_note_scheduled" : "cancel_note")"]
        values["recall_text"] = Self.recallText(notification, call.texts)
        values["may_copy"] = call.may(.send)
        values["may_resend"] =
            call.may(.send) && part.isOver && notification.recalledAt == nil
            && progress.counts.accepted < progress.total
        values["has_missed"] = progress.total > progress.counts.accepted + progress.counts.pending
        values.merge(try await acceptedChart(notification, call.texts)) { $1 }
        values["payloads"] = try await payloads(notification, call)
        if isScheduled, call.query["done"] == Self.sentWord {
            values["done"] = call.texts["done.compose_scheduled"]
            values["done_time"] = PageValues.time(notification.sendAt)
        }
        return Page(
            template: "notification",
            part: .notifications,
            title: title(of: notification, call),
            values: values
        )
    }

    /// What pages that have sent something say in the address that they lead to.
    static let sentWord = "compose_sent"

    /// From how many it would be taken back.
    private static func recallText(_ notification: MartletCore.Notification, _ texts: Texts) -> String {
        let count = notification.counts.accepted
        return count == 0
            ? texts["notifications.recall_none"] : texts.counted("notifications.recall_count", count)
    }

    /// What was asked for.
    private func facts(_ notification: MartletCore.Notification, _ call: ConsoleCall) async throws -> PageValues {
        let texts = call.texts
        let app = try await store.app(.row(notification.app))
        let content = notification.content
        var values: PageValues = [
            "id": notification.id.description, "for_whom": texts.audience(notification.audience),
            "asked_title": texts["notifications.\(notification.askedKey)"],
            "class_word": texts["compose.class.\(notification.class.rawValue)"],
            "priority_word": texts["notifications.priority.\(notification.priority.key)"],
            "created": PageValues.time(notification.createdAt), "begins": PageValues.time(notification.sendAt),
            "expires": PageValues.time(notification.expiresAt),
            "is_masked": !call.may(.readUnmasked),
            "in_inbox": texts[notification.inbox == nil ? "common.no" : "common.yes"],
        ]
        if let app {
            values["app_name"] = app.name
            values["app_address"] = "/console/apps/\(app.id)"
        }
        if case .topic(let topic) = notification.audience { values["topic_address"] = "/console/topics/\(topic.id)" }
        if let category = notification.category {
            values["category_key"] = category.key
            values["category_name"] = CategoryWords(texts: texts).name(of: category)
        }
        values["sent_by"] = try await sender(of: notification.id)?.name ?? texts["notifications.by_api"]
        values["said"] = [
            ("title", content.title), ("subtitle", content.subtitle), ("body", content.body), ("image", content.image),
            ("link", content.deepLink),
        ].compactMap { name, text -> PageValues? in
            guard let text, !text.isEmpty else { return nil }
            return ["part_name": texts["compose.\(name)"], "part_text": call.shown(text)]
        }
        return values
    }

    /// For how many devices the provider took it that have reported no delivery; `nil` where the app's devices report none of
    /// anything, or all did.
    private func unreported(
        _ notification: MartletCore.Notification,
        delivered: Int,
        _ samples: ProgressSamples?
    ) async throws -> Int? {
        let count = notification.counts.accepted - delivered
        guard count > 0 else { return nil }
        if delivered > 0 { return count }
        if let known = samples?.isReporting { return known ? count : nil }
        let now = clock.now()
        let month = CountSpan(app: notification.app, from: now - .seconds(30 * 86_400), to: now, step: .day)
        let isReporting = try await store.counts(over: month).total.deliveries > 0
        samples?.keep(isReporting: isReporting)
        return isReporting ? count : nil
    }

    /// What each platform gets.
    private func payloads(_ notification: MartletCore.Notification, _ call: ConsoleCall) async throws -> [PageValues] {
        try await store.messages(of: notification.row).map { message in
            let size = providers[message.platform]?.size(of: message)
            return [
                "platform_name": call.texts["compose.platform.\(message.platform.rawValue)"],
                "payload": message.text(masked: !call.may(.readUnmasked), for: notification.id),
                "headers": message.headers.sorted { $0.key < $1.key }.map {
                    ["key": $0.key, "value": $0.value] as PageValues
                },
                "size": size.map { size in
                    call.texts[
                        "notifications.size",
                        ["n": Texts.number(size.bytes), "limit": Texts.number(size.limit)]
                    ]
                }.asList,
                "size_note": call.texts["notifications.size_note.\(message.platform.rawValue)"],
            ]
        }
    }

    // MARK: Progress

    /// How far it has come.
    ///
    /// - Parameter samples: what was seen before; without them the rate is that of the whole time.
    func progress(_ notification: MartletCore.Notification, samples: ProgressSamples?) async throws
        -> NotificationProgress
    {
        var progress = SendProgress(counts: notification.counts)
        let isSending = notification.state == .sending
        let pauses = isSending ? try await store.pauses(.holding(notification.row)) : []
        var reasons: MissedReasons
        // What is waited for changes while the numbers stay.
        if notification.counts.pending == 0, let known = samples?.reasons(at: notification.counts) {
            reasons = known
        } else {
            reasons = try await store.missedReasons(of: notification.row, limit: MissedReasons.usualLimit)
            samples?.keep(reasons, at: notification.counts)
        }
        let silent = isSending ? try await silence(of: notification, reasons) : []
        if !reasons.waiting.isEmpty {
            let standing = breakers.standing(of: notification.app, at: clock.now())
            reasons.countWaiting(QueueStops(pauses: pauses, breakers: standing))
        }
        if isSending {
            let (now, accepted) = (clock.now(), progress.counts.accepted)
            let rate =
                samples?.rate(accepted, at: now)
                ?? ProgressSamples.rate(0, accepted, over: now - notification.beginsAt)
            // What was accepted before a provider fell silent says nothing of the rest.
            progress.rate = pauses.isEmpty && silent.isEmpty ? rate : nil
        }
        let name = notification.content.messageID(orElse: notification.id, providers: providers)
        let events = try await store.eventCounts(notification.app, messages: [name])[name] ?? EventCounts()
        return NotificationProgress(
            progress: progress,
            reasons: reasons,
            pauses: pauses,
            silent: silent,
            events: events,
            unreported: try await unreported(notification, delivered: events[.delivery], samples),
            at: clock.now()
        )
    }

    /// The providers that do not answer, of those that its deliveries wait for.
    private func silence(
        of notification: MartletCore.Notification,
        _ reasons: MissedReasons
    ) async throws -> [Problem] {
        guard notification.counts.pending > 0, let app = try await store.app(.row(notification.app)) else { return [] }
        let queues = Set(reasons.waiting.keys.map(\.queue))
        return try await problems.problems(of: app).filter { problem in
            guard problem.kind == .notAnswering, let queue = problem.queue else { return false }
            // Of very many deliveries not all were looked at.
            return queues.contains(queue) || !reasons.isWaitingWhole
        }
    }

    /// The numbers, again each second while they change.
    func liveNotification(_ call: ConsoleCall) async throws -> ConsoleReply {
        let id = try await notification(of: call).id
        let (texts, samples) = (call.texts, ProgressSamples())
        return try liveReply("notification \(id) \(texts.language)", call) {
            guard let found = try await store.notification(id) else { return LivePart(html: "", isOver: true) }
            let progress = try await progress(found, samples: samples)
            return livePart(found, progress, texts).live(pages, texts)
        }
    }

    private func livePart(
        _ notification: MartletCore.Notification,
        _ progress: NotificationProgress,
        _ texts: Texts
    ) -> ProgressPart {
        ProgressPart(notification, progress, texts)
    }
}

/// A notification's numbers.
struct NotificationProgress: Sendable {
    var progress: SendProgress
    var reasons: MissedReasons
    /// The queues that its deliveries wait for.
    var pauses: [Pause]
    /// The providers that do not answer.
    var silent: [Problem]
    /// What phones reported.
    var events: EventCounts
    /// For how many devices nothing was reported, where that says something.
    var unreported: Int?
    /// When they were read.
    var at: Timestamp

    var counts: DeliveryCounts { progress.counts }
    var total: Int { progress.total }
}

/// The part of a page that shows them.
struct ProgressPart: Sendable {
    var values: PageValues
    /// Whether every delivery has its recorded state.
    var isOver: Bool
    /// Whether nothing is waited for any more, from phones either.
    var isSilent: Bool

    private static let template = "notification_progress"
    /// How long after it began a page still waits for phones' reports. Ours: who looks on, looks in this time.
    private static let reportTime: Duration = .seconds(3_600)

    /// As it is sent to pages that are open.
    func live(_ pages: PageLibrary, _ texts: Texts) -> LivePart {
        LivePart(html: pages.part(Self.template, values, texts), isOver: isSilent)
    }

    init(_ notification: MartletCore.Notification, _ found: NotificationProgress, _ texts: Texts) {
        let (counts, progress) = (found.counts, found.progress)
        let reasons = Self.reasons(found.reasons, of: notification.id, texts)
        isOver = (notification.state == .done || notification.state == .cancelled) && counts.pending == 0
        isSilent = isOver && (counts.accepted == 0 || found.at - notification.beginsAt > Self.reportTime)
        values = [
            "state_word": notification.stateWord(texts, found.pauses), "tone": notification.tone,
            "stage": "\(notification.state.rawValue) \(isOver) \(notification.mayBeRecalled)",
            "recalled": notification.recalledAt.map { PageValues.time($0) }.asList,
            "events": EventType.allCases.compactMap { type -> PageValues? in
                let count = found.events[type]
                guard count > 0 else { return nil }
                return [
                    "event_name": texts["notifications.event.\(type.rawValue)"], "event_count": Texts.number(count),
                ]
            },
            "unreported": found.unreported.map { Texts.number($0) }.asList,
            "has_events": found.events != EventCounts() || found.unreported != nil,
            "is_scheduled": notification.state == .scheduled, "starts": PageValues.time(notification.sendAt),
            "is_sending": !isOver && notification.state != .scheduled,
            "total": progress.total, "settled": progress.settled,
            "progress_text": texts[
                "notifications.progress",
                ["n": Texts.number(counts.accepted), "total": Texts.number(progress.wanted)]
            ],
            "figures": Self.figures(counts, texts), "bars": Self.bars(counts, texts),
            "has_any": progress.total > 0,
            "reasons": reasons, "has_reasons": !reasons.isEmpty,
            "is_part": !found.reasons.isWhole || !found.reasons.isWaitingWhole,
            "silent": found.silent.map { $0.values(texts) },
            "pauses": found.pauses.map { pause in
                [
                    "paused": texts[
                        "notifications.paused",
                        [
                            "platform": texts["compose.platform.\(pause.queue.platform.rawValue)"],
                            "reason": texts.cause(of: pause),
                        ]
                    ],
                    "paused_reason": texts.reason(pause.reason), "advice": texts.said(pause.advice),
                ] as PageValues
            },
        ]
        if let rate = progress.shownRate { values["rate"] = texts.counted("notifications.rate", rate) }
        if let seconds = progress.secondsLeft {
            values["left"] = texts["notifications.left", ["time": texts.duration(seconds: seconds)]]
        }
    }

    private static func figures(_ counts: DeliveryCounts, _ texts: Texts) -> [PageValues] {
        [
            ("accepted", counts.accepted, true), ("refused", counts.refused, true), ("dead", counts.dead, false),
            ("suppressed", counts.notMade, true), ("expired", counts.expired, false),
            ("cancelled", counts.cancelled, false), ("pending", counts.pending, true),
        ].compactMap { name, count, isAlways in
            guard isAlways || count > 0 else { return nil }
            return ["figure_name": texts["notifications.count.\(name)"], "figure": Texts.number(count)] as PageValues
        }
    }

    /// One bar of three colours; what is left of it waits.
    private static func bars(_ counts: DeliveryCounts, _ texts: Texts) -> [PageValues] {
        let parts = [
            ("accepted", counts.accepted), ("rejected", counts.refused), ("suppressed", counts.notMade),
        ]
        let widths = SendProgress.widths(parts.map(\.1) + [counts.pending])
        var left = 0
        return zip(parts, widths).compactMap { part, width in
            defer { left += width }
            guard width > 0 else { return nil }
            return ["kind": part.0, "left_edge": left, "width": width] as PageValues
        }
    }

    private static func reasons(_ found: MissedReasons, of id: PublicID, _ texts: Texts) -> [PageValues] {
        // What only waits for its turn has no reason.
        let counts = found.counts.filter { $0.key.state != .pending || $0.key.reason != nil }
        let sorted = counts.sorted { ($1.value, $0.key.word) < ($0.value, $1.key.word) }
        return sorted.prefix(30).map { reason, count in
            var values: PageValues = [
                "why": texts.sentence(reason.state, reason.reason), "word": reason.word,
                "reason_count": Texts.number(count),
            ]
            // The list of who missed it has nobody who may get it still.
            if reason.state != .pending {
                let query = Link.query(["devices": "every", "reason": reason.word])
                values["reason_address"] = "/console/notifications/\(id)/missed?\(query)"
            }
            return values
        }
    }
}
