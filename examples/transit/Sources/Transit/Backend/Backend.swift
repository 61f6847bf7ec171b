import Foundation

/// The backend: keeps what is known, what was told and what is to be told, and writes each step down before it is taken.
package actor Backend {
    private let state: StateFile
    private let log: BackendLog
    private let clock: TransitClock
    private let network: Network
    private let plan: SendPlan
    private var admission: FeedAdmission
    private var known = KnownAlerts()
    private var matcher: AlertMatcher
    private var nextEnd: Date?
    private static let shownProblems = 20

    package init(
        state: StateFile,
        network: Network,
        settings: SendSettings,
        admission: FeedAdmission = FeedAdmission(),
        clock: TransitClock,
        log: BackendLog
    ) throws {
        guard let zone = TimeZone(identifier: network.timeZone) else {
            throw StateFileError(description: "There is no time zone '\(network.timeZone)'.")
        }
        self.state = state
        self.log = log
        self.clock = clock
        self.network = network
        self.admission = admission
        plan = SendPlan(settings: settings)
        matcher = AlertMatcher(riders: [], network: network, calendar: CityCalendar(zone: zone))
    }

    /// The riders, from now on.
    package func set(_ riders: [Rider]) throws {
        matcher = AlertMatcher(riders: riders, network: network, calendar: matcher.calendar)
        log.line("\(riders.count) riders with \(matcher.favouriteCount) favourites.")
        let unknown = network.unknown(in: riders)
        if let first = unknown.first {
            log.line("\(unknown.count) favourites name what the network does not have; the first is \(first).")
        }
        // Before the first feed nothing is known, and nothing is over.
        if !known.alerts.isEmpty { try reconcile() }
    }

    /// Takes a feed that was read.
    ///
    /// - Returns: whether it was used.
    package func take(_ snapshot: FeedSnapshot) throws -> Bool {
        let now = clock.now()
        do throws(FeedProblem) {
            let active = max(known.active(at: now), state.ledger.alerts.values.count { $0.quietSince == nil })
            try admission.admit(snapshot, known: active, now: now)
        } catch {
            report(error)
            return false
        }
        report(snapshot.problems)
        known.take(snapshot, remembered: state.ledger.alerts.keys)
        try state.append([.feed(made: snapshot.made)])
        let told = try reconcile()
        log.line(
            "Feed of \(snapshot.made): \(snapshot.alerts.count) alerts, \(told) requests to make.",
            key: "feed \(snapshot.alerts.count) \(told)"
        )
        return true
    }

    /// A feed could not be had or read.
    package func report(_ problem: FeedProblem) { log.line("\(problem)", key: String(describing: problem).prefixWord) }

    /// A feed that is used says what of it is not.
    private func report(_ problems: [FeedProblem]) {
        for problem in problems.prefix(Self.shownProblems) { log.line("\(problem)") }
        let rest = problems.count - Self.shownProblems
        if rest > 0 { log.line("\(rest) more alerts are passed over.", key: "more") }
    }

    /// The server has no other feed than the last one.
    package func unchanged() {
        let text = "The agency has no newer feed than that of \(admission.last ?? 0)."
        log.line(text, key: "unchanged", silence: .seconds(3_600))
    }

    /// Writes a line into the log.
    package func note(_ line: String) { log.line(line) }

    /// Time has passed without a new feed: alerts may be over.
    package func tick() throws {
        if let nextEnd, clock.now() >= nextEnd { try reconcile() }
    }

    @discardableResult
    private func reconcile() throws -> Int {
        let now = clock.now()
        let records = try plan.records(
            for: state.ledger,
            known: known.alerts,
            gone: known.gone,
            matcher: matcher,
            now: now
        )
        try state.append(records)
        nextEnd = known.nextEnd(after: now)
        return records.count { if case .intent = $0 { true } else { false } }
    }

    // MARK: Requests

    /// The oldest request without an answer.
    package var next: Intent? { state.ledger.pending.first }

    /// Martlet's ids of what is under way for an alert.
    package func notifications(of alert: String) -> [String] { state.ledger.alerts[alert]?.notifications ?? [] }

    package func cancelled(_ alert: String) throws { try state.append([.cancelled(alert: alert)]) }

    /// Writes down what became of a request.
    package func settle(_ intent: Intent, _ outcome: SendOutcome) throws {
        switch outcome {
        case .accepted(let id):
            try state.append([.accepted(key: intent.key, alert: intent.alert, notification: id)])
            log.line("\(intent.words): accepted as \(id).")
        case .refused(let words):
            try state.append([.dropped(key: intent.key, reason: words)])
            log.line("\(intent.words): refused for good: \(words)")
        case .again(_, let words):
            log.line("\(intent.words): will be sent again: \(words)", key: "again \(words)")
        }
    }
}

extension Intent {
    /// For the log.
    var words: String {
        let what =
            switch purpose {
            case .tell: "version \(version)"
            case .remove: "removal"
            case .end: "end"
            }
        return "Alert \(alert.prefix(60)), \(what) to \(riders.count) riders"
    }
}

extension String {
    /// Up to the first number: lines that differ in their numbers only are one line.
    fileprivate var prefixWord: String { String(prefix { !$0.isNumber }) }
}
