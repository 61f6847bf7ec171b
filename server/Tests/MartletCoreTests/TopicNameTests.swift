import MartletWire
import Testing

@testable import MartletCore

@Suite struct TopicNameTests {
    @Test(
        "a name of another kind of topic is refused with what to do",
        arguments: [("line.fifo", false), ("line", true)]
    )
    func wrongKind(name: String, isFIFO: Bool) throws {
        let failure = #expect(throws: Failure.self) { try Topic.validate(name: name, isFIFO: isFIFO) }
        let hint = try #require(failure?.detail.hint)
        #expect(hint.contains(isFIFO ? "ends in '.fifo'" : "aws sns create-topic --name NAME.fifo"))
        #expect(failure?.detail.field == "name")
    }

    @Test("a name that is none has no advice about FIFO topics")
    func none() {
        let failure = #expect(throws: Failure.self) { try Topic.validate(name: "two words") }
        #expect(failure != nil && failure?.detail.hint == nil)
    }
}
