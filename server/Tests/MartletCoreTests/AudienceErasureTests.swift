import MartletWire
import Testing

@testable import MartletCore

@Suite("An audience without somebody who was erased")
struct AudienceErasureTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var audience: Audience
        var left: Audience?
        var isErased = false
    }

    static let id = PublicID(high: 0x0190_0000_0000_7000, low: 0x8000_0000_0000_0001)

    static let cases = [
        Case(testDescription: "one of several", audience: .users(["a", "ann", "b"]), left: .users(["a", "", "b"])),
        Case(testDescription: "the only one", audience: .users(["ann"]), left: .users([""]), isErased: true),
        Case(testDescription: "the last one", audience: .users(["", "ann"]), left: .users(["", ""]), isErased: true),
        Case(testDescription: "a name within another", audience: .users(["joann", "ann\""]), left: nil),
        Case(testDescription: "devices", audience: .endpoints([id]), left: nil),
        Case(testDescription: "tokens of that name", audience: .tokens(["ann"], platform: .apns), left: nil),
        Case(testDescription: "everybody", audience: .all, left: nil),
        Case(testDescription: "a topic", audience: .topic(TopicSelection(id: id, name: "ann")), left: nil),
    ]

    @Test("it keeps the others' places", arguments: cases)
    func erases(_ one: Case) {
        let left = one.audience.erasing("ann")
        #expect(left == one.left)
        #expect(left?.isErased ?? false == one.isErased)
        #expect(left?.count == one.left?.count)
    }

    @Test("texts that only look the same are two names")
    func bytes() {
        let (composed, decomposed) = ("\u{E9}", "e\u{301}")
        let left = Audience.users([composed, decomposed]).erasing(decomposed)
        guard case .users(let ids)? = left else {
            Issue.record("nobody was erased")
            return
        }
        #expect(ids.map { Array($0.utf8) } == [Array(composed.utf8), []])
    }

    @Test("no user can be called what stands for one who was erased")
    func refused() {
        #expect(throws: Failure.self) { try User.validate(id: Audience.erasedUser, field: "user") }
    }
}
