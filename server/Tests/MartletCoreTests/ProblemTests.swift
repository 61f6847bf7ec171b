import MartletWire
import Testing

@testable import MartletCore

@Suite("The list of problems") struct ProblemTests {
    private static let now = Timestamp(milliseconds: 1_800_000_000_000)
    private static let app = App(
        row: RowID(1),
        id: PublicID(high: 0, low: 1),
        name: "shop",
        identity: Identity(),
        createdAt: now
    )
    private static let queue = DeliveryQueue(app: app.row, platform: .apns, environment: .production)

    private static func credential(ends: Timestamp? = nil, isEnabled: Bool = true) -> Credential {
        Credential(
            row: RowID(1),
            app: app.row,
            platform: .apns,
            environment: .production,
            summary: CredentialSummary(kind: .certificate, topic: "x", keyID: nil, teamID: nil, expiresAt: ends),
            sealed: [],
            url: nil,
            trust: nil,
            createdAt: now,
            isEnabled: isEnabled
        )
    }

    private static func sources(_ change: (inout ProblemSources) -> Void = { _ in }) -> ProblemSources {
        var sources = ProblemSources(
            apps: [app],
            pauses: [],
            credentials: [credential()],
            statistics: StoreStatistics(),
            breakers: []
        )
        change(&sources)
        return sources
    }

    private static func kinds(_ change: (inout ProblemSources) -> Void) -> [Problem.Kind] {
        sources(change).problems(at: now).map(\.kind)
    }

    private static func waiting(
        _ count: Int,
        since: Duration? = nil,
        deferred: Int = 0,
        deferredSince: Duration? = nil
    ) -> StoreStatistics {
        let backlog = StoreStatistics.QueueBacklog(
            queue: queue,
            deliveries: count,
            deferred: deferred,
            oldest: since.map { now - $0 },
            oldestDeferred: deferredSince.map { now - $0 }
        )
        return StoreStatistics(backlogs: [backlog])
    }

    private static func silent() -> Breaker {
        var breaker = Breaker()
        let refusals = repeatElement(Outcome.retry(.init(reason: "HTTP 503", kind: .connection)), count: 100)
        breaker.note(refusals, at: now - .seconds(60), jitter: 1)
        return breaker
    }

    @Test("where all is well there is none")
    func none() { #expect(Self.kinds { _ in } == []) }

    @Test("a provider that does not answer is one, with its reason, since when, and what waits for it")
    func silence() throws {
        let found = Self.sources {
            $0.breakers = [(Self.queue, Self.silent())]
            // What waits for it is no problem of its own.
            $0.statistics = Self.waiting(42_865, since: .seconds(600))
        }
        .problems(at: Self.now)
        let problem = try #require(found.first)
        #expect(found.count == 1 && problem.kind == .notAnswering && problem.level == .problem)
        #expect(problem.reason == "HTTP 503" && problem.queue == Self.queue && problem.app == Self.app)
        #expect(problem.since == Self.now - .seconds(60) && problem.waiting == 42_865)
        let finding = Finding(problem)
        #expect(finding.subject == "shop apns/production" && finding.message.hasSuffix("Waiting: 42865."))
    }

    @Test("one that is tried while nothing waits for it may answer again, and is none")
    func probing() {
        var breaker = Self.silent()
        breaker.lease(at: Self.now)
        #expect(Self.kinds { $0.breakers = [(Self.queue, breaker)] } == [])
        let waiting = Self.waiting(1)
        #expect(
            Self.kinds {
                $0.breakers = [(Self.queue, breaker)]
                $0.statistics = waiting
            } == [.notAnswering]
        )
    }

    @Test("an app without a credential, or with one that is switched off, reaches nobody")
    func unreachable() {
        #expect(Self.kinds { $0.credentials = [] } == [.noCredential])
        #expect(Self.kinds { $0.credentials = [Self.credential(isEnabled: false)] } == [.noCredential])
    }

    @Test("a credential is one from thirty days before its end on, and a worse one after it")
    func ends() {
        func levels(_ left: Duration) -> [Finding.Level] {
            Self.sources { $0.credentials = [Self.credential(ends: Self.now + left)] }.problems(at: Self.now)
                .filter { $0.kind == .credentialEnds }.map(\.level)
        }
        #expect(levels(.seconds(30 * 86_400)) == [] && levels(.seconds(29 * 86_400)) == [.warning])
        #expect(levels(.zero) == [.problem])
    }

    @Test("what could be sent is a backlog after two minutes, what was put off when it is much for five")
    func backlog() {
        func kinds(_ statistics: StoreStatistics) -> [Problem.Kind] { Self.kinds { $0.statistics = statistics } }
        #expect(kinds(Self.waiting(1, since: Problem.longestWait)) == [])
        #expect(kinds(Self.waiting(1, since: .seconds(121))) == [.backlog])
        #expect(kinds(Self.waiting(100, deferred: 100, deferredSince: .seconds(3_600))) == [])
        #expect(kinds(Self.waiting(101, deferred: 101, deferredSince: .seconds(300))) == [])
        #expect(kinds(Self.waiting(101, deferred: 101, deferredSince: .seconds(301))) == [.backlog])
        var numbers = StoreStatistics.AppNumbers()
        (numbers.openFanOuts, numbers.oldestFanOut) = (3, Self.now - .seconds(121))
        #expect(kinds(StoreStatistics(apps: [Self.app.row: numbers])) == [.backlog])
    }

    @Test("the worst come first: a pause before what failed, and what is of all apps together too")
    func order() {
        var numbers = StoreStatistics.AppNumbers()
        (numbers.deadLetters, numbers.quarantined) = (2, 1)
        var webhooks = WebhookBacklog()
        webhooks.deadLetters = 4
        let statistics = StoreStatistics(apps: [Self.app.row: numbers], webhooks: webhooks)
        let found = Self.sources {
            $0.statistics = statistics
            $0.pauses = [Pause(queue: Self.queue, reason: "InvalidProviderToken", advice: "Mend.", since: Self.now)]
        }
        .problems(at: Self.now)
        #expect(found.map(\.kind) == [.paused, .quarantine, .deadLetters, .webhookDeadLetters])
        #expect(found.map(\.waiting) == [0, 1, 2, 4] && found.last?.app == nil)
    }
}
