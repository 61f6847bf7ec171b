import Foundation
import MartletTesting
import Testing

/// `martlet phone` on a terminal, which is one of `script`'s.
@Suite(.timeLimit(.minutes(3))) struct PhoneTerminalTests {
    @Test("keys select, tap and log in, and the screen shows it")
    func obeysKeys() async throws {
        let stage = try await Stage()
        let terminal = try PhoneOnTerminal(stage, "--user amira --user 太郎 --link transit:")
        try await terminal.process.line(containing: "2 太郎      events are at the server")
        _ = try await stage.send("--user", "太郎", "--title", "遅延 Line T4", "--deep-link", "transit://4")
        try await terminal.process.line(containing: "遅延 Line T4")
        try terminal.type("\u{1B}[C\r")
        try await terminal.process.line(containing: "the app opens transit://4")
        try terminal.type("uben\r")
        try await terminal.process.line(containing: "2 ben       the server knows the device")
        try terminal.type(":nonsense\r")
        try await terminal.process.line(containing: "'nonsense' is not an order")
        try terminal.type("q")
        let result = try await terminal.process.result()
        #expect(result.standardOutput.contains("status 0"))
        #expect(result.standardOutput.contains("the same terminal"))
    }

    @Test("whatever ends it, the terminal is given back as it was")
    func givesTheTerminalBack() async throws {
        let stage = try await Stage()
        for (keys, signal, status) in [
            ("\u{3}", 0, 0), ("\u{4}", 0, 0), ("", SIGTERM, 143), ("", SIGINT, 130), ("", SIGSEGV, 139),
        ] {
            let terminal = try PhoneOnTerminal(stage, "")
            // Not a moment later than the screen of its own is entered.
            try await terminal.process.line(containing: "\u{1B}[?1049h")
            if keys.isEmpty { try terminal.send(signal) } else { try terminal.type(keys) }
            let output = try await terminal.process.result().standardOutput
            #expect(output.contains("status \(status)"), "\(output.suffix(500))")
            #expect(output.contains("the same terminal"), "\(status)")
            // The screen of its own is left, and the cursor is there again.
            #expect(output.contains("\u{1B}[?25h\u{1B}[?1049l"), "\(status)")
        }
    }
}

/// A terminal with the phones on it, its keyboard and its screen in the test's hands.
final class PhoneOnTerminal: Sendable {
    let process: ProgramProcess
    private let folder: TemporaryFolder

    init(_ stage: Stage, _ arguments: String) throws {
        folder = try TemporaryFolder()
        let phones = "'\(Program.path)' phone --app \(Stage.app) --simulator \(stage.simulator.control) \(arguments)"
        let inside = """
            stty cols 100 rows 40
            stty -g > before
            sh -c 'echo $$ > id; exec "$0" "$@"' \(phones)
            echo "status $?"
            stty -g > after
            cmp before after && echo 'the same terminal'
            """
        _ = try folder.write(inside, to: "inside")
        // A pipe with a name, which stays open: whoever writes to it is the keyboard.
        let outside = "mkfifo keys && exec 3<>keys && exec script -q -c 'sh inside' /dev/null <&3"
        process = try ProgramProcess(
            ["-c", outside],
            executable: "/bin/sh",
            environment: stage.server.environment.merging(["TERM": "xterm", "SHELL": "/bin/sh", "TMPDIR": folder.path])
            { $1 },
            folder: folder.path
        )
    }

    /// Types keys.
    func type(_ keys: String) throws {
        let keyboard = try #require(FileHandle(forWritingAtPath: folder.file("keys")))
        try keyboard.write(contentsOf: Data(keys.utf8))
        try keyboard.close()
    }

    /// Sends a signal to the program.
    func send(_ signal: Int32) throws {
        let text = try String(contentsOfFile: folder.file("id"), encoding: .utf8)
        kill(try #require(pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines))), signal)
    }
}
