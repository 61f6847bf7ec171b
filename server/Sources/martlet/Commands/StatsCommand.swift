import ArgumentParser
import Foundation
import MartletWire

/// `martlet stats`.
struct StatsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats",
        abstract: "Shows how deliveries ended and which events came, over time.",
        discussion: """
            One line for each step, with a bar of the deliveries that ended in it: full where a provider accepted them, \
            light for all others. Accepted by a provider does not mean that it reached the phone; SEEN and OPENS are what \
            phones reported. Times and days are those of UTC.

            Minutes are kept for 48 hours, hours for 400 days.

            Examples:
              martlet stats --app com.example.app
              martlet stats --app com.example.app --last 2h --step minute
              martlet stats --last 30d --json
            """
    )

    @OptionGroup var app: AllAppsOptions
    @Option(help: "Only apns, fcm or webpush.")
    var platform: PlatformName?
    @Option(help: "How far back, such as 30m, 24h, 7d or 4w.")
    var last = "24h"
    @Option(
        help: "How long a step is: minute, hour or day. Default: minutes for up to 2h, hours for up to 3d, else days."
    )
    var step: StatisticsStep?
    @OptionGroup var connection: ConnectionOptions

    func validate() throws {
        guard Self.seconds(last) != nil else {
            throw ValidationError("--last is how far back, such as 30m, 24h, 7d or 4w, and not '\(last)'.")
        }
    }

    func run() async throws {
        let path: APIPath = "stats"
        let found: Item<StatisticsResponse> = try await connection.client().get(path.query(parameters(now: Date())))
        if connection.json { return try connection.output.json(found) }
        connection.output.lines(StatisticsLines(found.data, columns: connection.output.columns).lines)
    }

    /// The parameters of the request.
    func parameters(now: Date) -> [(String, String?)] {
        let seconds = Self.seconds(last) ?? 86_400
        let from = UTCTime(milliseconds: Int64(now.timeIntervalSince1970 * 1_000) - seconds * 1_000)
        return [
            ("app", app.app), ("platform", platform?.rawValue), ("from", from.description),
            ("step", (step ?? Self.step(for: seconds)).rawValue),
        ]
    }

    /// As many steps as a person reads.
    private static func step(for seconds: Int64) -> StatisticsStep {
        if seconds <= 2 * 3_600 { return .minute }
        return seconds <= 3 * 86_400 ? .hour : .day
    }

    private static let units: [Character: Int64] = ["m": 60, "h": 3_600, "d": 86_400, "w": 604_800]

    /// How long a text such as 24h is; at most ten years.
    private static func seconds(_ text: String) -> Int64? {
        guard let unit = text.last.flatMap({ units[$0] }), text.count <= 8, let count = Int64(text.dropLast()),
            (1...(3_650 * 86_400 / unit)).contains(count)
        else { return nil }
        return count * unit
    }
}
