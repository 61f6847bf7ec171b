import MartletTesting
import Testing

@testable import MartletEventQuery

@Suite("Searching a text")
struct TextSearchTests {
    @Test("a part is found where it first begins, also where beginnings of it overlap")
    func finds() {
        var random = SeededRandom(seed: 11)
        for _ in 0..<5_000 {
            let text = (0..<Int.random(in: 0...24, using: &random)).map { _ in UInt8.random(in: 0...1, using: &random) }
            let part = (0..<Int.random(in: 0...6, using: &random)).map { _ in UInt8.random(in: 0...1, using: &random) }
            let place = text.indices.first { text[$0...].starts(with: part) } ?? (part.isEmpty ? 0 : nil)
            #expect(TextSearch(for: part).first(in: text[...]) == place, "\(part) in \(text)")
        }
    }

    @Test("in the rest of a text the index is that of the text")
    func slices() {
        let text: [UInt8] = [1, 2, 1, 2, 1]
        #expect(TextSearch(for: [1, 2]).first(in: text[1...]) == 2)
        #expect(TextSearch(for: [2, 1]).first(in: text[4...]) == nil)
        #expect(TextSearch(for: []).first(in: text[3...]) == 3)
    }
}
