import MartletWire
import Testing

@testable import MartletCore

@Suite struct TopicValueTests {
    @Test(
        "a draft of a subscription names the field at fault, a user's id before the address that is made from it",
        arguments: [
            (.user("", app: RowID(1)), "", "user_id"), (.user("ann", app: RowID(1)), "", "address"),
            (.user("ann", app: RowID(1)), "ann", nil), (.endpoint(RowID(1)), "arn", nil),
            (.endpoint(RowID(1)), String(repeating: "a", count: 2_049), "address"), (.webhook(""), "x", "address"),
        ] as [(SubscriptionDraft.Subject, String, String?)]
    )
    func subscriptionDraft(subject: SubscriptionDraft.Subject, address: String, field: String?) {
        let draft = SubscriptionDraft(topic: RowID(1), subject: subject, address: address)
        var found: String?
        do { try draft.validate() } catch { found = error.detail.field }
        #expect(found == field)
    }

    @Test("what is filtered by has a bound of 256 KiB, names and types with it")
    func messageSize() throws {
        let name = "n"
        let room = TopicMessage.limit - name.utf8.count - "String".utf8.count
        func message(_ count: Int) -> TopicMessage {
            TopicMessage(attributes: [name: .init(type: "String", value: String(repeating: "a", count: count))])
        }
        try message(room).validate()
        let failure = #expect(throws: Failure.self) { try message(room + 1).validate() }
        #expect(failure?.detail.field == "attributes")
    }

    @Test("an update lays values over others and takes away what it names with nothing")
    func updates() {
        let values = ["a": "1", "b": "2"].updated(by: ["a": nil, "b": "3", "c": "4"])
        #expect(values == ["b": "3", "c": "4"])
    }
}
