import MartletCore

extension ConsoleService {
    /// When a notification's deliveries were accepted, as a chart and a table; nothing where all came at once.
    func acceptedChart(_ notification: MartletCore.Notification, _ texts: Texts) async throws -> PageValues {
        guard notification.counts.accepted > 0,
            let seconds = try await store.acceptedSeconds(of: notification.row, limit: AcceptedSeries.batchLimit)
        else { return ["has_chart": false] }
        let series = AcceptedSeries(seconds)
        let chart = Chart(
            points: series.points.map { ChartPoint(at: $0.at, accepted: $0.accepted, refused: 0, notMade: 0) },
            step: series.step >= .milliseconds(CountSpan.Step.day.milliseconds) ? .day : .minute
        )
        return [
            "has_chart": series.points.count > 1, "chart": chart.svg(title: texts["notifications.chart"]),
            "chart_rows": series.points.filter { $0.accepted > 0 }.reversed().map { point in
                ["row_at": PageValues.time(point.at), "row_accepted": Texts.number(point.accepted)] as PageValues
            },
        ]
    }
}
