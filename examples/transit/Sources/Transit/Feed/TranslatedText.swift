/// A text in the languages that the agency wrote it in.
package struct TranslatedText: Sendable, Hashable, Codable {
    /// One language's text.
    package struct Translation: Sendable, Hashable, Codable {
        /// A BCP 47 tag; `nil` where the agency named none.
        package var language: String?
        package var text: String

        package init(_ text: String, language: String? = nil) {
            self.language = language
            self.text = text
        }
    }

    /// The agency's own language comes first.
    package var translations: [Translation]

    package init(_ translations: [Translation] = []) { self.translations = translations }

    package var isEmpty: Bool { translations.allSatisfy(\.text.isEmpty) }

    /// The text for a reader of one language: theirs, then the same language of another region, then English, then the
    /// one without a language, then the first. The standard has this order, except that it leaves the regions open.
    package func best(for language: String) -> Translation? {
        let wanted = language.lowercased()
        let base = Self.base(wanted)
        return first { $0 == wanted } ?? first { Self.base($0) == base } ?? first { Self.base($0) == "en" }
            ?? translations.first { $0.language == nil } ?? translations.first
    }

    private func first(_ matches: (String) -> Bool) -> Translation? {
        translations.first { $0.language.map { matches($0.lowercased()) } ?? false }
    }

    private static func base(_ language: String) -> String {
        language.split(whereSeparator: { $0 == "-" || $0 == "_" }).first.map(String.init) ?? language
    }
}
