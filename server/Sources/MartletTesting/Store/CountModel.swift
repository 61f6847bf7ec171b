import MartletCore
import MartletStore
import MartletWire

/// What a store's counts over time have to be.
struct CountModel {
    private struct Line {
        var app: RowID<App>
        var platform: Platform?
        var at: Timestamp
        var counts: OutcomeCounts
    }

    private var lines: [Line] = []

    /// Notes what happened at a moment.
    mutating func add(_ app: App, _ platform: Platform?, at moment: Timestamp, _ change: (inout OutcomeCounts) -> Void)
    {
        var counts = OutcomeCounts()
        change(&counts)
        lines.append(Line(app: app.row, platform: platform, at: moment, counts: counts))
    }

    /// The series of a span.
    func series(_ span: CountSpan) -> CountSeries {
        var found: [Timestamp: OutcomeCounts] = [:]
        for line in lines where span.app == nil || span.app == line.app {
            guard span.platform == nil || span.platform == line.platform else { continue }
            found[span.step.start(of: line.at), default: OutcomeCounts()] += line.counts
        }
        return CountSeries(span, found: found)
    }
}

extension World {
    /// Counts from a moment until now, that included.
    func counts(
        _ app: App?,
        _ platform: Platform? = nil,
        since start: Timestamp,
        _ step: StatisticsStep
    ) async throws -> CountSeries {
        let end = now + .milliseconds(1)
        return try await store.counts(
            over: CountSpan(app: app?.row, platform: platform, from: start, to: end, step: step)
        )
    }

    /// Checks the store's counts in each step.
    func compare(_ model: CountModel, of app: App?, _ platform: Platform?, since start: Timestamp) async throws {
        for step in StatisticsStep.allCases {
            let series = try await counts(app, platform, since: start, step)
            let wanted = model.series(series.span)
            try expect(series, is: wanted, "counts by \(step) of \(platform?.rawValue ?? "all")")
        }
    }

    /// An app with three users of an iPhone, one of whose is disabled, and two of Android.
    func makeCountedApp(_ name: String) async throws -> App {
        let app = try await makeApp(name)
        for platform in [Platform.apns, .fcm] { _ = try await makeQueue(app, platform: platform) }
        for number in 1...3 { try await register(app, number, user: "user\(number)") }
        for number in 4...5 {
            let registration = Registration(
                app: app.row,
                platform: .fcm,
                token: "android:\(number)",
                environment: .production,
                owner: .user("user\(number)")
            )
            _ = try await store.register(registration)
        }
        let disabled = try unwrap(try await store.endpoint(app.row, .token(.apns, token(3))), "the third")
        _ = try await store.updateEndpoint(disabled.row, EndpointUpdate(status: .disabled(.byRequest)))
        return app
    }

    /// Sends to some of its users, and to one without a device.
    func send(_ app: App, _ random: inout SeededRandom, _ model: inout CountModel) async throws -> Notification {
        var users = ["nobody"]
        for number in 1...5 where random.chance(60) { users.append("user\(number)") }
        let sent = try await send(app, to: .users(users))
        model.add(app, nil, at: now) { $0.suppressed = 1 }
        if users.contains("user3") { model.add(app, .apns, at: now) { $0.suppressed = 1 } }
        return sent
    }

    /// Ends all that waits, each delivery in any way.
    func end(_ app: App, _ random: inout SeededRandom, _ model: inout CountModel) async throws {
        for platform in [Platform.apns, .fcm] {
            for leased in try await lease(DeliveryQueue(app: app.row, platform: platform, environment: .production)) {
                var settlement = leased.settlement
                for member in leased.batch.members {
                    let state = random.pick(DeliveryResult.State.allCases)
                    settlement.results.append(result(member, state, reason: state == .accepted ? nil : "reason"))
                    model.add(app, platform, at: now) { $0.add(state) }
                }
                try await store.settle(settlement)
            }
        }
    }
}

extension OutcomeCounts {
    /// One delivery that ended.
    fileprivate mutating func add(_ state: DeliveryResult.State) {
        switch state {
        case .accepted: accepted += 1
        case .rejected: rejected += 1
        case .expired: expired += 1
        case .cancelled: cancelled += 1
        case .dead: dead += 1
        }
    }

    /// What is known of one notification.
    init(_ counts: DeliveryCounts) {
        self.init()
        accepted = counts.accepted
        rejected = counts.rejected
        suppressed = counts.suppressed
        expired = counts.expired
        cancelled = counts.cancelled
        dead = counts.dead
    }
}
