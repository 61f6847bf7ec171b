import MartletFilter
import Testing

/// What is said to policies that are refused, beyond the recorded answers: event-ruler's words, Jackson's places.
@Suite struct ValidationTests {
    private func reason(_ policy: String, _ scope: FilterScope = .messageBody) -> String? {
        do {
            _ = try FilterPolicy(policy, scope: scope)
            return nil
        } catch {
            return error.reason
        }
    }

    private func expect(_ policy: String, _ words: String, column: Int, _ location: SourceLocation = #_sourceLocation) {
        let compact = policy
        #expect(
            reason(policy)
                == "FilterPolicy: \(words)\n at [Source: (String)\"\(compact)\"; line: 1, column: \(column)]",
            sourceLocation: location
        )
    }

    @Test("each form is refused in its own words, at the token where reading ended")
    func words() {
        expect(#"[]"#, "Filter is not an object", column: 2)
        expect(#""a""#, "Filter is not an object", column: 2)
        expect("1", "Filter is not an object", column: 2)
        expect(#"{"a":{}}"#, "Empty objects are not allowed", column: 8)
        expect(#"{"a":[{}]}"#, "Match expression name not found", column: 9)
        expect(#"{"a":[{"numeric":1}]}"#, "Value of numeric must be an array.", column: 19)
        expect(#"{"a":[{"numeric":["=",1],"x":1}]}"#, "Too many elements in numeric expression", column: 31)
        expect(#"{"a":[{"anything-but":{}}]}"#, "Anything-But expression name not found", column: 25)
        expect(#"{"a":[{"anything-but":{"prefix":""}}]}"#, "Null prefix not allowed", column: 35)
        expect(
            #"{"a":[{"anything-but":{"prefix":"b","c":1}}]}"#,
            "Only one key allowed in match expression",
            column: 42
        )
        let kinds = "Value of anything-but must be an array or single string/number value."
        expect(#"{"a":[{"anything-but":true}]}"#, kinds, column: 27)
        expect(
            #"{"a":[{"anything-but":["b",null]}]}"#,
            "Inside anything but list, start|null|boolean is not supported.",
            column: 32
        )
        let mixed = "Inside anything but list, either all values are number or string, mixed type is not supported"
        expect(#"{"a":[{"anything-but":["b",1]}]}"#, mixed, column: 30)
        expect(#"{"a":[{"anything-but":[]}]}"#, mixed, column: 25)
        expect(#"{"a":[{"wildcard":1}]}"#, "wildcard match pattern must be a string", column: 20)
        expect(#"{"a":[{"wildcard":"b**"}]}"#, "Consecutive wildcard characters at pos 2", column: 24)
        expect(#"{"a":[{"wildcard":"b\\c"}]}"#, "Invalid escape character at pos 2", column: 25)
        expect(#"{"a":[{"equals-ignore-case":null}]}"#, "equals-ignore-case match pattern must be a string", column: 33)
        expect(#"{"a":[{"exactly":1}]}"#, "exact match pattern must be a string", column: 19)
        expect(#"{"$or":[{"a":["b"]}]}"#, "Unrecognized match type a", column: 15)
        expect(
            #"{"$or":[{"a":{"prefix":["b"]}},{"c":["d"]}]}"#,
            "prefix is Ruler reserved fieldName which cannot be used inside $or.",
            column: 25
        )
    }

    @Test("a network that is none is refused without a place")
    func networks() {
        for (network, words) in [
            ("10.0.0.0", "Malformed CIDR, one '/' required"), ("a/b/c", "Malformed CIDR, one '/' required"),
            ("10.0.0.0/-1", "Malformed CIDR, mask bits must not be negative"),
            ("10.0.0.256/8", "Invalid IP address: 10.0.0.256"), ("10.0.0.0/32", "IPv4 mask bits must be < 32"),
            ("2001:db8::/128", "IPv6 mask bits must be < 128"),
            ("10.0.0.0/99999999999", "Malformed CIDR, mask bits must be an integer"),
        ] {
            #expect(reason(#"{"a":[{"cidr":"\#(network)"}]}"#) == "FilterPolicy: \(words)")
        }
    }

    @Test("the policy is quoted and its columns are counted as it is written without spaces, cut after 500 characters")
    func sources() {
        let spaced = reason("{ \"k\u{e9}\" : [\n  1.50e3, { \"suffix\" :\t100 } ] }")
        #expect(
            spaced
                == "FilterPolicy: suffix match pattern must be a string\n at [Source: (String)\"{\"ké\":[1500.0,{\"suffix\":100}]}\"; line: 1, column: 28]"
        )
        let name = String(repeating: "😀", count: 300)
        let long = reason(#"{"\#(name)":1}"#)
        let shown = #"{""# + String(repeating: "😀", count: 249)
        #expect(long?.contains(#"must be an object or an array"#) == true)
        #expect(
            long?.hasSuffix("(String)\"\(shown)\"[truncated 106 chars]; line: 1, column: 606]") == true,
            "\(long ?? "")"
        )
    }

    @Test("of a repeated name the last value counts, in the first one's place")
    func repeatedNames() {
        #expect(reason(#"{"a":1,"b":["x"],"a":["y"]}"#) == nil)
        #expect(
            reason(#"{"a":["y"],"b":["x"],"a":1}"#)?.contains(#"(String)"{"a":1,"b":["x"]}"; line: 1, column: 7"#)
                == true
        )
    }

    @Test("a text that is no JSON is refused in Jackson's words, in the text as it came")
    func syntax() {
        let source = "[Source: REDACTED (`StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION` disabled); line: "
        for (policy, words, place) in [
            (
                "{invalid", "Unexpected character ('i' (code 105)): was expecting double-quote to start field name",
                "1, column: 2"
            ),
            (
                "invalid",
                "Unrecognized token 'invalid': was expecting (JSON String, Number, Array, Object or token 'null', 'true' or 'false')",
                "1, column: 8"
            ),
            (
                #"{"a" 1}"#,
                "Unexpected character ('1' (code 49)): was expecting a colon to separate field name and value",
                "1, column: 6"
            ),
            (
                "{\"a\":[1\n 2]}",
                "Unexpected character ('2' (code 50)): was expecting comma to separate Array entries", "2, column: 2"
            ),
            (
                #"{"a":[1}"#,
                "Unexpected close marker '}': expected ']' (for Array starting at \(source)1, column: 6])",
                "1, column: 9"
            ),
            (
                #"{"a":["#,
                "Unexpected end-of-input: expected close marker for Array (start marker at \(source)1, column: 6])",
                "1, column: 7"
            ),
            (
                #"{"a":[]"#,
                "Unexpected end-of-input: expected close marker for Object (start marker at \(source)1, column: 1])",
                "1, column: 8"
            ),
            (#"{"a"#, "Unexpected end-of-input in field name", "1, column: 4"),
            (#"{"a":"b"#, "Unexpected end-of-input: was expecting closing quote for a string value", "1, column: 8"),
            (#"{"a":[01]}"#, "Invalid numeric value: Leading zeroes not allowed", "1, column: 8"),
            ("", "No content to map due to end-of-input", "1, column: 1"),
        ] {
            #expect(reason(policy) == "FilterPolicy: failed to parse JSON. \(words)\n at \(source)\(place)]")
        }
    }

    @Test("the limits of the language hold, and a policy at the limit is taken")
    func limits() {
        let tooMany = "FilterPolicy: Filter policy can not have more than 5 keys"
        let tooComplex = "FilterPolicy: Filter policy is too complex"
        func keys(_ count: Int) -> String { (0..<count).map { #""k\#($0)":["x"]"# }.joined(separator: ",") }
        for scope in FilterScope.allCases {
            #expect(reason("{\(keys(5))}", scope) == nil)
            #expect(reason("{\(keys(6))}", scope) == tooMany)
        }
        #expect(reason(#"{"a":{\#(keys(6))}}"#) == nil)
        #expect(reason(#"{"a":{\#(keys(8))}}"#) == tooComplex)
        let six = (0..<6).map { #"{"k\#($0)":["x"]}"# }.joined(separator: ",")
        #expect(reason(#"{"$or":[\#(six)]}"#, .messageAttributes) == tooMany)
        #expect(reason(#"{"$or":[\#(six)]}"#, .messageBody) == nil)
        #expect(reason(#"{"$or":[{"a":[1]},{\#(keys(6))}]}"#) == tooMany)
        #expect(
            reason(#"{"a":{"b":["x"]}}"#, .messageAttributes)
                == "Filter policy scope MessageAttributes does not support nested filter policy"
        )
        let values = (0..<150).map { "\($0)" }.joined(separator: ",")
        #expect(reason(#"{"a":[\#(values)]}"#) == nil)
        #expect(reason(#"{"a":[\#(values),150]}"#) == tooComplex)
        let deep = String(repeating: #"{"a":"#, count: 150) + "[1]" + String(repeating: "}", count: 150)
        #expect(reason(deep) == nil)
        #expect(reason(#"{"a":\#(deep)}"#) == tooComplex)
        let wide = String(repeating: "x", count: FilterLimits.bytes - 10)
        #expect(reason(#"{"a":["\#(wide)"]}"#) == nil)
        #expect(reason(#"{"a":["\#(wide)x"]}"#)?.contains("can not be larger than 262144 bytes") == true)
    }

    @Test("a scope is one of two words")
    func scopes() {
        #expect(throws: FilterPolicyError.self) { try FilterScope(parsing: "RandomValue") }
        do {
            _ = try FilterScope(parsing: "RandomValue")
        } catch {
            #expect(
                error.message(isSubscribe: false)
                    == "Invalid parameter: FilterPolicyScope: Invalid value [RandomValue]. Please use either MessageBody or MessageAttributes"
            )
        }
    }
}
