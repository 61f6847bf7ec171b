import Foundation
import MartletTesting
import Testing

/// The README's commands, run as they are written, in its order and in one shell, as a reader would.
@Suite struct ReadmeTests {
    @Test("every command of the README works as it is written")
    func runsEveryCommand() async throws {
        let text = try String(contentsOfFile: Program.root + "/README.md", encoding: .utf8)
        let blocks = CommandBlock.all(in: text)
        #expect(blocks.filter { $0.isBackground }.count == 2 && blocks.count > 6)
        let data = Program.root + "/data/quickstart"
        try? FileManager.default.removeItem(atPath: data)
        defer { try? FileManager.default.removeItem(atPath: data) }

        // `make` builds what these say, which is what is here already.
        let environment = ProcessInfo.processInfo.environment.filter {
            ["CONFIGURATION", "MARTLET_TESTABLE"].contains($0.key)
        }
        var running: [ProgramProcess] = []
        for block in blocks where block.isBackground {
            let process = try ProgramProcess(
                ["-c", "exec 2>&1\n" + block.text],
                executable: "/bin/bash",
                environment: environment,
                leadsGroup: true
            )
            running.append(process)
            // The first of them may have to build.
            try await process.line(containing: "listening on", within: 1_200)
        }
        var script = "set -euo pipefail\n"
        for block in blocks where !block.isBackground {
            for line in block.text.split(separator: "\n", omittingEmptySubsequences: false) {
                script += line == "make test" || line == "make bench" ? "" : line + "\n"
            }
            script += "echo 'this block worked'\n"
        }
        let shell = try ProgramProcess(["-c", script], executable: "/bin/bash", environment: environment)
        let result = try await shell.result(within: 300)
        #expect(result.status == 0, "\(result.standardOutput.suffix(3_000))\n\(result.standardError.suffix(3_000))")
        let worked = result.standardOutput.components(separatedBy: "this block worked").count - 1
        #expect(worked == blocks.filter { !$0.isBackground }.count)
        #expect(result.standardOutput.contains("1 accepted"))
        #expect(result.standardOutput.contains("503 ServiceUnavailable, then 200"), "of make demo")
        #expect(result.standardOutput.contains("Trains run every 20 minutes."), "of what the simulator got")
        for process in running {
            process.send(signal: SIGTERM)
            _ = try await process.result(within: 15)
        }
    }

    @Test("every file that the README and the documentation name is there")
    func namesFilesThatExist() throws {
        let guides = try FileManager.default.contentsOfDirectory(atPath: Program.root + "/docs")
            .filter { $0.hasSuffix(".md") }.map { "docs/" + $0 }
        #expect(guides.contains("docs/fcm.md") && guides.contains("docs/web-push.md"))
        for document in ["README.md", "examples/sns/README.md", "examples/social/README.md"] + guides {
            let text = try String(contentsOfFile: Program.root + "/" + document, encoding: .utf8)
            let folder = URL(filePath: Program.root + "/" + document).deletingLastPathComponent().path
            for link in text.matches(of: /\]\(([^)#:]+)(#[^)]*)?\)/) {
                #expect(FileManager.default.fileExists(atPath: folder + "/" + link.1), "\(document): \(link.1)")
            }
            // Links that are named where they stand, and lead to a file at the page's end.
            for line in text.split(separator: "\n") {
                guard let link = line.wholeMatch(of: /\[[^\]]+\]: ([^\s#:]+)/) else { continue }
                #expect(FileManager.default.fileExists(atPath: folder + "/" + link.1), "\(document): \(link.1)")
            }
        }
    }
}

/// A fenced block of shell commands.
struct CommandBlock {
    var text: String
    /// Whether it runs on, in a terminal of its own: ```` ```sh background ````.
    var isBackground: Bool

    /// The blocks of a Markdown document.
    static func all(in document: String) -> [CommandBlock] {
        var blocks: [CommandBlock] = []
        var open: CommandBlock?
        for line in document.split(separator: "\n", omittingEmptySubsequences: false) {
            if var block = open {
                if line == "```" {
                    blocks.append(block)
                    open = nil
                } else {
                    block.text += line + "\n"
                    open = block
                }
            } else if line == "```sh" || line == "```sh background" {
                open = CommandBlock(text: "", isBackground: line.hasSuffix("background"))
            }
        }
        return blocks
    }
}
