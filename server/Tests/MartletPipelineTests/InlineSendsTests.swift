import Logging
import MartletCore
import MartletStore
import MartletTesting
import MartletWire
import Testing

@testable import MartletPipeline

@Suite(.stageLimit) struct InlineSendsTests {
    /// What lives as long as something holds a batch's end.
    private final class Mark: Sendable {}

    @Test("what was sent at once is forgotten when it is recorded")
    func forgets() async throws {
        let stage = try await Stage()
        try await stage.register("a1", user: "ann")
        // From the first one it is known that the topic is right.
        try await stage.dispatching { _ = try await stage.finished(try await stage.submit(.users(["ann"]))) }
        let id = try await stage.submit(.users(["ann"]))
        let lease = Lease(holder: 42)
        let queue = DeliveryQueue(app: stage.app.row, platform: .apns, environment: .production)
        let batch = try #require(try await stage.store.leaseBatches(queue, limit: 1, lease: lease).first)
        let context = try await stage.store.contexts(of: [batch])[0]
        let sends = InlineSends(worker: stage.worker)
        weak var mark: Mark?
        do {
            let held = Mark()
            mark = held
            #expect(sends.begin(batch, in: context, lease: lease, since: .now) { _ in _ = held })
        }
        try await Eventually.is("it is over") { try await stage.notification(id).state == .done }
        try await Eventually.is("it is forgotten") { mark == nil }
    }

    @Test("an answer that the store cannot record at once is recorded later, and sent once")
    func fullDisk() async throws {
        let stage = try await Stage()
        try await stage.register("a1", user: "ann")
        stage.provider.script("a1", .hold(.accepted))
        try await stage.dispatching {
            let id = try await stage.submit(.users(["ann"]))
            await stage.provider.untilAttempts(1)
            try await stage.fillDisk()
            stage.provider.release()
            try await stage.advance { true }
            try await stage.freeDisk()
            try await stage.advance { try await stage.notification(id).state == .done }
            #expect(try await stage.notification(id).counts == DeliveryCounts(accepted: 1))
        }
        #expect(stage.provider.attempts.count == 1)
    }
}

extension Stage {
    /// A worker on its own.
    fileprivate var worker: BatchWorker {
        BatchWorker(
            store: store,
            providers: [.apns: provider],
            credentials: credentialService,
            clock: clock,
            metrics: metrics,
            breakers: breakers,
            onSettlement: nil,
            wakeUps: wakeUps,
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }),
            ticker: Ticker(interval: BatchWorker.checkpointInterval, clock: clock),
            presence: nil
        )
    }
}
