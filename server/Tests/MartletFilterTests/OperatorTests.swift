import MartletFilter
import Testing

/// What each operator lets pass, as tables of one key's values.
@Suite struct OperatorTests {
    /// Whether a body with this value of `k` passes `{"k": POLICY}`; an absent value is `nil`.
    private func passes(_ policy: String, _ value: String?) throws -> Bool {
        let policy = try FilterPolicy(#"{"k":\#(policy)}"#, scope: .messageBody)
        let body = value.map { #"{"k":\#($0),"other":1}"# } ?? #"{"other":1}"#
        let message = FilterMessage(attributes: [], body: Array(body.utf8))
        let found = policy.matches(message)
        #expect(FilterIndex([(1, policy)]).matches(message) == (found ? [1] : []))
        return found
    }

    private func check(_ policy: String, passes: [String], stops: [String]) throws {
        for value in passes { #expect(try self.passes(policy, value), "\(policy) lets \(value) pass") }
        for value in stops { #expect(try !self.passes(policy, value), "\(policy) stops \(value)") }
    }

    @Test("a value equals itself, a number in any spelling, and no value of another kind")
    func equals() throws {
        try check(
            #"["a"]"#,
            passes: [#""a""#, #"["b","a"]"#, #""\u0061""#],
            stops: [#""A""#, "1", "null", "[]", "{}"]
        )
        try check("[100]", passes: ["100", "1e2", "100.0", "100.0000001"], stops: [#""100""#, "100.000001", "-100"])
        try check("[true,null]", passes: ["true", "null"], stops: ["false", #""true""#, #""null""#])
        try check(#"[""]"#, passes: [#""""#], stops: ["null", #"" ""#])
        // A composed and a decomposed letter look the same and are not.
        try check(#"["\u00e9"]"#, passes: [#""é""#], stops: [#""e\u0301""#])
        #expect(try !passes(#"["a"]"#, nil))
    }

    @Test("addresses are equal however they are spelled")
    func equalAddresses() throws {
        try check(
            #"["2001:db8::1"]"#,
            passes: [#""2001:0DB8:0:0:0:0:0:1""#, #""2001:db8::1""#],
            stops: [#""2001:db8::2""#, #""2001:db8::1 ""#]
        )
        try check(#"["10.0.0.1"]"#, passes: [#""10.0.0.1""#, #""10.0.0.01""#], stops: [#""10.0.0.2""#])
        // What only looks like one is compared as text.
        try check(#"["12:30"]"#, passes: [#""12:30""#], stops: [#""12:31""#])
        try check(#"["10.0.0.256"]"#, passes: [#""10.0.0.256""#], stops: [#""10.0.0.0256""#])
    }

    @Test("prefix, suffix and equals-ignore-case look at strings alone")
    func affixes() throws {
        try check(#"[{"prefix":"ab"}]"#, passes: [#""ab""#, #""abc""#], stops: [#""a""#, #""Abc""#, #""cab""#, "1"])
        try check(#"[{"suffix":"yz"}]"#, passes: [#""yz""#, #""xyz""#], stops: [#""z""#, #""yza""#, "1"])
        try check(#"[{"prefix":""}]"#, passes: [#""""#, #""x""#], stops: ["1", "null"])
        try check(#"[{"suffix":""}]"#, passes: [#""""#, #""x""#], stops: ["1", "true"])
        let long = String(repeating: "long", count: 20)
        try check(#"[{"prefix":"\#(long)"}]"#, passes: [#""\#(long)er""#], stops: [#""\#(long.dropLast())""#])
        try check(#"[{"suffix":"\#(long)"}]"#, passes: [#""a\#(long)""#], stops: [#""x\#(long.dropFirst())""#])
        try check(
            #"[{"equals-ignore-case":"TéNNis"}]"#,
            passes: [#""tÉnnIS""#, #""TÉNNIS""#],
            stops: [#""tennis""#, "1"]
        )
        try check(#"[{"exactly":"a"}]"#, passes: [#""a""#], stops: [#""b""#])
    }

    @Test("a star stands for any run, an escaped one for itself")
    func wildcards() throws {
        try check(
            #"[{"wildcard":"a*c"}]"#,
            passes: [#""ac""#, #""abc""#, #""acac""#],
            stops: [#""a""#, #""acb""#, "1"]
        )
        try check(#"[{"wildcard":"*"}]"#, passes: [#""""#, #""x""#], stops: ["1"])
        try check(#"[{"wildcard":"*aba*"}]"#, passes: [#""xxabababx""#, #""aba""#], stops: [#""abba""#])
        try check(#"[{"wildcard":"a*a"}]"#, passes: [#""aa""#], stops: [#""a""#])
        try check(#"[{"wildcard":"*ab*ab*"}]"#, passes: [#""abab""#, #""xabyabz""#], stops: [#""ab""#, #""aab""#])
        try check(#"[{"wildcard":"a\\*b"}]"#, passes: [#""a*b""#], stops: [#""axb""#])
        try check(#"[{"wildcard":"a\\\\*"}]"#, passes: [#""a\\b""#], stops: [#""ab""#])
        try check(#"[{"wildcard":"plain"}]"#, passes: [#""plain""#], stops: [#""plainer""#])
    }

    @Test("anything-but asks for a value, and any other value is enough")
    func anythingBut() throws {
        try check(
            #"[{"anything-but":"a"}]"#,
            passes: [#""b""#, "1", "null", #"["a","b"]"#],
            stops: [#""a""#, #"["a"]"#, "[]"]
        )
        try check(#"[{"anything-but":["a","b"]}]"#, passes: [#""c""#], stops: [#""a""#, #""b""#])
        try check(#"[{"anything-but":[100,5]}]"#, passes: ["101", #""100""#], stops: ["100.0", "5e0"])
        try check(#"[{"anything-but":7}]"#, passes: ["8"], stops: ["7"])
        try check(#"[{"anything-but":{"prefix":"ab"}}]"#, passes: [#""b""#, "1"], stops: [#""abc""#])
        try check(#"[{"anything-but":{"wildcard":"a*z"}}]"#, passes: [#""ab""#, "1"], stops: [#""abz""#])
        for policy in [#"[{"anything-but":"a"}]"#, #"[{"anything-but":{"prefix":"a"}}]"#] {
            #expect(try !passes(policy, nil))
        }
    }

    @Test("numbers are compared as numbers, cut after six decimals, of any size")
    func numeric() throws {
        try check(#"[{"numeric":["=",301.5]}]"#, passes: ["3.015e2", "301.50"], stops: ["301.51", #""301.5""#])
        try check(#"[{"numeric":[">",0,"<=",5]}]"#, passes: ["0.000001", "5"], stops: ["0", "0.0000001", "5.1", "-1"])
        try check(#"[{"numeric":[">=",-1.5]}]"#, passes: ["-1.5", "1e300"], stops: ["-1.500001", "-1e300"])
        try check(
            #"[{"numeric":["<",1e30]}]"#,
            passes: ["9.99e29", "-1e31"],
            stops: ["1e30", "1.01e30", "1e999999999999"]
        )
        try check(
            "[123456789012345678901234]",
            passes: ["123456789012345678901234", "1.23456789012345678901234e23"],
            stops: ["123456789012345678901235"]
        )
        try check("[0]", passes: ["-0", "0.0", "1e-999999999999", "0e999999999999"], stops: ["0.000001"])
    }

    @Test("exists asks for a value of the key itself; an empty array is none")
    func existence() throws {
        try check(#"[{"exists":true}]"#, passes: ["1", "null", #"["a"]"#, "[[1]]"], stops: ["[]", "{}", #"{"a":1}"#])
        try check(#"[{"exists":false}]"#, passes: ["[]", "{}", #"{"a":1}"#], stops: ["1", "null", #"["a"]"#])
        #expect(try passes(#"[{"exists":false}]"#, nil))
        #expect(try passes(#"["a",{"exists":false}]"#, nil))
        try check(#"["a",{"exists":false}]"#, passes: [#""a""#], stops: [#""b""#])
    }

    @Test("cidr holds the addresses of a network, of one family")
    func networks() throws {
        try check(
            #"[{"cidr":"10.1.2.3/8"}]"#,
            passes: [#""10.0.0.0""#, #""10.255.255.255""#],
            stops: [#""11.0.0.0""#, #""::a""#, "10"]
        )
        try check(#"[{"cidr":"0.0.0.0/0"}]"#, passes: [#""255.255.255.255""#, #""::ffff:1:2""#], stops: [#""::1""#])
        try check(#"[{"cidr":"2001:db8::/33"}]"#, passes: [#""2001:db8:7fff::""#], stops: [#""2001:db8:8000::""#])
        try check(#"[{"cidr":"2001:db8::/127"}]"#, passes: [#""2001:db8::1""#], stops: [#""2001:db8::2""#])
        try check(
            #"[{"cidr":"::/0"}]"#,
            passes: [#""ffff::ffff""#, #""::""#],
            stops: [#""1.2.3.4""#, #"":""#, #""1::2::3""#]
        )
    }
}
