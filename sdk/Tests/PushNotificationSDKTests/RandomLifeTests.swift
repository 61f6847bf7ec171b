import Foundation
import MartletWire
import PushNotificationSDKCore
import PushNotificationSDKTesting
import Testing

/// Random lives of an install, each from a seed that a failure names.
@Suite(.timeLimit(.minutes(5))) struct RandomLifeTests {
    @Test("in 10,000 random lives every message is told once and every response is counted once")
    func lives() async throws {
        let pushes = try (0..<6).map { try ReceivedNotification.alert("m\($0)") }
        for seed in 0..<10_000 {
            var life = Life(seed: UInt64(seed), pushes)
            let problems = try await life.problems()
            try #require(problems.isEmpty, "seed \(seed): \(problems.joined(separator: "; "))")
        }
    }
}

/// What happens to one install, and what must have come of it.
private struct Life {
    private var random: SeededRandom
    private let pushes: [ReceivedNotification]
    private let fixture = Fixture(platform: RecordingPlatform(status: .denied))
    private let told = Journal<String>()
    private let offMain = Journal<Void>()
    /// The messages that arrived in front of the running process, those that it was told of, and the responses that were
    /// handed to it.
    private var presented: Set<String> = []
    private var arrived: Set<String> = []
    private var handled: Set<String> = []
    private var expectedTold: [String] = []
    private var expectedEvents: [RecordingEvents.Entry] = []
    private var isTracked = true

    init(seed: UInt64, _ pushes: [ReceivedNotification]) {
        random = SeededRandom(seed)
        self.pushes = pushes
    }

    /// Lives, and returns what is not as it must be.
    mutating func problems() async throws -> [String] {
        var client = try fixture.client()
        setHandlers()
        for _ in 0..<Int.random(in: 1...25, using: &random) {
            let push = pushes[Int.random(in: pushes.indices, using: &random)]
            let message = push.messageKey
            switch Int.random(in: 0..<12, using: &random) {
            case 0...3:
                client.willPresent(push) { _ in }
                guard presented.insert(message).inserted else { continue }
                expect(.init(.delivery, message))
                expectTold(message)
            case 4...6:
                client.didReceive(.init(push, .tap))
                guard handled.insert("tap \(message)").inserted else { continue }
                expect(.init(.open, message))
                expectedTold += ["opened \(message)", "received \(message)"]
                arrived.insert(message)
            case 7:
                client.didReceive(.init(push, .dismiss))
                if handled.insert("dismiss \(message)").inserted { expect(.init(.dismiss, message)) }
            case 8:
                let button = ["CONFIRM", "LATER"].randomElement(using: &random) ?? "CONFIRM"
                client.didReceive(.init(push, .button(button)))
                guard handled.insert("\(button) \(message)").inserted else { continue }
                expect(.init(.open, message, value: button))
                expectedTold.append("\(button) \(message)")
            case 9:
                isTracked.toggle()
                client.isTrackingEnabled = isTracked
            case 10:
                // Messages wait while the app has no handler; six and their responses are within the bound.
                fixture.handlers.received.handler = nil
                if Bool.random(using: &random) { await MainQueue.drain() }
                setHandlers()
            default:
                // The app is killed and started again. What was on its way to the handlers is told first.
                await MainQueue.drain()
                client.close()
                client = try fixture.client()
                (presented, arrived, handled) = ([], [], [])
            }
        }
        await MainQueue.drain()
        await MainQueue.drain()
        return verdict()
    }

    private func setHandlers() {
        let (told, offMain) = (told, offMain)
        func tell(_ text: String) {
            told.add(text)
            if !MainQueue.isCurrent { offMain.add(()) }
        }
        fixture.handlers.received.handler = { tell("received \($0.messageID ?? "-")") }
        fixture.handlers.opened.handler = { tell("opened \($0.messageID ?? "-")") }
        fixture.handlers.actions.handler = { tell("\($0.identifier) \($0.payload.messageID ?? "-")") }
    }

    private mutating func expect(_ event: RecordingEvents.Entry) {
        if isTracked { expectedEvents.append(event) }
    }

    private mutating func expectTold(_ message: String) {
        if arrived.insert(message).inserted { expectedTold.append("received \(message)") }
    }

    private func verdict() -> [String] {
        var problems: [String] = []
        if told.entries.sorted() != expectedTold.sorted() {
            problems.append("told \(told.entries), not \(expectedTold)")
        }
        let recorded = fixture.events.recorded.entries
        if recorded != expectedEvents { problems.append("recorded \(recorded), not \(expectedEvents)") }
        if !offMain.entries.isEmpty { problems.append("\(offMain.entries.count) calls off the main thread") }
        if !fixture.transport.calls.entries.isEmpty { problems.append("requests without a token") }
        return problems
    }
}
