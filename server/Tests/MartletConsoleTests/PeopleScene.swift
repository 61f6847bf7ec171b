import Crypto
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import MartletSQLite
import MartletTesting
import MartletWire
import NIOCore
import Testing

@testable import MartletConsole
@testable import MartletCore

/// What a page was answered with.
struct PageAnswer {
    var status: Int
    var location: String?
    var text: String
}

/// The console's pages over a real store in memory, with an operator of each role who is signed in.
struct PeopleScene: Sendable {
    let store: any Store
    let clock: ManualClock
    let app: App
    let registrar: Registrar
    let submitter: Submitter
    private let client: any TestClientProtocol
    private let sessions: [OperatorRole: SessionSecret]

    static func run(_ test: @Sendable (PeopleScene) async throws -> Void) async throws {
        let clock = ManualClock(Timestamp(milliseconds: 1_800_000_000_000))
        let store: any Store = try await SQLiteStore.inMemory(clock: clock)
        let providers: [Platform: any Provider] = [.apns: ScriptedProvider()]
        let (logger, wakeUps) = (Logger(label: "test"), WakeUps())
        let submitter = Submitter(
            store: store,
            providers: providers,
            clock: clock,
            wakeUps: wakeUps,
            inlineDispatch: InlineDispatch(),
            metrics: DeliveryMetrics()
        )
        let vault = Vault(key: SymmetricKey(size: .bits256))
        let console = try ConsoleService(
            store: store,
            operators: OperatorService(store: store, clock: clock),
            submitter: submitter,
            credentials: CredentialService(store: store, providers: providers, vault: vault),
            providers: providers,
            breakers: QueueBreakers(),
            wakeUps: wakeUps,
            clock: clock,
            logger: logger
        )
        let router = Router(context: PageContext.self)
        console.addRoutes(to: router)
        let app = try await store.createApp(name: "com.example.app", identity: Identity())
        let summary = CredentialSummary(kind: .token, topic: app.name, keyID: "KEY", teamID: "TEAM", expiresAt: nil)
        _ = try await store.storeCredential(
            DeliveryQueue(app: app.row, platform: .apns, environment: .production),
            StoredCredentialDraft(summary: summary, sealed: [1], url: nil, trust: nil)
        )
        var sessions: [OperatorRole: SessionSecret] = [:]
        for role in OperatorRole.allCases { sessions[role] = try await signIn(role, store) }
        try await Application(router: router, logger: logger).test(.router) { [sessions] client in
            let scene = PeopleScene(
                store: store,
                clock: clock,
                app: app,
                registrar: Registrar(store: store, providers: providers),
                submitter: submitter,
                client: client,
                sessions: sessions
            )
            try await test(scene)
        }
        await store.close()
    }

    private static func signIn(_ role: OperatorRole, _ store: any Store) async throws -> SessionSecret {
        let (token, secret) = (Secret(prefix: ""), SessionSecret())
        let draft = InvitationDraft(name: role.rawValue, role: role, hash: token.hash)
        _ = try await store.createInvitation(draft, by: .system)
        let owner = try await store.redeemInvitation(token.hash, password: PasswordHash(ofNothing: .standard))
        _ = try await store.createSession(SessionDraft(owner: owner, hash: secret.hash, address: "", userAgent: ""))
        return secret
    }

    // MARK: Requests

    func get(_ path: String, as role: OperatorRole = .admin, language: String = "en") async throws -> PageAnswer {
        try await ask(.get, path, role, [.acceptLanguage: language])
    }

    /// Sends a form, with the token that the page has.
    func post(
        _ path: String,
        as role: OperatorRole = .admin,
        _ fields: KeyValuePairs<String, String?> = [:]
    ) async throws -> PageAnswer {
        let secret = try #require(sessions[role])
        let body = Link.query(["csrf": secret.csrfToken]) + "&" + Link.query(fields)
        let headers: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
        return try await ask(.post, path, role, headers, body)
    }

    private func ask(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ role: OperatorRole,
        _ headers: HTTPFields,
        _ body: String? = nil
    ) async throws -> PageAnswer {
        var headers = headers
        headers[.cookie] = "martlet_session=\(try #require(sessions[role]).text)"
        let answer = try await client.execute(
            uri: path,
            method: method,
            headers: headers,
            body: body.map { ByteBuffer(string: $0) }
        )
        return PageAnswer(
            status: answer.status.code,
            location: answer.headers[.location],
            text: String(buffer: answer.body)
        )
    }

    // MARK: Things

    /// Gives a person a device.
    @discardableResult
    func device(of user: String, token: String = "aabbccdd11223344") async throws -> Endpoint {
        let request = DeviceRequest(userID: user, token: token, environment: .production)
        return try await registrar.register(request, app: app, by: .server, deviceLimit: nil).endpoint
    }

    /// Where a person's pages are.
    func address(of user: String) -> String { Person(app: app, user: user).address }

    func category(_ key: String, names: [String: String] = [:]) async throws -> MartletCore.Category {
        try await store.createCategory(CategoryDraft(key: key, names: names), of: app.row, actor: "test")
    }

    /// What was written down in the audit log, newest first.
    func audited() async throws -> [AuditEntry] {
        try await store.auditEntries(AuditFilter(), PageRequest()).items.filter { entry in
            !["operator", "session"].contains(entry.subject.kind)
        }
    }
}

/// A request's context, as the console knows it.
struct PageContext: ConsoleRequestContext {
    var coreContext: CoreRequestContextStorage
    let connection: any Channel
    var peer: String? { nil }

    init(source: Source) {
        coreContext = CoreRequestContextStorage(source: source)
        connection = source.channel
    }

    func note(key: String?) {}
    func note(code: String) {}

    func collect(_ body: RequestBody, limit: Int) async throws -> [UInt8] {
        Array(buffer: try await body.collect(upTo: limit))
    }
}
