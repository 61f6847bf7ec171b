import Crypto
import Foundation
import Glibc
import Hummingbird
import Logging
import MartletCore
import MartletPipeline
import MartletProviders
import MartletSQLite
import MartletStore
import MartletWire
import NIOPosix
import Synchronization

@testable import MartletHTTP
@testable import MartletSNS

/// As the program composes it.
extension APIContext: SNSRequestContext {}

/// Bytes of any kind on a connection of the server, as the program composes it: connection limits, HTTP, routes, the
/// store. Over a Unix socket, which unlike a port is free again at once.
enum HTTPTarget {
    /// The keys that the corpus presents.
    private static let keys: [(String, KeyScope)] = [
        ("mk_admin_fuzz", .admin), ("mk_send_fuzz", .send), ("mk_client_fuzz", .client),
    ]
    private static let path = NSTemporaryDirectory() + "martlet-fuzz-\(getpid()).sock"
    /// Started with the first input.
    private static let server = Server()

    static func run(_ input: FuzzInput) -> Bool {
        server.start()
        let answer = exchange(Array(input.rest))
        demand(answer.isEmpty || answer.starts(with: Array("HTTP/1.1 ".utf8)), "the answer is not HTTP")
        let text = String(decoding: answer, as: UTF8.self)
        demand(!text.contains("HTTP/1.1 500"), "a defect of the server's: \(text.suffix(400))")
        return true
    }

    /// Sends all, says that this is the end, and reads until the server has closed. libFuzzer's own deadline ends it when
    /// the server does not.
    private static func exchange(_ bytes: [UInt8]) -> [UInt8] {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        demand(connect(descriptor), "the server does not take a connection")
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { break }
            rest = rest.dropFirst(count)
        }
        shutdown(descriptor, Int32(SHUT_WR))
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { return answer }
            answer += buffer[..<count]
        }
    }

    private static func connect(_ descriptor: Int32) -> Bool {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
    }

    /// The server of this process; made anew after some inputs, so that what they write does not pile up.
    private final class Server: Sendable {
        /// How many inputs one server answers: a store in memory grows by some kilobytes with each that writes.
        private static let inputs = 20_000
        private let state = Mutex<(inputs: Int, task: Task<Void, Never>?)>((0, nil))

        func start() {
            let isDue = state.withLock { state in
                defer { state.inputs += 1 }
                return state.inputs % Self.inputs == 0
            }
            guard isDue else { return }
            let ready = DispatchSemaphore(value: 0)
            let old = state.withLock { $0.task }
            let task = Task {
                old?.cancel()
                await old?.value
                unlink(path)
                do { try await HTTPTarget.serve { ready.signal() } } catch { demand(false, "no server: \(error)") }
            }
            state.withLock { $0.task = task }
            demand(ready.wait(timeout: .now() + 60) == .success, "the server does not start")
        }
    }

    private static func serve(onRunning: @escaping @Sendable () -> Void) async throws {
        // One that keeps what is said along with a line, as the program's does: Hummingbird's request ids lie there.
        var logger = Logger(label: "fuzz", factory: { StreamLogHandler.standardError(label: $0) })
        logger.logLevel = .critical
        let clock = SystemClock()
        let store = try await SQLiteStore.inMemory(clock: clock)
        let provider = APNsProvider(group: MultiThreadedEventLoopGroup.singleton, clock: clock, logger: logger)
        let providers: [Platform: any Provider] = [.apns: provider]
        let vault = Vault(key: SymmetricKey(size: .bits256))
        let wakeUps = WakeUps()
        let credentials = CredentialService(store: store, providers: providers, vault: vault)
        let submitter = Submitter(
            store: store,
            providers: providers,
            clock: clock,
            wakeUps: wakeUps,
            inlineDispatch: InlineDispatch(),
            metrics: DeliveryMetrics()
        )
        let api = MartletAPI(
            store: store,
            providers: providers,
            vault: vault,
            clock: clock,
            submitter: submitter,
            wakeUps: wakeUps,
            credentials: credentials,
            keySets: KeySetCache(privateHosts: try PrivateHostPolicy(allowing: []), clock: clock, logger: logger),
            metrics: PrometheusRegistry(),
            breakers: QueueBreakers(),
            delivery: DeliveryMetrics(),
            settings: APISettings(),
            logger: logger
        )
        let sns = SNSService(
            store: store,
            submitter: submitter,
            credentials: credentials,
            vault: vault,
            clock: clock,
            wakeUps: wakeUps,
            settings: SNSSettings(),
            homeRegion: Topic.defaultRegion,
            logger: logger
        )
        let router = api.router()
        sns.addRoutes(to: router)
        let app = try await store.createApp(name: "com.example.app", identity: Identity())
        for (text, scope) in keys {
            let row = scope == .admin ? nil : app.row
            _ = try await store.createKey(
                app: row,
                scope: scope,
                name: "fuzz",
                prefix: "mk_",
                hash: SecretHash(of: text)
            )
        }
        let responder = router.buildResponder()
        let application = Application(
            responder: responder,
            server: .limitedHTTP1(api.limits, proxies: api.proxies, responder: responder),
            configuration: ApplicationConfiguration(address: .unixDomainSocket(path: path)),
            onServerRunning: { _ in onRunning() },
            logger: logger
        )
        try await application.run()
        await provider.shutdown()
        await store.close()
    }
}
