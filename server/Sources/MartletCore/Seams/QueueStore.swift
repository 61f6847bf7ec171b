/// What belongs to an app's delivery queues: their credentials, and whether they are paused.
public protocol QueueStore: Sendable {
    /// Puts a credential in place of the queue's present one, under a new row, and ends the queue's pause; without a
    /// draft deletes the present one.
    func setCredential(_ queue: DeliveryQueue, _ draft: StoredCredentialDraft?) async throws -> CredentialChange

    /// An app's credentials.
    func credentials(_ app: RowID<App>) async throws -> [Credential]

    /// The queues that are paused.
    func pauses(_ selection: PauseSelection) async throws -> [Pause]

    /// Ends a pause; says whether there was one.
    func resume(_ queue: DeliveryQueue) async throws -> Bool
}

extension QueueStore {
    /// Stores a credential in place of the queue's present one.
    public func storeCredential(_ queue: DeliveryQueue, _ draft: StoredCredentialDraft) async throws -> Credential {
        guard case .stored(let credential) = try await setCredential(queue, draft) else {
            preconditionFailure("The store deleted a credential that it was to store.")
        }
        return credential
    }

    /// Deletes a queue's credential; says whether there was one.
    public func deleteCredential(_ queue: DeliveryQueue) async throws -> Bool {
        try await setCredential(queue, nil) == .deleted(wasThere: true)
    }

    /// The queues that are paused; of one app, or all.
    public func pauses(_ app: RowID<App>?) async throws -> [Pause] {
        try await pauses(app.map(PauseSelection.app) ?? .all)
    }
}

/// Which pauses are asked for.
public enum PauseSelection: Sendable, Hashable {
    case all
    /// Those of an app's queues.
    case app(RowID<App>)
    /// Those that a notification's deliveries wait for.
    case holding(RowID<Notification>)
}

/// What a change of a queue's credential came to.
public enum CredentialChange: Sendable, Hashable {
    /// It is the queue's now.
    case stored(Credential)
    /// The queue has none any more, or had none before.
    case deleted(wasThere: Bool)
}

/// A checked and sealed credential on its way into the store.
public struct StoredCredentialDraft: Sendable {
    /// What may be shown.
    public var summary: CredentialSummary
    /// The sealed secret.
    public var sealed: [UInt8]
    /// Another address than the provider's own.
    public var url: String?
    /// Whether the operator named that address, and not somebody with a key of one app.
    public var isURLOfOperator: Bool
    /// PEM certificates to trust there.
    public var trust: String?

    package init(
        summary: CredentialSummary,
        sealed: [UInt8],
        url: String?,
        isURLOfOperator: Bool = false,
        trust: String?
    ) {
        self.summary = summary
        self.sealed = sealed
        self.url = url
        self.isURLOfOperator = isURLOfOperator
        self.trust = trust
    }
}
