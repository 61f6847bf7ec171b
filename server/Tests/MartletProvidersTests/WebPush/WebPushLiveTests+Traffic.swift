import CoreMetrics
import MartletCore
import MartletSimulator
import MartletTesting
import MartletTransport
import MartletWire
import NIOCore
import Synchronization
import Testing

@testable import MartletProviders

// What an operator sees of Web Push.
extension WebPushLiveTests {
    private static let apple = "https://web.push.apple.com"

    @Test("connections and what is in flight are told by push service", arguments: [true, false])
    func traffic(isHTTP2: Bool) async throws {
        try await FakePushService.with(isHTTP2: isHTTP2) { request in
            request.path == "/silent" ? nil : (201, [])
        } _: { service, url in
            try await with([Self.google, Self.mozilla], at: url, trust: service.authorityPEM) { settings in
                settings.cancellationGrace = .milliseconds(50)
                settings.requestTimeout = .seconds(60)
            } _: { provider in
                #expect(provider.traffic().isEmpty)
                #expect(await send(try push(to: ["\(Self.google)/a"]), by: provider) == [0: .accepted])
                let one = try #require(provider.traffic().first)
                #expect(provider.traffic().count == 1 && one.queue.environment == .google)
                #expect(one.inFlight == 0 && one.answerTimes.total == 1)
                let connections = try #require(one.connections)
                #expect(connections.states == [.connecting: 0, .warming: 0, .open: 1, .draining: 0])
                // Over HTTP/2 one more, which found out that it is spoken.
                #expect(connections.opened == (isHTTP2 ? 2 : 1))
                #expect(connections.streamLimit >= 1 && connections.waiting == 0)
                #expect(Set(connections.failures.values) == [0] && connections.failures["tls"] != nil)

                let silent = try push(to: ["\(Self.mozilla)/silent"])
                let sending = Task { await send(silent, by: provider) }
                func of(_ service: Environment) -> QueueTraffic? {
                    provider.traffic().first { $0.queue.environment == service }
                }
                try await Eventually.is("Mozilla's push is under way") {
                    of(.mozilla)?.connections?.streams == 1 && of(.mozilla)?.inFlight == 1
                }
                #expect(of(.google)?.connections?.streams == 0)
                sending.cancel()
                _ = await sending.value
                #expect(of(.mozilla)?.inFlight == 0)
            }
        }
    }

    @Test("a connection that cannot be opened is counted, by how far it came")
    func unreachable() async throws {
        let trust = try SimulatorAuthority().certificatePEM
        // The port of tcpmux, where nobody listens.
        try await with([Self.google], at: "https://127.0.0.1:1", trust: trust) { provider in
            _ = await send(try push(to: ["\(Self.google)/a"]), by: provider)
            let traffic = try #require(provider.traffic().first)
            #expect(traffic.queue.environment == .google && traffic.inFlight == 0)
            let connections = try #require(traffic.connections)
            #expect(connections.failures["connect"] == 1 && connections.opened == 0)
            #expect(connections.failures.values.reduce(0, +) == 1)
        }
    }

    @Test("what was opened is still counted when the connections to an origin are closed")
    func closed() async throws {
        try await FakePushService.with { service, url in
            try await with([Self.google, Self.mozilla], at: url, trust: service.authorityPEM) { settings in
                settings.connections = 1
            } _: { provider in
                for origin in [Self.google, Self.mozilla] {
                    #expect(await send(try push(to: ["\(origin)/a"]), by: provider) == [0: .accepted])
                }
                let google = try #require(provider.traffic().first { $0.queue.environment == .google }?.connections)
                #expect(google.opened == 2 && google.states[.open] == 0)
            }
        }
    }

    @Test("a refusal that is our mistake is counted, over HTTP/2 and over HTTP/1.1", arguments: [true, false])
    func defects(isHTTP2: Bool) async throws {
        let metrics = CounterSums()
        try await FakePushService.with(isHTTP2: isHTTP2, saying: #"{"reason":"BadTtl"}"#) { request in
            request.path == "/wrong" ? (400, []) : (201, [])
        } _: { service, url in
            try await with([Self.apple], at: url, trust: service.authorityPEM, metrics: metrics) { provider in
                let outcomes = await send(
                    try push(to: ["\(Self.apple)/right", "\(Self.apple)/wrong"]),
                    by: provider
                )
                #expect(outcomes == [0: .accepted, 1: .rejected(.init(reason: "BadTtl"))])
            }
        }
        #expect(metrics.all == ["martlet_provider_defects_total platform=webpush reason=BadTtl": 1])
    }

    @Test("a browser at a UnifiedPush host that the operator names gets a sealed message, and one at another host none")
    func unifiedPush() async throws {
        let origin = "https://up.example.org"
        try await FakePushService.with(isHTTP2: false) { service, url in
            try await with([origin], at: url, trust: service.authorityPEM) { settings in
                settings.hosts = (try? WebPushHosts(["up.example.org"])) ?? .none
            } _: { provider in
                let endpoint = try provider.normalize("\(origin)/upABC?up=1", field: "token")
                #expect(provider.environment(of: endpoint) == .otherService)
                #expect(throws: Failure.self) { try provider.normalize("https://up.example.net/x", field: "token") }
                let browser = TestBrowser()
                let outcomes = await send(try push(to: [endpoint, "https://up.example.net/x"], browser), by: provider)
                #expect(outcomes == [0: .accepted, 1: .rejected(.init(reason: "EndpointNotAllowed"))])
                let request = try #require(service.requests.first)
                #expect(service.requests.count == 1 && request.path == "/upABC?up=1")
                #expect(request.fields["host"] == "up.example.org")
                #expect(request.fields["content-encoding"] == "aes128gcm")
                #expect(try browser.open(request.body).text.starts(with: Array(#"{"notification":{"#.utf8)))
                let claims = request.fields["authorization"]?.split(separator: ".").dropFirst().first
                let text = String(decoding: Base64URL.decode(claims ?? "") ?? [], as: UTF8.self)
                #expect(text.replacing("\\/", with: "/").contains(#""aud":"https://up.example.org""#), "\(text)")
            }
        }
    }
}

/// What counters come to, by their names and dimensions.
private final class CounterSums: MetricsFactory {
    private final class Handler: CounterHandler {
        let count = Mutex<Int64>(0)

        func increment(by amount: Int64) { count.withLock { $0 += amount } }
        func reset() { count.withLock { $0 = 0 } }
    }

    private let handlers = Mutex<[String: Handler]>([:])

    var all: [String: Int64] { handlers.withLock { $0.mapValues { $0.count.withLock { $0 } } } }

    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        let name = ([label] + dimensions.map { "\($0.0)=\($0.1)" }).joined(separator: " ")
        return handlers.withLock { handlers in
            let handler = handlers[name] ?? Handler()
            handlers[name] = handler
            return handler
        }
    }

    func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        NOOPMetricsHandler.instance
    }

    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler { NOOPMetricsHandler.instance }

    func destroyCounter(_ handler: any CounterHandler) {}
    func destroyRecorder(_ handler: any RecorderHandler) {}
    func destroyTimer(_ handler: any TimerHandler) {}
}
