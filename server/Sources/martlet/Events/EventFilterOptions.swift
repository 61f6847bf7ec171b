import ArgumentParser
import Foundation
import MartletWire

/// Which events a command is about.
struct EventFilterOptions: ParsableArguments {
    @OptionGroup var app: AllAppsOptions
    @Option(help: "Only events of this type.")
    var type: EventType?
    @Option(help: ArgumentHelp("Only events of this message; usually its notification's id.", valueName: "id"))
    var message: String?
    @Option(help: "Only this user's events.")
    var user: String?
    @Option(help: "Only events since then: a time such as 2026-03-01T00:00:00Z, or how long ago, such as 7d or 1h.")
    var since: String?
    @Option(help: "Only events before then, in the same form.")
    var until: String?

    /// The parameters of the request.
    ///
    /// - Throws: `CommandFailure` for a time that cannot be read.
    func parameters(now: Date = Date()) throws -> [(String, String?)] {
        [
            ("app", app.app), ("type", type?.rawValue), ("message_id", message), ("user_id", user),
            ("since", try Self.time(since, now: now, flag: "--since")),
            ("until", try Self.time(until, now: now, flag: "--until")),
        ]
    }

    private static let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800]

    /// A moment that a flag names; `nil` where it names none.
    static func time(_ text: String?, now: Date, flag: String) throws -> String? {
        guard let text else { return nil }
        if let time = UTCTime(text) { return time.description }
        guard let span = Self.seconds(text), case let seconds = Int64(now.timeIntervalSince1970) - span, seconds >= 0
        else {
            throw CommandFailure(
                "\(flag) must be a time such as 2026-03-01T00:00:00Z, or how long ago, such as 7d, 12h, 30m."
            )
        }
        return UTCTime(milliseconds: seconds * 1_000).description
    }

    /// The seconds of a span of time such as `7d`; `nil` for any other text.
    static func seconds(_ text: String) -> Int64? {
        // A hundred years of seconds have ten digits.
        guard let unit = text.last.flatMap({ units[$0] }), text.count <= 11, let count = Int64(text.dropLast()),
            count >= 0
        else { return nil }
        return count * unit
    }
}
