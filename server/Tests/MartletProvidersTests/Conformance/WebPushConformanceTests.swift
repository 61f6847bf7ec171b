import Logging
import MartletCore
import MartletTesting
import MartletTransport
import MartletWire
import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import MartletProviders

@Suite("The rules of every provider, with Web Push", .timeLimit(.minutes(2)))
struct WebPushConformanceTests {
    @Test("Web Push", arguments: ProviderConformance.withoutAddress)
    func webPush(_ check: ProviderConformance.Check) async throws {
        let script = WebPushScript()
        try await FakePushService.with(streams: WebPushFixture.streams) {
            script.answer($0)
        } _: { service, url in
            var settings = WebPushSettings { _, channel in channel.eventLoop.makeSucceededVoidFuture() }
            settings.origins[WebPushFixture.origin] = try WebPushOrigin(url: url, trust: service.authorityPEM)
            settings.requestTimeout = TimeAmount(check.answerTimeout)
            settings.connectTimeout = TimeAmount(check.answerTimeout)
            settings.cancellationGrace = .milliseconds(100)
            let provider = WebPushProvider(
                group: MultiThreadedEventLoopGroup.singleton,
                clock: SystemClock(),
                settings: settings,
                resolve: { _ in [] },
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            )
            let fixture = WebPushFixture(script: script, webPush: provider, stored: try StoredWebPush.credential())
            let result: Result<Void, any Error>
            do { result = .success(try await check.run(fixture)) } catch { result = .failure(error) }
            await provider.shutdown()
            try result.get()
        }
    }
}

/// What a push service does with whom, and what it got.
private final class WebPushScript: Sendable {
    private struct State {
        var answers: [String: SimulatorAnswer] = [:]
        var answer: SimulatorAnswer?
        var received: [ReceivedByProvider] = []
    }

    private let state = Mutex(State())

    var received: [ReceivedByProvider] { state.withLock { $0.received } }

    func set(_ token: String?, _ answer: SimulatorAnswer) {
        state.withLock { state in
            if let token { state.answers[token] = answer } else { state.answer = answer }
        }
    }

    func answer(_ request: FakePushService.Request) -> (status: Int, headers: [HTTP2Header])? {
        let token = WebPushFixture.origin + request.path
        return state.withLock { state in
            let status: Int? =
                switch state.answers[token] ?? state.answer {
                case _ where Self.isRefused(request): 403
                case .gone: 410
                case .unavailable: 503
                case .silence: nil
                case nil: 201
                }
            state.received.append(ReceivedByProvider(token: token, isTaken: status == 201))
            return status.map { ($0, []) }
        }
    }

    /// Whether the VAPID token has the subject that this service does not like.
    private static func isRefused(_ request: FakePushService.Request) -> Bool {
        let parts = request.fields["authorization"]?.split(separator: ".") ?? []
        guard parts.count > 1, let claims = Base64URL.decode(parts[1]) else { return true }
        return String(decoding: claims, as: UTF8.self).contains("refused@")
    }
}

/// A push service that takes forty pushes at a time.
private struct WebPushFixture: ProviderFixture {
    static let origin = "https://updates.push.services.mozilla.com"
    static let streams = 10

    let script: WebPushScript
    let webPush: WebPushProvider
    let stored: OpenedCredential
    private let browser = TestBrowser()

    var provider: any Provider { webPush }
    var credential: OpenedCredential { stored }
    var refusedCredential: OpenedCredential {
        get throws {
            var refused = stored
            let keys = try WebPushSecret(bytes: stored.secret).keys
            refused.secret = try WebPushSecret(subject: "mailto:refused@example.com", keys: keys).bytes()
            return refused
        }
    }
    var unreadableCredential: CredentialDraft { CredentialDraft(.webpush(.init(subject: "mailto: x"))) }

    func token(_ number: Int) -> String { "\(Self.origin)/wpush/v2/\(number)" }
    var unstoredToken: (given: String, stored: String)? {
        ("HTTPS://Updates.push.services.mozilla.com:443/a", "\(Self.origin)/a")
    }
    var impossibleToken: String { "not-an-address" }
    var subscription: PushSubscription? { stored.credential.summary.keyID.map(browser.subscription(vapidKeyID:)) }

    var capacity: Int { WebPushService.connections(.mozilla) * Self.streams }

    func script(_ token: String?, _ answer: SimulatorAnswer) { script.set(token, answer) }
    var received: [ReceivedByProvider] { script.received }
}
