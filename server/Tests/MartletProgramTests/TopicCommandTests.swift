import MartletTesting
import Testing

/// Topics from the command line.
@Suite struct TopicCommandTests {
    @Test("a topic is made, subscribed to and sent to, and only who is subscribed gets it")
    func topics() async throws {
        let stage = try await Stage()
        try await stage.register("amira")
        try await stage.register("bo", token: String(repeating: "0b", count: 32))
        let made = try await stage.server.run("topics", "create", "line-4", "--app", Stage.app, "--tag", "team=transit")
        #expect(made.status == 0, "\(made.standardError)")
        #expect(made.standardOutput.contains("team=transit"))
        let filter = #"{"delay":[{"numeric":[">=",10]}]}"#
        for (user, filter) in [("amira", filter), ("bo", #"{"delay":[0]}"#)] {
            let added = try await stage.server.run(
                "subscriptions",
                "add",
                "line-4",
                "--app",
                Stage.app,
                "--user",
                user,
                "--filter",
                filter
            )
            #expect(added.status == 0, "\(added.standardError)")
        }
        let listed = try await stage.server.run("subscriptions", "list", "line-4", "--app", Stage.app)
        #expect(listed.standardOutput.contains("amira") && listed.standardOutput.contains("numeric"))
        let sent = try await stage.server.run(
            "send",
            "--app",
            Stage.app,
            "--topic",
            "line-4",
            "--attribute",
            "delay:=20",
            "--title",
            "Late",
            "--wait"
        )
        #expect(sent.status == 0, "\(sent.standardError)")
        #expect(sent.standardOutput.contains("1 accepted"))
        let id = try #require(sent.standardOutput.firstMatch(of: /[0-9a-f-]{36}/)).output
        let who = try await stage.server.run("notifications", "deliveries", String(id))
        #expect(who.standardOutput.contains("amira"))
        let kept = try await stage.server.run("topics", "delete", "line-4", "--app", Stage.app)
        #expect(kept.status == 64 && kept.standardError.contains("--yes"))
        let deleted = try await stage.server.run("topics", "delete", "line-4", "--app", Stage.app, "--yes", "--json")
        #expect(deleted.status == 0 && deleted.standardOutput.contains("\"line-4\""))
        let none = try await stage.server.run("topics", "list", "--app", Stage.app)
        #expect(none.standardOutput.contains("There are no topics"))
    }
}
