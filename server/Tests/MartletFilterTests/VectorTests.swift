import MartletFilter
import Testing

/// Every recorded answer of the real service; none is left out.
@Suite struct VectorTests {
    @Test("all recorded answers are tried")
    func readsAll() {
        #expect(Vectors.matches.count == 139)
        #expect(Vectors.validations.count == 56)
    }

    @Test("a policy matches what it is recorded to match", arguments: Vectors.matches)
    func matches(_ vector: MatchVector) throws {
        #expect(try vector.compiled().matches(vector.message) == vector.expected)
    }

    @Test("an index of one policy answers as the policy does", arguments: Vectors.matches)
    func isFound(_ vector: MatchVector) throws {
        let index = FilterIndex([(1, try vector.compiled())])
        #expect(index.matches(vector.message) == (vector.expected ? [1] : []))
    }

    @Test("an index of all recorded policies answers as each of them does")
    func isFoundAmongAll() throws {
        let policies = try Vectors.matches.map { try $0.compiled() }
        let index = FilterIndex(policies.enumerated().map { ($0.offset, $0.element) })
        for (number, vector) in Vectors.matches.enumerated() {
            let message = vector.message
            let expected = policies.indices.filter { policies[$0].matches(message) }
            #expect(index.matches(message).sorted() == expected)
            #expect(expected.contains(number) == vector.expected)
        }
    }

    @Test("a policy is taken, or refused in the recorded words", arguments: Vectors.validations)
    func validates(_ vector: ValidationVector) throws {
        let scope = try FilterScope(parsing: vector.scope)
        guard !vector.valid else {
            _ = try FilterPolicy(vector.policy, scope: scope)
            return
        }
        let error = #expect(throws: FilterPolicyError.self) { try FilterPolicy(vector.policy, scope: scope) }
        if let message = vector.message {
            #expect(error?.message(isSubscribe: vector.call == "Subscribe") == message)
        }
    }
}
