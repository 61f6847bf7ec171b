import ArgumentParser
import Foundation
import MartletFilter

/// `martlet filter`.
struct FilterCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "filter",
        abstract: "Tries filter policies on messages: JSON lines in, one line of answer out for each.",
        discussion: #"""
            A line has "policy", and "attributes" or "body"; "scope" is MessageAttributes unless it says MessageBody. \#
            The answer is true, false or {"error":"…"}; a line that is wrong does not end the others. A policy may be \#
            given as its text, a body as the message's text or as JSON. With "call":"Subscribe" errors are worded as \#
            that call words them. No server is needed.

            Examples:
              martlet filter < trials.jsonl > answers.jsonl
              echo '{"policy":{"n":[5]},"scope":"MessageBody","body":{"n":5}}' |
                martlet filter

            A line about attributes:
              {"policy":{"store":["a"]},
               "attributes":{"store":{"DataType":"String","StringValue":"a"}}}
            """#
    )

    func run() throws {
        var trials = FilterTrials()
        var lines = LineReader(limit: FilterTrials.lineLimit)
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = chunk.withUnsafeMutableBytes { read(STDIN_FILENO, $0.baseAddress, $0.count) }
            if count < 0 {
                if errno == EINTR { continue }
                throw CommandFailure("Standard input cannot be read: \(String(cString: strerror(errno)))")
            }
            var answers = ""
            let take: ([UInt8]) -> Void = { answers += trials.answer($0) + "\n" }
            if count > 0 { lines.add(chunk[..<count], take) } else { lines.end(take) }
            // What is known is said before more is waited for, so that a conversation is possible.
            try FileHandle.standardOutput.write(contentsOf: Data(answers.utf8))
            if count == 0 { return }
        }
    }
}

/// Cuts bytes into lines of which each is kept only up to a limit.
struct LineReader {
    private var line: [UInt8] = []
    private let limit: Int

    /// - Parameter limit: How many bytes of a line are of interest; of a longer one that and one more is given.
    init(limit: Int) { self.limit = limit }

    /// Takes bytes, and gives every line that they end.
    mutating func add(_ bytes: ArraySlice<UInt8>, _ give: ([UInt8]) -> Void) {
        var rest = bytes
        while let end = rest.firstIndex(of: 0x0A) {
            keep(rest[..<end])
            give(line)
            line.removeAll(keepingCapacity: line.count < 65_536)
            rest = rest[(end + 1)...]
        }
        keep(rest)
    }

    /// Gives the last line, if it has no line feed.
    mutating func end(_ give: ([UInt8]) -> Void) {
        if !line.isEmpty { give(line) }
        line = []
    }

    private mutating func keep(_ bytes: ArraySlice<UInt8>) { line += bytes.prefix(max(0, limit + 1 - line.count)) }
}
