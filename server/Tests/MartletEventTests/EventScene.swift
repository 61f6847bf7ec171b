import CZlib
import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import MartletCore
import MartletHTTP
import MartletPipeline
import MartletProviders
import MartletSQLite
import MartletStore
import MartletTesting
import MartletWire
import NIOCore
import NIOPosix
import Testing

/// The interface over a store in memory, an app, its keys, and a phone that is registered.
struct EventScene {
    static let now = Timestamp(milliseconds: 1_800_000_000_000)

    let store: Store
    let clock: ManualClock
    let client: any TestClientProtocol
    let app: App
    let admin: String
    let sdk: String
    let phone: PublicID
    let secret: String

    struct Answer {
        var status: Int
        var json: JSONValue
        var text: String
        var type: String?

        subscript(path: String...) -> JSONValue { path.reduce(json) { $0.objectValue?[$1] ?? .null } }
        var receipts: [JSONValue] { if case .array(let items) = self["receipts"] { items } else { [] } }
        var code: String? { self["error", "code"].stringValue }
    }

    /// Makes a scene for a test.
    static func run(
        settings: APISettings = APISettings(),
        _ test: @Sendable (EventScene) async throws -> Void
    ) async throws {
        let clock = ManualClock(now)
        let store = try await SQLiteStore.inMemory(clock: clock)
        let provider = ScriptedProvider(tokens: APNsToken.normalize)
        let vault = Vault(key: SymmetricKey(size: .bits256))
        let wakeUps = WakeUps()
        let providers: [Platform: any Provider] = [.apns: provider]
        // One that keeps metadata: a request's id stands there.
        var logger = Logger(label: "test", factory: { StreamLogHandler.standardError(label: $0) })
        logger.logLevel = .critical
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
                metrics: DeliveryMetrics()
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
        let sdk = try await key(.client, app: app.row, in: store)
        let application = Application(router: api.router(), logger: logger)
        try await application.test(.router) { client in
            let phone = try #require(PublicID("01890a5d-ac96-774b-bcce-b302099a8057"))
            var scene = EventScene(
                store: store,
                clock: clock,
                client: client,
                app: app,
                admin: admin,
                sdk: sdk,
                phone: phone,
                secret: ""
            )
            scene = try await scene.withSecret()
            try await test(scene)
        }
        await store.close()
    }

    static func key(_ scope: KeyScope, app: RowID<App>?, in store: Store) async throws -> String {
        let secret = Secret(prefix: "mk_\(scope.rawValue)_")
        _ = try await store.createKey(app: app, scope: scope, name: "test", prefix: "mk_", hash: secret.hash)
        return secret.text
    }

    private func withSecret() async throws -> EventScene {
        EventScene(
            store: store,
            clock: clock,
            client: client,
            app: app,
            admin: admin,
            sdk: sdk,
            phone: phone,
            secret: try await registered(phone, token: "ab")
        )
    }

    /// Registers an installation with a token of 32 times this byte; says its secret.
    func registered(_ installation: PublicID, token: String) async throws -> String {
        let answer = try await call(.post, "/api/v1/tokens", registration(of: installation, token: token))
        return try #require(answer["data", "installation_secret"].stringValue)
    }

    /// A registration, of the phone unless said otherwise.
    func registration(of installation: PublicID? = nil, token: String = "ab", user: JSONValue? = nil) -> JSONValue {
        var members: [String: JSONValue] = [
            "installation_id": .string((installation ?? phone).description),
            "token": .string(String(repeating: token, count: 32)),
        ]
        members["user_id"] = user
        return .object(members)
    }

    /// An event of the phone, with these members in place of the usual ones.
    func event(_ members: [String: JSONValue] = [:]) -> JSONValue {
        let usual: [String: JSONValue] = [
            "event_id": .string(UUID().uuidString), "type": "open", "time": "2027-01-15T08:00:00Z", "message_id": "m",
            "platform": "ios", "installation_id": .string(phone.description),
        ]
        return .object(usual.merging(members) { $1 })
    }

    /// Uploads events as the phone.
    func upload(_ events: [JSONValue], secret: String? = nil, headers: [String: String] = [:]) async throws -> Answer {
        let proof = [HeaderName.installationSecret: secret ?? self.secret]
        let all = proof.merging(headers) { $1 }
        return try await call(.post, "/api/v1/events", ["events": .array(events)], headers: all)
    }

    /// Makes one call.
    func call(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ body: JSONValue? = nil,
        key: String? = nil,
        headers: [String: String] = [:]
    ) async throws -> Answer {
        try await call(method, path, bytes: try body.map { Array(try $0.json()) }, key: key, headers: headers)
    }

    /// Makes one call with any body.
    func call(
        _ method: HTTPRequest.Method,
        _ path: String,
        bytes: [UInt8]?,
        key: String? = nil,
        headers: [String: String] = [:]
    ) async throws -> Answer {
        var fields = HTTPFields()
        fields[.authorization] = "Bearer \(key ?? sdk)"
        if bytes != nil { fields[.contentType] = "application/json" }
        for (name, value) in headers { fields[try #require(HTTPField.Name(name))] = value }
        let body = bytes.map { ByteBuffer(bytes: $0) }
        return try await client.execute(uri: path, method: method, headers: fields, body: body) { response in
            let text = String(buffer: response.body)
            return Answer(
                status: response.status.code,
                json: (try? JSONValue(json: Data(text.utf8))) ?? .null,
                text: text,
                type: response.headers[.contentType]
            )
        }
    }

    /// All events that are kept.
    func kept() async throws -> [Event] { try await store.events(EventFilter(), PageRequest(count: 1_000)).items }
}

/// Compresses with zlib: 31 makes gzip, 15 zlib's own form.
func compressed(_ bytes: [UInt8], window: Int32 = 31) throws -> [UInt8] {
    var stream = z_stream()
    let size = Int32(MemoryLayout<z_stream>.size)
    try #require(
        deflateInit2_(&stream, 9, Z_DEFLATED, window, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size) == Z_OK
    )
    defer { deflateEnd(&stream) }
    var input = bytes
    var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(bytes.count))) + 32)
    let code = input.withUnsafeMutableBufferPointer { input in
        output.withUnsafeMutableBufferPointer { output in
            stream.next_in = input.baseAddress
            stream.avail_in = UInt32(input.count)
            stream.next_out = output.baseAddress
            stream.avail_out = UInt32(output.count)
            return deflate(&stream, Z_FINISH)
        }
    }
    try #require(code == Z_STREAM_END)
    return Array(output.prefix(Int(stream.total_out)))
}
