import Crypto
import Foundation
import MartletCore
import MartletTesting
import MartletWire
import Testing

/// What an operator does for FCM and for browsers.
@Suite struct ServiceCommandTests {
    @Test("a service account is stored and tried, a device is registered, and send --override changes its message")
    func fcm() async throws {
        let stage = try await DeliveryStage(app: "com.example.droid", platform: .fcm)
        let server = try await stage.startServer()
        _ = try await server.run("apps", "create", stage.app)
        let file = stage.folder.file("service-account.json")
        let (address, trust) = (stage.simulator.address, stage.simulator.ca)
        let command = ["apps", "credentials", "set", stage.app, "--service-account", file]
        let stored = try await ProgramProcess(
            command + ["--fcm-url", address, "--fcm-trust", trust],
            environment: server.environment
        ).result()
        #expect(stored.status == 0, "\(stored.standardError)")
        #expect(stored.standardOutput.contains("service_account"))
        #expect(!stored.standardOutput.contains("PRIVATE KEY"))
        let doctor = try await server.run("doctor", "--app", stage.app)
        #expect(doctor.status == 0, "\(doctor.standardOutput)")
        for subject in ["token", "authentication", "clock"] {
            #expect(doctor.standardOutput.contains("fcm/production \(subject)"))
        }

        let account = try JSONValue(json: Data(contentsOf: URL(filePath: file))).objectValue
        let project: JSONValue = ["project": account?["project_id"] ?? .null]
        let phone = try await stage.simulator.call("POST", "/devices", String(decoding: project.json(), as: UTF8.self))
        let token = try #require(phone?.objectValue?["token"]?.stringValue)
        let register = ["devices", "register", token, "--platform", "fcm", "--app", stage.app, "--user", "ann"]
        let registered = try await ProgramProcess(register, environment: server.environment).result()
        #expect(registered.status == 0, "\(registered.standardError)")
        #expect(registered.standardOutput.contains("fcm"))
        let override = #"fcm={"android": {"ttl": "60s"}}"#
        let sent = try await ProgramProcess(
            ["send", "--app", stage.app, "--user", "ann", "--title", "T", "--override", override, "--wait"],
            environment: server.environment
        ).result()
        #expect(sent.status == 0, "\(sent.standardOutput)\(sent.standardError)")
        let page = try await stage.simulator.call("GET", "/devices/\(token)/messages")
        guard case .array(let messages)? = page?.objectValue?["messages"] else {
            Issue.record("the phone has no messages")
            return
        }
        let message = messages.first?.objectValue?["message"]?.objectValue
        #expect(message?["android"]?.objectValue?["ttl"] == "60s")
        #expect(message?["notification"] == ["title": "T"])
    }

    @Test("a VAPID key is made and rotated, doctor tries it, and hosts of UnifiedPush servers are taken by a setting")
    func webPush() async throws {
        let stage = try await DeliveryStage(
            app: "com.example.web",
            platform: .webpush,
            settings: ["MARTLET_WEBPUSH_HOSTS": "up.example.org,*.ntfy.example.net"]
        )
        let server = try await stage.startServer()
        _ = try await server.run("apps", "create", stage.app)
        let subject = "mailto:push@example.com"
        let made = try await server.run("apps", "credentials", "set", stage.app, "--webpush-subject", subject)
        #expect(made.status == 0, "\(made.standardError)")
        #expect(made.standardOutput.contains(subject))
        let rotated = try await server.run("apps", "credentials", "rotate-vapid", stage.app)
        #expect(rotated.status == 0, "\(rotated.standardError)")
        #expect(rotated.standardOutput.contains(subject) && rotated.standardOutput != made.standardOutput)
        let doctor = try await server.run("doctor", "--app", stage.app)
        #expect(doctor.status == 0, "\(doctor.standardOutput)")
        #expect(doctor.standardOutput.contains("1 older key is kept"))

        let browser = try await ServiceDevices(simulator: stage.simulator, app: stage.app).make(0..<1)
        var device = try #require(browser.first?.objectValue)
        for host in ["up.example.org", "a.ntfy.example.net", "elsewhere.example.org"] {
            let endpoint = JSONValue.string("https://\(host)/x")
            let keys = device["subscription"]?.objectValue?["keys"] ?? .null
            device["token"] = endpoint
            device["subscription"] = ["endpoint": endpoint, "keys": keys]
            let body = String(decoding: try JSONValue.object(["devices": [.object(device)]]).json(), as: UTF8.self)
            _ = try await server.call("POST", "/devices/batch", body)
        }
        guard case .array(let devices)? = try await server.call("GET", "/devices?app=\(stage.app)&user_id=user-0")
        else {
            Issue.record("no device is registered")
            return
        }
        let tokens = devices.compactMap { $0.objectValue?["device_token"]?.stringValue }
        #expect(Set(tokens) == ["https://up.example.org/x", "https://a.ntfy.example.net/x"])
    }

    @Test("a VAPID key made elsewhere is taken from its file, and is not shown")
    func importedKey() async throws {
        let stage = try await DeliveryStage(app: "com.example.web", platform: .webpush)
        let server = try await stage.startServer()
        _ = try await server.run("apps", "create", stage.app)
        let key = P256.Signing.PrivateKey()
        let text = Secret.base64URL(Array(key.rawRepresentation))
        let file = try stage.folder.write(text + "\n", to: "vapid.key")
        let set = ["apps", "credentials", "set", stage.app, "--webpush-subject", "mailto:push@example.com"]
        let stored = try await ProgramProcess(set + ["--vapid-key", file], environment: server.environment).result()
        #expect(stored.status == 0, "\(stored.standardError)")
        let publicKey = Secret.base64URL(Array(key.publicKey.x963Representation))
        #expect(stored.standardOutput.contains(publicKey), "\(stored.standardOutput)")
        #expect(!stored.standardOutput.contains(text))
        let short = try stage.folder.write("AAAA", to: "short.key")
        let refused = try await ProgramProcess(set + ["--vapid-key", short], environment: server.environment).result()
        #expect(refused.status == 1 && refused.standardError.contains("vapid_private_key"), "\(refused.standardError)")
    }

    @Test("a browser is registered from the file of its subscription, and gets what is sent")
    func browser() async throws {
        let stage = try await DeliveryStage(app: "com.example.web", platform: .webpush)
        let server = try await stage.startServer()
        try await stage.connect(server)
        let browser = try await ServiceDevices(simulator: stage.simulator, app: stage.app).make(0..<1)
        let subscription = try #require(browser.first?.objectValue?["subscription"])
        let text = String(decoding: try subscription.json(), as: UTF8.self)
        let file = try stage.folder.write(text, to: "subscription.json")
        let register = ["devices", "register", "--app", stage.app, "--user", "ann", "--subscription"]
        let registered = try await ProgramProcess(register + [file], environment: server.environment).result()
        #expect(registered.status == 0, "\(registered.standardError)")
        #expect(registered.standardOutput.contains("webpush") && registered.standardOutput.contains("google"))
        let sent = try await server.run("send", "--app", stage.app, "--user", "ann", "--title", "T", "--wait")
        #expect(sent.status == 0, "\(sent.standardOutput)\(sent.standardError)")

        let other = try stage.folder.write(#"{"endpoint": "https://fcm.googleapis.com/x"}"#, to: "other.json")
        for wrong in [[other], [stage.folder.file("none.json")], [file, "--platform", "fcm"], [file, "token"]] {
            let refused = try await ProgramProcess(register + wrong, environment: server.environment).result()
            #expect(refused.status == 64, "\(wrong): \(refused.standardError)")
        }
    }
}
