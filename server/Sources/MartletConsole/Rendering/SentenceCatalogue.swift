import Foundation

/// Sentences that are English in the code, in another language. Where the code fills something in, both have a place:
/// `{1}`, `{2}`, in English in their order. A place that the other language writes `{=1}` is itself a sentence or a word of
/// the catalogue; one that it writes `{?1}` may be, and else stands as it is. A pure value.
struct SentenceCatalogue: Sendable {
    private var whole: [String: String] = [:]
    private var patterns: [SentencePattern] = []

    /// The longest sentence that is compared with patterns, in bytes. Ours: the longest of the code has 300.
    static let longest = 4_096
    /// How deep sentences may stand within sentences.
    private static let deepest = 4

    init(_ sentences: [String: String]) {
        for (sentence, translation) in sentences {
            if let pattern = SentencePattern(sentence, translation) {
                patterns.append(pattern)
            } else {
                whole[sentence] = translation
            }
        }
        // Of those that fit, the one that says most.
        patterns.sort { ($0.weight, $1.sentence) > ($1.weight, $0.sentence) }
    }

    /// Reads a file: an object of sentences and their translations.
    init(file: [UInt8]) {
        self.init((try? JSONDecoder().decode([String: String].self, from: Data(file))) ?? [:])
    }

    /// A sentence in the other language; `nil` for one that is not in the catalogue.
    func translation(of sentence: String) -> String? {
        translation(of: sentence, depth: 0)?.trimmingCharacters(in: .whitespaces)
    }

    private func translation(of sentence: String, depth: Int) -> String? {
        if let known = whole[sentence] { return known }
        let bytes = Array(sentence.utf8)
        guard bytes.count <= Self.longest, depth < Self.deepest else { return nil }
        for pattern in patterns {
            guard let found = pattern.places(in: bytes) else { continue }
            if let text = text(pattern, found, depth: depth) { return text }
        }
        return nil
    }

    /// What a pattern says in the other language; `nil` where a word in it is not known.
    private func text(_ pattern: SentencePattern, _ places: [String], depth: Int) -> String? {
        var text = ""
        for part in pattern.translation {
            switch part {
            case .text(let own): text += own
            case .place(let number): text += places[number - 1]
            case .word(let number):
                guard let word = word(places[number - 1], depth: depth + 1) else { return nil }
                text += word
            case .reason(let number): text += word(places[number - 1], depth: depth + 1) ?? places[number - 1]
            }
        }
        return text
    }

    /// What stands within a sentence: a word, or a sentence that begins small there and has no full stop.
    private func word(_ text: String, depth: Int) -> String? {
        if let known = translation(of: text, depth: depth) { return known }
        let sentence = translation(of: "\(text.prefix(1).uppercased())\(text.dropFirst()).", depth: depth)
        return sentence.map(Self.withoutFullStop)
    }

    /// A sentence as it stands within another one.
    static func withoutFullStop(_ sentence: String) -> String {
        sentence.hasSuffix("。") ? String(sentence.dropLast()) : sentence
    }
}

/// A sentence with places. It is compared from left to right and never goes back. A pure value.
struct SentencePattern: Sendable {
    /// A piece of a translation.
    enum Part: Sendable, Hashable {
        case text(String)
        case place(Int)
        case word(Int)
        case reason(Int)
    }

    let sentence: String
    let translation: [Part]
    /// What stands before, between and after the places.
    private let pieces: [[UInt8]]

    /// `nil` for a sentence without places, and for a translation with others.
    init?(_ sentence: String, _ translation: String) {
        var pieces: [[UInt8]] = [[]]
        for part in Self.parts(of: sentence) {
            if case .text(let text) = part { pieces[pieces.count - 1] += text.utf8 } else { pieces.append([]) }
        }
        let parts = Self.parts(of: translation)
        let isKnown = parts.allSatisfy { part in
            switch part {
            case .text: true
            case .place(let number), .word(let number), .reason(let number): (1..<pieces.count).contains(number)
            }
        }
        guard pieces.count > 1, isKnown else { return nil }
        (self.sentence, self.translation, self.pieces) = (sentence, parts, pieces)
    }

    /// How many bytes it has beside its places.
    var weight: Int { pieces.reduce(0) { $0 + $1.count } }

    /// What stands in the places of a sentence; `nil` for another sentence.
    func places(in bytes: [UInt8]) -> [String]? {
        let (first, last) = (pieces[0], pieces[pieces.count - 1])
        guard bytes.count >= weight, bytes.starts(with: first), bytes.suffix(last.count).elementsEqual(last) else {
            return nil
        }
        var rest = bytes[first.count..<(bytes.count - last.count)]
        var found: [String] = []
        for piece in pieces.dropFirst().dropLast() {
            guard let range = rest.firstRange(of: piece) else { return nil }
            found.append(String(decoding: rest[..<range.lowerBound], as: UTF8.self))
            rest = rest[range.upperBound...]
        }
        return found + [String(decoding: rest, as: UTF8.self)]
    }

    /// The pieces of a text with places.
    static func parts(of text: String) -> [Part] {
        var parts: [Part] = []
        var plain = ""
        var rest = text[...]
        while let open = rest.firstIndex(of: "{") {
            plain += rest[..<open]
            rest = rest[rest.index(after: open)...]
            guard let close = rest.firstIndex(of: "}"), let place = place(rest[..<close]) else {
                plain.append("{")
                continue
            }
            if !plain.isEmpty { parts.append(.text(plain)) }
            parts.append(place)
            plain = ""
            rest = rest[rest.index(after: close)...]
        }
        plain += rest
        return plain.isEmpty ? parts : parts + [.text(plain)]
    }

    private static func place(_ name: Substring) -> Part? {
        if name.hasPrefix("=") { return Int(name.dropFirst()).map(Part.word) }
        if name.hasPrefix("?") { return Int(name.dropFirst()).map(Part.reason) }
        return Int(name).map(Part.place)
    }
}
