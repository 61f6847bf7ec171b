import Foundation
import MartletTesting
import Testing

/// `martlet simulate` as a process.
@Suite struct SimulateTests {
    @Test("SIGTERM and SIGINT end it with 0, also when they come with its first line", arguments: [SIGTERM, SIGINT])
    func endsOnSignals(signal: Int32) async throws {
        let folder = try TemporaryFolder()
        let simulator = try await SimulatorProcess(folder: folder)
        simulator.process.send(signal: signal)
        #expect(try await simulator.process.result(within: 10).status == 0)
    }
}
