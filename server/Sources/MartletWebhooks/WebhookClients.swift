import AsyncHTTPClient
import MartletCore
import NIOCore
import NIOSSL
import Synchronization

/// HTTP clients, one for each pair of a host and the address that was judged for it: AsyncHTTPClient takes a mapping
/// from name to address (`dnsOverride`) only for a whole client, and only with it a connection goes where it was judged
/// to go. A bounded number of them keep their connections for the next message.
final class WebhookClients: Sendable {
    /// Which client.
    private struct Name: Hashable {
        var host: String
        var address: IPAddress
        var isTLS: Bool
    }

    private struct Entry {
        var client: HTTPClient
        var users = 0
        var usedAt: UInt64 = 0
    }

    private struct State {
        var entries: [Name: Entry] = [:]
        var uses: UInt64 = 0
        var isClosed = false
    }

    /// How many clients are kept. Ours: more than twice as many as are in use at a time.
    static let limit = 256
    /// One connection with its handshake; an address that does not answer leaves time for the next.
    static let connectTimeout = TimeAmount.seconds(5)
    /// For how long an idle connection is kept: shorter than servers keep theirs, so that a message does not go into
    /// one that is just being closed.
    static let idleTimeout = TimeAmount.seconds(2)

    private let group: any EventLoopGroup
    /// What to trust in place of the system's certificates.
    private let tls: TLSConfiguration?
    private let checkName: CertificateNameCheck
    private let state = Mutex(State())

    init(group: any EventLoopGroup, tls: TLSConfiguration? = nil, checkName: @escaping CertificateNameCheck) {
        self.group = group
        self.tls = tls
        self.checkName = checkName
    }

    /// Runs `body` with the client for a host at an address.
    func with<Value: Sendable>(
        _ url: WebhookURL,
        at address: IPAddress,
        _ body: (HTTPClient) async throws -> Value
    ) async throws -> Value {
        let name = Name(host: url.host.text, address: address, isTLS: url.isTLS)
        let client = try take(name, url)
        defer { give(name, client) }
        return try await body(client)
    }

    /// Closes all connections; nothing may be under way.
    func close() {
        let clients = state.withLock { state in
            state.isClosed = true
            defer { state.entries = [:] }
            return state.entries.values.map(\.client)
        }
        for client in clients { client.shutdown { _ in } }
    }

    private func take(_ name: Name, _ url: WebhookURL) throws -> HTTPClient {
        try state.withLock { state in
            if state.isClosed { throw CancellationError() }
            state.uses += 1
            var entry = state.entries[name] ?? Entry(client: make(url, name.address))
            entry.users += 1
            entry.usedAt = state.uses
            state.entries[name] = entry
            return entry.client
        }
    }

    private func give(_ name: Name, _ client: HTTPClient) {
        let idle = state.withLock { state -> HTTPClient? in
            state.entries[name]?.users -= 1
            guard state.entries.count > Self.limit else { return nil }
            let oldest = state.entries.filter { $0.value.users == 0 }.min { $0.value.usedAt < $1.value.usedAt }
            guard let oldest else { return nil }
            state.entries[oldest.key] = nil
            return oldest.value.client
        }
        // Not awaited: a host that hangs holds its connection open for some seconds of TLS goodbye.
        idle?.shutdown { _ in }
    }

    private func make(_ url: WebhookURL, _ address: IPAddress) -> HTTPClient {
        var configuration = HTTPClient.Configuration(tlsConfiguration: tls, redirectConfiguration: .disallow)
        // One kind of connection, so that one hook sees all of them.
        configuration.httpVersion = .http1Only
        if case .name(let name) = url.host {
            configuration.dnsOverride = [name.text: "\(address)"]
            if url.isTLS {
                configuration.http1_1ConnectionDebugInitializer = { [checkName] in checkName(name, $0) }
            }
        }
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.connectionPool.idleTimeout = Self.idleTimeout
        configuration.timeout.connect = Self.connectTimeout
        return HTTPClient(eventLoopGroup: group, configuration: configuration)
    }
}
