import Logging
import MartletTransport
import NIOCore
import NIOPosix
import Synchronization

/// A server whose connections do what a script says, and which remembers what it was asked.
struct ScriptedServer: Sendable {
    /// What the script sees of a request.
    struct Exchange: Sendable {
        let request: HTTP2ServerRequest
        let stream: HTTP2ServerStream
        /// Number of the request within its connection, from 0.
        let number: Int

        func ok() { self.stream.respond(status: 200, headers: []) }
    }

    final class Log: Sendable {
        let requests = Mutex<[HTTP2ServerRequest]>([])
        let connections = Mutex<[HTTP2ServerConnection]>([])
        private let arrivals = AsyncStream.makeStream(of: Exchange.self)

        /// Requests as they arrive, for one reader.
        var exchanges: AsyncStream<Exchange> { self.arrivals.stream }

        func add(_ exchange: Exchange) {
            self.requests.withLock { $0.append(exchange.request) }
            self.arrivals.continuation.yield(exchange)
        }

        var count: Int { self.requests.withLock { $0.count } }
        var paths: [String] { self.requests.withLock { $0.map(\.path) } }
        var connectionCount: Int { self.connections.withLock { $0.count } }
    }

    private final class Handler: HTTP2ServerHandler {
        let script: @Sendable (Exchange) -> Void
        let log: Log
        var number = 0

        init(script: @escaping @Sendable (Exchange) -> Void, log: Log) {
            self.script = script
            self.log = log
        }

        func received(_ request: HTTP2ServerRequest, on stream: HTTP2ServerStream) {
            let exchange = Exchange(request: request, stream: stream, number: self.number)
            self.number += 1
            self.log.add(exchange)
            self.script(exchange)
        }

        func closed() {}
    }

    let server: HTTP2Server
    let log: Log

    static func start(
        maxConcurrentStreams: Int = 1000,
        initialWindowSize: Int = 1024 * 1024,
        connectionWindowSize: Int = 16 * 1024 * 1024,
        clientCertificates: HTTP2ClientCertificates = .ignored,
        maxBodyBytes: Int = 64 * 1024,
        certificate: String = "server",
        opening: @escaping @Sendable (HTTP2ServerConnection) -> Void = { _ in },
        script: @escaping @Sendable (Exchange) -> Void = { $0.ok() }
    ) async throws -> ScriptedServer {
        let log = Log()
        let configuration = HTTP2ServerConfiguration(
            tls: try Certificates.shared.get().server(certificate),
            clientCertificates: clientCertificates,
            maxConcurrentStreams: maxConcurrentStreams,
            maxBodyBytes: maxBodyBytes,
            initialWindowSize: initialWindowSize,
            connectionWindowSize: connectionWindowSize
        )
        let server = try await HTTP2Server.start(
            configuration,
            group: .singletonMultiThreadedEventLoopGroup,
            logger: .quiet
        ) {
            connection in
            log.connections.withLock { $0.append(connection) }
            opening(connection)
            return Handler(script: script, log: log)
        }
        return ScriptedServer(server: server, log: log)
    }

    /// Runs `body` with a server and shuts it down after it.
    static func with(
        maxConcurrentStreams: Int = 1000,
        initialWindowSize: Int = 1024 * 1024,
        connectionWindowSize: Int = 16 * 1024 * 1024,
        clientCertificates: HTTP2ClientCertificates = .ignored,
        maxBodyBytes: Int = 64 * 1024,
        certificate: String = "server",
        opening: @escaping @Sendable (HTTP2ServerConnection) -> Void = { _ in },
        script: @escaping @Sendable (Exchange) -> Void = { $0.ok() },
        _ body: (ScriptedServer) async throws -> Void
    ) async throws {
        let server = try await start(
            maxConcurrentStreams: maxConcurrentStreams,
            initialWindowSize: initialWindowSize,
            connectionWindowSize: connectionWindowSize,
            clientCertificates: clientCertificates,
            maxBodyBytes: maxBodyBytes,
            certificate: certificate,
            opening: opening,
            script: script
        )
        do {
            try await body(server)
        } catch {
            await server.server.shutdown()
            throw error
        }
        await server.server.shutdown()
    }

    func configuration(
        _ change: (inout HTTP2ClientConfiguration) throws -> Void = { _ in }
    ) throws -> HTTP2ClientConfiguration {
        try .loopback(port: self.server.port, change)
    }

    func connect(
        _ change: (inout HTTP2ClientConfiguration) throws -> Void = { _ in },
        onStateChange: @escaping @Sendable (HTTP2ClientConnection.State) -> Void = { _ in }
    ) async throws -> HTTP2ClientConnection {
        try await HTTP2ClientConnection.connect(
            try self.configuration(change),
            group: .singletonMultiThreadedEventLoopGroup,
            logger: .quiet,
            onStateChange: onStateChange
        )
    }
}

extension HTTP2ClientConfiguration {
    /// Deadlines long enough never to matter unless a test is about them.
    static func loopback(
        port: Int,
        _ change: (inout HTTP2ClientConfiguration) throws -> Void = { _ in }
    ) throws -> HTTP2ClientConfiguration {
        var configuration = HTTP2ClientConfiguration(
            host: "127.0.0.1",
            port: port,
            serverHostname: "localhost",
            tls: try Certificates.shared.get().client()
        )
        try change(&configuration)
        return configuration
    }
}

extension EventLoopGroup where Self == MultiThreadedEventLoopGroup {
    static var singletonMultiThreadedEventLoopGroup: MultiThreadedEventLoopGroup { .singleton }
}

extension Logger {
    static var quiet: Logger { Logger(label: "test") { _ in SwiftLogNoOpLogHandler() } }
}

/// The states a connection passes through, for a test to wait on.
struct States: Sendable {
    private let stream = AsyncStream.makeStream(of: HTTP2ClientConnection.State.self)

    var add: @Sendable (HTTP2ClientConnection.State) -> Void {
        let continuation = self.stream.continuation
        return { _ = continuation.yield($0) }
    }

    /// The next state that satisfies `isWanted`.
    func first(where isWanted: (HTTP2ClientConnection.State) -> Bool) async -> HTTP2ClientConnection.State? {
        for await state in self.stream.stream where isWanted(state) { return state }
        return nil
    }
}
