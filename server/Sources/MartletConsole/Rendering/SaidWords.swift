import MartletCore

/// A piece of what the code says in English, as a page says it: in the page's language, or as it is where it has no
/// translation. A pure value.
struct SaidPiece: Sendable, Hashable {
    var text: String
    /// Whether it stands in an element of its own language.
    var isEnglish = false
}

extension Texts {
    /// The translations of sentences that the code says in English.
    static let sentenceSources = ["ja": PackageResources.sentences_ja_json]

    private static let sentences = sentenceSources.mapValues { SentenceCatalogue(file: $0) }

    /// A sentence of the code in this language; `nil` where it is English and has no translation. What a page says itself
    /// is in the language already: in Japanese it ends as no English sentence does.
    func sentence(_ text: String) -> String? {
        guard let sentences = Self.sentences[language] else { return text }
        return sentences.translation(of: text) ?? (text.hasSuffix("。") ? text : nil)
    }

    /// Why something failed, as it stands within a sentence of this language: a provider's own word stays as it is.
    func reason(_ text: String) -> String { sentence(text).map(SentenceCatalogue.withoutFullStop) ?? text }

    /// What a template says of sentences: `{{#name}}<span{{#is_english}} lang="en"{{/is_english}}>{{said}}</span>{{/name}}`.
    func said(_ sentences: [String]) -> [PageValues] {
        pieces(of: sentences).map { ["said": $0.text, "is_english": $0.isEnglish] }
    }

    /// The same of one text, which may be several sentences.
    func said(_ text: String) -> [PageValues] { said([text]) }

    /// Sentences in this language, those without a translation in pieces of their own. Japanese has no space between them.
    func pieces(of sentences: [String]) -> [SaidPiece] {
        guard Self.sentences[language] != nil else {
            let text = sentences.joined(separator: " ")
            return text.isEmpty ? [] : [SaidPiece(text: text)]
        }
        var pieces: [SaidPiece] = []
        for piece in sentences.flatMap(translated) where !piece.text.isEmpty {
            guard let last = pieces.last else {
                pieces.append(piece)
                continue
            }
            if piece.isEnglish == last.isEnglish {
                pieces[pieces.count - 1].text += (piece.isEnglish ? " " : "") + piece.text
            } else {
                pieces.append(SaidPiece(text: " " + piece.text, isEnglish: piece.isEnglish))
            }
        }
        return pieces
    }

    /// How many sentences of one text are told apart. Ours: the longest of the code has four.
    private static let mostSentences = 8

    /// A text that may be several sentences: as a whole, or the longest that is known at each place.
    private func translated(_ text: String) -> [SaidPiece] {
        if let known = sentence(text) { return [SaidPiece(text: known)] }
        // One word is a provider's.
        guard text.contains(" ") else { return [SaidPiece(text: text)] }
        var rest = Self.parts(of: text)[...]
        guard (2...Self.mostSentences).contains(rest.count) else { return [SaidPiece(text: text, isEnglish: true)] }
        var pieces: [SaidPiece] = []
        while let first = rest.first {
            let known = (1...rest.count).reversed().lazy
                .compactMap { count in sentence(rest.prefix(count).joined(separator: " ")).map { (count, $0) } }.first
            pieces.append(known.map { SaidPiece(text: $0.1) } ?? SaidPiece(text: first, isEnglish: true))
            rest = rest.dropFirst(known?.0 ?? 1)
        }
        return pieces
    }

    /// Where a full stop and a space may end a sentence.
    private static func parts(of text: String) -> [String] {
        let parts = text.split(separator: ". ", omittingEmptySubsequences: false)
        return parts.enumerated().map { index, part in index < parts.count - 1 ? "\(part)." : String(part) }
    }
}
