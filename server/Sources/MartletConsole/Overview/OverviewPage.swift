import MartletCore
import MartletPipeline
import MartletStore
import MartletWire

/// The first page: whether everything is all right, app by app, and what needs a person.
extension ConsoleService {
    var overviewRoutes: [ConsoleRoute] {
        [.get("/", .read) { call in .page(try await overviewPage(call)) }]
    }

    /// How many apps the page has. Ours: more are found by the page of apps.
    private static let appLimit = 30
    /// How many problems it has; the page of problems has them all.
    private static let problemLimit = 10

    private func overviewPage(_ call: ConsoleCall) async throws -> Page {
        let choice = try await appChoice(call.query["app"])
        let period = OverviewPeriod(call.query["period"])
        let now = try await problems.statistics()
        let found = try await problems.problems(of: choice.chosen)
        let apps = choice.chosen.map { [$0] } ?? Array(choice.apps.prefix(Self.appLimit))
        var cards: [PageValues] = []
        for app in apps { cards.append(try await card(of: app, now, found.filter { $0.app?.row == app.row }, call)) }
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
        values["has_problems"] = !found.isEmpty
        values["problems"] = found.prefix(Self.problemLimit).map { $0.values(call.texts) }
        values["more_problems"] =
            (found.count > Self.problemLimit
            ? call.texts.counted("overview.more_problems", found.count - Self.problemLimit) : nil).asList
        values.merge(try await counts(of: choice.chosen, over: period, call)) { $1 }
        return Page(template: "overview", part: .overview, title: call.texts["nav.overview"], values: values)
    }

    // MARK: Apps

    private func card(of app: App, _ now: StoreStatistics, _ found: [Problem], _ call: ConsoleCall) async throws
        -> PageValues
    {
        let work = now.backlogs.filter { $0.queue.app == app.row }
        let state = AppState(found)
        let worst = state == .fine ? nil : found.first { AppState($0.kind) == state }
        let pause = worst?.kind == .paused ? worst?.queue : nil
        let waiting = work.reduce(0) { $0 + $1.deliveries }
        var values: PageValues = [
            "card_name": app.name, "card_address": "/console/apps/\(app.id)", "card_class": state.style,
            "card_state": call.texts[
                "overview.state_\(state.word)",
                ["reason": worst.map(call.texts.cause(of:)) ?? ""]
            ],
            // The count is some seconds old and the pause is not: none beside it would be wrong.
            "card_counted": waiting > 0 || pause == nil,
            "card_waiting": call.texts.counted("overview.waiting", waiting), "card_waits": waiting > 0,
            "card_problem": worst.map { $0.values(call.texts) }.asList,
        ]
        let oldest = work.flatMap { [$0.oldest, $0.oldestDeferred] }.compactMap(\.self).min()
        if waiting > 0, let oldest { values["card_oldest"] = PageValues.time(oldest) }
        if let pause {
            let stored = call.may(.configure) ? try await store.credentials(app.row) : []
            values["card_mend"] = Link.replacement(for: pause, of: app, among: stored)
        }
        return values
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

    var step: StatisticsStep {
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
    /// Deliveries have waited for longer than they should.
    case slow
    /// Nothing can be sent, or nothing gets to a device: it has no credential, or one of another app.
    case unreachable
    /// A provider does not answer.
    case silent
    /// A provider refuses the credential, and sending waits for a person.
    case paused

    /// - Parameter problems: those of the app, the worst first.
    init(_ problems: [Problem]) {
        self = problems.lazy.map { AppState($0.kind) }.first { $0 != .fine } ?? .fine
    }

    init(_ kind: Problem.Kind) {
        self =
            switch kind {
            case .paused: .paused
            case .notAnswering: .silent
            case .noCredential, .wrongTopic: .unreachable
            case .backlog: .slow
            // Its pushes go out all the same.
            case .quarantine, .deadLetters, .webhookDeadLetters, .credentialEnds: .fine
            }
    }

    /// Its word among the texts.
    var word: String {
        switch self {
        case .fine: "fine"
        case .slow: "slow"
        case .unreachable: "unreachable"
        case .silent: "silent"
        case .paused: "paused"
        }
    }

    /// The class that it is shown with.
    var style: String {
        switch self {
        case .fine: "good"
        case .slow, .unreachable, .silent: "warn"
        case .paused: "bad"
        }
    }
}
