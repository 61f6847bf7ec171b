import MartletFilter
import Testing

/// Policies and messages that are made to hurt: each is an error or no match, and none takes long.
@Suite(.timeLimit(.minutes(5))) struct HostileTests {
    private func refused(_ policy: String, _ scope: FilterScope = .messageBody) -> Bool {
        (try? FilterPolicy(policy, scope: scope)) == nil
    }

    private func message(_ body: String) -> FilterMessage { FilterMessage(attributes: [], body: Array(body.utf8)) }

    @Test("policies too long, too deep or with too many stars are refused")
    func policies() {
        let million = 1_000_000
        #expect(refused(#"{"a":[{"wildcard":"\#(String(repeating: "*", count: million))"}]}"#))
        #expect(refused(#"{"a":[{"wildcard":"\#(String(repeating: "*a", count: 100_000))"}]}"#))
        #expect(refused(#"{"a":["\#(String(repeating: "x", count: 1 << 20))"]}"#))
        for opening in ["[", #"{"a":"#, #"{"$or":["#, #"{"a":["#] {
            #expect(refused(String(repeating: opening, count: 40_000)))
            #expect(refused(#"{"b":"# + String(repeating: opening, count: 999)))
        }
        #expect(refused(String(repeating: #"{"a":"#, count: 900) + "[1]" + String(repeating: "}", count: 900)))
        #expect(refused(#"{"\#(String(repeating: ".", count: 100_000))":{"a":[1],"b":[2]}}"#))
        #expect(refused("{" + (0..<25_000).map { #""\#($0)":[1]"# }.joined(separator: ",") + "}"))
        #expect(refused(#"{"a":[\#(String(repeating: "1,", count: 100_000))1]}"#))
        let ors = (0..<40).map { #""k\#($0)":{"$or":[{"a":[1]},{"b":[1]}]}"# }.joined(separator: ",")
        #expect(refused("{\(ors)}"))
        #expect(refused(#"{"a":{"# + ors + "}}"))
    }

    @Test("bytes that are no UTF-8 are refused, and halves of surrogate pairs stay what they are")
    func characters() throws {
        for bad: [UInt8] in [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xE2, 0x82]] {
            let policy = Array(#"{"a":[""#.utf8) + bad + Array(#""]}"#.utf8)
            #expect(throws: FilterPolicyError.self) { try FilterPolicy(bytes: policy, scope: .messageBody) }
            #expect(throws: FilterPolicyError.self) { try FilterPolicy(bytes: bad, scope: .messageBody) }
            let body = Array(#"{"a":""#.utf8) + bad + Array(#""}"#.utf8)
            let any = try FilterPolicy(#"{"a":[{"exists":true}]}"#, scope: .messageBody)
            #expect(!any.matches(FilterMessage(attributes: [], body: body)))
        }
        let half = try FilterPolicy(#"{"a":["\ud83d"]}"#, scope: .messageBody)
        #expect(half.matches(message(#"{"a":"\uD83D"}"#)))
        #expect(!half.matches(message(#"{"a":"\ud83d\ude00"}"#)))
        #expect(!half.matches(message(#"{"a":"\ufffd"}"#)))
        #expect(refused(#"{"\ud83d":1}"#))
    }

    @Test("a body too deep matches nothing, and a deep one costs no stack")
    func deepBodies() throws {
        let policy = try FilterPolicy(#"{"a":[{"exists":true}]}"#, scope: .messageBody)
        for opening in ["[", #"{"a":"#] {
            let closing = opening == "[" ? "]" : "}"
            func body(_ depth: Int) -> String {
                let nested = String(repeating: opening, count: depth) + "1" + String(repeating: closing, count: depth)
                return #"{"a":1,"b":\#(nested)}"#
            }
            #expect(policy.matches(message(body(900))))
            #expect(!policy.matches(message(body(100_000))))
            #expect(!policy.matches(message(String(repeating: opening, count: 100_000))))
        }
    }

    @Test("a body of long names at great depth costs its own length")
    func longPaths() throws {
        let opening = (0..<900).map { #"{"\#(String(repeating: "\($0 % 10)", count: 120))":"# }.joined()
        let leaves = (0..<10_000).map { #""\#($0)":1"# }.joined(separator: ",")
        let body = #"{"a":1,"b":\#(opening){\#(leaves)}\#(String(repeating: "}", count: 900))}"#
        #expect(try FilterPolicy(#"{"a":[1]}"#, scope: .messageBody).matches(message(body)))
    }

    @Test("a wildcard reads a long text once")
    func wildcards() throws {
        let count = 100_000
        let a = String(repeating: "a", count: count)
        let policy = try FilterPolicy(#"{"k":[{"wildcard":"*\#(a)b*\#(a)b*"}]}"#, scope: .messageBody)
        #expect(!policy.matches(message(#"{"k":"\#(a)\#(a)"}"#)))
        #expect(policy.matches(message(#"{"k":"\#(a)b\#(a)b"}"#)))
    }

    @Test("conditions over many elements of many arrays are joined without trying all of them")
    func arrays() throws {
        let policy = try FilterPolicy(
            #"{"r":{"a":[1],"b":[1],"c":[1],"d":[1],"e":[1],"f":[1],"g":[1]}}"#,
            scope: .messageBody
        )
        let names = ["a", "b", "c", "d", "e", "f", "g"]
        let elements = (0..<4_000).map { index in
            "{" + names.indices.filter { $0 != index % 7 }.map { #""\#(names[$0])":1"# }.joined(separator: ",") + "}"
        }
        let body = elements.joined(separator: ",")
        #expect(!policy.matches(message(#"{"r":[\#(body)]}"#)))
        #expect(policy.matches(message(#"{"r":[\#(body),{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1}]}"#)))
        // The same name twice: one of the first array's elements together with one of the second's.
        #expect(policy.matches(message(#"{"r":[\#(body)],"r":[\#(elements[1])]}"#)))
    }

    @Test("numbers with endless digits and exponents are numbers")
    func numbers() throws {
        let zeros = String(repeating: "0", count: 50_000)
        let policy = try FilterPolicy(#"{"k":[1\#(zeros)]}"#, scope: .messageBody)
        #expect(policy.matches(message(#"{"k":1e50000}"#)))
        #expect(policy.matches(message(#"{"k":0.\#(zeros)1e100001}"#)))
        #expect(!policy.matches(message(#"{"k":1e99999999999999999999999}"#)))
        #expect(!policy.matches(message(#"{"k":-1\#(zeros)}"#)))
    }
}
