import MartletCore
import MartletTesting
import MartletWire
import Testing

/// `martlet phone --fcm`: the server and the simulated services are processes of their own.
@Suite(.timeLimit(.minutes(3))) struct PhoneFirebaseTests {
    private static let app = "com.example.transit"

    /// A server whose app has credentials for a simulated APNs and for a simulated FCM.
    private struct Scene {
        let stage: DeliveryStage
        let server: ServerProcess

        init() async throws {
            stage = try await DeliveryStage(app: PhoneFirebaseTests.app, platform: .fcm)
            server = try await stage.startServer()
            try await stage.connect(server)
            try await stage.setCredential(server)
        }

        func phone(_ flags: String..., script: [String]) throws -> ProgramProcess {
            try ProgramProcess(
                ["phone", "--app", PhoneFirebaseTests.app, "--simulator", stage.simulator.control, "--json"] + flags,
                input: script.map { $0 + "\n" }.joined(),
                environment: server.environment
            )
        }

        /// Sends to a user, or to all, by REST and waits for its end; returns the notification's id.
        func send(_ title: String, to user: String?) async throws -> String {
            let audience = user.map { #"{"users": ["\#($0)"]}"# } ?? #"{"all": true}"#
            let body = """
                {"app": "\(PhoneFirebaseTests.app)", "audience": \(audience), "title": "\(title)", "body": "Late",
                 "deep_link": "transit://alerts/4"}
                """
            let sent = try await server.call("POST", "/notifications", body)?.objectValue
            let id = try #require(sent?["id"]?.stringValue)
            try await Eventually.is("it has ended") {
                try await server.call("GET", "/notifications/\(id)")?.objectValue?["status"] == "done"
            }
            return id
        }

        /// By platform, how many deliveries of a notification were accepted.
        func accepted(_ id: String) async throws -> [String: Int] {
            guard case .array(let all)? = try await server.call("GET", "/notifications/\(id)/deliveries") else {
                return [:]
            }
            let platforms = all.compactMap(\.objectValue).filter { $0["state"] == "accepted" }
                .compactMap { $0["platform"]?.stringValue }
            return Dictionary(platforms.map { ($0, 1) }, uniquingKeysWith: +)
        }

        func events(_ id: String) async throws -> [String] {
            let path = "/events?app=\(PhoneFirebaseTests.app)&message_id=\(id)"
            guard case .array(let all)? = try await server.call("GET", path) else { return [] }
            return all.compactMap { $0.objectValue?["type"]?.stringValue }.sorted()
        }

        /// The platforms of a user's devices to which pushes go.
        func platforms(of user: String) async throws -> [String] {
            let path = "/devices?app=\(PhoneFirebaseTests.app)&user_id=\(user)"
            guard case .array(let all)? = try await server.call("GET", path) else { return [] }
            return all.compactMap(\.objectValue).filter { $0["is_active"] == true }
                .compactMap { $0["provider"]?.stringValue }
        }
    }

    @Test("what is sent comes through FCM alone, shows, is tapped and reported; another user takes the phone over")
    func receives() async throws {
        let scene = try await Scene()
        let script = [
            "wait registered", "wait shown", "tap", "wait deep_link", "report", "login ben", "wait registered", "home",
            "wait shown", "dismiss", "report", "logout", "wait shown",
        ]
        let phone = try scene.phone("--user", "amira", "--link", "transit:", "--fcm", script: script)
        try await phone.line(containing: #""what":"registered""#)
        #expect(try await scene.platforms(of: "amira") == ["fcm"])
        let first = try await scene.send("For amira", to: "amira")
        #expect(try await scene.accepted(first) == ["fcm": 1])
        try await phone.line(containing: #""user":"ben","what":"registered""#)
        #expect(try await scene.platforms(of: "amira").isEmpty)
        let second = try await scene.send("For ben", to: "ben")
        try await Eventually.is("nobody is logged in") { try await scene.platforms(of: "ben").isEmpty }
        #expect(try await scene.accepted(try await scene.send("For all", to: nil)) == ["fcm": 1])
        let result = try await phone.result()
        #expect(result.status == 0, "\(result.standardError)")

        let happened = try Event.all(in: result.standardOutput)
        #expect(happened.contains { $0.what == "fcm_token" && $0.value?.contains(":") == true })
        #expect(happened.filter { $0.what == "shown" }.map(\.title) == ["For amira", "For ben", "For all"])
        #expect(happened.contains { $0.what == "deep_link" && $0.value == "transit://alerts/4" })
        #expect(happened.allSatisfy { !["fault", "error", "refused", "no_token"].contains($0.what) })
        #expect(try await scene.events(first) == ["deeplink_open", "delivery", "open"])
        #expect(try await scene.events(second) == ["delivery", "dismiss"])
        let atAPNs = try await LocalCall.json("GET", scene.stage.simulator.control + "/received/count")
        #expect(atAPNs?.objectValue?["total"] == 0)
    }

    @Test("'fcm off' goes back to APNs, and 'fcm on' to FCM: each time one push, by the one way")
    func goesBack() async throws {
        let scene = try await Scene()
        let script = [
            "wait registered", "fcm off", "wait registered", "wait shown", "fcm on", "wait registered", "wait shown",
            "report",
        ]
        let phone = try scene.phone("--user", "amira", "--fcm", script: script)
        for (way, title) in [("apns", "Directly"), ("fcm", "By Firebase")] {
            try await Eventually.is("the device is reached by \(way)", within: 60) {
                try await scene.platforms(of: "amira") == [way]
            }
            #expect(try await scene.accepted(try await scene.send(title, to: "amira")) == [way: 1])
        }
        let result = try await phone.result()
        #expect(result.status == 0, "\(result.standardError)")
        let happened = try Event.all(in: result.standardOutput)
        #expect(happened.filter { $0.what == "shown" }.map(\.title) == ["Directly", "By Firebase"])
    }

    @Test("without a simulated FCM, and without --fcm, it says what is missing")
    func saysWhatIsMissing() async throws {
        let stage = try await Stage()
        let none = try await stage.phones(["--fcm"], ["help"], json: false).result()
        #expect(none.status == 1 && none.standardError.contains("'martlet simulate --fcm' has one"))
        let without = try await stage.phones([], ["fcm off"]).result()
        #expect(without.status == 1 && without.standardError.contains("Line 1: The app on phone 1 has no Firebase."))
        let wrong = try await stage.phones([], ["fcm perhaps"]).result()
        #expect(wrong.status == 1 && wrong.standardError.contains("The form is: fcm on|off"))
    }
}
