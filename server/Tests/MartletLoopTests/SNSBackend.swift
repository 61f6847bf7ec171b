import Foundation
import MartletTesting
import Testing

/// A backend on Amazon SNS as `examples/sns` has it, which publishes through Martlet instead: its own programs, run by the
/// Python that there is.
struct SNSBackend {
    static let application = "dashboard-ios"
    /// Whether this machine has Amazon's client.
    static let isInstalled: Bool = {
        let python = Process()
        python.executableURL = URL(filePath: "/usr/bin/env")
        python.arguments = ["python3", "-c", "import boto3"]
        python.standardError = FileHandle.nullDevice
        guard (try? python.run()) != nil else { return false }
        python.waitUntilExit()
        return python.terminationStatus == 0
    }()

    /// What the server has to know to send to the simulator whatever is made through SNS.
    static func settings(_ stage: DeliveryStage) -> [String: String] {
        [
            "MARTLET_SNS_APNS_URL": stage.simulator.apns, "MARTLET_SNS_APNS_TRUST": stage.simulator.ca,
            "MARTLET_SNS_REGION": "ap-northeast-1",
        ]
    }

    private static let preparation = """
        import sys, boto3
        key, key_id, team, bundle, name = sys.argv[1:]
        sns = boto3.client("sns")
        print(sns.create_topic(Name="dashboard-updates")["TopicArn"])
        apple = {"PlatformCredential": key, "PlatformPrincipal": key_id, "ApplePlatformTeamID": team,
            "ApplePlatformBundleID": bundle}
        print(sns.create_platform_application(Name=name, Platform="APNS", Attributes=apple)["PlatformApplicationArn"])
        """

    private struct Made: Decodable {
        var id: String
        var secret: String

        enum CodingKeys: String, CodingKey {
            case id = "access_key_id"
            case secret = "secret_access_key"
        }
    }

    private let environment: [String: String]
    private var topic = ""
    private var applicationARN = ""

    /// Makes the topic and the platform application.
    @MainActor
    init(_ loop: Loop) async throws {
        let made = try await loop.server.run("keys", "create", "--sns", "--name", "worker", "--json")
        let key = try JSONDecoder().decode(Made.self, from: Data(made.standardOutput.utf8))
        environment = [
            "AWS_ACCESS_KEY_ID": key.id, "AWS_SECRET_ACCESS_KEY": key.secret,
            "AWS_ENDPOINT_URL_SNS": loop.server.address, "AWS_REGION": "ap-northeast-1",
            "AWS_DEFAULT_REGION": "ap-northeast-1", "AWS_CONFIG_FILE": "/dev/null",
            "AWS_SHARED_CREDENTIALS_FILE": "/dev/null", "AWS_EC2_METADATA_DISABLED": "true",
        ]
        let lines = try await python(
            "-c",
            Self.preparation,
            try loop.stage.signingKey(),
            DeliveryStage.keyID,
            DeliveryStage.teamID,
            Loop.topic,
            Self.application
        )
        try #require(lines.count == 2)
        (topic, applicationARN) = (lines[0], lines[1])
    }

    /// The app handed over its token: the phone is told of one device's dashboard.
    func register(token: String, device: String) async throws {
        _ = try await python("examples/sns/phone.py", applicationARN, topic, token, device)
    }

    /// The analysis of a device's day is done.
    func announce(device: String, date: String) async throws {
        _ = try await python("examples/sns/worker.py", topic, device, date)
    }

    /// Runs Python in the clone's folder.
    ///
    /// - Returns: the lines that it wrote.
    private func python(_ arguments: String...) async throws -> [String] {
        let process = try ProgramProcess(
            ["python3", "-B", "-W", "ignore"] + arguments,
            executable: "/usr/bin/env",
            environment: environment
        )
        let result = try await process.result()
        try #require(result.status == 0, "\(result.standardError.suffix(2_000))")
        return result.standardOutput.split(separator: "\n").map(String.init)
    }
}
