import AsyncHTTPClient
import HTTPTypes
public import Hummingbird
public import Logging
public import MartletCore
import MartletWire

/// What an operator may set about the interface.
public struct APISettings: Sendable {
    /// The largest request body, in bytes; a longer one is refused with 413.
    public var bodyLimit = 1024 * 1024
    /// How many requests to `/api` may be under way; one more is refused with 503.
    public var requestLimit = 1_000
    /// The level of the log line of a request that succeeds.
    public var requestLogLevel = Logger.Level.info
    /// For how long a check of one credential may take.
    public var diagnosisTimeout: Duration = .seconds(20)

    /// The defaults.
    public init() {}
}

/// The REST interface over a store.
public struct MartletAPI: Sendable {
    let store: any Store
    let providers: [Platform: any Provider]
    let vault: Vault
    let clock: any WallClock
    let submitter: Submitter
    let bell: WorkBell
    let credentials: CredentialKeeper
    let metrics: PrometheusRegistry
    let breakers: LaneBreakers
    let readings: OperatorReadings
    let settings: APISettings
    let authenticator: Authenticator

    /// Whether the server still takes work: tell it when the server stops.
    public let readiness = Readiness()
    let probe = StoreProbe()

    /// An interface from its parts.
    ///
    /// - Parameters:
    ///   - bell: what wakes the dispatcher; it rings when a lane is resumed or a dead letter is sent again.
    ///   - keySets: the key sets of identity providers.
    ///   - metrics: what `/metrics` shows; requests are counted in it.
    ///   - breakers: those that the dispatcher writes.
    ///   - delivery: what the dispatcher counts.
    public init(
        store: any Store,
        providers: [Platform: any Provider],
        vault: Vault,
        clock: any WallClock,
        submitter: Submitter,
        bell: WorkBell,
        credentials: CredentialKeeper,
        keySets: KeySetCache,
        metrics: PrometheusRegistry,
        breakers: LaneBreakers = LaneBreakers(),
        delivery: DeliveryMetrics = DeliveryMetrics(),
        settings: APISettings = APISettings()
    ) {
        self.store = store
        self.providers = providers
        self.vault = vault
        self.clock = clock
        self.submitter = submitter
        self.bell = bell
        self.credentials = credentials
        self.metrics = metrics
        self.breakers = breakers
        readings = OperatorReadings(
            store: store,
            clock: clock,
            providers: providers,
            breakers: breakers,
            delivery: delivery
        )
        self.settings = settings
        let verifier = UserTokenVerifier(vault: vault, keySets: keySets, clock: clock)
        authenticator = Authenticator(store: store, verifier: verifier)
    }

    /// A router with every route of the table, to put into a Hummingbird `Application`.
    public func router() -> Router<APIContext> {
        let router = Router(context: APIContext.self, options: .autoGenerateHeadEndpoints)
        let routes = routes
        let document = OpenAPIDocument(routes: routes).bytes
        router.add(
            middleware: RequestLog(metrics: RequestMetrics(factory: metrics), level: settings.requestLogLevel)
        )
        router.add(middleware: ErrorAnswers(routes: routes))
        router.add(middleware: InFlightLimit(settings.requestLimit))
        for route in routes + [openAPIRoute(document)] {
            router.on(RouterPath(route.path), method: route.method) { request, context in
                try await answer(route, request, context)
            }
        }
        return router
    }

    /// The route of the OpenAPI document, which cannot stand in the table that it is made from.
    func openAPIRoute(_ document: [UInt8]) -> Route {
        Route(.get, "/openapi.json", .open, "This document.") { _ in MadeJSON(bytes: document) }
    }

    private func answer(_ route: Route, _ request: Request, _ context: APIContext) async throws -> Response {
        let caller = try await authenticator.caller(for: route.access, headers: request.headers)
        switch caller {
        case .anyone: break
        case .key(let key): context.note.key = key.id.description
        case .user: context.note.key = "user"
        }
        let body = route.takes == nil ? [] : try await RequestBodyReader(limit: settings.bodyLimit).read(request)
        let call = try Call(
            route: route,
            caller: caller,
            request: request,
            path: context.parameters,
            body: body
        )
        return try await route.respond(call)
    }
}
