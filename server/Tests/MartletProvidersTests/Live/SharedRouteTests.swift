import Crypto
import Logging
import MartletCore
import NIOPosix
import Testing

@testable import MartletProviders

@Suite("Apps that share connections")
struct SharedRouteTests {
    @Test(
        "while none of them gets an answer, all that may be under way waits, and no push loses an attempt",
        .timeLimit(.minutes(4))
    )
    func allMayWait() async throws {
        try await HeldServer.with { server in
            var settings = APNsSettings()
            settings.connections = 1
            let provider = APNsProvider(
                group: MultiThreadedEventLoopGroup.singleton,
                clock: SystemClock(),
                settings: settings,
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            )
            // Four apps, each with as much as a queue may have under way: together as much as all may.
            let bounds = DispatcherSettings()
            let pushes = try pushes(provider, server, apps: bounds.deliveries / bounds.deliveriesPerQueue)
            let all = pushes.reduce(0) { $0 + $1.targets.count }
            #expect(all == bounds.deliveries)
            let outcomes = Outcomes()
            let sending = Task {
                await withDiscardingTaskGroup { group in
                    for (number, push) in pushes.enumerated() {
                        let first = number * MemberList.limit
                        group.addTask { await provider.send(push) { outcomes.add(first + $0, $1) } }
                    }
                }
            }
            var streams = server.streams.makeAsyncIterator()
            let held = try #require(await streams.next())
            // One is on the only stream.
            while waiting(provider) + outcomes.all.count < all - 1 { await Task.yield() }

            #expect(provider.routes.count == 1)
            let found = Set(outcomes.all.values.map { "\($0)" })
            #expect(found == [])

            sending.cancel()
            held.respond(status: 200)
            await sending.value
            let ends = Array(outcomes.all.values)
            #expect(ends == [.accepted])
            await provider.shutdown()
        }
    }

    /// Full batches of several apps, of each as many as a queue may have under way.
    private func pushes(_ provider: APNsProvider, _ server: HeldServer, apps: Int) throws -> [Push] {
        let pem = P256.Signing.PrivateKey().pemRepresentation
        let message = try Rendering.message(Rendering.submission(Content(title: "T")))
        let targets = Stored.targets((0..<MemberList.limit).map(Stored.token))
        return try (1...apps).flatMap { app in
            let credential = try Stored.credential(
                .signingKey(pem: pem, keyID: "ABCD123456", teamID: "TEAM123456"),
                checkedBy: provider,
                url: server.url,
                trust: server.authorityPEM,
                app: Int64(app)
            )
            let push = Push(credential: credential, message: message, targets: targets)
            return Array(repeating: push, count: DispatcherSettings().deliveriesPerQueue / MemberList.limit)
        }
    }

    /// Pushes that wait for a stream or a connection: the same for all queues, which have one route.
    private func waiting(_ provider: APNsProvider) -> Int { provider.traffic().first?.connections?.waiting ?? 0 }
}
