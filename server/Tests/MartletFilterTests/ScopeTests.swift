import MartletFilter
import Testing

/// What of a message a policy sees.
@Suite struct ScopeTests {
    private func passes(_ policy: String, _ attributes: [FilterAttribute]) throws -> Bool {
        let policy = try FilterPolicy(policy)
        let message = FilterMessage(attributes: attributes, body: Array(#"{"k":"a"}"#.utf8))
        let found = policy.matches(message)
        #expect(FilterIndex([(1, policy)]).matches(message) == (found ? [1] : []))
        return found
    }

    private func passes(_ policy: String, body: String) throws -> Bool {
        let policy = try FilterPolicy(policy, scope: .messageBody)
        let message = FilterMessage(attributes: [], body: Array(body.utf8))
        let found = policy.matches(message)
        #expect(FilterIndex([(1, policy)]).matches(message) == (found ? [1] : []))
        return found
    }

    private func attribute(_ type: String, _ value: String?) -> [FilterAttribute] {
        [FilterAttribute(name: "k", dataType: type, value: value)]
    }

    @Test("an attribute is what its type says")
    func types() throws {
        #expect(try passes(#"{"k":[5]}"#, attribute("Number", "5.0")))
        #expect(try passes(#"{"k":[5]}"#, attribute("Number.int", "5")))
        #expect(try !passes(#"{"k":["5"]}"#, attribute("Number", "5")))
        #expect(try !passes(#"{"k":[5]}"#, attribute("String", "5")))
        #expect(try passes(#"{"k":["5"]}"#, attribute("String.custom", "5")))
        #expect(try passes(#"{"k":[null]}"#, attribute("String.Array", #"["a",null]"#)))
        #expect(try passes(#"{"k":[true]}"#, attribute("String.Array", "[true]")))
        #expect(try passes(#"{"k":[2]}"#, attribute("Number.Array", "[1,2]")))
    }

    @Test("an array attribute that cannot be read matches nothing, an empty one is absent")
    func brokenArrays() throws {
        for value in ["[", "a", #""a""#, "[[1]]", "[1] 2", "{}", ""] {
            for policy in [#"{"k":[{"exists":true}]}"#, #"{"k":[{"exists":false}]}"#, #"{"k":[{"anything-but":"x"}]}"#]
            {
                #expect(try !passes(policy, attribute("String.Array", value)), "\(policy) \(value)")
            }
        }
        #expect(try passes(#"{"k":[{"exists":false}]}"#, attribute("String.Array", "[]")))
        #expect(try !passes(#"{"k":[{"exists":true}]}"#, attribute("Number", "five")))
    }

    @Test("a binary attribute is seen by no policy, but the message has an attribute")
    func binary() throws {
        #expect(try !passes(#"{"k":[{"exists":true}]}"#, attribute("Binary", nil)))
        #expect(try passes(#"{"k":[{"exists":false}]}"#, attribute("Binary", nil)))
        #expect(try !passes(#"{"k":[{"exists":false}]}"#, []))
    }

    @Test("the empty policy lets everything pass, in both scopes")
    func empty() throws {
        #expect(try passes("{}", []))
        #expect(try passes(" { } ", attribute("String", "x")))
        #expect(try passes("{}", body: "no JSON"))
    }

    @Test(
        "a body that is no JSON object matches nothing",
        arguments: [
            "", "text", "[]", "1", "null", #"{"k":"a""#, #"{"k":"a"} x"#, #"{"k":"a",}"#, "{'k':1}", #"{"k":01}"#,
        ]
    )
    func noObject(_ body: String) throws {
        #expect(try !passes(#"{"k":[{"exists":true}]}"#, body: body))
        #expect(try !passes(#"{"z":[{"exists":false}]}"#, body: body))
    }

    @Test("keys beneath one array must hold in one element of it")
    func arrays() throws {
        let both = #"{"r":{"a":[1],"b":[2]}}"#
        #expect(try passes(both, body: #"{"r":[{"a":1,"b":2}]}"#))
        #expect(try passes(both, body: #"{"r":[{"a":1},{"a":1,"b":2}]}"#))
        #expect(try !passes(both, body: #"{"r":[{"a":1},{"b":2}]}"#))
        #expect(try !passes(both, body: #"{"r":[{"a":1,"b":3},{"a":3,"b":2}]}"#))
        #expect(try passes(both, body: #"{"r":{"a":[0,1],"b":[2,3]}}"#))
        #expect(try passes(both, body: #"{"r":[[{"a":1}],[{"b":0},{"a":1,"b":2}]]}"#))
        #expect(try !passes(both, body: #"{"r":[[{"a":1},{"b":2}]]}"#))
        // Two arrays, each with a choice of its own, within one element of a third.
        let deep = #"{"r":{"x":{"a":[1],"b":[2]},"y":{"c":[3]}}}"#
        #expect(try passes(deep, body: #"{"r":[{"x":[{"a":0},{"a":1,"b":2}],"y":[{"c":0},{"c":3}]}]}"#))
        #expect(try !passes(deep, body: #"{"r":[{"x":[{"a":1,"b":2}]},{"y":[{"c":3}]}]}"#))
        // A value outside of the array goes with every element.
        #expect(try passes(#"{"r":{"a":[1]},"z":[9]}"#, body: #"{"r":[{"a":0},{"a":1}],"z":9}"#))
    }

    @Test("keys with points and keys that nest are the same, in the policy and in the body")
    func points() throws {
        for policy in [#"{"a.b.c":[1]}"#, #"{"a":{"b.c":[1]}}"#, #"{"a":{"b":{"c":[1]}}}"#] {
            for body in [#"{"a.b.c":1}"#, #"{"a":{"b.c":1}}"#, #"{"a.b":[{"c":0},{"c":1}]}"#] {
                #expect(try passes(policy, body: body), "\(policy) \(body)")
            }
            #expect(try !passes(policy, body: #"{"a":{"b":1},"c":1}"#))
        }
        #expect(try passes(#"{"":[1]}"#, body: #"{"":1}"#))
        #expect(try passes(#"{"a..b":[1]}"#, body: #"{"a":{"":{"b":1}}}"#))
    }

    @Test("a name that stands twice in a body has both values")
    func repeatedNames() throws {
        #expect(try passes(#"{"a":[1]}"#, body: #"{"a":1,"a":2}"#))
        #expect(try passes(#"{"a":[2]}"#, body: #"{"a":1,"a":2}"#))
    }

    @Test("$or is any of its objects, beside the other keys, at any depth")
    func alternatives() throws {
        let policy = #"{"z":[0],"$or":[{"a":[1]},{"b":[2],"$or":[{"c":[3]},{"d":[4]}]}]}"#
        #expect(try passes(policy, body: #"{"z":0,"a":1}"#))
        #expect(try passes(policy, body: #"{"z":0,"b":2,"d":4}"#))
        #expect(try !passes(policy, body: #"{"z":0,"b":2}"#))
        #expect(try !passes(policy, body: #"{"a":1,"b":2,"c":3}"#))
    }

    @Test("$or that is no list of two objects without operators is a key like others")
    func ordinaryOr() throws {
        #expect(try passes(#"{"$or":["x","y"]}"#, body: #"{"$or":"y"}"#))
        #expect(try passes(#"{"$or":[{"prefix":"x"},{"prefix":"y"}]}"#, body: #"{"$or":"yes"}"#))
        #expect(try passes(#"{"$or":{"a":[1]}}"#, body: #"{"$or":{"a":1}}"#))
    }
}
