import Foundation
import MartletTesting
import Testing

/// What commands do with settings and flags that they cannot use.
@Suite struct SettingsTests {
    @Test(
        "a key of the file that is none, or that holds a list, is named and nothing is done",
        arguments: [
            ("prot: 9090\n", "'prot'"), ("log:\n  levle: info\n", "'log.levle'"), ("log: info\n", "'log'"),
            ("port: [1, 2]\n", "'port'"), ("retention:\n  claim: 3\n", "'retention.claim'"),
        ]
    )
    func namesUnknownKeys(file: String, key: String) async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(file, to: "martlet.yaml")
        let result = try await Program.run("apps", "list", "--config", path, "--server", "http://127.0.0.1:1")
        #expect(result.status == 64, "\(result.standardError)")
        #expect(result.standardError.contains(key) && result.standardError.contains(path), "\(result.standardError)")
    }

    /// A value for every key.
    private static let every: [String: [String: String]] = [
        "": [
            "data": "/nowhere", "database": "postgres://martlet@localhost/martlet", "host": "127.0.0.1", "port": "0",
            "encryptionKey": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", "privateHosts": "keys.internal",
            "batches": "4", "batchesPerQueue": "2", "backlogLimit": "1000", "connections": "64",
            "connectionsPerAddress": "8", "trustedProxies": "10.0.0.1", "eventReserve": "1",
            "server": "http://127.0.0.1:1", "key": "mk_send_x",
        ],
        "log": ["level": "info", "format": "json"],
        "retention": [
            "notifications": "1", "claims": "1", "removedEndpoints": "1", "deadLetters": "1", "staleEndpoints": "1",
            "events": "1", "pendingSubscriptions": "1", "preferenceChanges": "1", "auditLog": "1",
        ],
        "apns": ["requestTimeout": "10"],
        "fcm": [
            "requestTimeout": "10", "url": "https://127.0.0.1:9445", "trust": "/nowhere.pem",
            "tokenHosts": "tokens.internal", "rate": "100",
        ],
        "webpush": [
            "requestTimeout": "10", "hosts": "up.example.org",
            "origins": "https://fcm.googleapis.com=https://127.0.0.1:9643", "trust": "/nowhere.pem",
        ],
        "web": ["origins": "https://shop.example.com"], "console": ["simulator": "http://127.0.0.1:9444"],
        "quotas": [
            "events": "1", "eventBytes": "1000", "registrations": "1", "tests": "1", "testsOfApp": "1",
            "installationsPerAddress": "1", "devicesPerUser": "1",
        ],
        "sns": [
            "region": "eu-central-1", "account": #""000000000001""#, "publicURL": "https://push.example.com",
            "apnsURL": "https://127.0.0.1:2197", "apnsTrust": "/nowhere.pem",
        ],
    ]

    @Test("a file with every key is taken")
    func takesEveryKey() async throws {
        var lines: [String] = []
        var keys: Set<String> = []
        for (group, members) in Self.every.sorted(by: { $0.key < $1.key }) {
            if !group.isEmpty { lines.append("\(group):") }
            for (key, value) in members {
                lines.append(group.isEmpty ? "\(key): \(value)" : "  \(key): \(value)")
                keys.insert(group.isEmpty ? key : "\(group).\(key)")
            }
        }
        let folder = try TemporaryFolder()
        let path = try folder.write(lines.joined(separator: "\n") + "\n", to: "martlet.yaml")
        let result = try await Program.run("apps", "list", "--config", path)
        #expect(result.status == 69, "\(result.standardError)")
        // The program names all of them where it is given one that is none.
        let wrong = try folder.write("prot: 9090\n", to: "wrong.yaml")
        let refused = try await Program.run("apps", "list", "--config", wrong)
        let list = try #require(refused.standardError.firstMatch(of: /The settings are: (.*)\./)?.1)
        #expect(keys == Set(list.split(separator: ", ").map(String.init)))
    }

    @Test(
        "a setting of the SNS interface without a proper value is named, and nothing starts",
        arguments: [
            ("MARTLET_SNS_REGION", "eu central", "sns.region"), ("MARTLET_SNS_ACCOUNT", "12", "sns.account"),
            ("MARTLET_SNS_PUBLIC_URL", "ftp://push.example.com", "sns.publicURL"),
            ("MARTLET_SNS_PUBLIC_URL", "https://push.example.com/path", "sns.publicURL"),
            ("MARTLET_SNS_APNS_URL", "http://127.0.0.1:2197", "sns.apnsURL"),
            ("MARTLET_SNS_APNS_TRUST", "/nowhere.pem", "sns.apnsTrust"),
        ]
    )
    func namesSNSSettings(variable: String, value: String, key: String) async throws {
        let folder = try TemporaryFolder()
        let environment = [variable: value, "MARTLET_DATA": folder.file("data")]
        let result = try await ProgramProcess(["serve", "--port", "0"], environment: environment).result()
        #expect(result.status == 64, "\(result.standardError)")
        #expect(result.standardError.contains("The setting \(key) "), "\(result.standardError)")
        #expect(!FileManager.default.fileExists(atPath: folder.file("data")))
    }

    @Test(
        "the simulator whose phones the console shows is on this machine, or nothing starts",
        arguments: [
            "http://192.0.2.7:9444", "http://[2001:db8::1]:9444", "http://phones.example.com:9444",
            "http://localhost.example.com:9444", "http://127.0.0.1.example.com:9444", "http://0.0.0.0:9444",
            "http://127.0.0.1@192.0.2.7:9444", "http://user:password@127.0.0.1:9444", "https://127.0.0.1:9444",
            "http://127.0.0.1:9444/admin", "http://127.0.0.1:9444?x=y", "http://127.0.0.1:9444#x", "127.0.0.1:9444",
            "file:///etc/passwd", "http://",
        ]
    )
    func refusesSimulator(address: String) async throws {
        let folder = try TemporaryFolder()
        let environment = ["MARTLET_CONSOLE_SIMULATOR": address, "MARTLET_DATA": folder.file("data")]
        let result = try await ProgramProcess(["serve", "--port", "0"], environment: environment).result()
        #expect(result.status == 64, "\(result.standardError)")
        #expect(result.standardError.contains("The setting console.simulator "), "\(result.standardError)")
        #expect(!FileManager.default.fileExists(atPath: folder.file("data")))
    }

    @Test("doctor names a log level that serve would refuse")
    func doctorReadsLogSettings() async throws {
        let environment = ["MARTLET_LOG_LEVEL": "loud", "MARTLET_SERVER": "http://127.0.0.1:1"]
        let result = try await ProgramProcess(["doctor"], environment: environment).result()
        #expect(result.status == 1)
        #expect(result.standardOutput.contains("log.level"), "\(result.standardOutput)")
    }

    @Test(
        "with --json a wrong flag is an error document too, and help is not",
        arguments: [["--limit", "0"], ["--x"]]
    )
    func describesWrongFlags(flags: [String]) async throws {
        let result = try await ProgramProcess(["apps", "list", "--json"] + flags).result()
        #expect(result.status == 64)
        let body = try JSONDecoder().decode(ErrorAnswer.self, from: Data(result.standardError.utf8))
        #expect(body.error.code == "command_failed")
        let help = try await Program.run("apps", "list", "--json", "--help")
        #expect(help.status == 0 && help.standardOutput.contains("USAGE"))
    }

    @Test("apps create --from-env changes the identity of an app that is there already")
    func changesIdentity() async throws {
        let stage = try await Stage()
        let pem = try String(contentsOfFile: stage.folder.file("simulator.p8"), encoding: .utf8)
        let environment = [
            "APNS_KEY_ID": "SIMULATED1", "APNS_TEAM_ID": "SIMULATED1", "APNS_BUNDLE_ID": Stage.app,
            "APNS_PRIVATE_KEY_PATH": try stage.folder.write(pem, to: "again.p8"),
        ]
        let made = try await stage.server.run(
            "apps",
            "create",
            "--from-env",
            "--issuer",
            "https://id.example.com/",
            "--audience",
            "transit",
            environment: environment
        )
        #expect(made.status == 0, "\(made.standardError)")
        #expect(made.standardOutput.contains("https://id.example.com/"), "\(made.standardOutput)")
    }
}
