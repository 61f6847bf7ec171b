import Foundation

/// The terminal, if there is one.
enum Terminal {
    /// Whether a person watches standard error.
    static var isWatched: Bool { isatty(STDERR_FILENO) == 1 }

    /// Whether a person can be asked something: they watch standard error, and standard input is theirs.
    static var isInteractive: Bool { isWatched && isatty(STDIN_FILENO) == 1 }

    /// Whether a person has the command to themselves: they read standard output, and can be asked something.
    static var isUsed: Bool { isInteractive && isatty(STDOUT_FILENO) == 1 }

    /// How wide the terminal is that reads standard output; `nil` where none does.
    static var columns: Int? { isatty(STDOUT_FILENO) == 1 ? RawMode.size.columns : nil }

    /// Asks a person something that is not done without a yes.
    ///
    /// - Parameters:
    ///   - isAnswered: whether `--yes` was given, and nobody is asked.
    ///   - nothing: what the command has to say where there is no yes, such as *Nothing was sent.*
    /// - Throws: `CommandFailure` where they do not say yes, and where nobody is there to ask.
    static func confirm(_ question: String, isAnswered: Bool, orElse nothing: String) throws {
        guard !isAnswered else { return }
        guard isInteractive else {
            throw CommandFailure(nothing, hint: "\(question) Add --yes where nobody can be asked.")
        }
        StandardStream.error("\(TextWidth.printable(question)) [y/N] ")
        let answer = readLine()?.lowercased() ?? ""
        guard ["y", "yes"].contains(answer) else { throw CommandFailure(nothing, status: .failed) }
    }

    /// Writes a line to standard error.
    static func note(_ line: String) { StandardStream.error(line + "\n") }
}

/// A line on standard error that is written over while long work goes on; nothing without a terminal.
struct ProgressLine {
    private let isShown = Terminal.isWatched

    /// Replaces the line by a bar and a text. `done` and `total` say how far the work is.
    func show(done: Int, total: Int, _ text: String) {
        guard isShown else { return }
        let width = 24
        let filled = total > 0 ? min(width, done * width / total) : 0
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled)
        write("\r\u{1B}[K\(bar) \(text)")
    }

    /// Removes the line.
    func clear() { if isShown { write("\r\u{1B}[K") } }

    private func write(_ text: String) { StandardStream.error(text) }
}
