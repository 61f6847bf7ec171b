package import MartletWire

/// Has what was given up tried once more: dead letters, of webhook URLs too, and work in quarantine.
///
/// Whoever is bound to one app reaches that app's work alone: any other is not found.
public struct Retries: Sendable {
    private let store: any Store
    private let wakeUps: WakeUps

    package init(store: any Store, wakeUps: WakeUps) {
        (self.store, self.wakeUps) = (store, wakeUps)
    }

    /// Sends a dead letter again, as ``DeadLetterStore/retryDeadLetter(_:)`` does.
    package func deadLetter(_ id: PublicID, of app: RowID<App>?) async throws -> DeadLetterRetry<DeadLetter> {
        try check(try await store.deadLetter(id)?.app, app, "dead letter")
        let retry = try await store.retryDeadLetter(id)
        if !retry.isRepeated { wakeUps.notify() }
        return retry
    }

    /// Sends a dead letter of a webhook URL again, as ``WebhookStore/retryWebhookDeadLetter(_:)`` does.
    package func webhookDeadLetter(
        _ id: PublicID,
        of app: RowID<App>?
    ) async throws -> DeadLetterRetry<WebhookDeadLetter> {
        try WebhookDeadLetter.checkAreOf(app)
        let retry = try await store.retryWebhookDeadLetter(id)
        if !retry.isRepeated { wakeUps.notify(.webhooks) }
        return retry
    }

    /// Has work in quarantine tried again, as ``QuarantineStore/retryQuarantined(_:)`` does.
    package func quarantined(_ id: PublicID, of app: RowID<App>?) async throws -> QuarantinedWork {
        try check(try await store.quarantined(id)?.app, app, "quarantined work")
        let work = try await store.retryQuarantined(id)
        wakeUps.notify()
        return work
    }

    private func check(_ owner: RowID<App>?, _ app: RowID<App>?, _ what: String) throws(Failure) {
        guard let owner, app == nil || app == owner else { throw Failure.notFound(what) }
    }
}

/// A dead letter that is being sent again.
public struct DeadLetterRetry<Letter: Sendable & Hashable>: Sendable, Hashable {
    /// It, as it was.
    public var letter: Letter
    /// Whether an earlier request had it sent again already; this one did nothing.
    public var isRepeated: Bool

    package init(letter: Letter, isRepeated: Bool) {
        self.letter = letter
        self.isRepeated = isRepeated
    }
}

extension WebhookDeadLetter {
    /// Refuses whoever is bound to one app: topics, and what was published to them, are the server's own.
    package static func checkAreOf(_ app: RowID<App>?) throws(Failure) {
        guard app != nil else { return }
        throw Failure(
            .forbidden,
            "This key is bound to one app, and these messages belong to all.",
            hint: "Use an admin key that is not bound to an app."
        )
    }
}
