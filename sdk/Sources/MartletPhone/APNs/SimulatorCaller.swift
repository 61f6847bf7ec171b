import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What the control API of a simulator refused.
public struct SimulatorRefused: Error, Sendable, CustomStringConvertible {
    /// The answer's status.
    public var status: Int
    /// The status, in words.
    public var description: String { "the simulator answered \(status)" }
}

/// Calls the control API of Martlet's simulators (`docs/simulator.md`) as their phones do.
struct SimulatorCaller: Sendable {
    /// Milliseconds that a simulator waits for a push before it answers with none.
    private static let wait = 20_000

    /// The address that phones are at, such as `http://127.0.0.1:8444/devices`.
    private let devices: URL
    private let session: URLSession

    init(devices: URL) {
        self.devices = devices
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 60
        configuration.urlCache = nil
        // Every phone's request is under way for most of the time.
        configuration.httpMaximumConnectionsPerHost = 256
        session = URLSession(configuration: configuration)
    }

    /// `POST /devices`: a new token.
    func newToken(_ wish: [String: String]) async throws -> String {
        struct Answer: Decodable { var token: String }
        var request = URLRequest(url: devices)
        request.httpMethod = "POST"
        request.httpBody = try JSONEncoder().encode(wish)
        return try JSONDecoder().decode(Answer.self, from: try await send(request, expecting: 201)).token
    }

    /// `DELETE /devices/{token}`; a simulator that is gone needs not be told.
    func giveUp(_ token: String) async {
        var request = URLRequest(url: line(token))
        request.httpMethod = "DELETE"
        _ = try? await send(request, expecting: 204)
    }

    /// What waits for a token after what was taken: the page's list of that name, each of its members read.
    func page(
        _ list: String,
        of token: String,
        after taken: Int,
        read: ([String: Any]) throws -> Push
    ) async throws -> PushPage {
        var parts = URLComponents(url: line(token).appendingPathComponent(list), resolvingAgainstBaseURL: true)
        parts?.queryItems = [
            URLQueryItem(name: "after", value: "\(taken)"), URLQueryItem(name: "wait", value: "\(Self.wait)"),
        ]
        guard let url = parts?.url else { throw URLError(.badURL) }
        let body = try await send(URLRequest(url: url), expecting: 200)
        guard let page = try JSONSerialization.jsonObject(with: body) as? [String: Any],
            let items = page[list] as? [[String: Any]], let next = page["next"] as? Int
        else { throw URLError(.cannotParseResponse) }
        return PushPage(pushes: try items.map(read), next: next)
    }

    private func line(_ token: String) -> URL { devices.appendingPathComponent(token) }

    private func send(_ request: URLRequest, expecting status: Int) async throws -> Data {
        let (body, answer) = try await session.data(for: request)
        let got = (answer as? HTTPURLResponse)?.statusCode ?? 0
        guard got == status else { throw SimulatorRefused(status: got) }
        return body
    }
}
