import Crypto
import Logging
import MartletCore
import MartletSimulator
import MartletTesting
import MartletTransport
import NIOCore
import NIOPosix
import Testing

@testable import MartletProviders

@Suite("Cancellation and clocks")
struct HeldServerTests {
    /// A provider whose clock stands at 2023-11-14 22:13:20 UTC, and a key for the server.
    private func with(
        grace: Duration = .seconds(60),
        _ body: (HeldServer, APNsProvider, ManualClock, OpenedCredential) async throws -> Void
    ) async throws {
        try await HeldServer.with { server in
            let clock = ManualClock(Timestamp(milliseconds: 1_700_000_000_000))
            var settings = APNsSettings()
            settings.cancellationGrace = grace
            let provider = APNsProvider(
                group: MultiThreadedEventLoopGroup.singleton,
                clock: clock,
                settings: settings,
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            )
            let pem = P256.Signing.PrivateKey().pemRepresentation
            let credential = try Stored.credential(
                .signingKey(pem: pem, keyID: "ABCD1234", teamID: "TEAM1234"),
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

    @Test("after a cancellation what is in flight has its outcome, and what was not sent has none")
    func cancellation() async throws {
        try await with { server, provider, _, credential in
            let push = try push(credential, 5)
            let sending = Task { await Outcomes.of(push, by: provider) }
            var streams = server.streams.makeAsyncIterator()
            let first = try #require(await streams.next())

            sending.cancel()
            first.respond(status: 200, headers: [])

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
                body: ByteBuffer(string: #"{"reason":"ExpiredProviderToken"}"#)
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
                body: ByteBuffer(string: #"{"reason":"BadDeviceToken"}"#)
            )
            let found = await findings
            #expect(found.map(\.level) == [.ok, .ok, .ok, .warning])
            #expect(found.last?.subject == "apns/production clock")
            #expect(found.last?.message.contains("120 s ahead of") == true)
        }
    }
}
