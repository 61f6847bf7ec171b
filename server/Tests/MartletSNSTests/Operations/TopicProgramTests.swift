import MartletCore
import Testing

@testable import MartletSNS

@Suite("A program with boto3", .enabled(if: PythonProgram.hasBoto3, "python3 has no boto3"))
struct TopicProgramTests {
    @Test("makes all calls about topics, tags, permissions and subscriptions")
    func topics() async throws {
        try await Harness.run { harness in
            let endpoint = try await harness.makeEndpoint(harness.makeApplication(), token: Harness.token(1))
            _ = try await PythonProgram.run("topics", harness, [endpoint])
        }
    }

    @Test("is refused with the right code, and once, when it signs wrongly or names what is elsewhere")
    func refusals() async throws {
        try await Harness.run { harness in _ = try await PythonProgram.run("refusals", harness) }
    }

    @Test("listens over HTTP: confirms by the first of two confirmations, gets messages, and takes its end back")
    func confirmation() async throws {
        var settings = SNSSettings()
        settings.privateHosts = try PrivateHostPolicy(allowing: ["127.0.0.1"])
        try await Harness.run(settings: settings, delivers: true) { harness in
            _ = try await PythonProgram.run("confirmation", harness)
        }
    }
}
