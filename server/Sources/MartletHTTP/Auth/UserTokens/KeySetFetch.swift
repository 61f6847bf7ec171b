import AsyncHTTPClient
import MartletCore
import MartletWire
import NIOCore
import NIOHTTP1
import NIOSSL

/// Fetches key sets over HTTPS from public hosts.
///
/// The name is resolved here, every address is judged, and the connection goes to a judged address while TLS still
/// checks the certificate for the name, so that a name server that answers differently the second time (DNS
/// rebinding) is never asked a second time. AsyncHTTPClient takes such a mapping (`dnsOverride`) only for a whole
/// client, so every fetch has a client of its own; a host is fetched from once in ten minutes.
struct KeySetFetch: Sendable {
    /// The whole fetch, from the name to the last byte.
    static let deadline = Duration.seconds(5)
    /// One connection with its handshake: an address that does not answer leaves time for the next.
    static let connectTimeout = deadline / 2
    /// Bytes of an answer; large providers publish some ten keys in 20 KB.
    static let limit = 256 << 10
    /// Addresses that are tried one after the other.
    static let tries = 3

    /// What may be connected to.
    let privateHosts: PrivateHostPolicy
    /// Where connections live.
    let eventLoopGroup: any EventLoopGroup
    /// What to trust instead of the system's certificates.
    var tls: TLSConfiguration?
    /// All addresses of a name.
    var resolve: @Sendable (String) async throws -> [IPAddress]
    /// How long the whole fetch may take.
    var deadline = KeySetFetch.deadline

    /// Fetches and reads a key set.
    ///
    /// - Throws: ``FetchError`` or `CancellationError`.
    func callAsFunction(_ url: KeySetURL) async throws -> KeySet {
        try await withThrowingTaskGroup(of: KeySet.self) { group in
            group.addTask {
                let body = try await fetch(url, from: judged(url.host))
                do throws(Failure) {
                    return try await KeySet(json: body)
                } catch {
                    throw FetchError.notAKeySet(error.detail.message)
                }
            }
            group.addTask {
                try await Task.sleep(for: deadline)
                throw FetchError.tooSlow
            }
            defer { group.cancelAll() }
            guard let first = try await group.next() else { throw CancellationError() }
            return first
        }
    }

    /// The host's addresses, all of which may be connected to.
    private func judged(_ host: URLHost) async throws -> [IPAddress] {
        let addresses =
            switch host {
            case .address(let address): [address]
            case .name(let name): try await resolve(name.text)
            }
        for address in addresses {
            if let purpose = privateHosts.refusal(of: address, for: host.text) { throw FetchError.refused(purpose) }
        }
        return Array(addresses.prefix(KeySetFetch.tries))
    }

    private func fetch(_ url: KeySetURL, from addresses: [IPAddress]) async throws -> [UInt8] {
        for address in addresses {
            do {
                return try await fetch(url, from: address)
            } catch let error as FetchError {
                throw error
            } catch {
                try Task.checkCancellation()
            }
        }
        throw FetchError.unreachable
    }

    private func fetch(_ url: KeySetURL, from address: IPAddress) async throws -> [UInt8] {
        var configuration = HTTPClient.Configuration(tlsConfiguration: tls, redirectConfiguration: .disallow)
        // One kind of connection, so that one hook sees all of them.
        configuration.httpVersion = .http1Only
        if case .name(let name) = url.host {
            configuration.dnsOverride = [name.text: "\(address)"]
            configuration.http1_1ConnectionDebugInitializer = { CertificateName.demand(name, on: $0) }
        }
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.timeout.connect = .milliseconds(KeySetFetch.connectTimeout.milliseconds)
        let client = HTTPClient(eventLoopGroup: eventLoopGroup, configuration: configuration)
        // Not awaited: a host that hangs holds its connection open for another five seconds of TLS goodbye.
        defer { client.shutdown { _ in } }
        var request = HTTPClientRequest(url: url.text)
        request.headers = ["accept": "application/jwk-set+json, application/json"]
        // The deadline of the whole ends this sooner; the client wants one of its own.
        let response = try await client.execute(request, timeout: .milliseconds(2 * deadline.milliseconds))
        guard response.status == .ok else { throw FetchError.status(Int(response.status.code)) }
        var body: [UInt8] = []
        for try await part in response.body {
            guard body.count + part.readableBytes <= KeySetFetch.limit else { throw FetchError.tooLarge }
            body.append(contentsOf: part.readableBytesView)
        }
        return body
    }
}
