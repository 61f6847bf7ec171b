package import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What became of a request.
package enum SendOutcome: Sendable, Equatable {
    /// It is on Martlet's disk, under this id.
    case accepted(String)
    /// It is wrong and stays so.
    case refused(String)
    /// Whether it arrived is unknown, or it may succeed later: the same request is sent again.
    case again(after: Double?, String)
}

/// What the backend asks of Martlet; a seam for tests.
package protocol Messenger: Sendable {
    func send(_ intent: Intent) async -> SendOutcome
    /// Cancels what of a notification was not sent yet.
    ///
    /// - Returns: whether that is settled.
    func cancel(_ notification: String) async -> Bool
}

/// Martlet's REST interface, with a key of scope `send`.
package struct MartletClient: Messenger {
    private let server: URL
    private let key: String
    private let http: BoundedHTTP
    /// The most bytes of an answer.
    private static let limit = 64 * 1024

    package init(server: URL, key: String, deadline: TimeInterval = 10) {
        self.server = server
        self.key = key
        http = BoundedHTTP(deadline: deadline)
    }

    package func send(_ intent: Intent) async -> SendOutcome {
        var request = request("POST", "api/v1/notifications")
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.setValue(intent.key, forHTTPHeaderField: "Idempotency-Key")
        request.httpBody = Data(intent.body.utf8)
        do {
            return Self.outcome(try await http.send(request, limit: Self.limit))
        } catch {
            return .again(after: nil, "Martlet does not answer")
        }
    }

    package func cancel(_ notification: String) async -> Bool {
        let request = request("DELETE", "api/v1/notifications/\(notification)")
        guard let answer = try? await http.send(request, limit: Self.limit) else { return false }
        // 404 and 409: nothing is left to cancel.
        return (200..<300).contains(answer.status) || [404, 409].contains(answer.status)
    }

    private func request(_ method: String, _ path: String) -> URLRequest {
        var request = URLRequest(url: server.appendingPathComponent(path))
        request.httpMethod = method
        request.setValue("Bearer \(key)", forHTTPHeaderField: "Authorization")
        return request
    }

    static func outcome(_ answer: BoundedHTTP.Answer) -> SendOutcome {
        struct Accepted: Decodable {
            struct Content: Decodable { var id: String }
            var data: Content
        }
        struct Refused: Decodable {
            struct Content: Decodable {
                var code: String
                var message: String
            }
            var error: Content
        }
        let error = (try? JSONDecoder().decode(Refused.self, from: answer.body))?.error
        let words = "\(answer.status) \(error?.code ?? ""): \(error?.message ?? "no reason given")"
        switch answer.status {
        case 200..<300:
            guard let id = (try? JSONDecoder().decode(Accepted.self, from: answer.body))?.data.id else {
                return .again(after: nil, "\(answer.status) without an id")
            }
            return .accepted(id)
        case 400, 409, 413, 415, 422: return .refused(words)
        // A wrong key or app is the operator's to mend; what waits is sent then.
        default: return .again(after: answer.headers["retry-after"].flatMap(Double.init), words)
        }
    }
}
