public import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Registers a rider's device: `POST /api/v1/devices` with the rider's token, again until the server has it.
public struct DeviceRegistration: Sendable {
    private let server: URL
    private let userToken: String
    private let attempts: Int
    private let pause: Duration

    /// - Parameters:
    ///   - userToken: the rider's JWT.
    ///   - attempts: how often it is tried while the server does not answer or is busy.
    public init(server: URL, userToken: String, attempts: Int = 20, pause: Duration = .milliseconds(250)) {
        self.server = server
        self.userToken = userToken
        self.attempts = attempts
        self.pause = pause
    }

    /// - Returns: the last answer's status; `nil` without an answer.
    @discardableResult
    public func register(_ token: String) async -> Int? {
        var last: Int?
        for _ in 0..<attempts {
            last = await post(token)
            if let last, last < 500, last != 429 { return last }
            try? await Task.sleep(for: pause)
        }
        return last
    }

    private func post(_ token: String) async -> Int? {
        var request = URLRequest(url: server.appendingPathComponent("api/v1/devices"), timeoutInterval: 5)
        request.httpMethod = "POST"
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.setValue("Bearer \(userToken)", forHTTPHeaderField: "Authorization")
        request.httpBody = try? JSONEncoder().encode(["token": token, "platform": "ios"])
        guard let (_, answer) = try? await URLSession.shared.data(for: request) else { return nil }
        return (answer as? HTTPURLResponse)?.statusCode
    }
}
