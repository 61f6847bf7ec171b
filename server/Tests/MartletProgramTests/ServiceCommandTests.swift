import Foundation
import MartletCore
import MartletTesting
import MartletWire
import Testing

/// What an operator does for FCM and for browsers.
@Suite struct ServiceCommandTests {
    @Test("a service account is stored from its file, doctor tries it, and send --override changes FCM's message")
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
        let device: JSONValue = [
            "app": .string(stage.app), "user_id": "ann", "platform": "fcm", "token": .string(token),
        ]
        try await server.call("POST", "/devices", String(decoding: device.json(), as: UTF8.self))
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
}
