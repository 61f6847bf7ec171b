import Crypto
import Dispatch
import Logging
import MartletCore
import MartletTesting
import MartletWire
import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import MartletProviders

@Suite("Routes of all credentials")
struct RoutesTests {
    private static let now = Timestamp(milliseconds: 1_700_000_000_000)

    private static func credential(_ app: Int64, by provider: APNsProvider) throws -> OpenedCredential {
        try Stored.credential(
            .signingKey(pem: P256.Signing.PrivateKey().pemRepresentation, keyID: "ABCD123456", teamID: "TEAM123456"),
            checkedBy: provider,
            url: "https://localhost:1",
            trust: nil,
            app: app
        )
    }

    /// Runs a task on a thread that nothing else waits for.
    private final class OwnThread: TaskExecutor {
        private let queue = DispatchQueue(label: "own")

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }

    /// Says how far the making of a route has come, and when it may go on.
    private final class Making: Sendable {
        let hasBegun = Atomic(false)
        let mayEnd = DispatchSemaphore(value: 0)
        let wasAllowed = Atomic(false)

        func block() {
            hasBegun.store(true, ordering: .releasing)
            // Ends by itself, so that a lock held meanwhile fails the test instead of hanging it.
            wasAllowed.store(mayEnd.wait(timeout: .now() + 60) == .success, ordering: .releasing)
        }
    }

    @Test("while the credential of one app is being parsed the others get their routes")
    func parsedOutside() async throws {
        let group = MultiThreadedEventLoopGroup.singleton
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let provider = APNsProvider(group: group, clock: SystemClock(), logger: logger)
        let (slow, other) = (try Self.credential(1, by: provider), try Self.credential(2, by: provider))
        let making = Making()
        let routes = Routes(limit: 8, address: ServerAddress.apns) { (opened, address) throws(Failure) in
            if opened.credential.app == RowID(1) { making.block() }
            return try APNsRoute(opened, address: address, settings: APNsSettings(), provider.context)
        }
        let first = Task(executorPreference: OwnThread()) {
            try await routes.withRoute(for: slow, at: Self.now) { _ in true }
        }
        while !making.hasBegun.load(ordering: .acquiring) { await Task.yield() }

        #expect(try await routes.withRoute(for: other, at: Self.now) { _ in true })
        making.mayEnd.signal()

        #expect(try await first.value)
        let wasAllowed = making.wasAllowed.load(ordering: .acquiring)
        #expect(wasAllowed, "the other route had to wait")
        #expect(routes.count == 2)
        await routes.shutdown()
        await provider.shutdown()
    }
}
