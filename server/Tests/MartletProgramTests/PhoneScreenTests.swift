import Foundation
import MartletTesting
import MartletWire
import Testing

/// The app's own screens on the phones of `martlet phone`: the notice list and the settings.
@Suite(.timeLimit(.minutes(3))) struct PhoneScreenTests {
    /// What the two phones do; each of them is amira's.
    private static let script = [
        "wait registered", "2: wait registered",
        // The iPad's own Settings: the SDK says so when the app is in front again.
        "2: deny", "2: open", "2: notices", "2: back",
        "settings", "show", "device off", "device on", "master off", "master on", "category news off push", "home",
        "wait shown 120", "notices", "2: notices", "show", "home",
        "2: read 1", "wait removed", "notices", "show", "archive 2", "read all", "show", "settings",
    ]

    @Test(
        "one user's two devices, one switched off in Settings: one push, two notices; read on one, gone on the other"
    )
    func twoDevices() async throws {
        let stage = try await Stage()
        let phones = try await stage.readers(["--user", "amira", "--user", "amira"], Self.script)
        try await phones.line(containing: #""user":"amira","what":"registered""#)
        try await Eventually.is("one device shows nothing, and amira wants no push of news") {
            let devices = try await stage.server.call("GET", "/users/amira/endpoints?app=\(Stage.app)")
            let preferences = try await stage.server.call("GET", "/users/amira/preferences?app=\(Stage.app)")
            guard case .array(let found)? = devices, let preferences = preferences?.objectValue,
                case .array(let categories)? = preferences["categories"]
            else { return false }
            let news = categories.first { $0.objectValue?["key"] == "news" }
            return found.contains { $0.objectValue?["permission"] == "denied" }
                && news?.objectValue?["choice"] == ["push": false] && preferences["master"] == ["enabled": true]
        }
        for (category, title) in [("news", "New fares"), ("alerts", "Line T4")] {
            let sent = try await stage.server.run(
                "send",
                "--app",
                Stage.app,
                "--user",
                "amira",
                "--category",
                category,
                "--title",
                title,
                "--badge",
                "unread",
                "--wait"
            )
            // 1 says that some devices got nothing.
            #expect([0, 1].contains(sent.status), "\(sent.standardError)")
        }
        let result = try await phones.result()
        #expect(result.status == 0, "\(result.standardError)\n\(result.standardOutput.suffix(4_000))")
        let happened = try Event.all(in: result.standardOutput)
        #expect(happened.allSatisfy { !["fault", "error"].contains($0.what) })
        #expect(happened.filter { $0.what == "shown" }.map(\.title) == ["Line T4"])
        #expect(happened.filter { $0.what == "shown" }.map(\.phone) == [1])
        let settings = happened.filter { $0.phone == 1 && $0.what == "settings" }.map(\.value)
        #expect(
            settings == [
                "all is on", "off: this device", "all is on", "off: everything, alerts, news", "all is on",
                "off: push of news", "off: push of news",
            ]
        )
        try checkScreens(try Screen.all(in: result.standardOutput))
    }

    /// What `show` printed: before the pushes, after them, after the reading on the iPad, and at the end.
    private func checkScreens(_ screens: [Screen]) throws {
        let (phone, pad) = (screens.filter { $0.phone == 1 }, screens.filter { $0.phone == 2 })
        try #require(phone.count == 4 && pad.count == 4)
        let shown = try #require(phone[0].settings)
        #expect(phone[0].view == "settings" && shown.master && shown.device)
        let names = Dictionary(uniqueKeysWithValues: shown.categories.map { ($0.key, $0.name) })
        #expect(names == ["alerts": "Alerts", "news": "News"])
        #expect(shown.categories.allSatisfy { $0.push && $0.inbox })
        #expect(phone.map(\.allowed) == Array(repeating: true, count: 4))
        #expect(pad.map(\.allowed) == Array(repeating: false, count: 4))
        #expect(pad.allSatisfy { $0.notifications.isEmpty })

        let both = [Screen.Notice(title: "Line T4", category: "alerts"), .init(title: "New fares", category: "news")]
        for screen in [phone[1], pad[1]] {
            #expect(screen.view == "notices")
            #expect(screen.notices?.items == both && screen.notices?.unread == 2)
        }
        #expect(phone[1].notifications.map(\.title) == ["Line T4"])
        let afterwards = [Screen.Notice(title: "Line T4", category: "alerts", read: true), both[1]]
        for screen in [phone[2], pad[2]] {
            #expect(screen.notices?.items == afterwards && screen.notices?.unread == 1)
            #expect(screen.notifications.isEmpty)
        }
        #expect(phone[3].notices?.items == [afterwards[0]] && phone[3].notices?.unread == 0)
    }

    @Test("the settings and the list are screens that people read, switch by switch and line by line")
    func readsWell() async throws {
        let stage = try await Stage()
        let script = [
            "wait registered", "settings", "category news off push", "show", "back", "home", "wait shown 120",
            "notices",
            "show",
        ]
        let phone = try await stage.readers(["--user", "amira"], script, json: false)
        try await phone.line(containing: "off: push of news")
        _ = try await stage.send("--user", "amira", "--category", "alerts", "--title", "Line T4", "--body", "Late")
        let result = try await phone.result()
        #expect(result.status == 0, "\(result.standardError)")
        let lines = result.standardOutput.split(separator: "\n").map {
            $0.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
        }
        for line in [
            "│ Settings │", "All notifications [ on] │", "Pushes to this device [ on] │", "Alerts: push [ on] │",
            "Alerts: list [ on] │", "News: push [off] │", "News: list [ on] │", "│ Notices: 1 notice, 1 unread │",
        ] {
            #expect(lines.contains { $0.hasSuffix(line) }, "\(line)\n\(result.standardOutput)")
        }
        #expect(lines.contains { $0.contains("1 ● Line T4 ") })
        #expect(lines.contains("│ Late │"))
    }

    @Test("a notice and a switch that there are not are named, and so is a login that has no token")
    func saysWhatIsWrong() async throws {
        let stage = try await Stage()
        for (script, message) in [
            (["wait registered", "notices", "read 1"], "Line 3: There is no notice 1"),
            (["wait registered", "kill", "read all"], "Line 3: The app does not run"),
            (["category news"], "Line 1: The form is: category KEY"), (["device default"], "Line 1: The form is"),
            (["master on loudly"], "Line 1: The form is: master"),
        ] {
            let result = try await stage.readers(["--user", "amira"], script).result()
            #expect(result.status == 1, "\(script)")
            #expect(result.standardError.contains(message), "\(script): \(result.standardError)")
        }
        let stranger = try await stage.phones(["--user", "amira"], ["wait registered", "notices"]).result()
        #expect(stranger.status == 1 && stranger.standardError.contains("--secret-file"), "\(stranger.standardError)")
    }
}

extension Stage {
    /// Starts phones whose users have tokens, in an app with two categories.
    fileprivate func readers(_ arguments: [String], _ script: [String], json: Bool = true) async throws
        -> ProgramProcess
    {
        let secret = "0123456789abcdef0123456789abcdef"
        let identity =
            #"{"mode":"asserted","issuer":"https://id.example.com","audience":"app","secret":"\#(secret)"}"#
        try await server.call("PATCH", "/apps/\(Self.app)", #"{"identity":\#(identity),"badge_sync":true}"#)
        let made = try await server.call("GET", "/categories?app=\(Self.app)")
        if made == .array([]) {
            for (key, name) in [("alerts", "Alerts"), ("news", "News")] {
                let category = #"{"app":"\#(Self.app)","key":"\#(key)","names":{"en":"\#(name)"}}"#
                try await server.call("POST", "/categories", category)
            }
        }
        let file = try folder.write(secret, to: "secret")
        let tokens = ["--secret-file", file, "--issuer", "https://id.example.com", "--audience", "app"]
        return try phones(tokens + arguments, script, json: json)
    }
}

/// What `show` prints of a phone.
private struct Screen: Decodable {
    struct Entry: Decodable { var title: String }

    struct Notice: Decodable, Equatable {
        var title: String
        var category: String?
        var read = false
    }

    struct Notices: Decodable {
        var unread: Int?
        var items: [Notice]
    }

    struct Category: Decodable {
        var key: String
        var name: String
        var push: Bool
        var inbox: Bool
    }

    struct Settings: Decodable {
        var master: Bool
        var device: Bool
        var categories: [Category]
    }

    var phone: Int
    var view: String?
    var allowed: Bool?
    var notifications: [Entry]
    var notices: Notices?
    var settings: Settings?

    /// The screens among the lines.
    static func all(in output: String) throws -> [Screen] {
        try output.split(separator: "\n").filter { $0.hasPrefix(#"{"screen""#) }.compactMap {
            try JSONDecoder().decode([String: Screen].self, from: Data($0.utf8))["screen"]
        }
    }
}
