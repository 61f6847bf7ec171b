package import Foundation

#if canImport(FoundationNetworking)
    package import FoundationNetworking
#endif

/// One request of a session and what came back so far. Its end is told exactly once.
final class Exchange: Sendable {
    typealias Completion = @Sendable (Result<HTTPAnswer, TransportError>) -> Void

    private struct State {
        var answer: HTTPURLResponse?
        var body = Data()
        var completion: Completion?
        /// Why it was stopped from this side.
        var reason: TransportError?
        /// When bytes came last, by a clock that nobody sets.
        var lastHeard = DispatchTime.now()
    }

    private let task: URLSessionDataTask
    private let exchanges: Exchanges
    private let limit: Int
    private let take: (@Sendable (Data) -> Bool)?
    private let state = Locked(State())

    /// - Parameter take: takes the body of a successful answer in the place of the answer; `false` ends the request.
    init(
        _ task: URLSessionDataTask,
        of exchanges: Exchanges,
        limit: Int,
        take: (@Sendable (Data) -> Bool)? = nil
    ) {
        self.task = task
        self.exchanges = exchanges
        self.limit = limit
        self.take = take
    }

    /// Starts the request.
    func begin(_ completion: @escaping Completion) {
        let stopped = state.with { state in
            if state.reason == nil { state.completion = completion }
            return state.reason
        }
        if let stopped { return completion(.failure(stopped)) }
        exchanges.add(self, of: task)
        task.resume()
    }

    /// Ends the request from this side.
    func stop(_ reason: TransportError) {
        finish(.failure(reason), reason: reason)
        task.cancel()
    }

    /// Ends the request when so many seconds pass without a byte.
    func watch(idle: TimeInterval) {
        let (last, isOver) = state.with { ($0.lastHeard, $0.completion == nil) }
        guard !isOver else { return }
        let deadline = last + idle
        guard deadline > .now() else { return stop(.timedOut) }
        DispatchQueue.global().asyncAfter(deadline: deadline) { [weak self] in self?.watch(idle: idle) }
    }

    func received(_ answer: URLResponse) -> Bool {
        state.with { state in
            state.answer = answer as? HTTPURLResponse
            state.lastHeard = .now()
        }
        guard answer.expectedContentLength <= Int64(limit) else {
            stop(.answerTooLarge)
            return false
        }
        return true
    }

    func received(_ data: Data) {
        let isSuccess = state.with { state in
            state.lastHeard = .now()
            return state.reason == nil && (200..<300).contains(state.answer?.statusCode ?? 0)
        }
        if let take, isSuccess {
            if !take(data) { stop(.cancelled) }
            return
        }
        let isTooLarge = state.with { state in
            guard state.body.count + data.count <= limit else { return true }
            state.body.append(data)
            return false
        }
        if isTooLarge { stop(.answerTooLarge) }
    }

    func ended(_ error: (any Error)?) {
        if let error { return finish(.failure(TransportError(error))) }
        let result: Result<HTTPAnswer, TransportError> = state.with { state in
            guard let answer = state.answer else { return .failure(.failed("no HTTP answer")) }
            var headers: [String: String] = [:]
            for (name, value) in answer.allHeaderFields {
                if let name = name as? String, let value = value as? String { headers[name] = value }
            }
            return .success(HTTPAnswer(status: answer.statusCode, headers: headers, body: state.body))
        }
        finish(result)
    }

    private func finish(_ result: Result<HTTPAnswer, TransportError>, reason: TransportError? = nil) {
        let completion = state.with { state in
            defer { state.completion = nil }
            if state.reason == nil { state.reason = reason }
            return state.completion
        }
        exchanges.remove(task)
        completion?(result)
    }
}

/// The requests of one session that are under way: before iOS 15 a session has one delegate for all of them.
package final class Exchanges: NSObject, URLSessionDataDelegate, Sendable {
    private let open = Locked<[Int: Exchange]>([:])
    private let trust: @Sendable () -> ServerTrustHandler?

    package init(trust: @escaping @Sendable () -> ServerTrustHandler?) { self.trust = trust }

    package func urlSession(
        _ session: URLSession,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        guard let handler = trust() else { return completionHandler(.performDefaultHandling, nil) }
        handler(challenge, completionHandler)
    }

    func add(_ exchange: Exchange, of task: URLSessionTask) {
        open.with { $0[task.taskIdentifier] = exchange }
    }

    func remove(_ task: URLSessionTask) {
        open.with { $0[task.taskIdentifier] = nil }
    }

    package func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    package func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        completionHandler(exchange(dataTask)?.received(response) == true ? .allow : .cancel)
    }

    package func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        exchange(dataTask)?.received(data)
    }

    package func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        exchange(task)?.ended(error)
    }

    private func exchange(_ task: URLSessionTask) -> Exchange? {
        open.with { $0[task.taskIdentifier] }
    }
}

extension TransportError {
    /// What an error of `URLSession` means.
    init(_ error: any Error) {
        guard let error = error as? URLError else {
            self = .failed(error.localizedDescription)
            return
        }
        switch error.code {
        case .timedOut: self = .timedOut
        case .cancelled: self = .cancelled
        case .notConnectedToInternet, .cannotFindHost, .cannotConnectToHost, .networkConnectionLost, .dnsLookupFailed,
            .internationalRoamingOff, .callIsActive, .dataNotAllowed:
            self = .unreachable(error.localizedDescription)
        case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
            .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
            .clientCertificateRequired, .appTransportSecurityRequiresSecureConnection:
            self = .insecure(error.localizedDescription)
        default: self = .failed(error.localizedDescription)
        }
    }
}
