import Testing

@testable import MartletFilter

/// The rule of arrays, beside the plain way to check it: every choice of elements, two by two.
@Suite struct ConsistencyTests {
    @Test("the elements that can be chosen together are those of which no two are of one array", arguments: 1...200)
    func agrees(seed: Int) {
        var numbers = SeededNumbers(seed: UInt64(seed))
        var allowed = 0
        for _ in 0..<50 {
            let fields = forest(&numbers)
            let last = Int32(fields.elements.count - 1)
            let choices = (0..<Int.random(in: 2...4, using: &numbers)).map { _ in
                (0..<Int.random(in: 1...4, using: &numbers)).map { _ in Int32.random(in: 1...last, using: &numbers) }
            }
            let expected = canChoose(choices[...], with: [], fields)
            #expect(ArrayConsistency(fields: fields).allows(choices) == expected, "seed \(seed): \(choices)")
            if expected { allowed += 1 }
        }
        #expect((1..<50).contains(allowed), "only one answer was ever right")
    }

    /// Elements in arrays, each of which lies in an earlier element.
    private func forest(_ numbers: inout SeededNumbers) -> Fields {
        var fields = Fields()
        for array in 0..<Int32(Int.random(in: 2...5, using: &numbers)) {
            let parent = Int32.random(in: 0..<Int32(fields.elements.count), using: &numbers)
            for _ in 0..<Int.random(in: 1...4, using: &numbers) { _ = fields.addElement(in: parent, of: array) }
        }
        return fields
    }

    private func canChoose(_ choices: ArraySlice<[Int32]>, with chosen: [Int32], _ fields: Fields) -> Bool {
        guard let first = choices.first else { return true }
        return first.contains { element in
            chosen.allSatisfy { agree(element, $0, fields) }
                && canChoose(choices.dropFirst(), with: chosen + [element], fields)
        }
    }

    /// Whether two elements lie in the same element of every array that both lie in.
    private func agree(_ one: Int32, _ other: Int32, _ fields: Fields) -> Bool {
        let (ones, others) = (membership(one, fields), membership(other, fields))
        return ones.allSatisfy { others[$0.key] == nil || others[$0.key] == $0.value }
    }

    private func membership(_ element: Int32, _ fields: Fields) -> [Int32: Int32] {
        var membership: [Int32: Int32] = [:]
        var element = element
        while element > 0 {
            membership[fields.elements[Int(element)].array] = element
            element = fields.elements[Int(element)].parent
        }
        return membership
    }
}
