public import MartletCore
public import MartletStore
public import MartletWire
import Synchronization

/// Takes credentials from operators and hands them to providers: checked on the way in, sealed in between.
public struct CredentialService: Sendable {
    private let store: Store
    package let providers: [Platform: any Provider]
    /// What seals what is secret.
    package let vault: Vault
    private let opened = OpenedCredentials()

    /// A service over a store, with the providers that check and the vault that seals.
    public init(store: Store, providers: [Platform: any Provider], vault: Vault) {
        self.store = store
        self.providers = providers
        self.vault = vault
    }

    /// Checks a credential and stores it for each of these environments, in place of what was there.
    ///
    /// - Throws: `Failure` with ``ErrorCode/invalidCredential`` and what to do; nothing is stored then.
    public func store(
        _ draft: CredentialDraft,
        app: App,
        environments: [Environment]
    ) async throws -> [Credential] {
        let draft = try await continued(draft, app: app)
        let sealed = try seal(draft, for: app.id)
        var stored: [Credential] = []
        for environment in environments {
            let queue = DeliveryQueue(app: app.row, platform: draft.platform, environment: environment)
            stored.append(try await store.storeCredential(queue, sealed))
        }
        return stored
    }

    /// A Web Push draft with what is stored now: a new VAPID key is put before the others.
    private func continued(_ draft: CredentialDraft, app: App) async throws -> CredentialDraft {
        guard case .webpush(var webPush) = draft.secret,
            let present = try await store.credentials(app.row).first(where: { $0.platform == .webpush })
        else { return draft }
        webPush.previous = try open(present, of: app).secret
        var draft = draft
        draft.secret = .webpush(webPush)
        return draft
    }

    /// Checks and seals a credential, for whoever stores it together with something else.
    ///
    /// - Parameter app: the id of the app, which there need not be yet.
    /// - Throws: `Failure` with ``ErrorCode/invalidCredential`` and what to do.
    public func seal(_ draft: CredentialDraft, for app: PublicID) throws -> StoredCredentialDraft {
        guard let provider = providers[draft.platform] else { throw Self.noProvider(draft.platform) }
        let checked = try provider.check(draft)
        return StoredCredentialDraft(
            summary: checked.summary,
            sealed: try vault.seal(checked.secret, for: Self.purpose(app, draft.platform)),
            url: draft.url,
            isURLOfOperator: draft.isURLOfOperator,
            trust: draft.trust
        )
    }

    /// Opens a stored credential for use.
    ///
    /// - Throws: `Failure` when it was sealed with another encryption key.
    public func open(_ credential: Credential, of app: App) throws(Failure) -> OpenedCredential {
        try opened.credential(credential) { () throws(Failure) in
            let secret = try vault.open(credential.sealed, for: Self.purpose(app.id, credential.platform))
            return OpenedCredential(credential: credential, secret: secret)
        }
    }

    /// Why a queue is paused whose credential does not open.
    package static let sealedReason = "CredentialSealed"

    /// Lets the queues go on that are paused because their credential did not open, where it opens now.
    ///
    /// - Returns: those queues.
    @discardableResult
    public func resumeOpened() async throws -> [DeliveryQueue] {
        var resumed: [DeliveryQueue] = []
        for pause in try await store.pauses(nil) where pause.reason == Self.sealedReason {
            guard let app = try await store.app(.row(pause.queue.app)),
                let credential = try await store.credentials(app.row).first(where: {
                    $0.queue == pause.queue.ofCredential
                }),
                (try? open(credential, of: app)) != nil,
                try await store.resume(pause.queue)
            else { continue }
            resumed.append(pause.queue)
        }
        return resumed
    }

    /// What an app's secret at a provider is sealed for.
    static func purpose(_ app: PublicID, _ platform: Platform) -> String {
        "credential/\(app)/\(platform.rawValue)"
    }
}

/// The credentials that were opened last, so that one is not opened for each push.
private final class OpenedCredentials: Sendable {
    /// Ours: a few hundred bytes each, as their routes keep them too.
    private static let limit = 1_000

    private let known = Mutex<[RowID<Credential>: OpenedCredential]>([:])

    /// A credential as it stands now, opened by `open` where it is not known.
    func credential(
        _ credential: Credential,
        open: () throws(Failure) -> OpenedCredential
    ) throws(Failure) -> OpenedCredential {
        if let found = known.withLock({ $0[credential.row] }), found.credential == credential { return found }
        let opened = try open()
        known.withLock { known in
            if known.count >= Self.limit { known = [:] }
            known[credential.row] = opened
        }
        return opened
    }
}
