import ArgumentParser
import Foundation
import Logging
import MartletWire

/// `martlet demo`.
struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Shows the round trip of a push: server, simulated APNs and FCM, phones, an alert, and the results.",
        discussion: """
            It starts a server, a simulated APNs and a simulated FCM in this process, on free ports and with a database \
            of its own that is gone afterwards. Four iPhones with the real SDK in their app and an Android phone register \
            there; then it sends through the REST interface as a backend would, and people tap and dismiss what their \
            phones show. A rider with two devices, one of them switched off, reads her notice list. At last an installed \
            Firefox or Chromium, headless, gets a push at simulated push services. It asks nothing and returns 0 when \
            everything came out as it should; the browser has 30 seconds and changes nothing in that.

            On a terminal server, simulators and phones go on until Ctrl-C, and the last line is a link into the console: \
            choose a password, send an announcement of category News to everybody, see it arrive under Phones, and find \
            out under People why nadia got no push. Elsewhere, and with --json, the demo ends with its table; --keep and \
            --no-keep say otherwise.

            Examples:
              martlet demo
              martlet demo --keep --port 8080
              martlet demo --json --no-browser
            """
    )

    @Option(help: "The server's port; 0 picks a free one.")
    var port = 0
    @Option(help: "The simulated APNs' port; 0 picks a free one.")
    var apnsPort = 0
    @Option(help: "The port of the simulator's control interface; 0 picks a free one.")
    var controlPort = 0
    @Flag(inversion: .prefixedNo, help: "Let an installed browser take part.")
    var browser = true
    @Flag(
        inversion: .prefixedNo,
        help: "Stay running afterwards, until Ctrl-C, to try things out in the console. Default: on a terminal."
    )
    var keep: Bool?
    @Flag(help: "Print JSON for programs.")
    var json = false
    @OptionGroup var logging: LogOptions

    mutating func validate() throws {
        for port in [port, apnsPort, controlPort] where !(0...65_535).contains(port) {
            throw ValidationError("A port is from 0 to 65535.")
        }
    }

    func run() async throws {
        let log = try LogSettings(try await logging.settings([:]), level: .warning)
        LogFormat.bootstrap(level: log.level, format: log.format)
        let output = Output(isJSON: json)
        let ports = DemoWorld.Ports(server: port, apns: apnsPort, control: controlPort)
        let keeps = keep ?? (!json && Terminal.isUsed)
        let report = try await DemoWorld.run(ports: ports, keeps: keeps, withBrowser: browser) { world in
            var report = try await DemoStory(world).play()
            if keeps { report.console = try await world.consoleLink() }
            if json { try output.json(Item(report)) } else { report.show(output) }
            if !json { output.lines([""] + lastLines(world, console: report.console)) }
            return report
        }
        guard report.surprises.isEmpty else {
            throw CommandFailure(
                "The demo had unexpected results: \(report.surprises.joined(separator: "; "))",
                hint: "Run it again with --log-level debug",
                status: .failed
            )
        }
    }

    private func lastLines(_ world: DemoWorld, console: String?) -> [String] {
        guard let console else {
            return [
                """
                The console was at \(world.address)/console and has ended with the demo: on a terminal, or with \
                'make demo KEEP=1' ('martlet demo --keep'), it stays.
                """
            ]
        }
        let connection = "--app \(DemoStory.app) --server \(world.address) --data \(world.folder.path)"
        return [
            "A phone of your own, in another terminal, and a push to it:",
            "  martlet phone --user dora --simulator \(world.controlURL) \(connection)",
            "  martlet send --user dora --title Hello \(connection.replacingOccurrences(of: "--data", with: "--data-dir"))",
            "The API is at \(world.address), its admin key in \(world.adminKeyPath). Ctrl-C ends all of it.",
            "The phones are in the console, under Phones. Its first operator gets in once, within 15 minutes: \(console)",
        ]
    }
}
