import Foundation
import MartletTesting
import Testing

/// A backend on Amazon SNS as `examples/sns` has it, which publishes through Martlet instead: its own code, run by the Python
/// that there is.
@MainActor
final class SNSBackend {
    nonisolated static let application = "dashboard-ios"
    /// Whether this machine has Amazon's client.
    nonisolated static let isInstalled = Python.has("boto3")

    /// What the server has to know to send to the simulator whatever is made through SNS.
    nonisolated static func settings(_ stage: DeliveryStage) -> [String: String] {
        [
            "MARTLET_SNS_APNS_URL": stage.simulator.apns, "MARTLET_SNS_APNS_TRUST": stage.simulator.ca,
            "MARTLET_SNS_REGION": "ap-northeast-1",
        ]
    }

    /// One process for all that a test does: Amazon's client takes long to start.
    private static let program = """
        import json, sys, boto3
        sys.path.insert(0, "examples/sns")
        import phone, worker
        sns = boto3.client("sns")
        def prepare(sns, name, key, key_id, team, bundle):
            apple = {"PlatformCredential": key, "PlatformPrincipal": key_id, "ApplePlatformTeamID": team,
                "ApplePlatformBundleID": bundle}
            made = sns.create_platform_application(Name=name, Platform="APNS", Attributes=apple)
            return [sns.create_topic(Name="dashboard-updates")["TopicArn"], made["PlatformApplicationArn"]]
        steps = {"prepare": prepare, "register": phone.register, "announce": worker.announce}
        for line in open(sys.argv[1]):
            number, step, *arguments = json.loads(line)
            print(f"#{number} is done:", json.dumps(steps[step](sns, *arguments)), flush=True)
        """

    private struct Made: Decodable {
        var id: String
        var secret: String

        enum CodingKeys: String, CodingKey {
            case id = "access_key_id"
            case secret = "secret_access_key"
        }
    }

    private let folder: TemporaryFolder
    private let process: ProgramProcess
    private let requests: FileHandle
    private var count = 0
    private var topic = ""
    private var applicationARN = ""

    /// Makes the topic and the platform application.
    init(_ loop: Loop) async throws {
        let created = try await loop.server.run("keys", "create", "--sns", "--name", "worker", "--json")
        let key = try JSONDecoder().decode(Made.self, from: Data(created.standardOutput.utf8))
        folder = try TemporaryFolder()
        let pipe = folder.file("requests")
        try #require(mkfifo(pipe, 0o600) == 0)
        // For both directions, so that opening it waits for nobody.
        requests = try #require(FileHandle(forUpdatingAtPath: pipe))
        process = try ProgramProcess(
            ["python3", "-B", "-W", "ignore", "-c", Self.program, pipe],
            executable: "/usr/bin/env",
            environment: [
                "AWS_ACCESS_KEY_ID": key.id, "AWS_SECRET_ACCESS_KEY": key.secret,
                "AWS_ENDPOINT_URL_SNS": loop.server.address, "AWS_REGION": "ap-northeast-1",
                "AWS_DEFAULT_REGION": "ap-northeast-1", "AWS_CONFIG_FILE": "/dev/null",
                "AWS_SHARED_CREDENTIALS_FILE": "/dev/null", "AWS_EC2_METADATA_DISABLED": "true",
            ]
        )
        let names = try await perform(
            "prepare",
            Self.application,
            try loop.stage.signingKey(),
            DeliveryStage.keyID,
            DeliveryStage.teamID,
            Loop.topic
        )
        let made = try JSONDecoder().decode([String].self, from: names)
        (topic, applicationARN) = (try #require(made.first), try #require(made.last))
    }

    /// The app handed over its token: the phone is told of one device's dashboard.
    func register(token: String, device: String) async throws {
        _ = try await perform("register", applicationARN, topic, token, device)
    }

    /// The analysis of a device's day is done.
    func announce(device: String, date: String) async throws {
        _ = try await perform("announce", topic, device, date)
    }

    /// Has the process do one thing.
    ///
    /// - Returns: what came of it, as JSON.
    private func perform(_ step: String, _ arguments: String...) async throws -> Data {
        count += 1
        let request = try JSONEncoder().encode(["\(count)", step] + arguments)
        try requests.write(contentsOf: request + Data("\n".utf8))
        let answer = try await process.line(containing: "#\(count) is done: ")
        return Data((answer.split(separator: ": ", maxSplits: 1).last ?? "").utf8)
    }
}
