import Foundation
import MartletCore
import MartletTesting
import MartletWire
import Testing

@testable import MartletSNS

@Suite("Amazon's own clients", .enabled(if: PythonProgram.hasBoto3, "python3 has no boto3"))
struct PublishProgramTests {
    /// A push that a program says has to come.
    private struct Expected: Codable, Hashable {
        var token: String
        var payload: String
    }

    @Test("a program with boto3 publishes in every way, and what it expects reaches the phones, and nothing else")
    func boto3() async throws {
        try await Harness.run(delivers: true) { harness in
            let output = try await PythonProgram.run("publish", harness, [Harness.signingKey])
            let expected = try output.split(separator: UInt8(ascii: "\n")).map {
                try JSONDecoder().decode(Expected.self, from: Data($0))
            }
            await harness.pushes.untilAttempts(expected.count)
            let sent = harness.pushes.attempts.map {
                Expected(token: $0.token, payload: Harness.given($0.message.payload.bytes))
            }
            #expect(sent.count == expected.count)
            #expect(Set(sent) == Set(expected))
        }
    }

    /// An alert that a program says has to come.
    private struct Alert: Codable, Hashable {
        var token: String
        var text: String
    }

    @Test(
        "the social app's push service reaches the devices that are on, under the tokens that they have, and no other"
    )
    func social() async throws {
        try await Harness.run(delivers: true) { harness in
            let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../../examples/sns")
            let arguments = [Harness.signingKey, harness.admin, root.standardizedFileURL.path]
            let output = try await PythonProgram.run("social", harness, arguments)
            let expected = try output.split(separator: UInt8(ascii: "\n")).map {
                try JSONDecoder().decode(Alert.self, from: Data($0))
            }
            #expect(expected.count == 11)
            let sent = harness.pushes.attempts.map { attempt in
                let payload = try? JSONValue(json: Data(attempt.message.payload.bytes))
                let alert = payload?.members?["aps"]?.members?["alert"]?.stringValue
                return Alert(token: attempt.token, text: alert ?? "")
            }
            #expect(sent.count == expected.count)
            #expect(Set(sent) == Set(expected))
        }
    }

    private static let hasCommandLine =
        ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":").contains {
            FileManager.default.isExecutableFile(atPath: "\($0)/aws")
        } == true

    @Test("the AWS command line publishes to a topic and to an endpoint", .enabled(if: hasCommandLine))
    func commandLine() async throws {
        try await Harness.run(delivers: true) { harness in
            let application = try await harness.makeApplication()
            let topic = try await harness.makeTopic("news")
            let first = try await harness.makeEndpoint(application, token: Harness.token(1))
            let second = try await harness.makeEndpoint(application, token: Harness.token(2))
            try await harness.subscribe(first, to: topic, filter: #"{"device_id":["1"]}"#)
            _ = try await PythonProgram.run("publish_cli", harness, [topic, second])
            await harness.pushes.untilAttempts(2)
            #expect(harness.payloads(Harness.token(1)) == [#"{"aps": {"alert": "from a shell"}}"#])
            #expect(harness.payloads(Harness.token(2)) == [#"{"aps":{"alert":"hello"}}"#])
        }
    }
}
