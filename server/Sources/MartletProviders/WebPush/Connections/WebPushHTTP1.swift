import AsyncHTTPClient
import MartletCore
import MartletTransport
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Pushes over HTTP/1.1 to one address.
///
/// The name is resolved here, every address of it is judged, and the connection goes to a judged address: a name server
/// that answers differently the second time (DNS rebinding) is not asked a second time.
final class WebPushHTTP1: Sendable {
    /// An answer, as far as it is read.
    struct Response: Sendable {
        var status: Int
        var headers: HTTPHeaders
        var body: [UInt8]
    }

    /// Why there is none.
    enum Missing: Error, Sendable {
        /// The request did not go out.
        case unsent(String)
        /// Its outcome is unknown.
        case lost(String)
    }

    /// Addresses of a name that are tried one after the other.
    private static let tries = 3

    private let address: ServerAddress
    private let tls: TLSConfiguration
    private let privateHosts: PrivateHostPolicy?
    private let connections: Int
    private let settings: WebPushSettings
    private let resolve: @Sendable (String) async throws -> [IPAddress]
    private let group: any EventLoopGroup
    private let clients = Mutex<[IPAddress: HTTPClient]>([:])
    private let counts = HTTP1Counts()
    /// How many addresses of one host have a client at a time; one more, and all are made anew.
    private static let clientLimit = 8

    init(
        address: ServerAddress,
        tls: TLSConfiguration,
        privateHosts: PrivateHostPolicy?,
        connections: Int,
        settings: WebPushSettings,
        resolve: @escaping @Sendable (String) async throws -> [IPAddress],
        group: any EventLoopGroup
    ) {
        (self.address, self.tls, self.privateHosts) = (address, tls, privateHosts)
        (self.connections, self.settings, self.resolve, self.group) = (connections, settings, resolve, group)
    }

    /// Sends one request.
    ///
    /// - Parameter authority: what stands in `Host`.
    func send(
        path: String,
        authority: String,
        fields: [(name: String, value: String)],
        body: [UInt8]
    ) async -> Result<Response, Missing> {
        await counts.request { await answer(path, authority, fields, body) }
    }

    /// Its connections.
    var traffic: ConnectionTraffic { counts.traffic }

    private func answer(
        _ path: String,
        _ authority: String,
        _ fields: [(name: String, value: String)],
        _ body: [UInt8]
    ) async -> Result<Response, Missing> {
        var request = HTTPClientRequest(url: "https://\(address.authority)\(path)")
        request.method = .POST
        request.headers.add(name: "host", value: authority)
        for field in fields { request.headers.add(name: field.name, value: field.value) }
        request.body = .bytes(ByteBuffer(bytes: body))
        var failure = "\(FetchError.unreachable)"
        do throws(Missing) {
            for address in try await judgedAddresses() {
                do throws(Missing) {
                    return .success(try await send(request, at: address))
                } catch {
                    guard case .unsent(let reason) = error else { throw error }
                    failure = reason
                }
            }
        } catch {
            return .failure(error)
        }
        return .failure(.unsent(failure))
    }

    private func judgedAddresses() async throws(Missing) -> ArraySlice<IPAddress> {
        var addresses: [IPAddress]
        if let literal = IPAddress(address.host) {
            addresses = [literal]
        } else {
            do { addresses = try await resolve(address.host) } catch {
                counts.failed(.resolve)
                throw .unsent("\(error)")
            }
        }
        for address in addresses {
            if let purpose = privateHosts?.refusal(of: address, for: self.address.host) {
                counts.failed(.forbidden)
                throw .unsent("\(FetchError.refused(purpose))")
            }
        }
        return addresses.prefix(Self.tries)
    }

    private func send(_ request: HTTPClientRequest, at address: IPAddress) async throws(Missing) -> Response {
        do {
            let response = try await client(at: address).execute(request, timeout: settings.requestTimeout)
            var body: [UInt8] = []
            do {
                for try await part in response.body {
                    body += part.readableBytesView
                    if body.count > WebPushAnswer.textLimit { break }
                }
            } catch {}  // The status has been said.
            return Response(status: Int(response.status.code), headers: response.headers, body: body)
        } catch {
            guard Self.isUnsent(error) else { throw .lost(Self.reason(of: error)) }
            counts.failed(error is CertificateName.Mismatch || error is NIOSSLError ? .tls : .connect)
            throw .unsent("\(FetchError.unreachable)")
        }
    }

    /// Whether an error says that the request cannot have reached anybody.
    private static func isUnsent(_ error: any Error) -> Bool {
        if error is NIOConnectionError || error is CertificateName.Mismatch || error is NIOSSLError { return true }
        if let error = error as? IOError { return [ECONNREFUSED, EHOSTUNREACH, ENETUNREACH].contains(error.errnoCode) }
        guard let error = error as? HTTPClientError else { return false }
        return error == .connectTimeout || error == .getConnectionFromPoolTimeout
    }

    /// An error in a few words that hold nothing of the request.
    private static func reason(of error: any Error) -> String {
        switch error {
        case let error as HTTPClientError: "The connection failed: \(error.shortDescription)"
        default: "The connection failed: \(type(of: error))"
        }
    }

    private func client(at address: IPAddress) -> HTTPClient {
        let (client, old) = clients.withLock { clients -> (HTTPClient, [HTTPClient]) in
            if let client = clients[address] { return (client, []) }
            let old = clients.count >= Self.clientLimit ? Array(clients.values) : []
            if !old.isEmpty { clients = [:] }
            let client = makeClient(address)
            clients[address] = client
            return (client, old)
        }
        for client in old { client.shutdown { _ in } }
        return client
    }

    private func makeClient(_ target: IPAddress) -> HTTPClient {
        var configuration = HTTPClient.Configuration(tlsConfiguration: tls, redirectConfiguration: .disallow)
        // One kind of connection, so that one hook sees all of them.
        configuration.httpVersion = .http1Only
        let name = address.isIPAddress ? nil : HostName(address.host)
        if !address.isIPAddress { configuration.dnsOverride = [address.host: "\(target)"] }
        configuration.http1_1ConnectionDebugInitializer = { [check = settings.checkName, counts] channel in
            let checked = name.map { check($0, channel) } ?? channel.eventLoop.makeSucceededVoidFuture()
            return checked.map { counts.opened(channel) }
        }
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = connections
        configuration.connectionPool.idleTimeout = .milliseconds(settings.idleLimit.milliseconds)
        configuration.timeout.connect = settings.connectTimeout
        return HTTPClient(eventLoopGroup: group, configuration: configuration)
    }

    /// Closes all connections; nothing may be under way.
    func close() {
        let clients = clients.withLock { clients in
            defer { clients = [:] }
            return Array(clients.values)
        }
        // Not awaited: a host that hangs holds its connection open for some seconds of TLS goodbye.
        for client in clients { client.shutdown { _ in } }
    }
}
