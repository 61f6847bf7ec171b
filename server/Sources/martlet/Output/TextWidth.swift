/// How many columns text takes on a terminal, and what of it may be printed there.
enum TextWidth {
    /// The columns of a text: two for wide East Asian characters and emoji, none for marks that combine.
    static func columns(of text: String) -> Int {
        text.reduce(0) { $0 + columns(of: $1) }
    }

    /// The text, or as much of it as fits with an ellipsis at its end.
    static func prefix(of text: String, columns limit: Int) -> String {
        guard columns(of: text) > limit else { return text }
        var (short, width) = ("", 1)
        for character in text {
            width += columns(of: character)
            guard width <= limit else { break }
            short.append(character)
        }
        return short + "…"
    }

    /// The text's words on as many lines as they take, at least one; a word that is wider than a line stays whole.
    static func wrapped(_ text: String, columns limit: Int?) -> [String] {
        guard let limit, columns(of: text) > limit else { return [text] }
        var lines: [String] = []
        for word in text.split(separator: " ").map(String.init) {
            if let last = lines.last, columns(of: last) + 1 + columns(of: word) <= limit {
                lines[lines.count - 1] = last + " " + word
            } else {
                lines.append(word)
            }
        }
        return lines.isEmpty ? [text] : lines
    }

    private static func columns(of character: Character) -> Int {
        let scalars = character.unicodeScalars
        // A variation selector 16 asks for the emoji form, which is wide.
        if scalars.contains(where: { $0.value == 0xFE0F }) { return 2 }
        return scalars.map(columns).max() ?? 0
    }

    private static func columns(of scalar: Unicode.Scalar) -> Int {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
        if scalar.properties.isEmojiPresentation { return 2 }
        return wide.contains { $0.contains(scalar.value) } ? 2 : 1
    }

    /// The blocks whose characters are wide or full-width (Unicode Standard Annex 11), rounded to whole blocks.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
        0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
        0x20000...0x3FFFD,
    ]

    /// The text without control characters, and without those that turn the direction of a line's rest (Unicode Standard
    /// Annex 9, 2.1 to 2.5): what a server or a file says must not steer the terminal.
    static func printable(_ text: String) -> String {
        // Nearly all text, and each line of the access log: nothing to ask Unicode's tables for.
        if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return text }
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            let steers = scalar.properties.generalCategory == .control || turns.contains { $0.contains(scalar) }
            scalars.append(steers ? "\u{FFFD}" : scalar)
        }
        return String(scalars)
    }

    /// Embeddings and overrides, and isolates, with what ends them.
    private static let turns: [ClosedRange<Unicode.Scalar>] = ["\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}"]
}
