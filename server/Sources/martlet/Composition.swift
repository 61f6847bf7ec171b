import Foundation
import Hummingbird
import Logging
import MartletConsole
import MartletCore
import MartletHTTP
import MartletPipeline
import MartletPostgres
import MartletProviders
import MartletSNS
import MartletSQLite
import MartletStore
import MartletWebhooks
import MartletWire
import ServiceLifecycle

/// The one place that names concrete stores and providers, and puts a server together.
struct Composition: Sendable {
    let api: MartletAPI
    let sns: SNSService
    let console: ConsoleService
    /// Those who may open the console.
    let operators: OperatorService
    /// What works beside the HTTP server.
    let services: [any Service]
    private let credentials: CredentialService
    private let store: Store
    private let pushServices: [any PushService]

    /// Opens the data directory and puts a server together that does nothing yet.
    ///
    /// - Throws: `CommandFailure` or `Failure` when the directory, the encryption key or the database is not usable.
    static func open(_ settings: ServeSettings, logger: Logger) async throws -> Composition {
        let data = settings.data
        try data.prepare(for: settings.database)
        data.warnOfOpenKeys(logger)
        if case .file = settings.database { data.warnOfCopy(logger) }
        let firstStart = data.lacks(settings.database) ? data.missingFiles : []
        do {
            return try await open(settings, data, logger: logger)
        } catch let failure as Failure where failure.code == .conflict {
            // They are another server's.
            throw failure
        } catch {
            // A first start that failed, as on a full disk, leaves nothing that the next one would have to ask about.
            for file in firstStart { unlink(file) }
            throw error
        }
    }

    private static func open(_ settings: ServeSettings, _ data: DataFolder, logger: Logger) async throws -> Composition
    {
        let key = try EncryptionKey(given: settings.encryptionKey, data: data, logger: logger)
        let metrics = PrometheusRegistry(help: StoreMetrics.help)
        let options = StoreMetrics.options(metrics)
        let store = try await openStore(
            settings.database,
            acceptsLoss: settings.acceptsLoss,
            options: options,
            timeout: databaseTimeout
        ) { failure in
            logger.warning(
                "waits for its database",
                metadata: ["why": "\(failure)", "seconds": "\(databaseTimeout / .seconds(1))"]
            )
        }
        StoreMetrics.show(store, in: metrics)
        do {
            let vault = try await key.vault(for: store, at: store.clock.now())
            try await makeFirstAdminKey(store, data: data, logger: logger)
            let composition = try Composition(
                store: store,
                vault: vault,
                metrics: metrics,
                settings: settings,
                logger: logger
            )
            for finding in try await store.statistics(.settings).findings {
                logger.warning("the database may lose what was accepted", metadata: ["why": "\(finding.message)"])
            }
            if try await !composition.credentials.resumeOpened().isEmpty {
                logger.notice("queues resume that were paused because their credential could not be decrypted")
            }
            return composition
        } catch {
            await store.close()
            throw error
        }
    }

    private init(
        store: Store,
        vault: Vault,
        metrics: PrometheusRegistry,
        settings: ServeSettings,
        logger: Logger
    ) throws {
        let parts = Parts(store: store, vault: vault, metrics: metrics, settings: settings, logger: logger)
        let sns = parts.sns()
        let (dispatcher, badges) = (parts.dispatcher(), parts.badges())
        let webhooks = parts.webhooks(sns, presence: dispatcher.presence)
        let events = DeliveryFailureEvents(service: sns, failures: parts.failures)
        let api = parts.api()
        operators = OperatorService(store: store, clock: store.clock)
        let console = try parts.console(operators)
        services = [
            Work { await dispatcher.run() }, Work { await webhooks.run() }, Work { await events.run() },
            Work { await badges.run() }, Work { await api.inboxStreams.run() },
            Work { await console.run() }, Work { await api.keyUses.run() }, Work { await sns.keyUses.run() },
        ]
        (self.api, self.sns, self.console, credentials) = (api, sns, console, parts.credentials)
        (self.store, pushServices) = (store, parts.pushServices)
    }

    /// Closes connections and the database. Nothing may be used afterwards.
    func close() async {
        await withTaskGroup(of: Void.self) { group in
            for service in pushServices { group.addTask { await service.shutdown() } }
        }
        await store.close()
    }

    /// Makes an admin key in the database itself, beside a running server or without one.
    ///
    /// - Returns: the key, which is stored hashed and cannot be read again.
    static func makeAdminKey(
        in data: DataFolder,
        _ database: DatabaseAddress,
        name: String,
        expiresAt: UTCTime?
    ) async throws -> String {
        try await inStore(database, data: data) { store in
            let expiry = try expiresAt.map { try KeyExpiry(Timestamp($0), now: store.clock.now()) }
            let (key, secret) = try await store.makeKey(.admin, app: nil, name: name, expiry: expiry)
            let subject = AuditSubject("key", key.id.description)
            try await store.record([AuditDraft("key.create", of: subject, by: .system, after: key.audited)])
            return secret
        }
    }

    /// Does something in the database itself, beside a running server or without one.
    static func inStore<Value>(
        _ database: DatabaseAddress,
        data: DataFolder,
        _ work: (Store) async throws -> Value
    ) async throws -> Value {
        try data.prepare(for: database)
        let firstFiles = data.lacks(database) ? data.missingFiles : []
        do {
            let store = try await openStore(database, role: .bootstrap)
            do {
                let value = try await work(store)
                await store.close()
                return value
            } catch {
                await store.close()
                throw error
            }
        } catch {
            // As a first start does; but what a server has begun to use meanwhile is the server's.
            if !data.isInUse { for file in firstFiles { unlink(file) } }
            throw error
        }
    }

    /// Opens and closes the database, to see that this program can use it; it is made where it is missing.
    static func checkStore(_ database: DatabaseAddress) async throws -> StoreStatistics {
        let store = try await openStore(database, role: .bootstrap)
        do {
            var statistics = try await store.statistics()
            statistics.findings = try await store.statistics(.settings).findings
            await store.close()
            return statistics
        } catch {
            await store.close()
            throw error
        }
    }

    private static func openStore(
        _ database: DatabaseAddress,
        role: SQLiteStore.Role = .server,
        acceptsLoss: Bool = false,
        options: Store.Options = Store.Options(),
        timeout: Duration = .zero,
        onWait: (Failure) -> Void = { _ in }
    ) async throws -> Store {
        switch database {
        case .file(let path):
            try await SQLiteStore.open(
                at: path,
                clock: SystemClock(),
                role: role,
                acceptsLoss: acceptsLoss,
                options: options
            )
        case .postgres(let address):
            try await PostgresStore.open(address, options: options, timeout: timeout, onWait: onWait)
        }
    }

    /// For how long a server waits for a database that comes up beside it, as after the machine's start. Ours: a PostgreSQL
    /// that was killed recovers in it as a rule.
    private static let databaseTimeout: Duration = .seconds(60)

    private static func makeFirstAdminKey(_ store: Store, data: DataFolder, logger: Logger) async throws {
        guard try await store.keys(.api(app: nil), PageRequest(count: 1)).items.isEmpty else { return }
        guard !FileManager.default.fileExists(atPath: data.adminKey) else {
            throw CommandFailure(
                "The database has no key, but \(data.adminKey) exists; it is never overwritten.",
                hint: "Restore the database from a backup. If the first start was interrupted, delete that file.",
                status: .failed
            )
        }
        let secret = newAdminKey()
        // The file first: nobody has a key that is only in the database.
        try DataFolder.write(secret: secret.text, to: data.adminKey)
        let made = try await store.createFirstKey(
            scope: .admin,
            name: "first admin key",
            prefix: prefix(of: secret),
            hash: secret.hash
        )
        guard made != nil else {
            // Another server's first start was faster.
            try FileManager.default.removeItem(atPath: data.adminKey)
            return
        }
        logger.notice("the first admin key was made", metadata: ["file": "\(data.adminKey)"])
    }

    private static func newAdminKey() -> Secret { Secret(prefix: "mk_\(KeyScope.admin.rawValue)_") }

    /// 15 characters are the prefix and six of the random part: enough to tell keys apart by.
    private static func prefix(of secret: Secret) -> String { String(secret.text.prefix(15)) }
}

extension APIContext: SNSRequestContext, ConsoleRequestContext {}

/// Work that goes on until the server stops; then it is cancelled and comes to its own end.
private struct Work: Service {
    let body: @Sendable () async -> Void

    func run() async throws { await cancelWhenGracefulShutdown(body) }
}
