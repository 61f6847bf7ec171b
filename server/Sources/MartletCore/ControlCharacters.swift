extension String {
    /// Whether the text has one of Unicode's control characters: U+0000 to U+001F, and U+007F to U+009F, which is C2 80
    /// to C2 9F in UTF-8.
    package var hasControlCharacters: Bool {
        var before: UInt8 = 0
        for byte in utf8 {
            if byte < 0x20 || byte == 0x7F || before == 0xC2 && byte < 0xA0 { return true }
            before = byte
        }
        return false
    }

    /// Whether the text has characters that nobody sees, or that turn the direction of what is beside them: with them one
    /// name looks like another.
    var hasInvisibleCharacters: Bool {
        unicodeScalars.contains { scalar in
            switch scalar.properties.generalCategory {
            case .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned, .privateUse: true
            // Braille's blank has a category of those that are seen.
            default: scalar.properties.isDefaultIgnorableCodePoint || scalar == "\u{2800}"
            }
        }
    }
}
