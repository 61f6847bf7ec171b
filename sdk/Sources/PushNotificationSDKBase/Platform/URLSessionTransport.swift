package import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Requests over `URLSession`, without cookies, caches and stored credentials.
package final class URLSessionTransport: HTTPTransport {
    private let session = Locked<URLSession?>(nil)
    package let exchanges: Exchanges

    /// A transport; the session is made with the first request.
    ///
    /// - Parameter trust: who decides about a server; asked for each connection.
    package init(trust: @escaping @Sendable () -> ServerTrustHandler? = { nil }) {
        exchanges = Exchanges(trust: trust)
    }

    deinit { session.with { $0 }?.finishTasksAndInvalidate() }

    package func send(_ call: HTTPCall) async throws(TransportError) -> HTTPAnswer {
        guard !Task.isCancelled else { throw .cancelled }
        let task = openSession().dataTask(with: URLRequest(call))
        let exchange = Exchange(task, of: exchanges, limit: call.answerLimit)
        // The session's own time limits are for the gaps between bytes, and for all requests alike.
        DispatchQueue.global().asyncAfter(deadline: .now() + call.timeout) { [weak exchange] in
            exchange?.stop(.timedOut)
        }
        return try await end(of: exchange)
    }

    package func stream(
        _ call: HTTPCall,
        idle: TimeInterval,
        take: @escaping @Sendable (Data) -> Bool
    ) async throws(TransportError) -> HTTPAnswer {
        guard !Task.isCancelled else { throw .cancelled }
        let task = openSession().dataTask(with: URLRequest(call))
        let exchange = Exchange(task, of: exchanges, limit: call.answerLimit, take: take)
        DispatchQueue.global().asyncAfter(deadline: .now() + call.timeout) { [weak exchange] in
            exchange?.stop(.timedOut)
        }
        return try await end(of: exchange, idle: idle)
    }

    private func end(of exchange: Exchange, idle: TimeInterval? = nil) async throws(TransportError) -> HTTPAnswer {
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                exchange.begin { continuation.resume(returning: $0) }
                if let idle { exchange.watch(idle: idle) }
            }
        } onCancel: {
            exchange.stop(.cancelled)
        }
        return try result.get()
    }

    private func openSession() -> URLSession {
        session.with { session in
            if let session { return session }
            let configuration = URLSessionConfiguration.ephemeral
            configuration.httpShouldSetCookies = false
            configuration.urlCache = nil
            configuration.urlCredentialStorage = nil
            let new = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: nil)
            session = new
            return new
        }
    }
}

extension URLRequest {
    fileprivate init(_ call: HTTPCall) {
        self.init(url: call.url, cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: call.timeout)
        httpMethod = call.method
        httpBody = call.body
        for (name, value) in call.headers { setValue(value, forHTTPHeaderField: name) }
    }
}
