import Foundation
import MartletTesting
import Testing

/// `martlet demo`, as a machine without a terminal runs it, and on one.
@Suite(.serialized) struct DemoTests {
    @Test("the demo prints for every device what happened and why, and returns 0 without a terminal")
    func printsTheTable() async throws {
        let result = try await Program.run("demo", "--no-browser")
        #expect(result.status == 0, "\(result.standardError)")
        let rows = result.standardOutput.split(separator: "\n").map {
            $0.split(separator: " ", omittingEmptySubsequences: true)
        }
        func row(_ words: String...) -> Bool {
            rows.contains { Array($0.prefix(words.count)).map(String.init) == words }
        }
        #expect(row("amira", "iPhone", "accepted", "1", "200", "accepted"))
        #expect(row("amira", "old", "iPhone", "rejected", "1", "410", "Unregistered"))
        #expect(row("ben", "iPhone", "accepted", "2", "503", "ServiceUnavailable,", "then", "200"))
        #expect(row("chiara", "iPhone", "–", "0", "–", "not", "affected:"))
        #expect(row("deniz", "Android", "phone", "accepted", "1", "200", "accepted,", "by", "FCM"))
        #expect(row("deniz", "Android", "phone", "suppressed", "0", "–", "duplicate:"))
        #expect(row("amira", "iPhone", "suppressed", "0", "–", "duplicate:"))
        #expect(row("ben", "iPhone", "suppressed", "0", "–", "duplicate:"))
        #expect(result.standardOutput.contains("disabled: Unregistered"))
        let lines = rows.map { $0.joined(separator: " ") }
        #expect(lines.contains("amira iPhone Line T4: signal failure tapped it delivery, open, deeplink_open"))
        #expect(lines.contains("ben iPhone Line T4: signal failure dismissed it delivery, dismiss"))
        #expect(row("amira", "old", "iPhone", "–", "–", "–") && row("chiara", "iPhone", "–", "–", "–"))
        #expect(lines.contains("deniz Android phone Line T4: signal failure – –"))
        #expect(!result.standardOutput.contains("rowser"), "it was told to leave it out")
        #expect(result.standardOutput.contains("2 delivered, 1 opened, 1 dismissed, 1 deep links."))
        #expect(lines.contains("iPhone 1 Line T4: buses replace trains 2 2 notices, 2 unread"))
        #expect(lines.contains("iPad 0 – – 2 notices, 2 unread"))
        #expect(lines.contains("iPhone 2 – 1 2 notices, 1 unread") && lines.contains("iPad 0 – – 2 notices, 1 unread"))
        #expect(result.standardOutput.contains("No push was sent. The user switched pushes of category 'news' off."))
        #expect(result.standardOutput.contains("On 1 device: the device's system does not let the app show it."))
        let last = lines.last ?? ""
        #expect(last.hasPrefix("The console was at http://127.0.0.1:") && last.contains("make demo KEEP=1"), "\(last)")
        #expect(!result.standardOutput.contains("/console/invitations/"), "a link would lead nowhere")
        #expect(!result.standardOutput.contains("\u{1B}"), "no terminal, no colours")
    }

    @Test(
        "an installed browser shows the alert, and what is wrong with it would not be the demo's failure",
        .enabled(if: BrowserProcess.Kind.allCases.contains(where: \.isInstalled), "no browser")
    )
    func browser() async throws {
        let result = try await ProgramProcess(["demo"]).result(within: 120)
        #expect(result.status == 0, "\(result.standardError)")
        let row = result.standardOutput.split(separator: "\n").first { $0.hasPrefix("emil ") } ?? ""
        #expect(row.contains("201") && row.contains("showed 'Line T4: signal failure'"), "\(row)")
        #expect(row.contains("reported delivery"), "\(row)")
    }

    @Test(
        "without a browser, and with one that ends at once, the demo says so and is all the same",
        arguments: [false, true]
    )
    func brokenBrowser(isThere: Bool) async throws {
        let folder = try TemporaryFolder()
        if isThere {
            let program = try folder.write("#!/bin/sh\nexit 3\n", to: "firefox-esr")
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
        }
        let result = try await Program.run("demo", environment: ["PATH": folder.path])
        #expect(result.status == 0, "\(result.standardError)")
        let told = isThere ? "it ended with status 3" : "No browser is installed"
        #expect(result.standardOutput.contains(told), "\(result.standardOutput.suffix(1_000))")
    }

    @Test("a second run needs nothing of the first and leaves nothing behind")
    func runsAgain() async throws {
        let folder = try TemporaryFolder()
        for _ in 0..<2 {
            let environment = ["TMPDIR": folder.path]
            let result = try await ProgramProcess(
                ["demo", "--no-browser"],
                environment: environment,
                folder: folder.path
            )
            .result()
            #expect(result.status == 0, "\(result.standardError)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    }

    @Test("with --keep its last line is a link into the console, which shows its phones until Ctrl-C")
    func keeps() async throws {
        let (folder, visitor) = (try TemporaryFolder(), try TemporaryFolder())
        let demo = try ProgramProcess(
            ["demo", "--keep", "--no-browser"],
            environment: ["TMPDIR": folder.path],
            folder: folder.path
        )
        let line = try await demo.line(containing: "/console/invitations/", within: 120)
        #expect(demo.standardOutput.hasSuffix(line + "\n"))
        let link = String(line.split(separator: " ").last ?? "")
        let console = String(link.prefix(upTo: link.range(of: "/invitations/")?.lowerBound ?? link.startIndex))
        let cookies = visitor.file("cookies")
        func page(_ address: String, _ form: [String] = []) async throws -> String {
            let fields = form.flatMap { ["--data-urlencode", $0] }
            let curl = try ProgramProcess(
                ["-fsSL", "-b", cookies, "-c", cookies] + fields + [address],
                executable: "/usr/bin/curl"
            )
            let result = try await curl.result(within: 30)
            guard result.status == 0 else { throw ProgramProcess.Failure(description: result.standardError) }
            return result.standardOutput
        }

        #expect(try await page(link).contains("Welcome, admin"))
        let password = "correct horse battery"
        let overview = try await page(link, ["password=\(password)", "again=\(password)"])
        #expect(overview.contains("<h1>Overview</h1>") && overview.contains("com.example.transit"), "\(overview)")
        let phones = try await page(console + "/phones")
        #expect(phones.contains("Line T4: signal failure") && phones.contains(">amira<") && phones.contains(">deniz<"))

        let data = try #require(
            try FileManager.default.contentsOfDirectory(atPath: folder.path).first { $0.hasPrefix("martlet-demo-") }
        )
        let server = String(console.dropLast("/console".count))
        let announced = try await Program.run(
            "announce",
            "--app",
            "com.example.transit",
            "--category",
            "news",
            "--title",
            "Sunday trains",
            "--yes",
            "--server",
            server,
            "--data",
            folder.file(data)
        )
        #expect(announced.status == 0, "\(announced.standardError)")
        try await Eventually.is("it is on the phones of those who want news", within: 60) {
            let phones = try await page(console + "/phones")
            return phones.contains(">chiara<") && phones.contains("Sunday trains")
        }

        demo.send(signal: SIGINT)
        let result = try await demo.result(within: 15)
        #expect(result.status == 0, "\(result.standardError)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    }

    @Test(
        "on a terminal it stays until Ctrl-C, and its last line is a link into the console; not with --no-keep",
        arguments: [true, false]
    )
    func staysOnTerminal(stays: Bool) async throws {
        let folder = try TemporaryFolder()
        let command = "echo pid=$$; exec '\(Program.path)' demo --no-browser" + (stays ? "" : " --no-keep")
        // bsdutils, which every Debian has: the command gets a terminal.
        let demo = try ProgramProcess(
            ["-qec", command, "/dev/null"],
            executable: "/usr/bin/script",
            environment: ["TMPDIR": folder.path],
            folder: folder.path
        )
        guard stays else {
            let result = try await demo.result(within: 120)
            #expect(result.status == 0 && result.standardOutput.contains("has ended with the demo"))
            return
        }
        let line = try await demo.line(containing: "/console/invitations/", within: 120)
        let link = line.split(whereSeparator: \.isWhitespace).last.map(String.init) ?? ""
        #expect(try await LocalCall.send("GET", link).status == 200, "\(line)")
        let id = try #require(pid_t(demo.standardOutput.firstMatch(of: /pid=([0-9]+)/)?.output.1 ?? ""))
        kill(id, SIGINT)
        let result = try await demo.result(within: 15)
        #expect(result.status == 0, "\(result.standardOutput)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    }

    @Test("the most talkative log of a demo has no whole token, key or payload")
    func keepsSecrets() async throws {
        for format in ["text", "json"] {
            let result = try await Program.run(
                "demo",
                "--no-browser",
                "--json",
                "--log-level",
                "trace",
                "--log-format",
                format
            )
            #expect(result.status == 0, "\(result.standardError.suffix(2_000))")
            let report = try JSONDecoder().decode(Answer<DemoAnswer>.self, from: Data(result.standardOutput.utf8)).data
            let log = result.standardError
            #expect(log.split(separator: "\n").count > 10, "the log says something")
            #expect(report.used.keys.count >= 35 && report.used.tokens.count == 7 && report.used.payloads.count == 5)
            for secret in report.used.keys + report.used.tokens + report.used.payloads {
                #expect(!secret.isEmpty && !log.contains(secret), "'\(secret.prefix(6))…' is in the log")
            }
        }
    }

    @Test("a port that is taken is named")
    func saysThatAPortIsTaken() async throws {
        let folder = try TemporaryFolder()
        let simulator = try await SimulatorProcess(folder: folder)
        let port = String(simulator.control.split(separator: ":").last ?? "")
        let result = try await Program.run("demo", "--no-browser", "--port", port)
        #expect(result.status != 0)
        #expect(result.standardError.hasPrefix("error: "))
        #expect(!result.standardOutput.contains("STATE"))
    }
}

/// `{"data":…}`.
struct Answer<Data: Decodable>: Decodable {
    var data: Data
}

/// What the test needs of `demo --json`.
struct DemoAnswer: Decodable {
    struct Used: Decodable {
        var keys: [String]
        var tokens: [String]
        var payloads: [String]
    }

    var used: Used
}
