import Foundation
import MartletTesting
import Testing

/// `martlet filter`, run as a user runs it.
@Suite struct FilterCommandTests {
    /// The recorded answers, which are lines as the command takes them.
    private func fixture(_ name: String) throws -> [[String: Any]] {
        let path = Program.root + "/server/Tests/MartletFilterTests/Fixtures/\(name).jsonl"
        return try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
    }

    private func answers(to lines: [[String: Any]]) async throws -> [String] {
        let input = try lines.map {
            try String(decoding: JSONSerialization.data(withJSONObject: $0), as: UTF8.self) + "\n"
        }
        let result = try await Program.run("filter", input: input.joined())
        #expect(result.status == 0 && result.standardError.isEmpty)
        return result.standardOutput.split(separator: "\n").map(String.init)
    }

    @Test("every recorded answer comes out, a line for each line")
    func answersVectors() async throws {
        let lines = try fixture("matches")
        let expected = try lines.map { try #require($0["expected"] as? Bool) ? "true" : "false" }
        #expect(lines.count == 139)
        #expect(try await answers(to: lines) == expected)
    }

    @Test("every recorded refusal comes out in its words, and does not end the others")
    func answersValidations() async throws {
        let lines = try fixture("validations")
        let answers = try await answers(to: lines)
        #expect(answers.count == 56)
        for (line, answer) in zip(lines, answers) {
            guard line["valid"] as? Bool == false else {
                #expect(answer == "false")
                continue
            }
            let error = try JSONDecoder().decode([String: String].self, from: Data(answer.utf8))["error"]
            #expect(error != nil)
            if let message = line["message"] as? String { #expect(error == message) }
        }
    }

    @Test("lines that are wrong are answered too, the last one without a line feed as well")
    func answersAnything() async throws {
        let long = String(repeating: "x", count: 5_000_000)
        let result = try await Program.run("filter", input: "nonsense\n\n\(long)\n{\"policy\":{}}")
        let answers = result.standardOutput.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(result.status == 0)
        #expect(answers.count == 5)
        #expect(answers.prefix(3).allSatisfy { $0.hasPrefix(#"{"error":""#) })
        #expect(answers[2].contains("longer than"))
        #expect(answers.suffix(2) == ["true", ""])
    }
}
