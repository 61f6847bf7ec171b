import AsyncHTTPClient
public import HTTPTypes
public import Hummingbird
public import Logging
public import MartletCore
public import MartletPipeline
public import MartletStore
public import MartletWire
import NIOCore

/// What an operator may set about the interface.
public struct APISettings: Sendable {
    /// The largest request body, in bytes; a longer one is refused with 413.
    public var bodyLimit = 1024 * 1024
    /// The most bytes of request bodies that are held at once, over all interfaces.
    public var heldBodyBytes = 128 * 1024 * 1024
    /// How many requests to `/api` may be under way; one more is refused with 503.
    public var requestLimit = 1_000
    /// The largest upload of events, in bytes, before and after it is inflated. Treasure Data's own limit.
    public var eventBodyLimit = 5 * 1024 * 1024
    /// How many uploads of events may be under way; one more is refused with 503. With the limit above, a gigabyte.
    public var eventUploadLimit = 200
    /// For how long events are kept: the retention's own value.
    public var eventRetention = Retention().events
    /// The level of the log line of a request that succeeds.
    public var requestLogLevel = Logger.Level.info
    /// The region of topics that are made here.
    public var region = Topic.defaultRegion
    /// What a client's connection may cost.
    public var connections = ConnectionLimits()
    /// Whose word on a client's address counts.
    public var proxies = TrustedProxies.none
    /// The origins of the sites whose pages and workers may call the interface.
    public var webOrigins: Set<String> = []
    /// Where people reach the server, without a slash at its end; `nil` where the operator has not said it.
    public var publicURL: String?
    /// How much clients may ask for.
    public var quotas = QuotaSettings()
    /// How many bytes are free on the disk of the database, where that is known: asked at each upload.
    public var freeDiskBytes: @Sendable () -> Int? = { nil }
    /// How many bytes of the disk clients' events leave for everything else.
    public var eventReserve = largestReserve
    /// 1 GiB: far more than all the rest grows by until somebody acts.
    private static let largestReserve = 1024 * 1024 * 1024
    /// The reserve of a disk of so many bytes where nobody has said one: on a small disk a tenth of it.
    public static func eventReserve(ofDisk total: Int) -> Int { min(largestReserve, total / 10) }
    /// For how long a check of one credential may take.
    public var diagnosisTimeout: Duration = .seconds(20)

    /// The defaults.
    public init() {}
}

/// The REST interface over a store.
public struct MartletAPI: Sendable {
    let store: Store
    let providers: [Platform: any Provider]
    let vault: Vault
    let clock: any WallClock
    let submitter: Submitter
    let wakeUps: WakeUps
    let credentials: CredentialService
    let metrics: PrometheusRegistry
    let breakers: QueueBreakers
    let problems: ProblemList
    let samples: OperatorSamples
    let settings: APISettings
    let authenticator: Authenticator
    let eventMetrics = EventMetrics()
    let quotas: ClientQuotas
    let largeBodies = LargeBodies()
    let logger: Logger

    /// Whether the server still takes work: tell it when the server stops.
    public let readiness = Readiness()
    let probe = StoreProbe()
    /// What tells open streams of changes: run it beside the server.
    public let inboxStreams: InboxStreamHub
    /// What writes when keys were used: run it beside the server.
    package let keyUses: KeyUses

    /// An interface over a store and its providers.
    ///
    /// - Parameters:
    ///   - wakeUps: what wakes the dispatcher; it is notified when a queue is resumed or a dead letter is sent again.
    ///   - keySets: the key sets of identity providers.
    ///   - metrics: what `/metrics` shows; requests are counted in it.
    ///   - breakers: those that the dispatcher writes.
    ///   - delivery: what the dispatcher counts.
    public init(
        store: Store,
        providers: [Platform: any Provider],
        vault: Vault,
        clock: any WallClock,
        submitter: Submitter,
        wakeUps: WakeUps,
        credentials: CredentialService,
        keySets: KeySetCache,
        metrics: PrometheusRegistry,
        breakers: QueueBreakers,
        delivery: DeliveryMetrics,
        settings: APISettings = APISettings(),
        logger: Logger
    ) {
        self.logger = logger
        self.store = store
        self.providers = providers
        self.vault = vault
        self.clock = clock
        self.submitter = submitter
        self.wakeUps = wakeUps
        self.credentials = credentials
        self.metrics = metrics
        self.breakers = breakers
        problems = ProblemList(store: store, breakers: breakers, clock: clock)
        samples = OperatorSamples(
            store: store,
            clock: clock,
            providers: providers,
            breakers: breakers,
            problems: problems,
            delivery: delivery
        )
        self.settings = settings
        quotas = ClientQuotas(settings.quotas)
        inboxStreams = InboxStreamHub(
            store: store,
            clock: clock,
            connections: settings.connections.connections,
            logger: logger
        )
        let verifier = UserTokenVerifier(vault: vault, keySets: keySets, clock: clock)
        keyUses = KeyUses(store: store, clock: clock, logger: logger)
        authenticator = Authenticator(store: store, verifier: verifier, clock: clock, keyUses: keyUses)
    }

    /// What a client's connection may cost.
    public var limits: ConnectionLimits { settings.connections }
    /// Whose word on a client's address counts.
    public var proxies: TrustedProxies { settings.proxies }

    /// Whether a request is answered on its connection's event loop: the way to another thread and back would cost more than
    /// all of it. Others would keep the loop's connections waiting: they read much, or open what is sealed with a password.
    public static func runsOnEventLoop(_ request: HTTPRequest) -> Bool {
        switch (request.method, request.path) {
        case (.get, "/healthz"): true
        // The last is the SNS interface's.
        case (.post, "/api/v1/notifications"), (.post, "/api/v1/devices"), (.post, "/"):
            (request.headerFields[.contentLength].flatMap { Int($0) } ?? .max) <= eventLoopBodyLimit
        default: false
        }
    }

    /// In bytes. Ours: what is read, checked and rendered in a few hundred microseconds.
    private static let eventLoopBodyLimit = 16 * 1024

    /// A router with every route of the table, to put into a Hummingbird `Application`. Other interfaces add theirs; what
    /// is logged, counted and checked of a request here is so for them too.
    ///
    /// - Parameter others: their paths, whose methods are said where a request has another one.
    public func router(beside others: [(method: HTTPRequest.Method, path: String)] = []) -> Router<APIContext> {
        let router = Router(context: APIContext.self, options: .autoGenerateHeadEndpoints)
        let routes = routes
        let all = routes + [openAPIRoute(OpenAPIDocument(routes: routes).bytes)]
        router.add(
            middleware: RequestLog(metrics: RequestMetrics(factory: metrics), level: settings.requestLogLevel)
        )
        if !settings.webOrigins.isEmpty { router.add(middleware: CrossOrigin(origins: settings.webOrigins)) }
        router.add(middleware: ErrorAnswers(paths: all.map { (method: $0.method, path: $0.path) } + others))
        router.add(middleware: RequestForm())
        router.add(middleware: BodyMemory(limit: settings.heldBodyBytes, proxies: settings.proxies))
        let limits = InFlightLimits(requests: settings.requestLimit, uploads: settings.eventUploadLimit)
        for route in all {
            router.on(RouterPath(route.path), method: route.method) { request, context in
                try await limits.during(route) { try await answer(route, request, context) }
            }
        }
        return router
    }

    /// The route of the OpenAPI document, which cannot stand in the table that it is made from.
    func openAPIRoute(_ document: [UInt8]) -> Route {
        // One buffer that all answers share: this one is for anybody, as often as they like.
        let answer = RawJSON(buffer: ByteBuffer(bytes: document))
        return Route(.get, "/openapi.json", .open, "This document.") { _ in answer }
    }

    private func body(of request: Request, for route: Route) async throws -> [UInt8] {
        // An upload is read by its handler, which finds out first who sends it.
        guard route.takesDocument else { return [] }
        return try await RequestBodyReader(limit: settings.bodyLimit).read(request)
    }

    private func answer(_ route: Route, _ request: Request, _ context: APIContext) async throws -> Response {
        let caller = try await authenticator.caller(for: route.access, headers: request.headers)
        switch caller {
        case .anyone: break
        case .key(let key): context.note.key = key.id.description
        case .user: context.note.key = "user"
        }
        let body = try await body(of: request, for: route)
        let client = settings.proxies.client(of: context.peer, forwarded: request.headers.xForwardedFor)
        // Before it is read, which costs the most, and also where it is refused then.
        if caller.isClient { try quotas.takeBytes(body.count, installation: nil, address: client) }
        let (path, connection) = (context.parameters, context.connection)
        let call = try await largeBodies.read(body.count, of: caller) {
            try Call(
                route: route,
                caller: caller,
                request: request,
                path: path,
                body: body,
                client: client,
                connection: connection
            )
        }
        var response = try await route.respond(call)
        // What takes a key to see is nothing for a cache on the way; keys and secrets are among it.
        if route.access != .open { response.headers[.cacheControl] = "no-store" }
        return response
    }
}
