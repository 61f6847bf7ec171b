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
import NIOPosix
import Synchronization
import Testing

@testable import MartletCore
@testable import MartletHTTP

/// What a call was answered.
struct Answer {
    var status: Int
    var headers: HTTPFields
    var text: String

    /// The body as JSON; `null` when it is none.
    var json: JSONValue { (try? JSONValue(json: Data(text.utf8))) ?? .null }
    /// What stands under `data`.
    var data: JSONValue { json["data"] }
    /// The error's code.
    var code: String? { json["error"]["code"].stringValue }
    /// The field at fault.
    var field: String? { json["error"]["field"].stringValue }
    /// The items of a list.
    var items: [JSONValue] { if case .array(let items) = data { items } else { [] } }
}

extension JSONValue {
    /// A member of an object, `null` where there is none.
    subscript(name: String) -> JSONValue { objectValue?[name] ?? .null }
}

/// The interface over a real store in memory and the real APNs provider, which is never asked to send.
struct Harness: Sendable {
    static let issuer = "https://login.example.com/"
    static let audience = "com.example.app"
    static let userSecret = "a secret of at least thirty-two bytes"
    static let token = String(repeating: "ab", count: 32)

    let store: Store
    let clock: ManualClock
    let api: MartletAPI
    let client: any TestClientProtocol
    let logs: LogLines
    /// An app with a credential, its name `com.example.app`.
    let app: App
    let admin: String
    let send: String
    let sdk: String

    /// Runs a test against a fresh server.
    ///
    /// - Parameters:
    ///   - isLive: over a real connection; otherwise requests go straight to the router.
    ///   - hasCredential: whether the app has a credential from the start.
    ///   - backlogLimit: how many deliveries may wait.
    static func run(
        isLive: Bool = false,
        settings: APISettings = APISettings(),
        hasCredential: Bool = true,
        backlogLimit: Int = Submitter.backlogLimit,
        _ test: @Sendable (Harness) async throws -> Void
    ) async throws {
        let clock = ManualClock(Timestamp(milliseconds: 1_800_000_000_000))
        let store = try await SQLiteStore.inMemory(clock: clock)
        let (logs, wakeUps) = (LogLines(), WakeUps())
        let logger = Logger(label: "test", factory: { _ in logs })
        let provider = APNsProvider(group: MultiThreadedEventLoopGroup.singleton, clock: clock, logger: logger)
        let vault = Vault(key: SymmetricKey(size: .bits256))
        let fcm = FCMProvider(group: MultiThreadedEventLoopGroup.singleton, clock: clock, logger: logger)
        let webPush = makeWebPush(clock, logger)
        let providers: [Platform: any Provider] = [.apns: provider, .fcm: fcm, .webpush: webPush]
        let api = MartletAPI(
            store: store,
            providers: providers,
            vault: vault,
            clock: clock,
            submitter: Submitter(
                store: store,
                providers: providers,
                clock: clock,
                wakeUps: wakeUps,
                inlineDispatch: InlineDispatch(),
                metrics: DeliveryMetrics(),
                backlogLimit: backlogLimit
            ),
            wakeUps: wakeUps,
            credentials: CredentialService(store: store, providers: providers, vault: vault),
            keySets: KeySetCache(privateHosts: try PrivateHostPolicy(allowing: []), clock: clock, logger: logger),
            metrics: PrometheusRegistry(),
            breakers: QueueBreakers(),
            delivery: DeliveryMetrics(),
            settings: settings,
            logger: logger
        )
        let app = try await store.createApp(name: "com.example.app", identity: Identity())
        let admin = try await key(.admin, app: nil, in: store)
        let send = try await key(.send, app: app.row, in: store)
        let sdk = try await key(.client, app: app.row, in: store)
        let (responder, onEventLoop) = (api.router().buildResponder(), MartletAPI.runsOnEventLoop)
        let application = Application(
            responder: responder,
            server: .limitedHTTP1(api.limits, proxies: api.proxies, responder: responder, onEventLoop: onEventLoop),
            logger: logger
        )
        try await application.test(isLive ? .live : .router) { client in
            let harness = Harness(
                store: store,
                clock: clock,
                api: api,
                client: client,
                logs: logs,
                app: app,
                admin: admin,
                send: send,
                sdk: sdk
            )
            if hasCredential { try await harness.storeCredential() }
            try await test(harness)
        }
        await provider.shutdown()
        await webPush.shutdown()
        await fcm.shutdown()
        await store.close()
    }

    private static func makeWebPush(_ clock: ManualClock, _ logger: Logger) -> WebPushProvider {
        WebPushProvider(
            group: MultiThreadedEventLoopGroup.singleton,
            clock: clock,
            settings: WebPushSettings(checkName: CertificateName.demand),
            resolve: { _ in [] },
            logger: logger
        )
    }

    static func key(_ scope: KeyScope, app: RowID<App>?, in store: Store) async throws -> String {
        let secret = Secret(prefix: "mk_\(scope.rawValue)_")
        _ = try await store.createKey(app: app, scope: scope, name: "test", prefix: "mk_", hash: secret.hash)
        return secret.text
    }

    /// Gives the app a signing key for both environments, at Apple's addresses or another.
    func storeCredential(url: String? = nil, key: String? = nil) async throws {
        var body: [String: JSONValue] = [
            "platform": "apns", "p8": .string(P256.Signing.PrivateKey().pemRepresentation), "key_id": "ABCD123456",
            "team_id": "TEAM123456", "bundle_id": "com.example.app",
        ]
        body["url"] = url.map(JSONValue.string)
        let path = "/api/v1/apps/com.example.app/credentials"
        let answer = try await call(.put, path, key: key ?? admin, .object(body))
        #expect(answer.status == 200, "\(answer.text)")
    }

    /// Makes one call with a JSON body.
    func call(
        _ method: HTTPRequest.Method,
        _ path: String,
        key: String? = nil,
        _ body: JSONValue? = nil,
        headers: [String: String] = [:]
    ) async throws -> Answer {
        let text = try body.map { String(decoding: try $0.json(), as: UTF8.self) }
        return try await call(method, path, key: key, text: text, headers: headers)
    }

    /// Makes one call with a body of any kind.
    func call(
        _ method: HTTPRequest.Method,
        _ path: String,
        key: String?,
        text: String?,
        headers: [String: String] = [:]
    ) async throws -> Answer {
        var fields = HTTPFields()
        if let key { fields[.authorization] = "Bearer \(key)" }
        if text != nil { fields[.contentType] = "application/json" }
        for (name, value) in headers { fields[try #require(HTTPField.Name(name))] = value }
        let body = text.map { ByteBuffer(string: $0) }
        return try await client.execute(uri: path, method: method, headers: fields, body: body) { response in
            Answer(status: response.status.code, headers: response.headers, text: String(buffer: response.body))
        }
    }

    /// Says whose user tokens the app takes.
    func setIdentity(_ mode: String, secret: String? = Harness.userSecret) async throws {
        var identity: [String: JSONValue] = [
            "mode": .string(mode), "issuer": .string(Harness.issuer), "audience": .string(Harness.audience),
        ]
        if let secret { identity["secret"] = .string(secret) }
        let body: JSONValue = ["identity": .object(identity)]
        let answer = try await call(.patch, "/api/v1/apps/com.example.app", key: admin, body)
        #expect(answer.status == 200, "\(answer.text)")
    }

    /// A user token as the customer's identity provider would make it.
    func userToken(
        _ user: String,
        audience: String = Harness.audience,
        algorithm: String = "HS256",
        lifetime: Int64 = 600
    ) -> String {
        let header = Secret.base64URL(Array(#"{"alg":"\#(algorithm)","typ":"JWT"}"#.utf8))
        let end = clock.now().seconds + lifetime
        let claims = #"{"iss":"\#(Harness.issuer)","aud":"\#(audience)","sub":"\#(user)","exp":\#(end)}"#
        let signed = header + "." + Secret.base64URL(Array(claims.utf8))
        let key = SymmetricKey(data: Array(Harness.userSecret.utf8))
        let code = HMAC<SHA256>.authenticationCode(for: Array(signed.utf8), using: key)
        return signed + "." + Secret.base64URL(Array(code))
    }

    /// How much the store holds of everything that a request can write.
    func contents() async throws -> [String: Int] {
        let page = PageRequest(count: PageRequest.limit)
        let apps = try await store.apps(page).items
        var counts: [String: Int] = [
            "apps": apps.count, "keys": try await store.keys(.api(app: nil), page).items.count,
            "notifications": try await store.notifications(nil, state: nil, page).items.count,
        ]
        for app in apps {
            counts["endpoints", default: 0] += try await store.endpoints(app.row, user: nil, page).items.count
            counts["credentials", default: 0] += try await store.credentials(app.row).count
        }
        return counts
    }
}

/// What was logged, to look for secrets in.
struct LogLines: LogHandler {
    private final class Lines: Sendable {
        let all = Mutex<[String]>([])
    }

    private let lines = Lines()
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let all = metadata.merging(event.metadata ?? [:]) { $1 }
        lines.all.withLock { $0.append("\(event.level) \(event.message) \(all)") }
    }

    /// Every line so far.
    var text: [String] { lines.all.withLock { $0 } }
}

extension Answer {
    /// A header field by its name.
    func header(_ name: String) -> String? { HTTPField.Name(name).flatMap { headers[$0] } }
}
