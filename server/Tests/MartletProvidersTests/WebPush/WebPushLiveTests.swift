import CoreMetrics
import Logging
import MartletCore
import MartletTesting
import MartletTransport
import MartletWire
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization
import Testing

@testable import MartletProviders

@Suite("Pushes to browsers over the network", .timeLimit(.minutes(2)))
struct WebPushLiveTests {
    static let google = "https://fcm.googleapis.com"
    static let mozilla = "https://updates.push.services.mozilla.com"

    /// Runs `body` with a provider that reaches these origins at an address.
    func with(
        _ origins: [String],
        at url: String,
        trust: String,
        metrics: any MetricsFactory = NOOPMetricsHandler.instance,
        change: (inout WebPushSettings) -> Void = { _ in },
        _ body: (WebPushProvider) async throws -> Void
    ) async throws {
        var settings = WebPushSettings { _, channel in channel.eventLoop.makeSucceededVoidFuture() }
        for origin in origins { settings.origins[origin] = try WebPushOrigin(url: url, trust: trust) }
        settings.requestTimeout = .seconds(2)
        change(&settings)
        let provider = WebPushProvider(
            group: MultiThreadedEventLoopGroup.singleton,
            clock: SystemClock(),
            settings: settings,
            resolve: { _ in [IPAddress("127.0.0.1")!] },  // a literal
            metrics: metrics,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        let result: Result<Void, any Error>
        do { result = .success(try await body(provider)) } catch { result = .failure(error) }
        await provider.shutdown()
        try result.get()
    }

    func push(
        to addresses: [String],
        _ browser: TestBrowser = TestBrowser(),
        with credential: OpenedCredential? = nil
    ) throws -> Push {
        let credential = try credential ?? StoredWebPush.credential()
        let key = try #require(credential.credential.summary.keyID)
        return Push(
            credential: credential,
            message: try StoredWebPush.message(Rendering.submission(Content(title: "T"))),
            targets: addresses.enumerated().map { number, address in
                Push.Target(
                    token: address,
                    id: PublicID(high: 0x7000, low: 0x8000_0000_0000_0000 + UInt64(number)),
                    subscription: browser.subscription(vapidKeyID: key)
                )
            }
        )
    }

    func send(_ push: Push, by provider: WebPushProvider) async -> [Int: Outcome] {
        let outcomes = Outcomes()
        await provider.send(push) { outcomes.add($0, $1) }
        #expect(outcomes.repeated == 0)
        return outcomes.all
    }

    @Test("each browser opens its own message, over HTTP/2 and over HTTP/1.1", arguments: [true, false])
    func sealed(isHTTP2: Bool) async throws {
        try await FakePushService.with(isHTTP2: isHTTP2) { service, url in
            try await with([Self.google, Self.mozilla], at: url, trust: service.authorityPEM) { provider in
                let browser = TestBrowser()
                let credential = try StoredWebPush.credential()
                let addresses = (0..<150).map { "\($0 < 100 ? Self.google : Self.mozilla)/\($0)?a=b" }
                let outcomes = await send(try push(to: addresses, browser, with: credential), by: provider)
                #expect(outcomes.count == 150)
                #expect(outcomes.values.allSatisfy { $0 == .accepted })
                #expect(Set(service.requests.map(\.path)).count == 150)
                for request in service.requests {
                    #expect(try browser.open(request.body).text.starts(with: Array(#"{"notification":{"#.utf8)))
                    #expect(request.fields["content-encoding"] == "aes128gcm")
                    #expect(request.fields["ttl"] == "2419200")
                    let key = credential.credential.summary.topic
                    let authorization = request.fields["authorization"] ?? ""
                    #expect(authorization.hasPrefix("vapid t=ey") && authorization.hasSuffix(",k=\(key)"))
                }
                // One token for each origin, and no message twice the same.
                #expect(Set(service.requests.map { $0.fields["authorization"] }).count == 2)
                #expect(Set(service.requests.map(\.body)).count == 150)
            }
        }
    }

    @Test("a redirect is not followed, over HTTP/2 and over HTTP/1.1", arguments: [true, false])
    func redirect(isHTTP2: Bool) async throws {
        try await FakePushService.with { target, elsewhere in
            try await FakePushService.with(isHTTP2: isHTTP2) { _ in
                (302, [HTTP2Header("location", "\(elsewhere)/x")])
            } _: { service, url in
                try await with([Self.google], at: url, trust: service.authorityPEM) { provider in
                    let outcomes = await send(try push(to: ["\(Self.google)/a"]), by: provider)
                    #expect(outcomes == [0: .rejected(.init(reason: "HTTP 302"))])
                    #expect(service.requests.count == 1)
                    #expect(target.connectionCount == 0)
                }
            }
        }
    }

    @Test("an answer is of its own message, and a service that says nothing delays no other")
    func answers() async throws {
        try await FakePushService.with { request in
            switch request.path {
            case "/gone": (410, [])
            case "/busy": (429, [HTTP2Header("retry-after", "9")])
            case "/silent": nil
            default: (201, [])
            }
        } _: { service, url in
            // Far longer than the others' answers take on a busy machine.
            func wait(_ settings: inout WebPushSettings) { settings.requestTimeout = .seconds(8) }
            let hosts = [Self.google, Self.mozilla]
            try await with(hosts, at: url, trust: service.authorityPEM, change: wait) { provider in
                let paths = ["/ok", "/gone", "/busy"].map { Self.google + $0 } + ["\(Self.mozilla)/silent"]
                let order = Mutex<[Int]>([])
                let outcomes = Outcomes()
                await provider.send(try push(to: paths)) { index, outcome in
                    order.withLock { $0.append(index) }
                    outcomes.add(index, outcome)
                }
                #expect(outcomes.all[0] == .accepted)
                guard case .rejected(let gone)? = outcomes.all[1], case .unregistered? = Optional(gone.meaning) else {
                    Issue.record("\(String(describing: outcomes.all[1]))")
                    return
                }
                #expect(
                    outcomes.all[2] == .retry(.init(reason: "HTTP 429", kind: .overloaded, after: .seconds(9)))
                )
                #expect(outcomes.all[3] == .retry(.init(reason: "NoAnswerInTime", kind: .connection)))
                #expect(order.withLock { $0.last } == 3)
            }
        }
    }

    @Test("what a push service of one's own answers is its own trouble, and only too many is a matter of rates")
    func ownHost() async throws {
        try await FakePushService.with { request in
            switch request.path {
            case "/down": (503, [])
            case "/busy": (429, [])
            default: nil
            }
        } _: { service, url in
            let own = "https://up.example.org"
            try await with([own], at: url, trust: service.authorityPEM) { settings in
                settings.hosts = (try? WebPushHosts(["up.example.org"])) ?? .none
            } _: { provider in
                let outcomes = await send(try push(to: ["/down", "/busy", "/silent"].map { own + $0 }), by: provider)
                #expect(outcomes[0] == .retry(.init(reason: "HTTP 503", kind: .host)))
                #expect(outcomes[1] == .retry(.init(reason: "HTTP 429", kind: .rateLimited)))
                #expect(outcomes[2] == .retry(.init(reason: "NoAnswerInTime", kind: .host)))
            }
        }
    }

    @Test("a subscription without keys, with a key that is gone, or at a host that is not allowed, gets no packet")
    func refused() async throws {
        try await FakePushService.with { service, url in
            try await with([Self.google], at: url, trust: service.authorityPEM) { provider in
                var push = try push(to: ["\(Self.google)/a", "\(Self.google)/b", "https://push.example.org/c"])
                push.targets[0].subscription = nil
                push.targets[1].subscription = TestBrowser().subscription()
                let outcomes = await send(push, by: provider)
                #expect(outcomes[0] == .rejected(.init(reason: "NoSubscriptionKeys", meaning: .badToken)))
                #expect(outcomes[1] == .rejected(.init(reason: "UnknownVapidKey", meaning: .wrongTopic)))
                #expect(outcomes[2] == .rejected(.init(reason: "EndpointNotAllowed")))
                #expect(service.connectionCount == 0)
            }
        }
    }

    @Test("a host that leads to a private address is not connected to")
    func privateHost() async throws {
        try await with([], at: "", trust: "") { settings in
            settings.hosts = (try? WebPushHosts(["localhost"])) ?? .none
        } _: { provider in
            let outcomes = await send(try push(to: ["https://localhost/x"]), by: provider)
            guard case .retry(let retry)? = outcomes[0] else {
                Issue.record("\(outcomes)")
                return
            }
            #expect(retry.reason.contains("loopback"))
        }
    }

    @Test(
        "over HTTP/1.1 every address of a name is judged, and none is connected to when one is private",
        arguments: [
            ["127.0.0.1"], ["::1"], ["169.254.169.254"], ["10.1.2.3"], ["64:ff9b::a00:1"], ["1.1.1.1", "192.168.0.1"],
        ]
    )
    func judged(_ addresses: [String]) async throws {
        let asked = Mutex(0)
        let client = http1(host: "push.example.org") { _ in
            asked.withLock { $0 += 1 }
            return addresses.compactMap(IPAddress.init)
        }
        let result = await client.send(path: "/", authority: "push.example.org", fields: [], body: [])
        #expect(client.traffic.failures["forbidden"] == 1)
        client.close()
        guard case .failure(.unsent(let reason)) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(reason.contains("has not allowed the host"))
        #expect(asked.withLock { $0 } == 1)
    }

    @Test("a name is resolved once for a connection, which goes to the address that was judged")
    func rebinding() async throws {
        try await FakePushService.with(isHTTP2: false) { service, url in
            let port = try ServerAddress(url: url).port
            let asked = Mutex(0)
            let policy = try PrivateHostPolicy(allowing: ["127.0.0.1"])
            let client = http1(host: "push.example.org", port: port, policy) { _ in
                // The second answer would lead elsewhere.
                asked.withLock { count in
                    count += 1
                    return [IPAddress(count == 1 ? "127.0.0.1" : "10.0.0.1")!]  // literals
                }
            }
            _ = await client.send(path: "/", authority: "push.example.org", fields: [], body: [])
            client.close()
            #expect(asked.withLock { $0 } == 1)
            #expect(service.connectionCount == 1)
        }
    }

    private func http1(
        host: String,
        port: Int = 443,
        _ policy: PrivateHostPolicy = .publicOnly,
        resolve: @escaping @Sendable (String) async throws -> [IPAddress]
    ) -> WebPushHTTP1 {
        WebPushHTTP1(
            address: ServerAddress(host: host, port: port),
            tls: .makeClientConfiguration(),
            privateHosts: policy,
            connections: 1,
            settings: WebPushSettings { _, channel in channel.eventLoop.makeSucceededVoidFuture() },
            resolve: resolve,
            group: MultiThreadedEventLoopGroup.singleton
        )
    }

    @Test("a cancelled push returns soon, and what was not sent has no outcome")
    func cancelled() async throws {
        try await FakePushService.with(answering: { _ in nil }) { service, url in
            try await with([Self.google], at: url, trust: service.authorityPEM) { settings in
                settings.cancellationGrace = .milliseconds(50)
                settings.requestTimeout = .seconds(60)
            } _: { provider in
                let push = try push(to: (0..<5).map { "\(Self.google)/\($0)" })
                let sending = Task { await send(push, by: provider) }
                try await Eventually.is("five requests are there") { service.requests.count == 5 }
                sending.cancel()
                let outcomes = await sending.value
                #expect(outcomes.values.allSatisfy { $0 != .accepted })
            }
        }
    }
}
