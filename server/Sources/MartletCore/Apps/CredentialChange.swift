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
