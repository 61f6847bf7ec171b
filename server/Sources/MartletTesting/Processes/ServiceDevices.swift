import MartletCore
public import MartletWire

/// Devices of a service that is not Apple's, as `POST /api/v1/devices/batch` takes them.
public struct ServiceDevices: Sendable {
    private let simulator: SimulatorProcess
    private let app: String
    private let service: String

    /// Calls under way at the simulator.
    private static let calls = 16

    /// - Parameter service: at Web Push, whose push service the subscriptions are at.
    public init(simulator: SimulatorProcess, app: String, service: String = "google") {
        (self.simulator, self.app, self.service) = (simulator, app, service)
    }

    /// A device for each number, in their order, of the user of that number.
    public func make(_ numbers: Range<Int>) async throws -> [JSONValue] {
        var devices: [Int: JSONValue] = [:]
        try await withThrowingTaskGroup(of: (Int, JSONValue).self) { group in
            for (position, number) in numbers.enumerated() {
                if position >= Self.calls, let (done, device) = try await group.next() { devices[done] = device }
                group.addTask { (number, try await make(number)) }
            }
            for try await (done, device) in group { devices[done] = device }
        }
        return numbers.compactMap { devices[$0] }
    }

    private func make(_ number: Int) async throws -> JSONValue {
        var members: [String: JSONValue] = [
            "app": .string(app), "user_id": .string("user-\(number)"),
            "platform": .string(simulator.platform.rawValue),
        ]
        if simulator.platform == .webpush {
            let made = try await simulator.call("POST", "/subscriptions", #"{"service": "\#(service)"}"#)?.objectValue
            members["token"] = made?["endpoint"] ?? .null
            members["subscription"] = ["endpoint": made?["endpoint"] ?? .null, "keys": made?["keys"] ?? .null]
        } else {
            let digits = String(number)
            let rest = String(repeating: "x", count: 40 - digits.count) + digits
            members["token"] = .string("some-device:APA91b" + rest)
        }
        return .object(members)
    }
}
