import Testing

@testable import MartletHTTP

@Suite("A program with boto3", .enabled(if: Boto3.isInstalled, "python3 has no boto3"))
struct TopicProgramTests {
    @Test("makes all calls about topics, tags, permissions and subscriptions")
    func topics() async throws {
        try await Harness.run { harness in
            let endpoint = try await harness.makeEndpoint(harness.makeApplication(), token: Harness.token(1))
            let arguments = [harness.url, harness.key.id, harness.key.secret, endpoint]
            let (status, output) = try await PythonProgram.run("topics", arguments)
            #expect(status == 0, "\(output)")
        }
    }
}
