import ArgumentParser
import Dispatch
import Foundation
import TransitWeek

/// `transit-week`: the whole system for a week, in two minutes.
@main
struct TransitWeekCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "transit-week",
        abstract:
            "Plays a week of a city with Martlet, a simulated APNs, an agency's feed, the matcher and riders' phones.",
        discussion: """
            At the end the phones' own records are audited. The status is 1 when somebody was never told, told twice or \
            told wrongly. APNS_KEY_ID, APNS_TEAM_ID, APNS_BUNDLE_ID and APNS_PRIVATE_KEY_PATH are used where they are set.
            """
    )

    @Option(help: "The program of Martlet (MARTLET_PROGRAM).")
    var martlet: String?
    @Option(help: "Where everything is kept; removed and made anew.")
    var folder = FileManager.default.temporaryDirectory.appendingPathComponent("transit-week").path
    @Option(help: "What the week is made from; the same number makes the same week.")
    var seed: UInt64 = 1
    @Option(help: "How many riders.")
    var riders = 60
    @Option(help: "How many alerts.")
    var alerts = 60
    @Option(help: "How many of the week's days, the last ones.")
    var days = 7
    @Option(help: "How many seconds it takes.")
    var seconds = 120.0
    @Option(help: "How often the matcher and the server are killed.")
    var kills = 3

    func validate() throws {
        guard (1...7).contains(days), (1...1_000).contains(alerts), (6...200).contains(riders) else {
            throw ValidationError("--days is from 1 to 7, --alerts to 1000, --riders from 6 to 200.")
        }
        guard seconds >= 10, (0...20).contains(kills) else {
            throw ValidationError("--seconds is at least 10, --kills from 0 to 20.")
        }
    }

    func run() async throws {
        let signals = RunningPrograms.endOnSignals()
        defer { withExtendedLifetime(signals) {} }
        let environment = ProcessInfo.processInfo.environment
        let programs = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().path
        guard let martlet = martlet ?? environment["MARTLET_PROGRAM"] else {
            throw ValidationError("--martlet or MARTLET_PROGRAM names Martlet's program, as 'make transit' does.")
        }
        var options = WeekOptions(martlet: martlet, programs: programs, folder: folder)
        options.seed = seed
        options.riders = riders
        options.alerts = alerts
        options.days = days
        options.seconds = seconds
        options.kills = kills
        let result = try await WeekRun(options) { Self.say($0) }.play()
        for line in result.lines { Self.say(line) }
        Self.say("The logs are in \(folder).")
        if !result.isClean { throw ExitCode(1) }
    }

    /// At once, also into a pipe.
    private static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
}
