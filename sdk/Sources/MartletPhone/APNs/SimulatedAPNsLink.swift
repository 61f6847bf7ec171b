public import Foundation

/// The way to Martlet's simulated APNs, by its control API (`docs/simulator.md`, `/devices`).
public struct SimulatedAPNsLink: APNsLink {
    private let caller: SimulatorCaller

    /// - Parameter control: the address of the control API, such as `http://127.0.0.1:8444`.
    public init(control: URL) {
        caller = SimulatorCaller(devices: control.appendingPathComponent("devices"))
    }

    /// `POST /devices`.
    public func newToken(topic: String, environment: PhoneEnvironment) async throws -> Data {
        let text = try await caller.newToken(["topic": topic, "environment": environment.rawValue])
        guard let token = Data(hexadecimal: text) else { throw URLError(.cannotParseResponse) }
        return token
    }

    /// `DELETE /devices/{token}`; a simulator that is gone needs not be told.
    public func giveUp(_ token: Data) async { await caller.giveUp(token.hexadecimal) }

    /// `GET /devices/{token}/pushes`.
    public func pushes(for token: Data, after taken: Int) async throws -> PushPage {
        try await caller.page("pushes", of: token.hexadecimal, after: taken) { members in
            Push(
                payload: try JSONSerialization.data(withJSONObject: members["payload"] as? [String: Any] ?? [:]),
                apnsID: members["apnsID"] as? String,
                collapseID: members["collapseID"] as? String
            )
        }
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
