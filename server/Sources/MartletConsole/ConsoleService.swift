public import Logging
public import MartletCore
public import MartletPipeline
public import MartletStore

/// What an operator may set about the console.
public struct ConsoleSettings: Sendable {
    /// The largest form, in bytes; a longer one is refused with 413.
    public var formLimit = 1024 * 1024
    /// The largest form with a file, in bytes: a list of some 200,000 people.
    public var fileLimit = 10 * 1024 * 1024
    /// The region of topics that are made here.
    public var region = Topic.defaultRegion
    /// Where the simulator of providers has its control interface, which the page of virtual phones asks; `nil` hides it.
    public var simulator: String?
    /// Reads an address of that interface.
    public var fetch: @Sendable (String) async throws -> [UInt8] = { _ in throw CancellationError() }
    /// For how long events are kept, those of virtual phones too.
    public var eventRetention = Retention().events
    /// Where a browser is: the other end of its connection, or what proxies that are trusted say in `X-Forwarded-For`.
    public var client: @Sendable (_ peer: String?, _ forwarded: [String]) -> String = { peer, _ in peer ?? "" }

    /// The defaults.
    public init() {}
}

/// The console: pages under `/console` for those who run Martlet and those who write announcements. It stands on the
/// same use cases as the other interfaces and has no powers of its own.
public struct ConsoleService: Sendable {
    let store: Store
    let operators: OperatorService
    let submitter: Submitter
    let credentials: CredentialService
    let providers: [Platform: any Provider]
    let breakers: QueueBreakers
    let wakeUps: WakeUps
    let clock: any WallClock
    let settings: ConsoleSettings
    let pages: PageLibrary
    /// The virtual phones, where there is a simulator.
    let phones: PhoneBoard?
    let live: LiveHub
    let problems: ProblemList
    let logger: Logger

    /// A console over a store.
    ///
    /// - Parameters:
    ///   - breakers: those that the dispatcher writes.
    ///   - wakeUps: what wakes the dispatcher when something is resumed or sent again.
    public init(
        store: Store,
        operators: OperatorService,
        submitter: Submitter,
        credentials: CredentialService,
        providers: [Platform: any Provider],
        breakers: QueueBreakers,
        wakeUps: WakeUps,
        clock: any WallClock,
        settings: ConsoleSettings = ConsoleSettings(),
        logger: Logger
    ) throws {
        (self.store, self.operators, self.submitter) = (store, operators, submitter)
        (self.credentials, self.providers, self.breakers) = (credentials, providers, breakers)
        (self.wakeUps, self.clock, self.settings, self.logger) = (wakeUps, clock, settings, logger)
        pages = try PageLibrary(hasPhones: settings.simulator != nil)
        phones = settings.simulator.map {
            PhoneBoard(address: $0, fetch: settings.fetch, store: store, clock: clock)
        }
        problems = ProblemList(store: store, breakers: breakers, clock: clock)
        live = LiveHub(clock: clock, logger: logger)
    }
}
