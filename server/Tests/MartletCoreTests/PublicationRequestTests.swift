import MartletWire
import Testing

@testable import MartletCore

@Suite struct PublicationRequestTests {
    static let id = PublicID(high: 0, low: 0)

    @Test("a publication waits for its apps, and for webhook URLs only if it goes to some")
    func owners() {
        let apps: [Int64] = [1, 2]
        var request = PublicationRequest(
            id: Self.id,
            topic: RowID(1),
            submissions: apps.map { row in
                let app = App(
                    row: RowID(row),
                    id: Self.id,
                    name: "app\(row)",
                    identity: Identity(),
                    createdAt: Timestamp(milliseconds: 0)
                )
                return Submission(app: app, audience: .all, content: Content(title: "Delay"))
            }
        )
        #expect(request.owners == [.app(RowID(1)), .app(RowID(2))])
        request.webhook = WebhookMessage(
            id: Self.id,
            topic: RowID(1),
            topicName: "delays",
            recipients: .subscription(RowID(1)),
            document: "{}"
        )
        #expect(request.owners == [.app(RowID(1)), .app(RowID(2)), .webhooks])
    }
}
