public import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The way to Martlet's simulated APNs, by its control API (`docs/simulator.md`, `/devices`).
public struct SimulatedAPNsLink: APNsLink {
    /// Milliseconds that the simulator waits for a push before it answers with none.
    private static let wait = 20_000

    /// What the control API refused.
    public struct Refused: Error, Sendable, CustomStringConvertible {
        /// The answer's status.
        public var status: Int
        /// The status, in words.
        public var description: String { "the simulated APNs answered \(status)" }
    }

    private let control: URL
    private let session: URLSession

    /// - Parameter control: the address of the control API, such as `http://127.0.0.1:8444`.
    public init(control: URL) {
        self.control = control
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 60
        configuration.urlCache = nil
        // Every phone's request is under way for most of the time.
        configuration.httpMaximumConnectionsPerHost = 256
        session = URLSession(configuration: configuration)
    }

    /// `POST /devices`.
    public func newToken(topic: String, environment: PhoneEnvironment) async throws -> Data {
        struct Answer: Decodable { var token: String }
        var request = URLRequest(url: control.appendingPathComponent("devices"))
        request.httpMethod = "POST"
        request.httpBody = try JSONEncoder().encode(["topic": topic, "environment": environment.rawValue])
        let answer = try JSONDecoder().decode(Answer.self, from: try await send(request, expecting: 201))
        guard let token = Data(hexadecimal: answer.token) else { throw Refused(status: 201) }
        return token
    }

    /// `DELETE /devices/{token}`; a simulator that is gone needs not be told.
    public func giveUp(_ token: Data) async {
        var request = URLRequest(url: line(token))
        request.httpMethod = "DELETE"
        _ = try? await send(request, expecting: 204)
    }

    /// `GET /devices/{token}/pushes`.
    public func pushes(for token: Data, after taken: Int) async throws -> PushPage {
        var parts = URLComponents(url: line(token).appendingPathComponent("pushes"), resolvingAgainstBaseURL: true)
        parts?.queryItems = [
            URLQueryItem(name: "after", value: "\(taken)"), URLQueryItem(name: "wait", value: "\(Self.wait)"),
        ]
        guard let url = parts?.url else { throw URLError(.badURL) }
        let body = try await send(URLRequest(url: url), expecting: 200)
        guard let page = try JSONSerialization.jsonObject(with: body) as? [String: Any],
            let pushes = page["pushes"] as? [[String: Any]], let next = page["next"] as? Int
        else { throw URLError(.cannotParseResponse) }
        return PushPage(pushes: try pushes.map(Self.push), next: next)
    }

    private static func push(_ members: [String: Any]) throws -> Push {
        Push(
            payload: try JSONSerialization.data(withJSONObject: members["payload"] as? [String: Any] ?? [:]),
            apnsID: members["apnsID"] as? String,
            collapseID: members["collapseID"] as? String
        )
    }

    private func line(_ token: Data) -> URL {
        control.appendingPathComponent("devices").appendingPathComponent(token.hexadecimal)
    }

    private func send(_ request: URLRequest, expecting status: Int) async throws -> Data {
        let (body, answer) = try await session.data(for: request)
        let got = (answer as? HTTPURLResponse)?.statusCode ?? 0
        guard got == status else { throw Refused(status: got) }
        return body
    }
}

extension Data {
    /// Two digits a byte, in lower case.
    var hexadecimal: String {
        map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// `nil` when the text is no whole number of bytes in hexadecimal.
    init?(hexadecimal text: String) {
        let digits = text.compactMap(\.hexDigitValue)
        guard digits.count == text.count, digits.count.isMultiple(of: 2) else { return nil }
        self.init(stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) })
    }
}
