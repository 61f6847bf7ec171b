import MartletCore
import MartletWire

/// The first page: whether everything is all right, app by app, and what needs a person.
extension ConsoleService {
    var overviewRoutes: [ConsoleRoute] {
        [.get("/", .read) { call in .page(try await overviewPage(call)) }]
    }

    /// How many apps the page has. Ours: more are found by the page of apps.
    private static let appLimit = 30

    private func overviewPage(_ call: ConsoleCall) async throws -> Page {
        let choice = try await appChoice(call.query["app"])
        let period = OverviewPeriod(call.query["period"])
        let now = try await statistics.recent()
        let apps = choice.chosen.map { [$0] } ?? Array(choice.apps.prefix(Self.appLimit))
        var cards: [PageValues] = []
        for app in apps { cards.append(try await card(of: app, now, call)) }
        var values: PageValues = [
            "apps": cards, "has_apps": !cards.isEmpty, "app_options": choice.values,
            "periods": OverviewPeriod.allCases.map { one in
                [
                    "period_name": call.texts["overview.period_\(one.rawValue)"], "period_current": one == period,
                    "period_address": call.address(changing: "period", to: one.rawValue),
                ] as PageValues
            },
        ]
        if choice.chosen == nil, choice.apps.count > apps.count {
            values["more_apps"] = call.texts.counted("overview.more_apps", choice.apps.count - apps.count)
        }
        values.merge(troubles(now, call)) { $1 }
        values.merge(try await counts(of: choice.chosen, over: period, call)) { $1 }
        return Page(template: "overview", part: .overview, title: call.texts["nav.overview"], values: values)
    }

    // MARK: Apps

    private func card(of app: App, _ now: StoreStatistics, _ call: ConsoleCall) async throws -> PageValues {
        let work = now.backlogs.filter { $0.queue.app == app.row }
        let pauses = try await store.pauses(app.row)
        let silent = breakers.standing(of: app.row, at: clock.now())
        let oldest = work.compactMap(\.oldest).min()
        let state = AppState(
            pause: pauses.first?.reason,
            isSilent: !silent.isEmpty,
            waited: oldest.map { clock.now() - $0 }
        )
        let waiting = work.reduce(0) { $0 + $1.deliveries }
        let reason = pauses.first.map(call.texts.cause) ?? ""
        var values: PageValues = [
            "card_name": app.name, "card_address": "/console/apps/\(app.id)", "card_class": state.style,
            "card_state": call.texts["overview.state_\(state.word)", ["reason": reason]],
            // The count is some seconds old and the pause is not: none beside it would be wrong.
            "card_counted": waiting > 0 || pauses.isEmpty,
            "card_waiting": call.texts.counted("overview.waiting", waiting), "card_waits": waiting > 0,
        ]
        if waiting > 0, let oldest { values["card_oldest"] = PageValues.time(oldest) }
        values["card_reason"] = pauses.first.map { call.texts.reason($0.reason) }.asList
        values["is_advised"] = !pauses.isEmpty
        values["card_advice"] = call.texts.said(pauses.first?.advice ?? "")
        if let pause = pauses.first {
            let stored = call.may(.configure) ? try await store.credentials(app.row) : []
            values["card_mend"] = Link.replacement(for: pause.queue, of: app, among: stored)
        }
        return values
    }

    // MARK: What needs a person

    private func troubles(_ now: StoreStatistics, _ call: ConsoleCall) -> PageValues {
        let counts: [(TroubleKind, Int)] = [
            (.quarantined, now.quarantined), (.letters, now.deadLetters), (.webhooks, now.webhooks.deadLetters),
        ]
        let lines = counts.filter { $0.1 > 0 }.map { kind, count in
            [
                "trouble_text": call.texts.counted("overview.open_\(kind.rawValue)", count),
                "trouble_address": "/console/troubles#\(kind.rawValue)",
            ] as PageValues
        }
        return ["troubles": lines, "has_troubles": !lines.isEmpty]
    }

    // MARK: Numbers over time

    private func counts(of app: App?, over period: OverviewPeriod, _ call: ConsoleCall) async throws -> PageValues {
        let now = clock.now()
        let span = CountSpan(app: app?.row, from: now - period.time, to: now, step: period.step)
        let series = try await store.counts(over: span)
        let total = series.total
        let figures: [(String, Int)] = [
            ("accepted", total.accepted), ("refused", total.rejected + total.dead),
            ("not_made", total.suppressed + total.expired + total.cancelled), ("delivered", total.deliveries),
            ("opened", total.opens),
        ]
        let points = series.points.map { ChartPoint($0.at, $0.counts) }
        return [
            "figures": figures.map { name, value in
                ["figure_name": call.texts["overview.\(name)"], "figure": Texts.number(value)] as PageValues
            },
            "chart": Chart.pictures(
                of: points,
                step: .milliseconds(span.step.milliseconds),
                title: call.texts["overview.chart"]
            ),
            "chart_from": PageValues.time(span.from), "chart_to": PageValues.time(span.to),
            "has_counts": series.counts.contains { $0 != OutcomeCounts() },
            "rows": series.points.reversed().filter { $0.counts != OutcomeCounts() }.map { at, counts in
                [
                    "row_at": PageValues.time(at), "row_accepted": Texts.number(counts.accepted),
                    "row_refused": Texts.number(counts.rejected + counts.dead),
                    "row_not_made": Texts.number(counts.suppressed + counts.expired + counts.cancelled),
                    "row_delivered": Texts.number(counts.deliveries), "row_opened": Texts.number(counts.opens),
                ] as PageValues
            },
        ]
    }
}

/// How far back the numbers of the first page go.
enum OverviewPeriod: String, CaseIterable, Sendable {
    case hour, day, month

    init(_ word: String?) { self = word.flatMap(OverviewPeriod.init(rawValue:)) ?? .day }

    var time: Duration {
        switch self {
        case .hour: .seconds(3_600)
        case .day: .seconds(86_400)
        case .month: .seconds(30 * 86_400)
        }
    }

    var step: CountSpan.Step {
        switch self {
        case .hour: .minute
        case .day: .hour
        case .month: .day
        }
    }
}

/// How an app does, in one word. A pure value.
enum AppState: Sendable, Hashable {
    case fine
    /// Deliveries that could be made have waited for longer than they should.
    case slow
    /// A provider does not answer.
    case silent
    /// A provider refuses the credential, and sending waits for a person.
    case paused

    /// From how long a delivery waits on sending is slow. Ours: a person looks after a minute.
    static let patience: Duration = .seconds(60)

    init(pause: String?, isSilent: Bool, waited: Duration?) {
        if pause != nil {
            self = .paused
        } else if isSilent {
            self = .silent
        } else {
            self = (waited ?? .zero) > Self.patience ? .slow : .fine
        }
    }

    /// Its word among the texts.
    var word: String {
        switch self {
        case .fine: "fine"
        case .slow: "slow"
        case .silent: "silent"
        case .paused: "paused"
        }
    }

    /// The class that it is shown with.
    var style: String {
        switch self {
        case .fine: "good"
        case .slow, .silent: "warn"
        case .paused: "bad"
        }
    }
}
