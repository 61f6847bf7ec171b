import MartletFilter

/// A filter policy: a byte for its scope, and its text up to a zero byte; behind it a body of its own.
enum PoliciesTarget {
    private static let attributes = [
        FilterAttribute(name: "a", dataType: "String", value: "abc"),
        FilterAttribute(name: "b", dataType: "Number", value: "12.5"),
        FilterAttribute(name: "c", dataType: "String.Array", value: #"["x", 1, true, null]"#),
        FilterAttribute(name: "d", dataType: "String", value: "10.1.2.3"),
        FilterAttribute(name: "e", dataType: "Binary", value: nil),
    ]

    private static let body =
        #"{"a":"abc","b":12.5,"c":["x",1,true,null],"d":{"e":[{"f":1},{"f":2,"g":"2001:db8::1"}]},"h.i":"j"}"#

    static func run(_ input: FuzzInput) -> Bool {
        var input = input
        guard let first = input.byte() else { return false }
        let scope = first & 1 == 0 ? FilterScope.messageAttributes : .messageBody
        let text = Array(input.rest.prefix { $0 != 0 })
        let own = Array(input.rest.dropFirst(text.count + 1))
        let message = FilterMessage(attributes: attributes, body: own.isEmpty ? Array(body.utf8) : own)
        do {
            let policy = try FilterPolicy(bytes: text, scope: scope)
            var index = FilterIndex([(1, policy)])
            demand(index.matches(message) == (policy.matches(message) ? [1] : []), "the index answers otherwise")
            demand((try? FilterPolicy(bytes: text, scope: scope)) == policy, "the same policy differs from itself")
            index.remove(1)
            demand(index.count == 0 && index.matches(message).isEmpty, "the index keeps what is taken out")
        } catch {
            demand(!error.reason.isEmpty, "a refusal without words")
            // A policy is quoted up to its 500th character, but a word or a name of it is shown whole.
            demand(error.reason.utf8.count < 6 * text.count + 4_096, "\(error.reason.utf8.count) bytes of words")
        }
        var trials = FilterTrials()
        let answer = trials.answer(text)
        demand(!answer.utf8.contains(0x0A), "an answer of more than a line")
        return true
    }
}
