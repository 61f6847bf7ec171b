package import MartletCore
package import MartletStore
package import MartletWire

/// Has what was given up or quarantined tried once more.
///
/// Whoever is bound to one app reaches that app's work alone: any other is not found.
public struct Retries: Sendable {
    private let store: Store
    private let wakeUps: WakeUps

    package init(store: Store, wakeUps: WakeUps) {
        (self.store, self.wakeUps) = (store, wakeUps)
    }

    /// Has it tried again, as ``Store/retry(_:_:)`` does.
    package func retry<Item: FailedWorkItem>(
        _ type: Item.Type,
        _ id: PublicID,
        of app: RowID<App>?
    ) async throws -> Retried<Item> {
        if Item.kind == .webhook { try WebhookDeadLetter.checkAreOf(app) }
        if let app, try await store.failedWork(type, id)?.owner != app { throw Failure.notFound(Item.kind.noun) }
        let retried = try await store.retry(type, id)
        guard !retried.isRepeated else { return retried }
        if Item.kind == .webhook { wakeUps.notify(.webhooks) } else { wakeUps.notify() }
        return retried
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
