import AsyncHTTPClient
import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import MartletPipeline
import MartletProviders
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

/// The whole interface on loopback, over a store in memory: signed calls over real connections, credentials checked and
/// messages rendered as for APNs, pushes answered as a script says.
struct Harness: Sendable {
    static let region = "us-east-1"
    static let account = "123456789012"

    let store: Store
    /// Stands at the moment at which the test began, so that clients with a clock of their own sign well.
    let clock: ManualClock
    /// What is sent, and how it is answered.
    let pushes: ScriptedProvider
    let port: Int
    /// The access key that calls are signed with.
    var key: Key
    /// A key of the REST interface that may do everything.
    var admin: String
    let vault: Vault

    /// What a REST call does.
    struct Method: ExpressibleByStringLiteral, Sendable {
        static let GET: Method = "GET"
        static let POST: Method = "POST"
        static let PUT: Method = "PUT"
        static let PATCH: Method = "PATCH"
        static let DELETE: Method = "DELETE"

        let rawValue: String
        init(stringLiteral value: String) { rawValue = value }
    }

    /// An access key with its secret.
    struct Key: Sendable {
        var id: String
        var secret: String
    }

    /// `http://127.0.0.1:PORT`, without a path.
    var url: String { "http://127.0.0.1:\(port)" }

    /// Runs a test against a fresh server.
    ///
    /// - Parameters:
    ///   - delivers: whether what is published is also delivered, to ``pushes``.
    ///   - hasGoogle: whether there is a provider for FCM, whose pushes go to ``pushes`` too.
    ///   - file: where the store is; `nil` is in memory.
    static func run(
        settings: SNSSettings = SNSSettings(),
        delivers: Bool = false,
        hasGoogle: Bool = false,
        file: String? = nil,
        options: Store.Options = Store.Options(),
        _ test: @escaping @Sendable (Harness) async throws -> Void
    ) async throws {
        let clock = ManualClock(Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000)))
        let store =
            if let file { try await SQLiteStore.open(at: file, clock: clock, options: options) } else {
                try await SQLiteStore.inMemory(clock: clock, options: options)
            }
        let logger = quietLogger
        let apns = APNsProvider(group: MultiThreadedEventLoopGroup.singleton, clock: clock, logger: logger)
        let pushes = ScriptedProvider()
        var providers: [Platform: any Provider] = [.apns: CheckedProvider(checks: apns, sends: pushes)]
        let fcm = FCMProvider(group: MultiThreadedEventLoopGroup.singleton, clock: clock, logger: logger)
        if hasGoogle { providers[.fcm] = CheckedProvider(checks: fcm, sends: pushes) }
        let vault = Vault(key: SymmetricKey(size: .bits256))
        let wakeUps = WakeUps()
        let credentialService = CredentialService(store: store, providers: providers, vault: vault)
        let failures = DeliveryFailures()
        let accepts = submitter(store, providers, clock, wakeUps)
        let (api, service) = interfaces(
            store,
            vault,
            credentialService,
            accepts,
            clock,
            wakeUps,
            settings: settings,
            metrics: PrometheusRegistry(),
            logger: logger
        )
        let admin = Secret(prefix: "mk_admin_")
        _ = try await store.createKey(app: nil, scope: .admin, name: "test", prefix: "mk_", hash: admin.hash)
        let key = try await makeKey(in: store, vault)
        let dispatcher = dispatcher(store, providers, credentialService, clock, wakeUps, failures)
        let router = api.router()
        service.addRoutes(to: router)
        let webhooks = webhookDispatcher(service)
        try await Application(router: router, logger: logger).test(.live) { client in
            service.address.listen(at: "http://127.0.0.1:\(try #require(client.port))")
            let harness = Harness(
                store: store,
                clock: clock,
                pushes: pushes,
                port: try #require(client.port),
                key: key,
                admin: admin.text,
                vault: vault
            )
            let worker =
                delivers
                ? Task { await work(dispatcher, webhooks, DeliveryFailureEvents(service: service, failures: failures)) }
                : nil
            defer { worker?.cancel() }
            try await test(harness)
            worker?.cancel()
            await worker?.value
        }
        await apns.shutdown()
        await store.close()
    }

    /// Both interfaces over a store.
    static func interfaces(
        _ store: Store,
        _ vault: Vault,
        _ credentials: CredentialService,
        _ submitter: Submitter,
        _ clock: any WallClock,
        _ wakeUps: WakeUps,
        settings: SNSSettings,
        metrics: PrometheusRegistry,
        logger: Logger
    ) -> (MartletAPI, SNSService) {
        let api = MartletAPI(
            store: store,
            providers: credentials.providers,
            vault: vault,
            clock: clock,
            submitter: submitter,
            wakeUps: wakeUps,
            credentials: credentials,
            keySets: KeySetCache(privateHosts: .publicOnly, clock: clock, logger: logger),
            metrics: metrics,
            breakers: QueueBreakers(),
            delivery: DeliveryMetrics(),
            logger: logger
        )
        let service = SNSService(
            store: store,
            submitter: submitter,
            credentials: credentials,
            vault: vault,
            clock: clock,
            wakeUps: wakeUps,
            settings: settings,
            homeRegion: Topic.defaultRegion,
            logger: logger
        )
        return (api, service)
    }

    private static func dispatcher(
        _ store: Store,
        _ providers: [Platform: any Provider],
        _ credentials: CredentialService,
        _ clock: any WallClock,
        _ wakeUps: WakeUps,
        _ failures: DeliveryFailures
    ) -> Dispatcher {
        Dispatcher(
            store: store,
            providers: providers,
            credentials: credentials,
            clock: clock,
            wakeUps: wakeUps,
            inlineDispatch: InlineDispatch(),
            metrics: DeliveryMetrics(),
            breakers: QueueBreakers(),
            onSettlement: failures.settled,
            logger: quietLogger
        )
    }

    /// What accepts, without a dispatcher at its side.
    static func submitter(
        _ store: Store,
        _ providers: [Platform: any Provider],
        _ clock: any WallClock,
        _ wakeUps: WakeUps
    ) -> Submitter {
        Submitter(
            store: store,
            providers: providers,
            clock: clock,
            wakeUps: wakeUps,
            inlineDispatch: InlineDispatch(),
            metrics: DeliveryMetrics()
        )
    }

    /// One that keeps metadata: a request's id is in them.
    private static var quietLogger: Logger {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        return logger
    }

    /// What runs beside the interface.
    private static func work(
        _ dispatcher: Dispatcher,
        _ webhooks: WebhookDispatcher,
        _ events: DeliveryFailureEvents
    ) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await dispatcher.run() }
            group.addTask { await events.run() }
            group.addTask { await webhooks.run() }
        }
    }

    /// What calls webhook URLs for an interface.
    static func webhookDispatcher(
        _ service: SNSService,
        metrics: PrometheusRegistry = PrometheusRegistry()
    ) -> WebhookDispatcher {
        let requests = WebhookRequestBuilder(service)
        return WebhookDispatcher(
            store: service.store,
            vault: service.vault,
            clock: service.clock,
            wakeUps: service.wakeUps,
            request: { try await requests.request(for: $0, $1, to: $2, $3) },
            checkName: CertificateName.demand,
            privateHosts: service.settings.privateHosts,
            metrics: metrics,
            logger: service.logger
        )
    }

    /// Stores another access key.
    static func makeKey(in store: Store, _ vault: Vault) async throws -> Key {
        let key = AccessKey()
        let sealed = try vault.seal(Array(key.secret.utf8), for: StoredAccessKey.purpose(of: key.id))
        _ = try await store.createAccessKey(id: key.id, sealed: sealed, name: "test")
        return Key(id: key.id, secret: key.secret)
    }

    /// Makes one signed call.
    ///
    /// - Parameters:
    ///   - parameters: all but `Action` and `Version`, in this order.
    ///   - region: the region that it is signed for.
    func call(
        _ action: String,
        _ parameters: [(String, String)] = [],
        region: String = Harness.region
    ) async throws -> Reply {
        let form = ([("Action", action), ("Version", "2010-03-31")] + parameters)
            .map { "\(SignedQuery.escaped($0.utf8))=\(SignedQuery.escaped($1.utf8))" }
            .joined(separator: "&")
        return try await post(Array(form.utf8), region: region)
    }

    /// Sends a form as it is, signed.
    ///
    /// - Parameter token: a session token, which is signed with it.
    func post(_ form: [UInt8], region: String = Harness.region, token: String? = nil) async throws -> Reply {
        var signer = RequestSigner()
        if let token { signer.extra = [("X-Amz-Security-Token", token)] }
        signer.keyID = key.id
        signer.secret = key.secret
        signer.region = region
        signer.time = SigningTime(clock.now()).description
        signer.host = "127.0.0.1:\(port)"
        signer.body = form
        let headers = "content-type;host;x-amz-date" + (token == nil ? "" : ";x-amz-security-token")
        let signed = try signer.signed(headers: headers)
        var request = HTTPClientRequest(url: url + "/")
        request.method = .POST
        for field in signed.fields { request.headers.add(name: field.name.rawName, value: field.value) }
        request.body = .bytes(ByteBuffer(bytes: signed.body))
        return try await send(request)
    }

    /// Sends any request, such as one that follows a link.
    func send(_ request: HTTPClientRequest) async throws -> Reply {
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(120))
        let body = try await response.body.collect(upTo: 16 << 20)
        return Reply(
            status: Int(response.status.code),
            type: response.headers.first(name: "content-type"),
            body: String(buffer: body)
        )
    }

    /// Makes one call to the REST interface and reads its answer.
    func rest(_ method: Method, _ path: String, _ body: JSONValue? = nil) async throws -> (Int, JSONValue) {
        var request = HTTPClientRequest(url: url + path)
        request.method = HTTPMethod(rawValue: method.rawValue)
        request.headers.add(name: "Authorization", value: "Bearer \(admin)")
        if let body {
            request.headers.add(name: "Content-Type", value: "application/json")
            request.body = .bytes(ByteBuffer(bytes: try body.json()))
        }
        let reply = try await send(request)
        return (reply.status, (try? JSONValue(json: Data(reply.body.utf8))) ?? .null)
    }

    /// A map as parameters: `Attributes.entry.1.key` and so on.
    static func map(_ values: [(String, String)], name: String = "Attributes") -> [(String, String)] {
        values.enumerated().flatMap { index, value in
            let path = "\(name).entry.\(index + 1)"
            return [("\(path).key", value.0), ("\(path).value", value.1)]
        }
    }

    /// What an Apple application is made with: a signing key of this process.
    static let signingKey = P256.Signing.PrivateKey().pemRepresentation
    static let apple = [
        ("PlatformCredential", signingKey), ("PlatformPrincipal", "ABCD123456"), ("ApplePlatformTeamID", "TEAM123456"),
        ("ApplePlatformBundleID", "com.example.app"),
    ]

    /// Makes a platform application and says its ARN.
    func makeApplication(
        _ name: String = "shop",
        _ platform: String = "APNS",
        _ attributes: [(String, String)] = Harness.apple
    ) async throws -> String {
        let parameters = [("Name", name), ("Platform", platform)] + Harness.map(attributes)
        let reply = try await call("CreatePlatformApplication", parameters)
        return try #require(reply["PlatformApplicationArn"], "\(reply.body)")
    }

    /// Makes an endpoint and says its ARN.
    func makeEndpoint(
        _ application: String,
        token: String,
        userData: String? = nil,
        enabled: Bool? = nil
    ) async throws -> String {
        var parameters = [("PlatformApplicationArn", application), ("Token", token)]
        if let userData { parameters.append(("CustomUserData", userData)) }
        if let enabled { parameters += Harness.map([("Enabled", String(enabled))]) }
        let reply = try await call("CreatePlatformEndpoint", parameters)
        return try #require(reply["EndpointArn"], "\(reply.body)")
    }

    /// A token of 32 bytes that is different for each number.
    static func token(_ number: Int) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 64 - digits.count) + digits
    }
}

/// As the program composes it.
extension APIContext: SNSRequestContext {}

/// What a call was answered.
struct Reply: Sendable {
    let status: Int
    let type: String?
    let body: String

    /// The text of the first element of a name; `nil` where there is none.
    subscript(name: String) -> String? { all(name).first }

    /// The texts of all elements of a name, with what is in them.
    func all(_ name: String) -> [String] {
        body.split(separator: "<\(name)>", omittingEmptySubsequences: false).dropFirst().compactMap { part in
            part.range(of: "</\(name)>").map { Reply.text(part[..<$0.lowerBound]) }
        }
    }

    /// Whether there is an element of a name, be it an empty one.
    func has(_ name: String) -> Bool { body.contains("<\(name)>") || body.contains("<\(name)/>") }

    /// The entries of all maps.
    var entries: [String: String] {
        Dictionary(zip(all("key"), all("value")), uniquingKeysWith: { $1 })
    }

    /// The refusal.
    var error: (code: String?, message: String?) { (self["Code"], self["Message"]) }

    private static func text(_ escaped: Substring) -> String {
        String(escaped).replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&#xD;", with: "\r")
            .replacing("&amp;", with: "&")
    }
}

/// Checks credentials and renders as one provider does, and leaves the sending to another.
struct CheckedProvider: Provider {
    let checks: any Provider
    let sends: any Provider

    var platform: Platform { checks.platform }

    func render(_ submission: Submission, context: RenderContext) throws(Failure) -> Message {
        try checks.render(submission, context: context)
    }

    var environments: [MartletCore.Environment] { checks.environments }

    func normalize(_ token: String, field: String) throws(Failure) -> String {
        try checks.normalize(token, field: field)
    }

    func payload(of override: JSONValue) -> [String: JSONValue]? { checks.payload(of: override) }

    func check(_ draft: CredentialDraft) throws(Failure) -> CheckedCredential { try checks.check(draft) }

    func send(_ push: Push, outcome: @escaping @Sendable (Int, Outcome) -> Void) async {
        await sends.send(push, outcome: outcome)
    }

    func diagnose(_ credential: OpenedCredential) async -> [Finding] { [] }
}
