import MartletCore
import Testing

@testable import MartletSNS
@testable import MartletWebhooks

@Suite("A host of webhook URLs")
struct WebhookHostTests {
    /// A call, by the seconds at which it was made and over.
    struct Call: Sendable {
        var from: Int64
        var to: Int64
        var isAnswered = false
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var calls: [Call]
        var silences = 0
        /// In seconds; 0 is no rest.
        var restUntil: Int64 = 0

        var testDescription: String { name }
    }

    static let cases = [
        Case(name: "is new", calls: []),
        Case(name: "answers", calls: [Call(from: 100, to: 101, isAnswered: true)]),
        Case(
            name: "rests after a call that it did not answer",
            calls: [Call(from: 100, to: 115)],
            silences: 1,
            restUntil: 125
        ),
        Case(
            name: "rests once for calls that were under way together",
            calls: [Call(from: 100, to: 115), Call(from: 101, to: 116), Call(from: 114, to: 129)],
            silences: 1,
            restUntil: 125
        ),
        Case(
            name: "rests for twice as long when it does not answer after the rest either",
            calls: [Call(from: 100, to: 115), Call(from: 125, to: 140), Call(from: 160, to: 175)],
            silences: 3,
            restUntil: 215
        ),
        Case(
            name: "is well again with the first answer",
            calls: [Call(from: 100, to: 115), Call(from: 125, to: 140), Call(from: 160, to: 161, isAnswered: true)]
        ),
        Case(
            name: "begins with the shortest rest when it was well in between",
            calls: [
                Call(from: 100, to: 115), Call(from: 125, to: 140), Call(from: 160, to: 161, isAnswered: true),
                Call(from: 200, to: 215),
            ],
            silences: 1,
            restUntil: 225
        ),
    ]

    @Test("rests as its calls say", arguments: cases)
    func judged(_ one: Case) {
        var host = WebhookHost()
        for call in one.calls {
            let start = Timestamp(milliseconds: call.from * 1_000)
            let sign: WebhookHost.Sign = call.isAnswered ? .answered : .silent(since: start)
            host.note(sign, at: Timestamp(milliseconds: call.to * 1_000))
        }
        let rest = Timestamp(milliseconds: one.restUntil * 1_000)
        #expect(host == WebhookHost(silences: one.silences, restUntil: rest))
    }

    @Test(
        "rests for a time that doubles up to five minutes",
        arguments: [(0, 10), (1, 10), (2, 20), (3, 40), (4, 80), (5, 160), (6, 300), (7, 300), (1_000_000, 300)]
    )
    func rest(_ silences: Int, _ seconds: Int) {
        #expect(WebhookHost.rest(after: silences) == .seconds(seconds))
    }

    static let signs: [(WebhookAnswer, Int, WebhookHost.Sign)] = [
        (.status(200), 0, .answered), (.status(503), 14, .answered), (.failed("x"), 15, .silent(since: moment(0))),
        (.failed("refused at once"), 0, .none), (.busy, 15, .none), (.refused("x"), 15, .none), (.cancelled, 15, .none),
    ]

    @Test("is judged by an answer, whatever it says, and by a call that held up; by nothing else", arguments: signs)
    func sign(_ answer: WebhookAnswer, seconds: Int, expected: WebhookHost.Sign) {
        #expect(answer.sign(since: Self.moment(0), now: Self.moment(seconds)) == expected)
    }

    private static func moment(_ seconds: Int) -> Timestamp { Timestamp(milliseconds: Int64(seconds) * 1_000) }
}
