/// Turns reasons into words that a label may have: few, because reasons come from the peer and each is a number that is
/// kept for as long as the process runs. A pure value.
package struct ReasonWords: Sendable {
    /// How many different words are told apart, three times what Apple has.
    package static let limit = 128
    /// What stands for a reason that is a sentence about a connection; the sentence is in the delivery and in the log.
    package static let connection = "connection"
    /// What stands for what is over the limit or no word.
    package static let other = "other"

    private var known: Set<String> = []

    package init() {}

    /// The word for a reason.
    ///
    /// - Parameter sentence: what stands for a reason that is no word.
    package mutating func word(for reason: String, sentence: String = ReasonWords.other) -> String {
        guard ReasonWords.isWord(reason) else { return sentence }
        if known.contains(reason) { return reason }
        guard known.count < ReasonWords.limit else { return ReasonWords.other }
        known.insert(reason)
        return reason
    }

    /// Whether a reason is one word, or one with a number behind it, such as `HTTP 502`.
    package static func isWord(_ reason: String) -> Bool {
        let parts = reason.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count <= 2, reason.utf8.count <= 64, let word = parts.first, !word.isEmpty else { return false }
        guard word.utf8.allSatisfy(isWordByte) else { return false }
        guard parts.count == 2 else { return true }
        return !parts[1].isEmpty && parts[1].utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x5F
    }
}
