import MartletCore
import MartletStore
import MartletWire

/// Numbers over time.
extension MartletAPI {
    func showStatistics(_ call: Call) async throws -> Reply<StatisticsResponse> {
        let app = try await optionalApp(call.query("app"), for: call.caller)
        let now = clock.now()
        let end = call.time("to") ?? now
        let span = CountSpan(
            app: app?.row,
            platform: call.query("platform").flatMap(Platform.init(word:)),
            from: call.time("from") ?? end - Self.statisticsTime,
            to: end,
            step: call.query("step").flatMap(StatisticsStep.init(rawValue:)) ?? .hour
        )
        try span.check(now: now)
        return Reply(StatisticsResponse(try await store.counts(over: span), app: app?.id))
    }

    func showAccepted(_ call: Call) async throws -> Reply<AcceptedResponse> {
        let notification = try await notification(of: call)
        let seconds = try await store.acceptedSeconds(of: notification.row, limit: AcceptedSeries.batchLimit)
        let series = AcceptedSeries(seconds ?? [:])
        return Reply(
            AcceptedResponse(
                stepSeconds: Int(series.step.milliseconds / 1_000),
                points: seconds == nil
                    ? nil : series.points.map { AcceptedPoint(at: UTCTime($0.at), accepted: $0.accepted) }
            )
        )
    }

    /// How far back it goes where nothing is said.
    private static let statisticsTime: Duration = .seconds(86_400)

    static let statisticsParameters = [
        QueryParameter(
            name: "platform",
            schema: .platform,
            summary:
                "Only of this provider; absent is all together, with what was not made before a device was looked at."
        ),
        QueryParameter(name: "from", schema: .time, summary: "Where it begins; absent is a day before the end."),
        QueryParameter(name: "to", schema: .time, summary: "Where it ends; absent is now."),
        QueryParameter(
            name: "step",
            schema: .words(of: StatisticsStep.self),
            summary: "How long a point is; absent is 'hour'. Minutes are kept for 48 hours, hours for 400 days."
        ),
    ]
}

extension StatisticsResponse {
    fileprivate init(_ series: CountSeries, app: PublicID?) {
        let span = series.span
        self.init(
            appID: app,
            platform: span.platform,
            from: UTCTime(span.from),
            to: UTCTime(span.to),
            step: span.step,
            points: series.points.map { StatisticsPoint(at: UTCTime($0.at), counts: $0.counts) }
        )
    }
}
