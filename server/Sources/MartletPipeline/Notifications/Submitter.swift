import Foundation
public import MartletCore
public import MartletStore
public import MartletWire

/// The first stage: takes a submission, makes sure that it can be sent, and writes the notification. When it returns,
/// the notification is durable.
public struct Submitter: Sendable {
    let store: Store
    let providers: [Platform: any Provider]
    let clock: any WallClock
    let wakeUps: WakeUps
    let inlineDispatch: InlineDispatch
    private let metrics: DeliveryMetrics
    let backlog: Backlog
    let ids: NotificationIDs

    /// How many deliveries may wait before submissions are refused. Ours: what one queue sends in about ten minutes, and
    /// some tens of megabytes of batches.
    public static let backlogLimit = 5_000_000

    /// A submitter over a store, with the providers that render.
    ///
    /// - Parameters:
    ///   - inlineDispatch: what the dispatcher of this process begins at once.
    ///   - backlogLimit: how many deliveries may wait before submissions are refused as `overloaded`.
    public init(
        store: Store,
        providers: [Platform: any Provider],
        clock: any WallClock,
        wakeUps: WakeUps,
        inlineDispatch: InlineDispatch,
        metrics: DeliveryMetrics,
        ids: NotificationIDs = NotificationIDs(),
        backlogLimit: Int = Submitter.backlogLimit
    ) {
        self.ids = ids
        self.store = store
        self.providers = providers
        self.clock = clock
        self.wakeUps = wakeUps
        self.inlineDispatch = inlineDispatch
        self.metrics = metrics
        backlog = Backlog(store: store, clock: clock, limit: backlogLimit)
    }

    /// What the same request made before, if it did: asked where it is refused, because what is accepted is looked up in
    /// the transaction that would write it.
    ///
    /// - Throws: `Failure` with ``ErrorCode/idempotencyMismatch`` when the key was used with another request.
    public func repeated(_ idempotency: IdempotencyRecord) async throws -> Submitted? {
        try await store.submitted(under: idempotency).map { Submitted(id: $0, isRepeated: true) }
    }

    /// Wakes who goes on with what was accepted.
    func tell(of submitted: Submitted, app: App) {
        if let fanOut = submitted.fanOut {
            metrics.count(fanOut.suppressions, of: app.row)
            if submitted.leased.count < fanOut.batches.count { wakeUps.notify(.batches) }
        } else if !submitted.isRepeated {
            wakeUps.notify()
        }
    }

    /// What is written of a submission under an id, which its payloads have.
    func draft(of submission: Submission, id: PublicID, credentials: [Credential]) throws(Failure) -> NotificationDraft
    {
        let now = clock.now()
        let audience = try validate(submission, now: now)
        let messages = try render(submission, id: id, credentials: credentials, audience: audience)
        var draft = NotificationDraft(
            id: id,
            app: submission.app.row,
            audience: audience,
            content: submission.content,
            category: submission.category,
            inbox: submission.inbox,
            inboxBadge: submission.inboxBadge,
            class: submission.class,
            // The most urgent of those that the providers chose, where the sender left it open.
            priority: submission.priority ?? messages.compactMap(\.priority).max() ?? .high,
            dedup: submission.dedup,
            collapseID: submission.collapseID,
            sendAt: submission.sendAt,
            expiresAt: Submitter.expiry(of: submission, now: now),
            retry: submission.retry,
            messages: messages,
            badges: submission.badges,
            message: submission.message,
            origin: submission.origin
        )
        if let actor = submission.sentBy, audience.isOfMany { draft.audit = AuditDraft(sending: draft, by: actor) }
        return draft
    }

    private func validate(_ submission: Submission, now: Timestamp) throws(Failure) -> Audience {
        try submission.dedup?.validate()
        try submission.retry.validate()
        try submission.message.validate()
        try submission.validateContent()
        try submission.validateBadges()
        try submission.inbox?.validate(submission.content, submission.audience, begin: submission.sendAt ?? now)
        try submission.validateTimes(now: now)
        return try submission.audience.validated(by: providers)
    }

    private func render(
        _ submission: Submission,
        id: PublicID,
        credentials: [Credential],
        audience: Audience
    ) throws(Failure) -> [Message] {
        var messages: [Message] = []
        for platform in Platform.allCases {
            let summaries = credentials.filter { $0.platform == platform }.map(\.summary)
            guard !summaries.isEmpty, let provider = providers[platform] else { continue }
            let context = RenderContext(notification: id, credentials: summaries)
            do {
                messages.append(try provider.render(submission, context: context))
            } catch  where submission.recordsRefusals {
                messages.append(.refused(platform, error))
            }
        }
        if case .tokens(_, let platform) = audience, !messages.contains(where: { $0.platform == platform }) {
            throw Submitter.missingCredential(submission.app, platform)
        }
        guard !messages.isEmpty || submission.recordsRefusals else {
            throw Submitter.missingCredential(submission.app, nil)
        }
        return messages
    }

    private static func missingCredential(_ app: App, _ platform: Platform?) -> Failure {
        Failure(
            .missingCredential,
            platform.map { "The app '\(app.name)' has no credential for \($0.rawValue)." }
                ?? "The app '\(app.name)' has no credential.",
            hint: "Store one: PUT /api/v1/apps/\(app.name)/credentials, or martlet apps credentials set."
        )
    }

    private static func expiry(of submission: Submission, now: Timestamp) -> Timestamp {
        switch submission.expiry {
        case .at(let moment): moment
        case .provider, .immediate: (submission.sendAt ?? now) + Submission.Expiry.undatedLifetime
        }
    }
}
