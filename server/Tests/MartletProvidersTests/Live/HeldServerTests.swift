import Crypto
import Logging
import MartletCore
import MartletSimulator
import MartletTesting
import MartletTransport
import MartletWire
import NIOCore
import NIOPosix
import Testing

@testable import MartletProviders

@Suite("Cancellation and clocks")
struct HeldServerTests {
    /// A provider whose clock stands at 2023-11-14 22:13:20 UTC, and a key for the server.
    private func with(
        grace: Duration = .seconds(60),
        maxStreams: Int = 1,
        connectTimeout: TimeAmount? = nil,
        _ body: (HeldServer, APNsProvider, ManualClock, OpenedCredential) async throws -> Void
    ) async throws {
        try await HeldServer.with(maxStreams: maxStreams) { server in
            let clock = ManualClock(Timestamp(milliseconds: 1_700_000_000_000))
            var settings = APNsSettings()
            settings.cancellationGrace = grace
            // One, so that what waits for an answer is not taken by a connection that opens meanwhile.
            settings.connections = 1
            if let connectTimeout { settings.connectTimeout = connectTimeout }
            let provider = APNsProvider(
                group: MultiThreadedEventLoopGroup.singleton,
                clock: clock,
                settings: settings,
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            )
            let pem = P256.Signing.PrivateKey().pemRepresentation
            let credential = try Stored.credential(
                .signingKey(pem: pem, keyID: "ABCD123456", teamID: "TEAM123456"),
                checkedBy: provider,
                url: server.url,
                trust: server.authorityPEM
            )
            try await body(server, provider, clock, credential)
            await provider.shutdown()
        }
    }

    private func push(_ credential: OpenedCredential, _ count: Int) throws -> Push {
        let message = try Rendering.message(Rendering.submission(Content(title: "T")))
        return Push(credential: credential, message: message, targets: Stored.targets((0..<count).map(Stored.token)))
    }

    @Test("what a server disowns, again and again and as it closes, is to be rerouted", .timeLimit(.minutes(4)))
    func disowned() async throws {
        try await with(connectTimeout: .seconds(2)) { server, provider, _, credential in
            let push = try push(credential, 2)
            async let disowning: Void = {
                for await held in server.streams {
                    held.stream.connection.goAway(lastStreamID: 0)
                    held.stream.connection.close()
                }
            }()

            let outcomes = await Outcomes.of(push, by: provider)

            #expect(outcomes == [0: .reroute(reason: "GOAWAY NO_ERROR"), 1: .reroute(reason: "GOAWAY NO_ERROR")])
            server.finish()
            await disowning
        }
    }

    @Test("what is in flight, how long answers took and what connections do is told by queue", .timeLimit(.minutes(4)))
    func traffic() async throws {
        try await with { server, provider, _, credential in
            #expect(provider.traffic().isEmpty)
            let push = try push(credential, 3)
            async let outcomes = Outcomes.of(push, by: provider)
            var streams = server.streams.makeAsyncIterator()
            try #require(await streams.next()).respond(status: 200)
            let second = try #require(await streams.next())

            var traffic = try #require(provider.traffic().first)
            #expect(traffic.queue == credential.credential.queue)
            #expect(traffic.inFlight == 2)
            #expect(traffic.answerTimes.total == 1)
            var connections = try #require(traffic.connections)
            #expect(connections.states == [.connecting: 0, .warming: 0, .open: 1, .draining: 0])
            // A connection tells of its load at the end of its turn, after the server has heard of the request.
            while connections.streams + connections.waiting != 2 {
                await Task.yield()
                connections = try #require(provider.traffic().first?.connections)
            }
            #expect(connections.streamLimit == 1)
            #expect(connections.opened == 1)
            #expect(Set(connections.failures.values) == [0])

            second.respond(status: 503, reason: "ServiceUnavailable")
            try #require(await streams.next()).respond(status: 200)
            #expect(await outcomes.count == 3)
            traffic = try #require(provider.traffic().first)
            #expect(provider.traffic().count == 1)
            #expect(traffic.inFlight == 0)
            #expect(traffic.answerTimes.total == 3)
            #expect(traffic.answerTimes.nanoseconds > 0)
            connections = try #require(traffic.connections)
            #expect(connections.waiting == 0)
        }
    }

    @Test("after a cancellation what is in flight has its outcome, and what was not sent has none")
    func cancellation() async throws {
        try await with { server, provider, _, credential in
            let push = try push(credential, 5)
            let sending = Task { await Outcomes.of(push, by: provider) }
            var streams = server.streams.makeAsyncIterator()
            let first = try #require(await streams.next())

            sending.cancel()
            first.respond(status: 200)

            #expect(await sending.value == [0: .accepted])
        }
    }

    @Test("after a cancellation what gets no answer within the grace period has an unknown outcome")
    func grace() async throws {
        try await with(grace: .milliseconds(50)) { server, provider, _, credential in
            let push = try push(credential, 3)
            let sending = Task { await Outcomes.of(push, by: provider) }
            var streams = server.streams.makeAsyncIterator()
            _ = try #require(await streams.next())

            sending.cancel()

            let outcomes = await sending.value
            #expect(Array(outcomes.keys) == [0])
            guard case .retry(let retry)? = outcomes[0] else {
                Issue.record("\(outcomes)")
                return
            }
            #expect(retry.kind == .connection)
        }
    }

    @Test("a task that was cancelled before it sends sends nothing")
    func cancelledBefore() async throws {
        try await with { _, provider, _, credential in
            let push = try push(credential, 3)
            let sending = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return await Outcomes.of(push, by: provider)
            }
            #expect(await sending.value.isEmpty)
            #expect(provider.routes.count == 0)
        }
    }

    @Test("a fresh token that counts as expired shows the difference of the clocks")
    func skew() async throws {
        try await with { server, provider, _, credential in
            let push = try push(credential, 1)
            async let outcomes = Outcomes.of(push, by: provider)
            var streams = server.streams.makeAsyncIterator()
            let stream = try #require(await streams.next())
            stream.respond(
                status: 403,
                headers: [HTTP2Header("date", "Wed, 15 Nov 2023 00:13:20 GMT")],
                reason: "ExpiredProviderToken"
            )
            guard case .misconfigured(let found)? = await outcomes[0] else {
                Issue.record("not for the operator")
                return
            }
            #expect(found.reason == "ExpiredProviderToken")
            #expect(found.advice.contains("7200 s behind"))
        }
    }

    @Test("a diagnosis compares the clocks")
    func diagnosedSkew() async throws {
        try await with { server, provider, _, credential in
            async let findings = provider.diagnose(credential)
            var streams = server.streams.makeAsyncIterator()
            let stream = try #require(await streams.next())
            stream.respond(
                status: 400,
                headers: [HTTP2Header("date", "Tue, 14 Nov 2023 22:11:20 GMT")],
                reason: "BadDeviceToken"
            )
            let found = await findings
            #expect(found.map(\.level) == [.ok, .ok, .ok, .warning])
            #expect(found.last?.subject == "apns/production clock")
            #expect(found.last?.message.contains("120 s ahead of") == true)
        }
    }

    @Test("what has not been sent with an expired token goes out with the new one, whichever push it is of")
    func expiredToken() async throws {
        try await with { server, provider, clock, credential in
            var streams = server.streams.makeAsyncIterator()
            async let warm = Outcomes.of(try push(credential, 1), by: provider)
            let opening = try #require(await streams.next())
            opening.respond(status: 200)
            #expect(try await warm == [0: .accepted])
            clock.advance(by: .seconds(30 * 60))

            let (one, other) = (try push(credential, 3), try push(credential, 2))
            async let first = Outcomes.of(one, by: provider)
            let refused = try #require(await streams.next())
            async let second = Outcomes.of(other, by: provider)
            try await provider.untilQueued(4, for: credential)
            refused.respond(status: 403, reason: "ExpiredProviderToken")

            // None of them reaches the server: the next request that does is one of a later push.
            let withdrawn = Outcome.reroute(reason: "ExpiredProviderToken")
            let expired = Outcome.retry(.init(reason: "ExpiredProviderToken", kind: .connection, after: .zero))
            #expect(await first == [0: expired, 1: withdrawn, 2: withdrawn])
            #expect(await second == [0: withdrawn, 1: withdrawn])
            async let later = Outcomes.of(one, by: provider)
            for _ in 0..<3 {
                let stream = try #require(await streams.next())
                #expect(stream.connection != refused.connection)
                #expect(stream.authorization != refused.authorization)
                stream.respond(status: 200)
            }
            #expect(await later.values.allSatisfy { $0 == .accepted })
            #expect(refused.authorization == opening.authorization)
        }
    }

    @Test("while no token may be minted nothing is sent, and the push is to be tried when one may")
    func resting() async throws {
        try await with { server, provider, clock, credential in
            var streams = server.streams.makeAsyncIterator()
            for (reason, minutes) in [("TooManyProviderTokenUpdates", 50), ("ExpiredProviderToken", 5)] {
                async let outcomes = Outcomes.of(try push(credential, 1), by: provider)
                let stream = try #require(await streams.next())
                if minutes == 50 { clock.advance(by: .seconds(minutes * 60)) }
                stream.respond(status: reason == "ExpiredProviderToken" ? 403 : 429, reason: reason)
                _ = try await outcomes
            }
            clock.advance(by: .seconds(5 * 60))

            let resting = try await Outcomes.of(push(credential, 2), by: provider)

            let retry = Outcome.Retry(reason: "TooManyProviderTokenUpdates", kind: .provider, after: .seconds(15 * 60))
            #expect(resting == [0: .retry(retry), 1: .retry(retry)])
            let findings = await provider.diagnose(credential)
            #expect(findings.last?.level == .warning)
            #expect(findings.last?.message.contains("2023-11-14T23:23:20Z") == true)
        }
    }

    @Test("after an unrelated key what has not been sent goes over a new connection, with the same token")
    func unrelatedKey() async throws {
        try await with { server, provider, _, credential in
            var streams = server.streams.makeAsyncIterator()
            async let outcomes = Outcomes.of(try push(credential, 3), by: provider)
            let refused = try #require(await streams.next())
            try await provider.untilQueued(2, for: credential)
            refused.respond(status: 403, reason: "UnrelatedKeyIdInToken")
            for _ in 0..<2 {
                let stream = try #require(await streams.next())
                #expect(stream.connection != refused.connection)
                #expect(stream.authorization == refused.authorization)
                stream.respond(status: 200)
            }
            let retry = Outcome.retry(.init(reason: "UnrelatedKeyIdInToken", kind: .connection, after: .zero))
            #expect(try await outcomes == [0: retry, 1: .accepted, 2: .accepted])
        }
    }

    @Test("a connection is warm after an answer that proves authentication, and then takes what SETTINGS say")
    func warmUp() async throws {
        try await with(maxStreams: 5) { server, provider, _, credential in
            var streams = server.streams.makeAsyncIterator()
            async let outcomes = Outcomes.of(try push(credential, 7), by: provider)
            let first = try #require(await streams.next())
            first.respond(status: 503, reason: "ServiceUnavailable")
            let second = try #require(await streams.next())
            #expect(await provider.connections(for: credential).map(\.state) == [.warming])
            #expect(await provider.connections(for: credential).map(\.streamLimit) == [1])
            second.respond(status: 400, reason: "BadDeviceToken")
            var held: [HeldServer.Held] = []
            for _ in 0..<5 { held.append(try #require(await streams.next())) }
            #expect(await provider.connections(for: credential).map(\.state) == [.open])
            #expect(await provider.connections(for: credential).map(\.streamLimit) == [5])
            for stream in held { stream.respond(status: 200) }
            #expect(try await outcomes.values.count { $0 == .accepted } == 5)
        }
    }

    @Test("answers about the token or about the server's state prove nothing")
    func provingAnswers() {
        #expect([200, 400, 404, 405, 410, 413].allSatisfy(APNsRoute.isAuthenticated))
        #expect(![100, 401, 403, 429, 500, 503].contains(where: APNsRoute.isAuthenticated))
    }
}

extension APNsProvider {
    /// The credential's connections at this moment.
    fileprivate func connections(for credential: OpenedCredential) async -> [HTTP2ClientConnection.Status] {
        (try? await routes.withRoute(for: credential, at: clock.now()) { $0.pool.status.connections }) ?? []
    }

    /// Waits until so many requests wait for a stream; fails after a minute.
    fileprivate func untilQueued(_ count: Int, for credential: OpenedCredential) async throws {
        let deadline = ContinuousClock.now + .seconds(60)
        while await connections(for: credential).reduce(0, { $0 + $1.queued }) != count {
            try #require(ContinuousClock.now < deadline, "\(count) requests did not come to wait")
            await Task.yield()
        }
    }
}
