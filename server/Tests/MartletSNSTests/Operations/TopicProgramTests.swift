import Testing

@testable import MartletHTTP

@Suite("A program with boto3", .enabled(if: PythonProgram.hasBoto3, "python3 has no boto3"))
struct TopicProgramTests {
    @Test("makes all calls about topics, tags, permissions and subscriptions")
    func topics() async throws {
        try await Harness.run { harness in
            let endpoint = try await harness.makeEndpoint(harness.makeApplication(), token: Harness.token(1))
            _ = try await PythonProgram.run("topics", harness, [endpoint])
        }
    }
}
