import Foundation
import MartletWire
import NIOHTTP1

/// Registering everybody's devices anew, as who moves here does: in requests of a thousand, one after the other.
struct DeviceRegistration {
    let server: ServerUnderTest
    static let devices = 100_000
    private static let goal = 20.0

    func rows() async throws -> [Row] {
        let cpu = try server.figures.cpuSeconds()
        let seconds = try await registerAll()
        let microseconds = (try server.figures.cpuSeconds() - cpu) * 1_000_000 / Double(Self.devices)
        return [
            Row(
                "registration, 100,000 devices in batches",
                ours: "\(seconds.text(1)) s",
                goal: "< \(Self.goal.text(0)) s",
                isMet: seconds < Self.goal,
                note: "\(microseconds.text(0)) µs a device of the server"
            )
        ]
    }

    /// Registers them; says how long it took.
    func registerAll() async throws -> Double {
        let start = ContinuousClock.now
        for first in stride(from: 0, to: Self.devices, by: DeviceBatchRequest.limit) {
            try await register(first..<(first + DeviceBatchRequest.limit))
        }
        return (ContinuousClock.now - start) / .seconds(1)
    }

    private func register(_ numbers: Range<Int>) async throws {
        // The benchmark's own endpoints have random tokens, and the first push's token ends in 0.
        let devices = numbers.map { number in
            """
            {"app":"\(ServerUnderTest.app)","token":"\(ServerUnderTest.token(number + 1))","user_id":"person-\(number)",\
            "environment":"production","locale":"ja-JP","app_version":"3.1.0"}
            """
        }
        let body = #"{"devices":[\#(devices.joined(separator: ","))]}"#
        let answer = try await server.call(.POST, "/api/v1/devices/batch", body)
        guard case .array(let receipts)? = answer["receipts"], receipts.count == numbers.count,
            receipts.allSatisfy({ $0.objectValue?["status"]?.stringValue == "registered" })
        else { throw BenchmarkError("not all devices of a request were registered") }
    }
}
