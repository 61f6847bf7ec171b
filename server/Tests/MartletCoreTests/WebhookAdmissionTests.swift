import Testing

@testable import MartletCore

@Suite("What becomes of a delivery to a webhook URL that is due")
struct WebhookAdmissionTests {
    static let now = Timestamp(milliseconds: 100_000_000)
    static let tooOld = WebhookAdmission.expire(reason: "not delivered within 24 hours")
    static let poison = WebhookAdmission.crash(
        attempts: 5,
        reason: "the server stopped 5 times in a row while it made the call, or could not record its answer"
    )
    static let later = WebhookAdmission.wait(until: now + .seconds(1))
    static let longer = WebhookAdmission.extend(until: now + .seconds(60))

    struct Line: Sendable, CustomTestStringConvertible {
        var failures: Int
        var isOtherIsolated = false
        var isOwn = false
        var age: Duration = .zero
        var admission: WebhookAdmission

        var testDescription: String {
            "\(failures) failures, \(age.milliseconds) ms old\(isOtherIsolated ? ", another one alone" : "")\(isOwn ? ", its own" : "")"
        }
    }

    static let table = [
        Line(failures: 0, admission: .lease),
        Line(failures: 1, isOtherIsolated: true, admission: .lease),
        Line(failures: 2, admission: .lease),
        Line(failures: 2, isOtherIsolated: true, admission: later),
        Line(failures: 5, admission: poison),
        Line(failures: 0, age: .seconds(86_400) - .milliseconds(1), admission: .lease),
        Line(failures: 0, age: .seconds(86_400), admission: tooOld),
        Line(failures: 2, isOtherIsolated: true, age: .seconds(86_400), admission: tooOld),
        Line(failures: 5, age: .seconds(86_400), admission: tooOld),
        Line(failures: 5, isOwn: true, age: .seconds(86_400), admission: longer),
    ]

    @Test("it is leased for a day at most, and its own lease is never taken from a process", arguments: table)
    func admission(_ line: Line) {
        let admission = WebhookAdmission(
            failures: line.failures,
            isOtherIsolated: line.isOtherIsolated,
            isOwn: line.isOwn,
            acceptedAt: Self.now - line.age,
            now: Self.now
        )
        #expect(admission == line.admission)
    }

    static let outcomes: [(WebhookOutcome, isRecordedWhenLost: Bool)] = [
        (.delivered, true), (.retry(at: now, reason: "answered 503"), false), (.deferred(until: now), false),
        (.dead(reason: "answered 404"), false),
    ]

    @Test("with the lease lost only what was delivered is recorded", arguments: outcomes)
    func lost(_ outcome: WebhookOutcome, _ isRecorded: Bool) {
        #expect(outcome.isRecorded(isHeld: false) == isRecorded)
        #expect(outcome.isRecorded(isHeld: true))
    }
}

@Suite("When the queue of a host has its turn")
struct WebhookQueueTests {
    static func time(_ milliseconds: Int64) -> Timestamp { Timestamp(milliseconds: milliseconds) }

    static func queue(_ place: Int64, turn: Int64 = 0, isSilent: Bool = false) -> WebhookQueue {
        WebhookQueue(place: place, name: "host-\(place):443", isSilent: isSilent, turn: time(turn))
    }

    @Test("whose turn came first is first, and of equals who waits longer")
    func order() {
        let queues = [Self.queue(1, turn: 2), Self.queue(3, turn: 1), Self.queue(2, turn: 1, isSilent: true)]
        #expect(queues.sorted().map(\.place) == [2, 3, 1])
    }

    static let limits: [(isSilent: Bool, taken: Int, isCalled: Bool, limit: Int)] = [
        (false, 0, false, 4), (false, 3, true, 1), (false, 4, false, 0), (true, 0, false, 1), (true, 3, false, 1),
        (true, 0, true, 0), (true, 4, false, 0),
    ]

    @Test("a host that did not answer gets one call at a time, any other what there are permits for", arguments: limits)
    func limit(_ isSilent: Bool, _ taken: Int, _ isCalled: Bool, _ limit: Int) {
        let queue = Self.queue(1, isSilent: isSilent)
        var permits = Permits<String>(total: 100, perQueue: 4)
        permits.acquire(taken, in: queue.permitHolder)
        #expect(queue.limit(permits, isCalled: isCalled) == limit)
    }

    static let turns: [(nextDue: Int64?, turn: Int64?, idleSince: Int64?)] = [
        (nil, nil, 10), (9, 10, nil), (10, 10, nil), (11, 11, nil),
    ]

    @Test("the next turn comes when something is due, and not before now", arguments: turns)
    func turn(_ nextDue: Int64?, _ turn: Int64?, _ idleSince: Int64?) {
        let after = WebhookQueue.afterTurn(nextDue: nextDue.map(Self.time), now: Self.time(10))
        #expect(after.turn == turn.map(Self.time))
        #expect(after.idleSince == idleSince.map(Self.time))
    }

    @Test("a host that rests has no turn meanwhile", arguments: [(10, 10), (20, 20), (21, 21), (0, 10)])
    func rest(_ nextDue: Int64, _ turn: Int64) {
        let host = WebhookHost(silences: 1, restUntil: Self.time(10))
        #expect(host.turn(nextDue: Self.time(nextDue)) == Self.time(turn))
    }
}
