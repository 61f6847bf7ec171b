import Foundation

/// The terminal, if there is one.
enum Terminal {
    /// Whether a person watches standard error.
    static var isWatched: Bool { isatty(STDERR_FILENO) == 1 }

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
