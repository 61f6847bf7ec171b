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

    /// Tries address, key and app before there is anything to send.
    ///
    /// - Returns: what came of it, for the log.
    package func check(app: String?) async -> String {
        let query =
            [URLQueryItem(name: "limit", value: "1")] + (app.map { [URLQueryItem(name: "app", value: $0)] } ?? [])
        let request = request("GET", "api/v1/notifications", query)
        guard let answer = try? await http.send(request, limit: Self.limit) else {
            return "Martlet at \(server) does not answer. What there is to send waits."
        }
        guard answer.status != 200 else { return "Martlet at \(server) takes the key." }
        return "Martlet at \(server) refuses the key or the app, and what there is to send waits: \(Self.words(answer))"
    }

    private func request(_ method: String, _ path: String, _ query: [URLQueryItem] = []) -> URLRequest {
        let url = server.appendingPathComponent(path)
        var request = URLRequest(url: query.isEmpty ? url : url.appending(queryItems: query))
        request.httpMethod = method
        request.setValue("Bearer \(key)", forHTTPHeaderField: "Authorization")
        return request
    }

    static func outcome(_ answer: BoundedHTTP.Answer) -> SendOutcome {
        struct Accepted: Decodable {
            struct Content: Decodable { var id: String }
            var data: Content
        }
        switch answer.status {
        case 200..<300:
            guard let id = (try? JSONDecoder().decode(Accepted.self, from: answer.body))?.data.id else {
                return .again(after: nil, "\(answer.status) without an id")
            }
            return .accepted(id)
        case 400, 409, 413, 415, 422: return .refused(words(answer))
        // A wrong key or app is the operator's to mend; what waits is sent then.
        default: return .again(after: answer.headers["retry-after"].flatMap(Double.init), words(answer))
        }
    }

    /// An answer that is no success, as one line.
    private static func words(_ answer: BoundedHTTP.Answer) -> String {
        struct Refused: Decodable {
            struct Content: Decodable {
                var code: String
                var message: String
            }
            var error: Content
        }
        guard let error = (try? JSONDecoder().decode(Refused.self, from: answer.body))?.error else {
            return "\(answer.status), without a reason"
        }
        return "\(answer.status) \(error.code): \(error.message.prefix(300))".replacing("\n", with: " ")
    }
}
