import AsyncHTTPClient
import MartletCore
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

/// Calls webhook URLs: public ones, and those of the inside that the operator allows.
///
/// The name is resolved here, every address is judged, and the connection goes to a judged address, so that a name
/// server that answers differently the second time (DNS rebinding) is not asked a second time.
struct WebhookSender: Sendable {
    /// How long one attempt may take, from the name to the answer: 15 seconds, as Amazon SNS waits.
    static let deadline: Duration = .seconds(15)
    /// Addresses of a name that are tried one after the other.
    static let tries = 3
    /// How many bytes of an answer are read, so that the connection can be used again; nobody looks at them.
    static let answerLimit = 16 << 10

    /// What may be connected to.
    let privateHosts: PrivateHostPolicy
    /// Connections.
    let clients: WebhookClients
    /// All addresses of a name.
    let resolve: @Sendable (String) async throws -> [IPAddress]
    /// Measures the deadline.
    let clock: any WallClock

    /// Calls; never throws.
    ///
    /// - Parameter mayBegin: asked before each connection; a call that may not begin is cancelled.
    func send(
        _ request: WebhookRequest,
        mayBegin: @escaping @Sendable () -> Bool = { true }
    ) async -> WebhookAnswer {
        let status = Status()
        return await withTaskGroup(of: WebhookAnswer?.self) { group in
            group.addTask {
                let answer = await call(request, status, mayBegin)
                return Task.isCancelled ? nil : answer
            }
            group.addTask {
                guard (try? await clock.sleep(for: Self.deadline)) != nil else { return nil }
                return .failed("no answer within \(Self.deadline.components.seconds) seconds")
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            // What the receiver said counts, however long the rest of its answer takes.
            if let code = status.code.withLock({ $0 }) { return .status(code) }
            return first ?? .cancelled
        }
    }

    /// The status of an answer, from the moment that it is there.
    private final class Status: Sendable {
        let code = Mutex<Int?>(nil)
    }

    private func call(
        _ request: WebhookRequest,
        _ status: Status,
        _ mayBegin: @Sendable () -> Bool
    ) async -> WebhookAnswer {
        let addresses: [IPAddress]
        switch request.url.host {
        case .address(let address): addresses = [address]
        case .name(let name):
            do {
                addresses = try await resolve(name.text)
            } catch FetchError.busy {
                return .busy
            } catch {
                return .failed("\(FetchError.unknownName)")
            }
        }
        for address in addresses {
            if let purpose = privateHosts.refusal(of: address, for: request.url.host.text) {
                return .refused("\(FetchError.refused(purpose))")
            }
        }
        var failure = "\(FetchError.unreachable)"
        for address in addresses.prefix(Self.tries) {
            guard mayBegin() else { return .cancelled }
            do {
                return .status(try await call(request, at: address, status))
            } catch let error as HTTPClientError where error == .getConnectionFromPoolTimeout {
                return .busy
            } catch let error where Self.isUnsent(error) {
                failure = "\(FetchError.unreachable)"
            } catch {
                return .failed(Self.reason(of: error))
            }
        }
        return .failed(failure)
    }

    private func call(
        _ request: WebhookRequest,
        at address: IPAddress,
        _ status: Status
    ) async throws -> Int {
        var message = HTTPClientRequest(url: request.url.text)
        message.method = .POST
        for field in request.fields { message.headers.add(name: field.name, value: field.value) }
        message.body = .bytes(ByteBuffer(bytes: request.body))
        let sent = message
        return try await clients.with(request.url, at: address) { client in
            // The deadline of the whole ends this sooner; the client wants one of its own.
            let response = try await client.execute(sent, timeout: .seconds(2 * Self.deadline.components.seconds))
            let code = Int(response.status.code)
            status.code.withLock { $0 = code }
            var count = 0
            do {
                for try await part in response.body {
                    count += part.readableBytes
                    if count > Self.answerLimit { break }
                }
            } catch {}  // The status has been said.
            return code
        }
    }

    /// Whether an error says that the request cannot have reached anybody.
    private static func isUnsent(_ error: any Error) -> Bool {
        if error is NIOConnectionError || error is CertificateName.Mismatch || error is NIOSSLError { return true }
        if let error = error as? IOError { return [ECONNREFUSED, EHOSTUNREACH, ENETUNREACH].contains(error.errnoCode) }
        return (error as? HTTPClientError) == .connectTimeout
    }

    /// An error in a few words that hold nothing of the request.
    private static func reason(of error: any Error) -> String {
        switch error {
        case let error as HTTPClientError: "The connection failed: \(error.shortDescription)"
        default: "The connection failed: \(type(of: error))"
        }
    }
}
