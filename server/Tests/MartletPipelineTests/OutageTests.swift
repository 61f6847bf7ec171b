import MartletStore
import MartletTesting
import MartletWire
import Synchronization
import Testing

@testable import MartletCore

/// What comes after a provider was gone for a minute.
@Suite(.stageLimit) struct OutageTests {
    /// A push to one device, under way at most once at any moment.
    private struct Sent: Sendable {
        var token: String
        var `class`: NotificationClass
        var id: PublicID
    }

    /// When what failed is to be tried again.
    private final class RetryTimes: Sendable {
        private let times = Mutex<[Timestamp]>([])
        var all: [Timestamp] { times.withLock(\.self) }

        func settled(_ settlement: Settlement) {
            times.withLock { $0 += settlement.retries.compactMap(\.notBefore) }
        }
    }

    /// How many pushes are accepted every quarter of the minute.
    static let wave = 40
    static let moments: [Duration] = [.zero, .seconds(15), .seconds(30), .seconds(45)]
    /// How many go at a time when the provider is back: one is the probe; after eight, all is well.
    static let widths = [1, 2, 4, 8]

    @Test("a minute's backlog drains most urgent and oldest first, a few at a time and then all at once")
    func drainsSmoothly() async throws {
        let stage = try await Stage()
        let pushes = Self.wave * Self.moments.count
        for index in 0...pushes { try await stage.register(Stage.token(index), user: "u\(index)") }
        stage.provider.scriptOthers(.answer(TroubleTests.refused))
        let queue = DeliveryQueue(app: stage.app.row, platform: .apns, environment: .production)
        let retries = RetryTimes()
        try await stage.dispatching(onSettlement: retries.settled) {
            let begin = stage.clock.now()
            var waiting: [Sent] = []
            for moment in Self.moments {
                try await stage.advance { stage.clock.now() >= begin + moment }
                for _ in 0..<Self.wave { waiting.append(try await Self.submit(waiting.count, to: stage)) }
            }
            try await stage.advance { stage.clock.now() >= begin + .seconds(60) }
            let tried = stage.provider.attempts.count
            #expect((Self.wave...Self.wave * 3 / 2).contains(tried), "after the first ones only probes go: \(tried)")
            Self.expectSpread(retries.all, after: begin)

            stage.provider.scriptOthers(.hold(.accepted))
            for width in Self.widths {
                try await Self.expectNext(width, of: &waiting, at: stage)
                let state: Breaker.State = width == 1 ? .probing : .recovering(width: width)
                #expect(stage.breakers.all(at: stage.clock.now())[queue]?.state == state)
                // One that is urgent passes those that are not, as it does at any time.
                if width == 4 { waiting.append(try await Self.submit(pushes, to: stage, as: .transactional)) }
                stage.provider.release()
            }
            // A queue has a thousand small batches under way when all is well.
            try await Self.expectNext(waiting.count, of: &waiting, at: stage)
            #expect(stage.breakers.all(at: stage.clock.now())[queue]?.state == .closed)
            stage.provider.release()
            try await stage.advance { try await stage.store.waitingDeliveries().total == 0 }
            #expect(stage.provider.attempts.count == tried + pushes + 1, "each of them is accepted once")
        }
    }

    /// Sends to one device; every second push is urgent, where nothing else is said.
    private static func submit(_ index: Int, to stage: Stage, as asked: NotificationClass? = nil) async throws -> Sent {
        // What is accepted later is younger.
        stage.clock.advance(by: .milliseconds(1))
        let kind = asked ?? (index.isMultiple(of: 2) ? .default : .transactional)
        let id = try await stage.submit(.users(["u\(index)"])) {
            $0.class = kind
            // All that fails waits for about ten seconds, so that all of it is due when the provider is back.
            $0.retry.steadyTries = $0.retry.maxAttempts
        }
        return Sent(token: Stage.token(index), class: kind, id: id)
    }

    /// Checks that just so many are under way, that they are the next ones by urgency and age, and takes them out.
    private static func expectNext(_ count: Int, of waiting: inout [Sent], at stage: Stage) async throws {
        try await stage.advance { stage.provider.heldCount >= count }
        // Whoever else could go has gone by now.
        try await stage.advance { true }
        #expect(stage.provider.heldCount == count)
        let next = NotificationClass.allCases.flatMap { kind in waiting.filter { $0.class == kind } }
        let expected = Set(next.prefix(count).map(\.token))
        let arrived = Set(stage.provider.attempts.suffix(count).map(\.token))
        #expect(arrived == expected, "\(arrived.subtracting(expected)) before \(expected.subtracting(arrived))")
        waiting.removeAll { arrived.contains($0.token) }
    }

    /// Checks that what failed together does not come back together: ten seconds and up to a fifth more.
    private static func expectSpread(_ times: [Timestamp], after begin: Timestamp) {
        let first = times.prefix(wave).map { $0 - begin }
        #expect(first.allSatisfy { (.milliseconds(10_000)..<(.milliseconds(12_500))).contains($0) }, "\(first)")
        #expect(Set(first).count > wave / 2, "\(first)")
        #expect((first.max() ?? .zero) - (first.min() ?? .zero) > .seconds(1), "\(first)")
    }
}
