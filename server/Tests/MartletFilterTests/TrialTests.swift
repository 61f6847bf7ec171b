import Foundation
import MartletFilter
import Testing

/// What `martlet filter` answers to a line.
@Suite struct TrialTests {
    private func line(_ object: [String: Any]) throws -> [UInt8] {
        Array(try JSONSerialization.data(withJSONObject: object))
    }

    private func answer(_ line: String) -> String {
        var trials = FilterTrials()
        return trials.answer(Array(line.utf8))
    }

    @Test("every recorded answer is given, whether the policy stands as an object or as its text")
    func answersVectors() throws {
        var trials = FilterTrials()
        for vector in Vectors.matches {
            var object: [String: Any] = ["scope": vector.scope, "policy": vector.policy]
            object["body"] = vector.body
            object["attributes"] = vector.attributes?.mapValues {
                ["DataType": $0.type, "StringValue": $0.value ?? ""]
            }
            #expect(trials.answer(try line(object)) == "\(vector.expected)")
            object["policy"] = try JSONSerialization.jsonObject(with: Data(vector.policy.utf8))
            #expect(trials.answer(try line(object)) == "\(vector.expected)")
        }
    }

    @Test("every recorded refusal is given in its words")
    func answersValidations() throws {
        var trials = FilterTrials()
        for vector in Vectors.validations {
            let object = ["scope": vector.scope, "policy": vector.policy, "call": vector.call]
            let answer = trials.answer(try line(object))
            guard !vector.valid else {
                #expect(answer == "false")
                continue
            }
            let error = try JSONDecoder().decode([String: String].self, from: Data(answer.utf8))["error"]
            #expect(error != nil)
            if let message = vector.message { #expect(error == message) }
        }
    }

    @Test("a blank line is answered as one, with what a line must be", arguments: ["", " ", "\t \r"])
    func blank(line: String) {
        let words = #"The line is blank; it must be an object with \"policy\" and \"attributes\" or \"body\""#
        #expect(answer(line) == #"{"error":"\#(words)"}"#)
    }

    @Test("the policy and the body stand as JSON or as text, the scope may be absent, strange members are no matter")
    func forms() {
        for (line, expected) in [
            (#"{"policy":{"a":[1]},"scope":"MessageBody","body":{"a":1.0}}"#, "true"),
            (#"{"policy":"{\"a\":[1]}","scope":"MessageBody","body":"{\"a\":1}"}"#, "true"),
            (#"{"policy":{"a":[1]},"scope":"MessageBody","body":"a"}"#, "false"),
            (#"{"policy":{"a":[1]},"scope":"MessageBody","body":[{"a":1}]}"#, "false"),
            (#"{"policy":{"a":[1]},"scope":"MessageBody","body":null}"#, "false"),
            (
                #" {"x":[{"y":{}}],"policy":{"a":["b"]},"attributes":{"a":{"Type":"String","Value":"b"}},"n":1} "#,
                "true"
            ),
            (#"{"policy":{"a":["b"]},"attributes":{"a":{"DataType":"Binary","BinaryValue":"Yg=="}}}"#, "false"),
            (#"{"policy":{},"attributes":null}"#, "true"),
        ] {
            #expect(answer(line) == expected, "\(line)")
        }
    }

    @Test(
        "a line that is wrong is answered with what is wrong",
        arguments: [
            "", "{", "[]", "null", "{}", #"{"policy":null}"#, #"{"policy":{}} {}"#, #"{"policy":{},"scope":1}"#,
            #"{"policy":{},"scope":"Body"}"#, #"{"policy":{},"attributes":[]}"#, #"{"policy":{},"attributes":{"a":1}}"#,
            #"{"policy":{},"attributes":{"a":{"StringValue":"b"}}}"#, #"{"policy":1}"#,
            #"{"policy":{},"attributes":{"a":{"DataType":"String","StringValue":1}}}"#, "{\"policy\":\"\u{1}\"}",
        ]
    )
    func wrongLines(_ line: String) throws {
        let error = try JSONDecoder().decode([String: String].self, from: Data(answer(line).utf8))
        #expect(error.keys.sorted() == ["error"] && error["error"] != "")
    }

    @Test("a line beyond the limit is refused, and many policies are answered as if none were kept")
    func bounds() {
        var trials = FilterTrials()
        #expect(trials.answer([UInt8](repeating: 0x20, count: FilterTrials.lineLimit + 1)).contains("longer than"))
        let long = String(repeating: "x", count: 200_000)
        for number in 0..<60 {
            let line =
                #"{"policy":{"a":["\#(long)","\#(number)"]},"attributes":{"a":{"DataType":"String","StringValue":"\#(number)"}}}"#
            #expect(trials.answer(Array(line.utf8)) == "true")
        }
    }
}
