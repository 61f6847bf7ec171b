import Hummingbird
import MartletCore
import NIOPosix
import NIOSSL
import Testing

@testable import MartletHTTP
@testable import MartletWebhooks

@Suite("A call of an https webhook URL")
struct WebhookSenderTests {
    private static func send(
        to url: String,
        trusting tls: TLSConfiguration?,
        resolving addresses: [String] = ["127.0.0.1"]
    ) async throws -> WebhookAnswer {
        let clients = WebhookClients(
            group: MultiThreadedEventLoopGroup.singleton,
            tls: tls,
            checkName: CertificateName.demand
        )
        defer { clients.close() }
        let sender = WebhookSender(
            privateHosts: try PrivateHostPolicy(allowing: ["127.0.0.0/8"]),
            clients: clients,
            resolve: { _ in addresses.compactMap { IPAddress($0) } },
            clock: SystemClock()
        )
        let request = WebhookRequest(
            url: try #require(WebhookURL(url)),
            fields: [.init(name: "Content-Type", value: "text/plain")],
            body: Array("hello".utf8)
        )
        return await sender.send(request)
    }

    @Test("goes through when the certificate is trusted and names the host")
    func certificates() async throws {
        let (router, tally) = (Router(), Tally())
        router.post("hook") { request, _ in
            tally.note(String(buffer: try await request.body.collect(upTo: 100)))
            return HTTPResponse.Status.accepted
        }
        try await KeyServer.run(router) { server in
            let url = "https://\(KeyServer.name):\(server.port)/hook"
            #expect(try await Self.send(to: url, trusting: server.trust) == .status(202))
            let other = "https://other.example.test:\(server.port)/hook"
            for answer in [
                try await Self.send(to: url, trusting: nil), try await Self.send(to: other, trusting: server.trust),
            ] {
                guard case .failed = answer else {
                    Issue.record("not refused: \(answer)")
                    continue
                }
            }
        }
        #expect(tally.all == ["hello"])
    }

    @Test("tries the next address of the name where nobody listens at the first")
    func addresses() async throws {
        let router = Router()
        router.post("hook") { _, _ in HTTPResponse.Status.ok }
        try await KeyServer.run(router) { server in
            let url = "https://\(KeyServer.name):\(server.port)/hook"
            let answer = try await Self.send(
                to: url,
                trusting: server.trust,
                resolving: ["127.9.9.9", "127.0.0.1"]
            )
            #expect(answer == .status(200))
        }
    }
}
