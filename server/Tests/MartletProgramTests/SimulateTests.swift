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

    @Test("SIGTERM ends it with 0 while clients go on connecting to its control interface")
    func endsUnderConnections() async throws {
        let folder = try TemporaryFolder()
        let simulator = try await SimulatorProcess(folder: folder)
        let port = UInt16(try #require(URL(string: simulator.control)?.port))
        let clients = (0..<8).map { _ in
            Task {
                try await blocking {
                    // Until nobody listens any more.
                    while let connection = try? RawConnection(port: port) {
                        try? connection.send("GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
                        _ = connection.read(seconds: 1)
                    }
                }
            }
        }
        simulator.process.send(signal: SIGTERM)
        #expect(try await simulator.process.result(within: 10).status == 0)
        for client in clients { try await client.value }
    }
}
