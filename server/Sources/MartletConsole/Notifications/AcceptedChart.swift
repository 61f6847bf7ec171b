import MartletCore
import MartletStore
import MartletWire

extension ConsoleService {
    /// When a notification's deliveries were accepted, as a chart and a table; nothing where all came at once.
    func acceptedChart(_ notification: MartletCore.Notification, _ texts: Texts) async throws -> PageValues {
        guard notification.counts.accepted > 0,
            let seconds = try await store.acceptedSeconds(of: notification.row, limit: AcceptedSeries.batchLimit)
        else { return ["has_chart": false] }
        let series = AcceptedSeries(seconds)
        let points = series.points.map { ChartPoint(at: $0.at, accepted: $0.accepted, refused: 0, notMade: 0) }
        return [
            "has_chart": points.count > 1, "is_of_seconds": series.step < .seconds(60),
            "chart": Chart.pictures(of: points, step: series.step, title: texts["notifications.chart"]),
            "chart_rows": points.filter { $0.accepted > 0 }.reversed().map { point in
                ["row_at": PageValues.time(point.at), "row_accepted": Texts.number(point.accepted)] as PageValues
            },
        ]
    }
}
