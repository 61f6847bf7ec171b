package import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    package import FoundationNetworking
#endif

/// Why there is no answer.
package enum HTTPFailure: Error, Sendable, Equatable {
    case unreachable(String)
    case tooSlow
    case tooLarge
}

/// HTTP requests whose time and answer's size are bounded; redirections are not followed.
package final class BoundedHTTP: NSObject, Sendable {
    /// An answer with its whole body.
    package struct Answer: Sendable {
        package var status: Int
        package var body: Data
        /// By names in lower case.
        package var headers: [String: String]
    }

    private struct Exchange {
        var limit: Int
        var body = Data()
        var isTooLarge = false
        var done: CheckedContinuation<Answer, any Error>
    }

    private let exchanges = Mutex<[Int: Exchange]>([:])
    private let session = Mutex<URLSession?>(nil)
    private let deadline: TimeInterval

    /// - Parameter deadline: seconds for a whole exchange.
    package init(deadline: TimeInterval) {
        self.deadline = deadline
        super.init()
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = deadline
        configuration.timeoutIntervalForResource = deadline
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        let made = URLSession(configuration: configuration, delegate: self, delegateQueue: nil)
        session.withLock { $0 = made }
    }

    /// Ends what is under way; nothing can be sent afterwards.
    package func close() {
        session.withLock { session in
            session?.invalidateAndCancel()
            session = nil
        }
    }

    /// - Parameter limit: the most bytes of the answer's body.
    /// - Throws: `HTTPFailure`.
    package func send(_ request: URLRequest, limit: Int) async throws -> Answer {
        try await withCheckedThrowingContinuation { done in
            session.withLock { session in
                guard let session else { return done.resume(throwing: HTTPFailure.unreachable("closed")) }
                let task = session.dataTask(with: request)
                exchanges.withLock { $0[task.taskIdentifier] = Exchange(limit: limit, done: done) }
                task.resume()
                watch(task)
            }
        }
    }

    /// The session's own time limit does not end an exchange whose bytes trickle in.
    private func watch(_ task: URLSessionTask) {
        DispatchQueue.global().asyncAfter(deadline: .now() + deadline) { [weak self] in
            guard let exchange = self?.take(task) else { return }
            task.cancel()
            exchange.done.resume(throwing: HTTPFailure.tooSlow)
        }
    }

    private func take(_ task: URLSessionTask) -> Exchange? {
        exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier) }
    }
}

extension BoundedHTTP: URLSessionDataDelegate {
    package func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    package func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let tooLarge = exchanges.withLock { exchanges -> Exchange? in
            guard var exchange = exchanges.removeValue(forKey: dataTask.taskIdentifier) else { return nil }
            guard exchange.body.count + data.count <= exchange.limit else { return exchange }
            exchange.body.append(data)
            exchanges[dataTask.taskIdentifier] = exchange
            return nil
        }
        guard let tooLarge else { return }
        dataTask.cancel()
        tooLarge.done.resume(throwing: HTTPFailure.tooLarge)
    }

    package func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let exchange = take(task) else { return }
        guard error == nil, let response = task.response as? HTTPURLResponse else {
            let isLate = (error as? URLError)?.code == .timedOut
            let failure = isLate ? HTTPFailure.tooSlow : .unreachable(error?.localizedDescription ?? "no answer")
            return exchange.done.resume(throwing: failure)
        }
        var headers: [String: String] = [:]
        for (name, value) in response.allHeaderFields {
            if let name = name as? String, let value = value as? String { headers[name.lowercased()] = value }
        }
        exchange.done.resume(returning: Answer(status: response.statusCode, body: exchange.body, headers: headers))
    }
}
