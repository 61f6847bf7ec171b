import AsyncHTTPClient
import Crypto
import HTTPTypes
import Hummingbird
import MartletCore
import MartletWire
import NIOCore
import Testing

@testable import MartletHTTP

@Suite("Fetching a key set", .timeLimit(.minutes(4)))
struct KeySetFetchTests {
    let tally = Tally()
    let key = P256.Signing.PrivateKey()
    var set: String { TokenFixture.set(TokenFixture.jwk(key, kid: "k1")) }

    func router() -> Router<BasicRequestContext> {
        let router = Router()
        let (set, tally) = (set, tally)
        router.get("jwks") { request, _ in
            tally.note("jwks for \(request.head.authority ?? "")")
            return set
        }
        router.get("moved") { _, _ in Response(status: .found, headers: [.location: "/jwks"]) }
        router.get("html") { _, _ in "<html>" }
        router.get("padded/:bytes") { _, context in
            let bytes = try context.parameters.require("bytes", as: Int.self)
            return set + String(repeating: " ", count: bytes - set.utf8.count)
        }
        router.get("silent") { _, _ in
            for await _ in AsyncStream<Void>.makeStream().stream {}
            return ""
        }
        router.get("stalled") { _, _ in
            Response(
                status: .ok,
                body: ResponseBody { writer in
                    try await writer.write(ByteBuffer(string: set))
                    for await _ in AsyncStream<Void>.makeStream().stream {}
                    try await writer.finish(nil)
                }
            )
        }
        return router
    }

    /// A fetch that may go to loopback, and whose names lead where the test says.
    func fetch(
        _ server: KeyServer,
        allowing: [String] = [KeyServer.name],
        to addresses: [String] = ["127.0.0.1"],
        deadline: Duration = KeySetFetch.deadline
    ) throws -> KeySetFetch {
        let tally = tally
        let found = addresses.compactMap(IPAddress.init)
        return KeySetFetch(
            privateHosts: try PrivateHostPolicy(allowing: allowing),
            eventLoopGroup: HTTPClient.defaultEventLoopGroup,
            tls: server.trust,
            resolve: { name in
                tally.note("resolve \(name)")
                return found
            },
            deadline: deadline
        )
    }

    func url(_ server: KeyServer, _ path: String, host: String = KeyServer.name) throws -> KeySetURL {
        try KeySetURL("https://\(host):\(server.port)/\(path)", field: "url")
    }

    func error(_ body: () async throws -> KeySet) async -> FetchError? {
        do {
            _ = try await body()
            return nil
        } catch {
            return error as? FetchError
        }
    }

    @Test("goes to the judged address, asks for the name and checks the certificate for the name")
    func goesToTheJudgedAddress() async throws {
        try await KeyServer.run(router()) { server in
            let keys = try await fetch(server)(url(server, "jwks"))
            #expect(keys.contains(kid: "k1"))
            // No name server knows this name: the connection can only have used the address that was judged.
            #expect(tally.all == ["resolve \(KeyServer.name)", "jwks for \(KeyServer.name):\(server.port)"])
        }
    }

    @Test("refuses a certificate for another name, even one that names the address")
    func checksTheName() async throws {
        try await KeyServer.run(router()) { server in
            let fetch = try fetch(server, allowing: ["other.example.test"])
            let other = try url(server, "jwks", host: "other.example.test")
            #expect(await error { try await fetch(other) } == .unreachable)
            #expect(tally.all == ["resolve other.example.test"])
        }
    }

    @Test("refuses a name when any of its addresses is private, before anything is connected")
    func refusesPrivateAddresses() async throws {
        try await KeyServer.run(router()) { server in
            let url = try url(server, "jwks")
            for addresses in [["127.0.0.1"], ["93.184.216.34", "127.0.0.1"], ["127.0.0.1", "93.184.216.34"]] {
                let fetch = try fetch(server, allowing: [], to: addresses)
                #expect(await error { try await fetch(url) } == .refused("loopback"))
            }
            let mapped = try fetch(server, allowing: [], to: ["::ffff:127.0.0.1"])
            #expect(await error { try await mapped(url) } == .refused("IPv4-mapped"))
            #expect(!tally.all.contains { $0.hasPrefix("jwks") })
        }
    }

    @Test("judges an address that stands in the URL")
    func judgesLiterals() async throws {
        try await KeyServer.run(router()) { server in
            let url = try url(server, "jwks", host: "127.0.0.1")
            let refused = try fetch(server, allowing: [])
            #expect(await error { try await refused(url) } == .refused("loopback"))
            let keys = try await fetch(server, allowing: ["127.0.0.0/8"])(url)
            #expect(keys.contains(kid: "k1"))
            #expect(tally.all == ["jwks for 127.0.0.1:\(server.port)"])
        }
    }

    @Test("resolves once, so that a second answer of the name server changes nothing")
    func resolvesOnce() async throws {
        try await KeyServer.run(router()) { server in
            let tally = tally
            var fetch = try fetch(server)
            fetch.resolve = { name in
                tally.note("resolve \(name)")
                let isFirst = tally.all.count == 1
                return [IPAddress(isFirst ? "127.0.0.1" : "127.0.0.9")].compactMap(\.self)
            }
            #expect(try await fetch(url(server, "jwks")).contains(kid: "k1"))
            #expect(tally.all.count { $0.hasPrefix("resolve") } == 1)
        }
    }

    @Test("tries the next address when one does not answer")
    func triesTheNextAddress() async throws {
        try await KeyServer.run(router()) { server in
            // The server listens on 127.0.0.1 alone.
            let keys = try await fetch(server, to: ["127.0.0.9", "127.0.0.1"])(url(server, "jwks"))
            #expect(keys.contains(kid: "k1"))
        }
    }

    @Test("follows no redirect")
    func followsNoRedirect() async throws {
        try await KeyServer.run(router()) { server in
            let fetch = try fetch(server)
            let url = try url(server, "moved")
            #expect(await error { try await fetch(url) } == .status(302))
            #expect(!tally.all.contains { $0.hasPrefix("jwks") })
        }
    }

    @Test("takes 256 KiB and not a byte more")
    func boundsTheAnswer() async throws {
        try await KeyServer.run(router()) { server in
            let fetch = try fetch(server)
            #expect(try await fetch(url(server, "padded/\(256 << 10)")).contains(kid: "k1"))
            let larger = try url(server, "padded/\((256 << 10) + 1)")
            #expect(await error { try await fetch(larger) } == .tooLarge)
        }
    }

    @Test("refuses what is missing or no key set")
    func refusesOtherAnswers() async throws {
        try await KeyServer.run(router()) { server in
            let fetch = try fetch(server)
            let missing = try url(server, "missing")
            #expect(await error { try await fetch(missing) } == .status(404))
            let html = try url(server, "html")
            guard case .notAKeySet = await error({ try await fetch(html) }) else {
                Issue.record("HTML was taken for a key set")
                return
            }
        }
    }

    @Test("ends at its deadline, whether the host, its body or the name server hangs")
    func endsAtTheDeadline() async throws {
        try await KeyServer.run(router()) { server in
            var fetch = try fetch(server, deadline: .milliseconds(300))
            for path in ["silent", "stalled"] {
                let url = try url(server, path)
                #expect(await error { try await fetch(url) } == .tooSlow)
            }
            fetch.resolve = { _ in
                for await _ in AsyncStream<Void>.makeStream().stream {}
                throw CancellationError()
            }
            let url = try url(server, "jwks")
            #expect(await error { try await fetch(url) } == .tooSlow)
        }
    }

    @Test("is unreachable where nobody listens")
    func isUnreachable() async throws {
        try await KeyServer.run(router()) { server in
            let fetch = try fetch(server, to: ["127.0.0.9"])
            let url = try url(server, "jwks")
            #expect(await error { try await fetch(url) } == .unreachable)
        }
    }

    @Test("lets a user token in from end to end")
    func verifiesTokens() async throws {
        try await KeyServer.run(router()) { server in
            let clock = ManualTime()
            let fetch = try fetch(server)
            let cache = TokenFixture.cache(clock) { try await fetch($0) }
            let verifier = UserTokenVerifier(vault: TokenFixture.vault, keySets: cache, clock: clock)
            let app = TokenFixture.app(.keySetURL("https://\(KeyServer.name):\(server.port)/jwks"))
            let claims = TokenFixture.claims(at: clock.now())
            let token = try TokenFixture.ecdsa(claims, header: #"{"alg":"ES256","kid":"k1"}"#, key: key)
            for _ in 0..<3 { #expect(try await verifier.verify(token, for: app).subject == "alice") }
            #expect(tally.all.count { $0.hasPrefix("jwks") } == 1)
        }
    }
}

@Suite("A certificate's name")
struct CertificateNameTests {
    @Test(
        "covers a host",
        arguments: [
            ("keys.example.com", true), ("KEYS.example.com", true), ("*.example.com", true), ("*.com", false),
            ("*", false), ("example.com", false), ("*.keys.example.com", false), ("k*.example.com", false),
            ("*.*.com", false), ("keys.example.com.evil.net", false), ("", false),
        ]
    )
    func covers(name: String, does: Bool) throws {
        #expect(CertificateName.covers(name, try #require(HostName("keys.example.com"))) == does)
    }
}

@Suite("Resolving names", .timeLimit(.minutes(4)))
struct NameResolverTests {
    @Test("finds loopback behind localhost and behind the short forms of an address")
    func findsLoopback() async throws {
        let resolver = NameResolver()
        for name in ["localhost", "127.1", "2130706433", "0x7f.1"] {
            let addresses = try await resolver.addresses(of: name)
            #expect(!addresses.isEmpty)
            for address in addresses { #expect(address.specialPurpose == "loopback", "\(name)") }
        }
    }

    @Test("says that a name has no address")
    func knowsNoNonsense() async {
        await #expect(throws: FetchError.unknownName) { try await NameResolver().addresses(of: "no name") }
    }
}
