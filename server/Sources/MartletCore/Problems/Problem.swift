public import MartletWire

/// Something that keeps pushes from their devices, or soon will, and that an operator should know: the same in the console,
/// in `martlet doctor`, over REST and in `/metrics`. A pure value.
public struct Problem: Sendable, Hashable {
    /// What it is; the first ones matter most.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A provider refuses the credential, and the queue waits for a person.
        case paused
        /// A provider does not answer.
        case notAnswering = "not_answering"
        /// The app has no credential with which anything is sent.
        case noCredential = "no_credential"
        /// A provider says that an app's devices belong to another app.
        case wrongTopic = "wrong_topic"
        /// Deliveries wait for longer than they should.
        case backlog
        /// Work that crashed the server again and again.
        case quarantine
        /// Deliveries that used up their attempts.
        case deadLetters = "dead_letters"
        /// Messages that webhook URLs did not take.
        case webhookDeadLetters = "webhook_dead_letters"
        /// A credential ends soon, or has ended.
        case credentialEnds = "credential_ends"
    }

    /// What it is.
    public var kind: Kind
    /// How bad it is.
    public var level: Finding.Level
    /// Whose it is; none where it is of all apps together.
    public var app: App?
    /// The queue, where it is of one.
    public var queue: DeliveryQueue?
    /// The provider's own word, or what went wrong on the way to it.
    public var reason: String?
    /// What is wrong, in one sentence without times and numbers.
    public var message: String
    /// What to do.
    public var advice: String
    /// Since when; of a credential that ends: when it ends.
    public var since: Timestamp?
    /// How many deliveries, or messages, wait for it or are part of it.
    public var waiting: Int

    init(
        _ kind: Kind,
        _ level: Finding.Level,
        app: App?,
        queue: DeliveryQueue? = nil,
        reason: String? = nil,
        _ message: String,
        advice: String,
        since: Timestamp? = nil,
        waiting: Int = 0
    ) {
        (self.kind, self.level, self.app, self.queue, self.reason) = (kind, level, app, queue, reason)
        (self.message, self.advice, self.since, self.waiting) = (message, advice, since, waiting)
    }

    /// From how long a delivery that could be made waits on, it is a backlog. Ours, as in the alerts of operations.md: an
    /// audience of a million is through in that time.
    public static let longestWait: Duration = .seconds(120)
    /// The same for deliveries that a provider put off, and from how many on: less is the trouble of single devices.
    static let (longestDeferral, manyDeferred) = (Duration.seconds(300), 100)
    /// How long before its end a credential is a problem: a certificate is renewed by hand, by who may be on holiday.
    package static let credentialWarning: Duration = .seconds(30 * 86_400)
}

/// What is read of a store to find its problems.
package struct ProblemSources: Sendable {
    package var apps: [App]
    package var pauses: [Pause]
    package var credentials: [Credential]
    package var statistics: StoreStatistics
    /// Those that are not closed.
    package var breakers: [(queue: DeliveryQueue, breaker: Breaker)]

    package init(
        apps: [App],
        pauses: [Pause],
        credentials: [Credential],
        statistics: StoreStatistics,
        breakers: [(queue: DeliveryQueue, breaker: Breaker)]
    ) {
        self.apps = apps
        self.pauses = pauses
        self.credentials = credentials
        self.statistics = statistics
        self.breakers = breakers
    }

    /// The problems, the worst first, then by app and queue.
    package func problems(at now: Timestamp) -> [Problem] {
        let order = Dictionary(uniqueKeysWithValues: zip(Problem.Kind.allCases, 0...))
        let found = apps.flatMap { problems(of: $0, at: now) } + webhookProblems
        return found.enumerated().sorted { one, other in
            (order[one.element.kind] ?? 0, one.offset) < (order[other.element.kind] ?? 0, other.offset)
        }
        .map(\.element)
    }

    private func problems(of app: App, at now: Timestamp) -> [Problem] {
        let own = credentials.filter { $0.app == app.row }
        var found = pauses.filter { $0.queue.app == app.row }.map { pause in
            Problem(
                .paused,
                .problem,
                app: app,
                queue: pause.queue,
                reason: pause.reason,
                "Paused: \(pause.reason).",
                advice: pause.advice,
                since: pause.since,
                waiting: waiting(in: pause.queue)
            )
        }
        found += breakers.filter { $0.queue.app == app.row }.compactMap { silence($0.breaker, $0.queue, app) }
        if !own.contains(where: \.isEnabled) {
            found.append(
                Problem(
                    .noCredential,
                    .warning,
                    app: app,
                    "The app has no credential: it can reach nobody.",
                    advice: "Store one: martlet apps credentials set \(app.name)"
                )
            )
        }
        for credential in own {
            found += refusals(credential, app)
            found += ending(credential, app, at: now)
        }
        let named = Set(found.compactMap(\.queue))
        found += statistics.backlogs.filter { $0.queue.app == app.row && !named.contains($0.queue) }
            .compactMap { backlog($0, app, at: now) }
        return found + work(of: app, at: now)
    }

    private func waiting(in queue: DeliveryQueue) -> Int {
        statistics.backlogs.first { $0.queue == queue }?.deliveries ?? 0
    }

    /// What a breaker says that lets nothing or one batch through.
    private func silence(_ breaker: Breaker, _ queue: DeliveryQueue, _ app: App) -> Problem? {
        let waiting = waiting(in: queue)
        switch breaker.state {
        case .closed, .recovering: return nil
        // Another process may have closed it while nothing was sent from here.
        case .probing where waiting == 0: return nil
        case .open, .probing: break
        }
        let reason = breaker.reason ?? "no reason"
        return Problem(
            .notAnswering,
            .problem,
            app: app,
            queue: queue,
            reason: breaker.reason,
            "The provider does not answer (\(reason)); deliveries wait and are retried by themselves.",
            advice: reason.hasPrefix("HTTP 4")
                ? "That is not the provider's own answer: check the credential's url, and any proxy in between."
                : "Check the network and the provider's status page; once it answers, sending resumes by itself.",
            since: breaker.since,
            waiting: waiting
        )
    }

    /// What follows while a provider has said nothing else of a topic than that devices belong to another app.
    private func refusals(_ credential: Credential, _ app: App) -> [Problem] {
        credential.topics.filter { $0.value == .refused }.keys.sorted().map { topic in
            Problem(
                .wrongTopic,
                .problem,
                app: app,
                queue: credential.queue,
                """
                The provider has accepted no push to the topic \(topic) yet, and says that devices belong to another app.
                """,
                advice: """
                    Check the bundle id, and store the credential with the right one. Pushes to these devices are rejected and \
                    none of them is disabled; the first push that is accepted ends this.
                    """
            )
        }
    }

    private func ending(_ credential: Credential, _ app: App, at now: Timestamp) -> [Problem] {
        guard let end = credential.summary.expiresAt, end - now < Problem.credentialWarning else { return [] }
        return [
            Problem(
                .credentialEnds,
                end <= now ? .problem : .warning,
                app: app,
                queue: credential.queue,
                end <= now ? "The credential has ended." : "The credential ends soon.",
                advice: "Make a new push certificate in the developer account and store it.",
                since: end
            )
        ]
    }

    private func backlog(_ work: StoreStatistics.QueueBacklog, _ app: App, at now: Timestamp) -> Problem? {
        if let oldest = work.oldest, now - oldest > Problem.longestWait {
            return Problem(
                .backlog,
                .warning,
                app: app,
                queue: work.queue,
                "Deliveries that could be made have waited for more than two minutes.",
                advice: "Is so much sent, is the machine busy, or does the provider take little? The log says more.",
                since: oldest,
                waiting: work.deliveries
            )
        }
        guard let oldest = work.oldestDeferred, work.deferred > Problem.manyDeferred,
            now - oldest > Problem.longestDeferral
        else { return nil }
        return Problem(
            .backlog,
            .warning,
            app: app,
            queue: work.queue,
            "Many deliveries did not get through and wait for their next attempt.",
            advice: "Check the network and the provider's status page; once it answers, sending resumes by itself.",
            since: oldest,
            waiting: work.deferred
        )
    }

    /// Audiences that are not read, and what failed.
    private func work(of app: App, at now: Timestamp) -> [Problem] {
        guard let numbers = statistics.apps[app.row] else { return [] }
        var found: [Problem] = []
        if let oldest = numbers.oldestFanOut, now - oldest > Problem.longestWait {
            found.append(
                Problem(
                    .backlog,
                    .warning,
                    app: app,
                    "Notifications have waited for more than two minutes to have their audience read.",
                    advice:
                        "Is so much sent, is the machine busy, or does the provider take little? The log says more.",
                    since: oldest,
                    waiting: numbers.openFanOuts
                )
            )
        }
        if numbers.quarantined > 0 {
            found.append(
                Problem(
                    .quarantine,
                    .warning,
                    app: app,
                    "Work crashed the server repeatedly, or cannot be read, and is no longer tried.",
                    advice: "Look at the log, then: martlet quarantine list; martlet quarantine retry ID.",
                    waiting: numbers.quarantined
                )
            )
        }
        if numbers.deadLetters > 0 {
            found.append(
                Problem(
                    .deadLetters,
                    .warning,
                    app: app,
                    "Deliveries were given up: their attempts are used up.",
                    advice: "Look at the reasons, then: martlet dead-letters list; martlet dead-letters retry ID.",
                    waiting: numbers.deadLetters
                )
            )
        }
        return found
    }

    private var webhookProblems: [Problem] {
        guard statistics.webhooks.deadLetters > 0 else { return [] }
        return [
            Problem(
                .webhookDeadLetters,
                .warning,
                app: nil,
                "Webhook URLs did not take messages; these are not sent again by themselves.",
                advice: """
                    Look at the reasons, then: martlet webhook-dead-letters list; martlet webhook-dead-letters retry ID.
                    """,
                waiting: statistics.webhooks.deadLetters
            )
        ]
    }
}

extension Finding {
    /// A problem as the doctor says it, with its time and its number.
    package init(_ problem: Problem) {
        // Whole sentences, so that another language can have them.
        let (message, waiting) = (problem.message, problem.waiting)
        let text =
            switch (problem.since.map(UTCTime.init), waiting > 0) {
            case (let time?, _) where problem.kind == .credentialEnds: "\(message) Its end: \(time)."
            case (let time?, true): "\(message) Since \(time). Waiting: \(waiting)."
            case (let time?, false): "\(message) Since \(time)."
            case (nil, true): "\(message) Waiting: \(waiting)."
            case (nil, false): message
            }
        let app = problem.app?.name ?? ""
        let subject =
            switch problem.kind {
            case .quarantine: "\(app) quarantined work"
            case .deadLetters: "\(app) dead letters"
            case .webhookDeadLetters: "webhook dead letters"
            case .noCredential: "\(app) credentials"
            case .backlog where problem.queue == nil: "\(app) audiences"
            case .paused, .notAnswering, .wrongTopic, .credentialEnds, .backlog:
                "\(app) \(problem.queue?.word ?? "")"
            }
        self.init(problem.level, subject, text, advice: problem.advice)
    }
}
