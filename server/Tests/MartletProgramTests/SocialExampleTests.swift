import Foundation
import MartletTesting
import Testing

/// The notices of a social app, as `make social` plays them.
@Suite(.timeLimit(.minutes(3))) struct SocialExampleTests {
    @Test("every scene of the social app comes out as expected, over SNS and over REST", arguments: ["sns", "rest"])
    func story(backend: String) async throws {
        let result = try await Self.play(backend)
        #expect(result.status == 0, "\(result.standardOutput.suffix(2_000))\n\(result.standardError.suffix(3_000))")
        let scenes = Self.scenes(in: result.standardOutput)
        #expect(scenes.count == 11)
        #expect(result.standardOutput.contains("\(backend): 11 scenes as expected"))
        let page = try String(contentsOfFile: Program.root + "/examples/social/README.md", encoding: .utf8)
        for scene in scenes { #expect(page.contains("`\(scene)`"), "the table has no \(scene)") }
    }

    @Test("every scene that the example's table names is one of the story's")
    func table() throws {
        let folder = Program.root + "/examples/social/"
        let page = try String(contentsOfFile: folder + "README.md", encoding: .utf8)
        let story = try String(contentsOfFile: folder + "story.py", encoding: .utf8)
        let rows = page.split(separator: "\n").filter { $0.hasPrefix("| ") && $0.split(separator: "|").count == 4 }
        #expect(rows.count == 17)
        for row in rows {
            let last = try #require(row.split(separator: "|").last)
            for scene in last.matches(of: /`(\w+)`/) {
                #expect(story.contains("    def \(scene.1)(self):"), "\(scene.1)")
            }
        }
    }

    private static func scenes(in output: String) -> [String] {
        output.split(separator: "\n").filter { $0.hasPrefix("ok  ") }.map { String($0.dropFirst(4)) }
    }

    private static func play(_ backend: String) async throws -> ProgramProcess.Result {
        let own = ProcessInfo.processInfo.environment
        // What the clone's own Python has goes before the machine's.
        let path = "\(Program.root)/.build-python/bin:\(own["PATH"] ?? "/usr/bin:/bin")"
        let environment = own.filter { ["HOME", "TMPDIR"].contains($0.key) }
            .merging(["PATH": path, "MARTLET_PROGRAM": Program.path]) { $1 }
        let story = Program.root + "/examples/social/story.py"
        let process = try ProgramProcess(
            ["-c", "exec python3 -B -W ignore \"$0\" \"$1\"", story, backend],
            executable: "/bin/bash",
            environment: environment,
            folder: Program.root
        )
        return try await process.result(within: 150)
    }
}
