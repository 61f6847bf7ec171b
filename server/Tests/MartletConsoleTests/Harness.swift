import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import MartletPipeline
import MartletProviders
import MartletSQLite
import MartletStore
import MartletWire
import NIOCore
import NIOPosix
import Testing

@testable import MartletConsole
@testable import MartletCore
@testable import MartletTesting

/// A request's surroundings without a server around it.
struct TestContext: ConsoleRequestContext {
    var coreContext: CoreRequestContextStorage
    let connection: any Channel
    var peer: String? { "192.0.2.7" }

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        connection = source.channel
    }

    func note(key: String?) {}
    func note(code: String) {}

    func collect(_ body: RequestBody, limit: Int) async throws -> [UInt8] {
        do {
            return Array((try await body.collect(upTo: limit)).readableBytesView)
        } catch {
            throw Failure(.bodyTooLarge, "The form is over \(limit) bytes.")
        }
    }
}

/// The console over a real store in memory, asked as a browser asks.
struct Harness: Sendable {
    static let password = "correct horse battery"

    let store: Store
    let clock: ManualClock
    let console: ConsoleService
    let operators: OperatorService
    let client: any TestClientProtocol
    /// An app, its name `shop`.
    let app: App

    /// The steps of the store's own checks, on this store.
    var world: World { World(store: store, clock: clock, withdraw: { _, _ in }) }

    /// Runs a test against a fresh console.
    static func run(settings: ConsoleSettings = ConsoleSettings(), _ test: @Sendable (Harness) async throws -> Void)
        async throws
    {
        let clock = ManualClock(Timestamp(milliseconds: 1_800_000_000_000))
        let store: Store = try await SQLiteStore.inMemory(clock: clock)
        // One that keeps what it is told: a request's id is read back from it.
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let group = MultiThreadedEventLoopGroup.singleton
        let apns = APNsProvider(group: group, clock: clock, logger: logger)
        let fcm = FCMProvider(group: group, clock: clock, logger: logger)
        let providers: [Platform: any Provider] = [.apns: apns, .fcm: fcm]
        let wakeUps = WakeUps()
        // Hashes that cost little: the tests of all paths sign in some hundred operators.
        let cost = PasswordHash.Cost(rounds: 4, blockSize: 1, parallelism: 1)
        let operators = OperatorService(store: store, clock: clock, passwords: PasswordHasher(cost: cost))
        let console = try ConsoleService(
            store: store,
            operators: operators,
            submitter: Submitter(
                store: store,
                providers: providers,
                clock: clock,
                wakeUps: wakeUps,
                inlineDispatch: InlineDispatch(),
                metrics: DeliveryMetrics(),
                backlogLimit: Submitter.backlogLimit
            ),
            credentials: CredentialService(
                store: store,
                providers: providers,
                vault: Vault(key: SymmetricKey(size: .bits256))
            ),
            providers: providers,
            breakers: QueueBreakers(),
            wakeUps: wakeUps,
            clock: clock,
            settings: settings,
            logger: logger
        )
        let app = try await store.createApp(name: "shop", identity: Identity())
        let router = Router(context: TestContext.self)
        console.addRoutes(to: router)
        try await Application(router: router, logger: logger).test(.router) { client in
            try await test(
                Harness(
                    store: store,
                    clock: clock,
                    console: console,
                    operators: operators,
                    client: client,
                    app: app
                )
            )
        }
        await apns.shutdown()
        await fcm.shutdown()
        await store.close()
    }

    // MARK: Operators

    /// An operator of a role, signed in.
    func visitor(_ role: OperatorRole, named name: String? = nil) async throws -> Visitor {
        let invitation = try await operators.invite(name ?? role.rawValue, as: role, by: .system)
        let signedIn = try await operators.redeem(
            token: invitation.token,
            password: Self.password,
            from: OperatorService.Browser(address: "192.0.2.7", userAgent: "test")
        )
        return Visitor(client: client, secret: signedIn.secret)
    }

    /// Somebody who is not signed in.
    var stranger: Visitor { Visitor(client: client, secret: nil) }
}

/// A browser, signed in or not.
struct Visitor: Sendable {
    /// What a page answered.
    struct Answer {
        var status: Int
        var headers: HTTPFields
        var text: String

        var location: String? { headers[.location] }
        var cookie: String? { headers[.setCookie] }
    }

    let client: any TestClientProtocol
    let secret: SessionSecret?
    /// What the browser says beside its cookie.
    var headers: HTTPFields = [:]
    /// What else it has of the console's cookies.
    var cookies: [String] = []

    var csrf: String { secret?.csrfToken ?? "" }

    func get(_ path: String) async throws -> Answer { try await send(.get, path) }

    /// Sends a form, with the token of its own session unless another is given.
    func post(_ path: String, _ values: KeyValuePairs<String, String> = [:], csrf token: String? = nil) async throws
        -> Answer
    {
        var pairs = values.map { "\($0)=\(Link.escaped($1))" }
        pairs.append("csrf=\(Link.escaped(token ?? csrf))")
        return try await send(.post, path, pairs.joined(separator: "&"))
    }

    func send(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ body: String? = nil,
        type: String = "application/x-www-form-urlencoded"
    ) async throws -> Answer {
        var fields = headers
        if let secret { fields[.cookie] = (["martlet_session=\(secret.text)"] + cookies).joined(separator: "; ") }
        if body != nil { fields[.contentType] = type }
        let buffer = body.map { ByteBuffer(string: $0) }
        return try await client.execute(uri: "/console" + path, method: method, headers: fields, body: buffer) {
            Answer(status: $0.status.code, headers: $0.headers, text: String(buffer: $0.body))
        }
    }
}
