import MartletWire
import Testing

@testable import MartletConsole
@testable import MartletCore

@Suite("The words of the pages about people")
struct PeopleWordsTests {
    private let texts = Texts(preferred: ["en"])

    @Test("every reason of ours and every event has words")
    func reasons() {
        for reason in Suppression.Reason.allCases {
            #expect(texts.optional("people.what.suppression.\(reason.rawValue)") != nil, "\(reason)")
        }
        for event in EventType.allCases { #expect(texts.optional("people.what.event.\(event.rawValue)") != nil) }
        for state in DeliveryState.allCases { #expect(texts.optional("people.state.\(state.rawValue)") != nil) }
    }

    @Test("a test has ended when nothing waits and something is recorded")
    func ends() {
        #expect(!TestPush.hasEnded(DeliveryCounts()))
        #expect(!TestPush.hasEnded(DeliveryCounts(pending: 1)))
        #expect(TestPush.hasEnded(DeliveryCounts(accepted: 1)))
        #expect(TestPush.hasEnded(DeliveryCounts(suppressed: 1)))
        #expect(TestPush.hasEnded(DeliveryCounts(dead: 1)))
    }

    @Test(
        "a test's answer has the provider's own word",
        arguments: [
            (DeliveryState.accepted, nil, "Apple accepted the push. Now the phone should show it."),
            (.rejected, "BadDeviceToken", "Apple refused the push: BadDeviceToken"),
            (.dead, "HTTP 503", "Apple did not take the push: HTTP 503"),
            (.suppressed, "device_off", "No push was sent: pushes are switched off on the device."),
        ] as [(DeliveryState, String?, String)]
    )
    func answers(_ state: DeliveryState, _ reason: String?, _ sentence: String) {
        #expect(TestWords(texts: texts).sentence(line(state, reason), nil) == sentence)
    }

    @Test("a test without an answer says that there is none, and why where a queue is paused")
    func noAnswer() {
        let words = TestWords(texts: texts)
        #expect(words.sentence(line(.pending, nil), nil).hasPrefix("No answer came within 2 seconds."))
        let queue = DeliveryQueue(app: RowID(1), platform: .apns, environment: .production)
        let pause = Pause(
            queue: queue,
            reason: "InvalidProviderToken",
            advice: "Store another key.",
            since: Timestamp(milliseconds: 0)
        )
        #expect(
            words.sentence(line(.pending, nil), pause)
                == "The push waits, because the queue is paused. Apple said: InvalidProviderToken"
        )
    }

    private func line(_ state: DeliveryState, _ reason: String?) -> DeliveryReport {
        DeliveryReport(
            endpoint: nil,
            endpointRow: nil,
            platform: .apns,
            user: "ann",
            state: state,
            reason: reason,
            heldBy: nil,
            attempts: 1,
            at: nil
        )
    }

    @Test(
        "a timeline tells the facts of what has a reason of its own, and no word twice",
        arguments: [
            (DeliveryState.accepted, nil, true), (.rejected, "BadDeviceToken", false), (.expired, nil, true),
            (.suppressed, "preference_off", true), (.suppressed, "duplicate", true),
        ] as [(DeliveryState, String?, Bool)]
    )
    func facts(_ state: DeliveryState, _ reason: String?, repeats: Bool) {
        let report = line(state, reason)
        let entry = TimelineEntry(
            at: Timestamp(milliseconds: 0),
            kind: state == .suppressed ? .suppression : .delivery,
            what: reason ?? state.rawValue,
            detail: report.statement
        )
        #expect(TimelineWords.repeats(entry) == repeats)
    }

    @Test("a form's empty choice is the default, and one that it does not name stays")
    func choices() {
        let form = FormValues(["choice:comment:push": "off", "choice:comment:inbox": ""])
        #expect(PreferenceForm.patch("choice:comment", form) == ChannelPatch(push: .value(false), inbox: .null))
        #expect(PreferenceForm.patch("choice:follow", form) == ChannelPatch())
    }

    @Test(
        "why a device is off is said in words, and what has none as the provider says it",
        arguments: [
            ("Unregistered", "the app was removed from this device"),
            ("UNREGISTERED", "the app was removed from this device"), ("Gone", "its browser's subscription has ended"),
            ("by_request", "switched off by request"), ("Odd", "the provider refused it for good: Odd"),
        ]
    )
    func off(reason: String, words: String) {
        #expect(Texts(preferred: ["en"]).offReason(DisableReason(rawValue: reason)) == words)
    }
}
