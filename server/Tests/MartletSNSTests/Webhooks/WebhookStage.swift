import AsyncHTTPClient
import Crypto
import Foundation
import Hummingbird
import HummingbirdTesting
import Logging
import MartletPipeline
import MartletSQLite
import MartletStore
import MartletTesting
import MartletWire
import NIOCore
import NIOHTTP1
import NIOPosix
import Testing

@testable import MartletCore
@testable import MartletHTTP
@testable import MartletSNS
@testable import MartletWebhooks

/// A server and a webhook URL, both on loopback: what waits for the address is delivered a round at a time, or by a
/// dispatcher that runs.
struct WebhookStage: Sendable {
    let store: Store
    let clock: ManualClock
    let vault: Vault
    let wakeUps: WakeUps
    let metrics: PrometheusRegistry
    let service: SNSService
    let dispatcher: WebhookDispatcher
    let receiver: Receiver
    let receiverPort: Int
    /// Where the server is reached.
    let url: String
    let topic: Topic

    /// The receiver's address.
    func address(_ path: String = "/hook") -> String { "http://127.0.0.1:\(receiverPort)\(path)" }

    /// Runs a test.
    ///
    /// - Parameters:
    ///   - inside: what the operator allows.
    ///   - resolve: the addresses of names.
    ///   - file: where the store is; `nil` is in memory.
    static func run(
        inside: [String] = ["127.0.0.1"],
        file: String? = nil,
        resolve: (@Sendable (String) async throws -> [IPAddress])? = nil,
        _ test: @escaping @Sendable (WebhookStage) async throws -> Void
    ) async throws {
        let clock = ManualClock(Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000)))
        let store =
            if let file { try await SQLiteStore.open(at: file, clock: clock) } else {
                try await SQLiteStore.inMemory(clock: clock)
            }
        let vault = Vault(key: SymmetricKey(size: .bits256))
        let wakeUps = WakeUps()
        // Hummingbird keeps the id of a request in its logger's metadata, which a handler that drops everything does not.
        var loud = Logger(label: "test")
        loud.logLevel = .critical
        let logger = loud
        let submitter = Harness.submitter(store, [:], clock, wakeUps)
        let credentials = CredentialService(store: store, providers: [:], vault: vault)
        var settings = SNSSettings()
        settings.privateHosts = try PrivateHostPolicy(allowing: inside)
        let metrics = PrometheusRegistry()
        let (api, service) = Harness.interfaces(
            store,
            vault,
            credentials,
            submitter,
            clock,
            wakeUps,
            settings: settings,
            metrics: metrics,
            logger: logger
        )
        let router: @Sendable () -> Router<APIContext> = {
            let router = api.router()
            service.addRoutes(to: router)
            return router
        }
        var dispatcher = Harness.webhookDispatcher(service, metrics: metrics)
        if let resolve { dispatcher.resolve = resolve }
        let running = dispatcher
        let topic = try await store.createTopic(TopicDraft(region: "eu-west-1", name: "news")).topic
        let receiver = Receiver()
        try await Application(router: receiver.router(), logger: logger).test(.live) { hook in
            try await Application(router: router(), logger: logger).test(.live) { client in
                let stage = WebhookStage(
                    store: store,
                    clock: clock,
                    vault: vault,
                    wakeUps: wakeUps,
                    metrics: metrics,
                    service: service,
                    dispatcher: running,
                    receiver: receiver,
                    receiverPort: try #require(hook.port),
                    url: "http://127.0.0.1:\(try #require(client.port))",
                    topic: topic
                )
                service.address.listen(at: stage.url)
                defer { receiver.close() }
                try await test(stage)
            }
        }
        await store.close()
    }

    /// How many deliveries came to this, by `martlet_webhook_deliveries_total`.
    func number(of result: String) -> Int {
        let start = "martlet_webhook_deliveries_total{result=\"\(result)\"} "
        let line = metrics.text().split(separator: "\n").first { $0.hasPrefix(start) }
        return line.flatMap { Int($0.dropFirst(start.count)) } ?? 0
    }

    /// A call as it comes in without a signature.
    func call(_ action: SNSAction, region: String = "eu-west-1") throws -> SNSCall {
        SNSCall(
            form: try FormParameters(query: "", body: []),
            scope: ARNScope(region: region, account: "123456789012", action: action),
            caller: nil
        )
    }

    /// Makes a call whose signature was checked, and says what its result holds.
    func perform(_ query: String) async throws -> String {
        let form = try FormParameters(query: query, body: [])
        let scope = ARNScope(region: "eu-west-1", account: "123456789012", action: try form.action())
        let caller = StoredAccessKey(
            row: RowID(1),
            id: "AKIAIOSFODNN7EXAMPLE",
            sealed: [],
            name: "test",
            createdAt: clock.now(),
            revokedAt: nil
        )
        let call = SNSCall(form: form, scope: scope, caller: caller)
        var writer = AnswerWriter()
        if let result = try await service.perform(call) { result(&writer) }
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// Subscribes a webhook URL.
    func subscribe(
        _ address: String? = nil,
        _ attributes: [String: String] = [:],
        isPending: Bool = false,
        to other: Topic? = nil
    ) async throws -> Subscription {
        let address = address ?? self.address()
        var draft = SubscriptionDraft(topic: (other ?? topic).row, subject: .webhook(address), address: address)
        draft.attributes = attributes
        draft.isPending = isPending
        return try await store.subscribe(draft).subscription
    }

    /// What confirms a subscription, made now.
    func token(of subscription: Subscription) throws -> String {
        try ConfirmationToken(of: subscription.id, at: clock.now()).text(vault)
    }

    /// Subscribes so many paths of so many hosts of their own, all of them the receiver.
    func subscribe(hosts: Int, paths: Int, under path: String) async throws {
        let name = path.dropFirst()
        for host in 0..<hosts {
            for number in 0..<paths {
                _ = try await subscribe("http://\(name)\(host).example:\(receiverPort)\(path)/\(host)/\(number)")
            }
        }
    }

    /// Returns when a dispatcher has delivered so many.
    func untilDelivered(_ count: Int) async throws {
        while number(of: "delivered") < count {
            try Task.checkCancellation()
            await Task.yield()
        }
    }

    /// Stops a dispatcher; calls that hang are answered.
    func stop(_ running: Task<Void, Never>) async {
        running.cancel()
        receiver.close()
        await running.value
    }

    /// Publishes a message to the topic's webhook URLs and says its id.
    @discardableResult
    func publish(
        _ text: String = "hello",
        secure: String? = nil,
        subject: String? = nil,
        attributes: [WebhookDocument.Attribute] = [],
        to other: Topic? = nil
    ) async throws -> PublicID {
        let topic = try #require(try await store.topic(.row((other ?? topic).row)))
        var random = SystemRandomNumberGenerator()
        let id = PublicID(milliseconds: clock.now().rawValue, using: &random)
        let message = try WebhookMessage(
            id: id,
            topic: topic,
            message: text,
            secureMessage: secure,
            subject: subject,
            attributes: attributes,
            filtered: TopicMessage(),
            group: nil,
            publishedAt: clock.now(),
            call(.publish)
        )
        if try await store.enqueue(message) { wakeUps.notify(.webhooks) }
        return id
    }

    /// Delivers what is due, once; says how many deliveries that were.
    ///
    /// - Parameter start: when they were leased.
    @discardableResult
    func round(since start: ContinuousClock.Instant = .now) async throws -> Int {
        while try await store.fanOutWebhooks(after: nil, limit: 100) != nil {}
        let lease = Lease(holder: Int64.random(in: 1...Int64.max))
        let leased = try await store.leaseWebhooks(Permits(total: 100, perQueue: 100), lease: lease).deliveries
        let clients = WebhookClients(group: MultiThreadedEventLoopGroup.singleton, checkName: CertificateName.demand)
        let sender = dispatcher.sender(over: clients)
        await withTaskGroup(of: Void.self) { group in
            for delivery in leased {
                group.addTask { await dispatcher.work(on: delivery, lease, since: start, sender) }
            }
        }
        clients.close()
        return leased.count
    }

    /// Posts nothing to a path of the server.
    func post(_ path: String, key: String? = nil) async throws -> (status: Int, body: String, isReplayed: Bool) {
        var request = HTTPClientRequest(url: url + path)
        request.method = .POST
        if let key { request.headers.add(name: "Authorization", value: "Bearer \(key)") }
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(120))
        let body = String(buffer: try await response.body.collect(upTo: 1 << 20))
        return (Int(response.status.code), body, response.headers["Idempotent-Replayed"].first == "true")
    }

    /// Follows a link, or asks for a path of the server.
    ///
    /// - Parameter host: what the request says that it calls, in place of the server's address.
    func get(_ path: String, key: String? = nil, host: String? = nil) async throws -> (status: Int, body: String) {
        var request = HTTPClientRequest(url: path.hasPrefix("http") ? path : url + path)
        if let host { request.headers.add(name: "Host", value: host) }
        if let key { request.headers.add(name: "Authorization", value: "Bearer \(key)") }
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(120))
        return (Int(response.status.code), String(buffer: try await response.body.collect(upTo: 1 << 20)))
    }
}

/// An envelope as a subscriber reads it.
struct ReadEnvelope {
    let members: [String: String]
    let attributes: [String: [String: String]]

    init(_ body: String) throws {
        let object = try JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any]
        let value = try #require(object)
        members = value.compactMapValues { $0 as? String }
        attributes = value["MessageAttributes"] as? [String: [String: String]] ?? [:]
    }

    subscript(name: String) -> String { members[name] ?? "" }

    /// Verifies the signature with openssl and the certificate that the envelope names.
    func verify(with stage: WebhookStage) async throws {
        let certificate = try await stage.get(self["SigningCertURL"])
        #expect(certificate.status == 200)
        let tool = try OpenSSL()
        defer { tool.remove() }
        let names =
            self["Type"] == "Notification"
            ? ["Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type"]
            : ["Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"]
        let text = names.filter { members[$0] != nil }.map { "\($0)\n\(self[$0])\n" }.joined()
        try tool.write("cert.pem", Data(certificate.body.utf8))
        try tool.write("text", Data(text.utf8))
        try tool.write("signature", try #require(Data(base64Encoded: self["Signature"])))
        try tool.run("x509 -in cert.pem -pubkey -noout -out key.pem")
        let hash = self["SignatureVersion"] == "2" ? "sha256" : "sha1"
        try tool.run("dgst -\(hash) -verify key.pem -signature signature text")
    }
}
