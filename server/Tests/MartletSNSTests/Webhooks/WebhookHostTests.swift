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
        var standing: WebhookHost.Standing
        var silences = 0
        /// In seconds; 0 is no rest.
        var restUntil: Int64 = 0

        var testDescription: String { name }
    }

    static let cases = [
        Case(name: "is new", calls: [], standing: .new),
        Case(name: "answers", calls: [Call(from: 100, to: 101, isAnswered: true)], standing: .answering),
        Case(
            name: "rests after a call that it did not answer",
            calls: [Call(from: 100, to: 115)],
            standing: .silent,
            silences: 1,
            restUntil: 125
        ),
        Case(
            name: "rests once for calls that were under way together",
            calls: [Call(from: 100, to: 115), Call(from: 101, to: 116), Call(from: 114, to: 129)],
            standing: .silent,
            silences: 1,
            restUntil: 125
        ),
        Case(
            name: "rests for twice as long when it does not answer after the rest either",
            calls: [Call(from: 100, to: 115), Call(from: 125, to: 140), Call(from: 160, to: 175)],
            standing: .silent,
            silences: 3,
            restUntil: 215
        ),
        Case(
            name: "is well again with the first answer",
            calls: [Call(from: 100, to: 115), Call(from: 125, to: 140), Call(from: 160, to: 161, isAnswered: true)],
            standing: .answering
        ),
        Case(
            name: "begins with the shortest rest when it was well in between",
            calls: [
                Call(from: 100, to: 115), Call(from: 125, to: 140), Call(from: 160, to: 161, isAnswered: true),
                Call(from: 200, to: 215),
            ],
            standing: .silent,
            silences: 1,
            restUntil: 225
        ),
    ]

    @Test("stands as its calls say", arguments: cases)
    func standing(_ one: Case) {
        var host = WebhookHost()
        for call in one.calls {
            let start = Timestamp(milliseconds: call.from * 1_000)
            let sign: WebhookHost.Sign = call.isAnswered ? .answered : .silent(since: start)
            host.note(sign, at: Timestamp(milliseconds: call.to * 1_000))
        }
        let rest = Timestamp(milliseconds: one.restUntil * 1_000)
        #expect(host == WebhookHost(standing: one.standing, silences: one.silences, restUntil: rest))
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

@Suite("The capacity for calls of webhook URLs")
struct WebhookCapacityTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var capacity: WebhookCapacity
        var standing: WebhookHost.Standing
        var free: Int

        var testDescription: String { name }
    }

    private static func capacity(_ total: Int, new: Int = 32, silent: Int = 16, taken: Int = 0) -> WebhookCapacity {
        WebhookCapacity(
            total: total,
            perQueue: 8,
            perUnprovenQueue: 1,
            ofNew: new,
            ofSilent: silent,
            taken: ["a": taken]
        )
    }

    static let cases = [
        Case(name: "eight for a host that answers", capacity: capacity(64), standing: .answering, free: 8),
        Case(name: "one for a host that nothing is known of", capacity: capacity(64), standing: .new, free: 1),
        Case(name: "one for a silent host", capacity: capacity(64), standing: .silent, free: 1),
        Case(name: "those under way count", capacity: capacity(61, taken: 3), standing: .answering, free: 5),
        Case(name: "one is under way already", capacity: capacity(63, taken: 1), standing: .new, free: 0),
        Case(name: "as many as are left for others", capacity: capacity(8), standing: .answering, free: 4),
        Case(
            name: "as many as are left, under way with it",
            capacity: capacity(7, taken: 7),
            standing: .answering,
            free: 0
        ),
        Case(name: "the last one", capacity: capacity(1), standing: .answering, free: 1),
        Case(name: "none", capacity: capacity(0), standing: .answering, free: 0),
        Case(name: "the share of new hosts is used up", capacity: capacity(32, new: 0), standing: .new, free: 0),
        Case(
            name: "others' shares do not matter",
            capacity: capacity(32, new: 0, silent: -3),
            standing: .answering,
            free: 8
        ),
        Case(
            name: "the share of silent hosts is used up",
            capacity: capacity(48, silent: -3),
            standing: .silent,
            free: 0
        ),
    ]

    @Test("is shared out by three rules", arguments: cases)
    func rules(_ one: Case) { #expect(one.capacity.free(in: "a", one.standing) == one.free) }

    @Test("is never used up by eight hosts", arguments: [(1, 7), (8, 4)])
    func eight(atOnce: Int, left: Int) {
        var capacity = Self.capacity(64)
        for _ in 0..<10 {
            for host in (0..<8).map({ "h\($0)" }) {
                capacity.take(min(atOnce, capacity.free(in: host, .answering)), in: host, .answering)
            }
        }
        #expect(capacity.total == left)
        #expect(capacity.free(in: "other", .answering) == (left + 1) / 2)
        #expect(capacity.free(in: "new", .new) == 1)
    }
}
