import Logging
import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import MartletTransport

/// Requests that a connection gives back, and requests that are taken back by the one who sent them.
@Suite(.timeLimit(.minutes(4)))
struct GivenBackTests {
    /// Calls a function on the spot whenever a connection of a pool ends.
    private struct EndListener: LogHandler {
        let ended: @Sendable () -> Void
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { self.metadata[key] }
            set { self.metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            if event.message == "connection ends" { self.ended() }
        }
    }

    enum TakingBack: CaseIterable {
        case withdraw, cancel, withdrawTemplate

        var reason: String { self == .cancel ? "cancelled" : "withdrawn" }

        func callAsFunction(_ burst: HTTP2Burst, of pool: HTTP2ClientPool) {
            switch self {
            case .withdraw: pool.withdraw(burst)
            case .cancel: pool.cancel(burst)
            case .withdrawTemplate: pool.withdraw(template: burst.template)
            }
        }
    }

    @Test func aRefusedRequestIsSentAgainInTheNextTurn() async throws {
        try await ScriptedServer.with(script: {
            if $0.number == 0 { $0.stream.reset(errorCode: HTTP2ErrorCode.refusedStream) } else { $0.ok() }
        }) { server in
            let loop = MultiThreadedEventLoopGroup.singleton.next()
            let holder = Mutex<HTTP2ClientConnection?>(nil)
            let nextTurn = loop.makePromise(of: HTTP2ClientConnection.Status.self)
            let connector = HTTP2ClientConnector(try server.configuration(), logger: .quiet)
            let shared = ClientShared(onStateChange: { _ in }) { slices, _ in
                guard let connection = holder.withLock({ $0 }) else { return }
                for slice in slices { connection.send(slice) }
                loop.execute { nextTurn.succeed(connection.status) }
            }
            let connection = try await connector.connect(on: loop, shared: shared).get()
            holder.withLock { $0 = connection }

            async let answer = connection.send(.plain, path: "/")

            #expect(try await nextTurn.futureResult.get().inFlight == 1)
            #expect(await answer.status == 200)
            await connection.close()
        }
    }

    @Test func whatASilentConnectionGivesBackHasNotBeenTriedByIt() async throws {
        try await ScriptedServer.with(maxConcurrentStreams: 1, script: { _ in }) { server in
            let loop = MultiThreadedEventLoopGroup.singleton.next()
            let returned = loop.makePromise(of: (slices: [RequestSlice], reason: String).self)
            var configuration = try server.configuration()
            configuration.requestTimeout = .milliseconds(300)
            let connector = HTTP2ClientConnector(configuration, logger: .quiet)
            let shared = ClientShared(onStateChange: { _ in }) { returned.succeed(($0, $1)) }
            let connection = try await connector.connect(on: loop, shared: shared).get()
            let answers = Answers()
            connection.send(.numbered(3, into: answers))

            let (slices, reason) = try await returned.futureResult.get()

            #expect(slices.map(\.count) == [2])
            #expect(slices.map(\.attempt) == [0])
            #expect(reason == "no answers in time")
            #expect(connection.status.isSilent)
            #expect(await answers.wait(for: 1)[0]?.failure == .deadline)
            await connection.close()
        }
    }

    @Test(arguments: TakingBack.allCases)
    func requestsBetweenTwoConnectionsAreTakenBack(takeBack: TakingBack) async throws {
        try await ScriptedServer.with(
            maxConcurrentStreams: 1,
            script: {
                if $0.stream.connection.id == 1 { $0.stream.connection.abort() } else { $0.ok() }
            }
        ) { server in
            let sent = Mutex<(pool: HTTP2ClientPool, burst: HTTP2Burst)?>(nil)
            let logger = Logger(label: "test") { _ in
                // Called when the requests have left the one connection and not yet come to the other.
                EndListener { if let sent = sent.withLock({ $0 }) { takeBack(sent.burst, of: sent.pool) } }
            }
            let pool = HTTP2ClientPool(
                HTTP2ClientPoolConfiguration(connection: try server.configuration()),
                group: .singletonMultiThreadedEventLoopGroup,
                logger: logger
            )
            let answers = Answers()
            let burst = HTTP2Burst.numbered(3, into: answers)
            sent.withLock { $0 = (pool, burst) }
            pool.send(burst)

            let all = await answers.wait(for: 3)

            #expect(all[0]?.isLost == true)
            #expect(all[1]?.failure == .unprocessed(takeBack.reason))
            #expect(all[2]?.failure == .unprocessed(takeBack.reason))
            #expect(server.log.paths == ["/0"])
            await pool.shutdown()
        }
    }

    @Test func withdrawingATemplateTakesBackWhatIsUnsentOfItsPermit() async throws {
        try await ScriptedServer.with(
            maxConcurrentStreams: 1,
            script: { if $0.request.path != "/0" { $0.ok() } }
        ) { server in
            var configuration = HTTP2ClientPoolConfiguration(connection: try server.configuration())
            configuration.maxConnections = 1
            let pool = HTTP2ClientPool(configuration, group: .singletonMultiThreadedEventLoopGroup, logger: .quiet)
            let permit = HTTP2Permit()
            let (one, same) = (
                HTTP2RequestTemplate.post([1], permit: permit), HTTP2RequestTemplate.post([2], permit: permit)
            )
            let answers = Answers()
            pool.send(.numbered(3, template: one, into: answers))
            pool.send(.numbered(2, template: same, into: answers, from: 3))
            pool.send(.numbered(2, into: answers, from: 5))
            var exchanges = server.log.exchanges.makeAsyncIterator()
            let first = try #require(await exchanges.next())

            pool.withdraw(template: one)
            pool.send(.numbered(1, template: same, into: answers, from: 7))

            let withdrawn = await answers.wait(for: 5)
            #expect(withdrawn.keys.sorted() == [1, 2, 3, 4, 7])
            #expect(withdrawn.values.allSatisfy { $0.failure == .unprocessed("withdrawn") })
            first.ok()
            let all = await answers.wait(for: 8)
            #expect([0, 5, 6].allSatisfy { all[$0]?.status == 200 })
            #expect(server.log.paths == ["/0", "/5", "/6"])
            await pool.shutdown()
        }
    }

    @Test(arguments: TakingBack.allCases)
    func requestsThatWaitForAConnectionAreTakenBack(takeBack: TakingBack) async throws {
        try await ScriptedServer.with { server in
            await server.server.stopAccepting()
            let pool = HTTP2ClientPool(
                HTTP2ClientPoolConfiguration(connection: try server.configuration(), waitTimeout: .hours(1)),
                group: .singletonMultiThreadedEventLoopGroup,
                logger: .quiet
            )
            let answers = Answers()
            let burst = HTTP2Burst.numbered(3, into: answers)
            pool.send(burst)

            takeBack(burst, of: pool)

            let all = await answers.wait(for: 3)
            #expect(all.values.allSatisfy { $0.failure == .unprocessed(takeBack.reason) })
            #expect(pool.status.waiting == 0)
            await pool.shutdown()
        }
    }
}
