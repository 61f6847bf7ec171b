import Foundation
import MartletTesting
import MartletWire
import Testing

/// People from the command line: categories, preferences, inboxes, announcements, and what happened to them.
@Suite struct PeopleCommandTests {
    private static let id = "01890a5d-ac96-774b-bcce-b302099a8057"

    struct Bad: Sendable, CustomTestStringConvertible {
        var arguments: [String]
        /// What the command says.
        var says: String

        var testDescription: String { arguments.joined(separator: " ") }

        init(_ arguments: String..., says: String) { (self.arguments, self.says) = (arguments, says) }
    }

    static let bad = [
        Bad("announce", says: "--title or --body"),
        Bad("announce", "--body", "x", "--user", "a", "--topic", "t", says: "only one of"),
        Bad("announce", "--body", "x", "--no-inbox", "--expires", "2026-03-01T00:00:00Z", says: "--no-inbox"),
        Bad("announce", "--body", "x", "--inbox", "--expires", "tomorrow", says: "2026-03-01T12:00:00Z"),
        Bad("announce", "--body", "x", "--user", "a", "--badge", "many", says: "'unread' or 'unseen'"),
        Bad("announce", "--body", "x", "--users", "/nowhere/users.txt", says: "There is no file"),
        Bad("announce", "--body", "x", says: "Add --yes"),
        Bad("send", "--user", "a", "--title", "x", "--badge", "many", says: "'unread' or 'unseen'"),
        Bad("categories", "create", says: "<key>"),
        Bad("categories", "create", "follow", "--push", "maybe", says: "maybe"),
        Bad("categories", "create", "follow", "--require", "email", says: "email"),
        Bad("categories", "create", "follow", "--name", "Followers", says: "--name key=value"),
        Bad("categories", "update", "follow", says: "categories update --help"),
        Bad("categories", "update", "follow", "--require", "push", "--require-nothing", says: "not both"),
        Bad("preferences", "show", says: "<user>"),
        Bad("preferences", "set", "amira", says: "on, off or default"),
        Bad("preferences", "set", "amira", "--push", "yes", says: "yes"),
        Bad("inbox", "list", "amira", "--limit", "101", says: "1 to 100"),
        Bad("inbox", "list", "amira", "--status", "new", says: "new"),
        Bad("inbox", "read", "amira", says: "--up-to"),
        Bad("inbox", "read", "amira", "x", says: "martlet inbox list amira"),
        Bad("inbox", "archive", "amira", id, "--up-to", id, says: "--up-to"),
        Bad("inbox", "read", "amira", id, "--category", "follow", says: "--up-to"),
        Bad("inbox", "recall", id, says: "Add --yes"),
        Bad("why", id, says: "<user>"),
        Bad("users", "timeline", "amira", "--limit", "201", says: "1 to 200"),
        Bad("users", "timeline", "amira", "--since", "yesterday", says: "yesterday"),
        Bad("users", "timeline", "amira", "--kind", "letter", says: "letter"),
        Bad("users", "erase", "amira", says: "Add --yes"),
    ]

    @Test("what cannot be meant is refused with what to do, before any server is asked", arguments: bad)
    func badInput(_ one: Bad) async throws {
        let result = try await ProgramProcess(one.arguments).result()
        #expect(result.status == 64, "\(result.standardError)")
        #expect(result.standardError.contains(one.says), "\(result.standardError)")
        #expect(result.standardOutput.isEmpty)
    }

    @Test("a file in UTF-16 is said to be that, whatever reads it")
    func utf16() async throws {
        let folder = try TemporaryFolder()
        let file = folder.file("utf16.txt")
        let text = try #require("amira\n".data(using: .utf16LittleEndian))
        try (Data([0xFF, 0xFE]) + text).write(to: URL(filePath: file))
        for arguments in [["announce", "--body", "x", "--users", file], ["send", file], ["send", "--batch", file]] {
            let result = try await ProgramProcess(arguments).result()
            #expect(result.status == 64, "\(result.standardError)")
            #expect(result.standardError.contains("is UTF-16"), "\(result.standardError)")
        }
    }

    @Test("a refusal of a command is JSON for programs")
    func refusalAsJSON() async throws {
        let result = try await ProgramProcess(["users", "erase", "amira", "--json"]).result()
        let body = try JSONDecoder().decode(ErrorAnswer.self, from: Data(result.standardError.utf8))
        #expect(result.status == 64 && body.error.hint?.contains("--yes") == true)
    }

    @Test("why and the timeline of who was reached and who was not, for people and for programs")
    func whatHappened() async throws {
        let stage = try await Stage()
        try await stage.register("amira")
        let sent = try await stage.server.run(
            "send",
            "--app",
            Stage.app,
            "--user",
            "amira",
            "--user",
            "nobody",
            "--title",
            "Line T4",
            "--wait",
            "--json"
        )
        let id = try JSONDecoder().decode(Answer<SentAnswer>.self, from: Data(sent.standardOutput.utf8)).data
            .notification.id
        let reached = try await stage.server.run("why", id, "amira")
        #expect(reached.status == 0, "\(reached.standardError)")
        #expect(reached.standardOutput.hasPrefix("A provider took the push for 1 of 1 device.\n\n✓ audience"))
        #expect(reached.standardOutput.contains("DEVICE") && reached.standardOutput.contains("accepted"))
        let missed = try await stage.server.run("why", id, "nobody", "--json")
        let why = try JSONDecoder().decode(Item<WhyResponse>.self, from: Data(missed.standardOutput.utf8)).data
        #expect(why.steps.last?.reason == "no_endpoint" && why.devices.isEmpty)
        let unknown = try await stage.server.run("why", id, "zoe")
        #expect(unknown.status == 0, "\(unknown.standardError)")
        #expect(unknown.standardOutput.hasPrefix("No push was sent. Nothing is stored of the user"))
        let none = try await stage.server.run("why", "0190a5d0-ac96-774b-bcce-b302099a8057", "amira")
        #expect(none.status == 1 && none.standardError.contains("[not_found]"))
        let timeline = try await stage.server.run(
            "users",
            "timeline",
            "amira",
            "--app",
            Stage.app,
            "--kind",
            "delivery"
        )
        #expect(timeline.status == 0, "\(timeline.standardError)")
        #expect(timeline.standardOutput.contains("accepted") && timeline.standardOutput.contains(id))
        let nothing = try await stage.server.run(
            "users",
            "timeline",
            "amira",
            "--app",
            Stage.app,
            "--kind",
            "suppression"
        )
        #expect(nothing.standardOutput == "Nothing happened.\n")
    }

    @Test("a category is made, changed and archived, and a person's choice for it is shown with what says so")
    func categoriesAndPreferences() async throws {
        let stage = try await Stage()
        let server = stage.server
        let made = try await server.run("categories", "create", "follow", "--app", Stage.app, "--name", "en=Followers")
        #expect(made.status == 0, "\(made.standardError)")
        let changed = try await server.run("categories", "update", "follow", "--app", Stage.app, "--push", "off")
        #expect(changed.standardOutput.contains("push off"), "\(changed.standardError)")
        let chosen = try await server.run(
            "preferences",
            "set",
            "amira",
            "--app",
            Stage.app,
            "--category",
            "follow",
            "--push",
            "on"
        )
        #expect(chosen.status == 0, "\(chosen.standardError)")
        #expect(chosen.standardOutput.contains("on (user)"), "\(chosen.standardOutput)")
        let back = try await server.run(
            "preferences",
            "set",
            "amira",
            "--app",
            Stage.app,
            "--category",
            "follow",
            "--push",
            "default"
        )
        #expect(back.standardOutput.contains("off (category)"), "\(back.standardOutput)")
        let history = try await server.run("preferences", "history", "amira", "--app", Stage.app)
        #expect(history.standardOutput.split(separator: "\n").count == 3, "\(history.standardOutput)")
        let archived = try await server.run("categories", "archive", "follow", "--app", Stage.app)
        #expect(archived.status == 0, "\(archived.standardError)")
        let refused = try await server.run(
            "send",
            "--user",
            "amira",
            "--app",
            Stage.app,
            "--category",
            "folow",
            "--title",
            "x"
        )
        #expect(refused.status == 1 && refused.standardError.contains("field: category"), "\(refused.standardError)")
    }

    @Test("an announcement stays in the inbox of who has no device, is read there, and is recalled")
    func announcements() async throws {
        let stage = try await Stage()
        let server = stage.server
        // With the mark of the byte order, as some editors write it.
        let users = try stage.folder.write("\u{FEFF}amira\n\n bo \n", to: "users.txt")
        let sent = try await server.run(
            "announce",
            "--app",
            Stage.app,
            "--users",
            users,
            "--title",
            "New timetable",
            "--inbox",
            "--json"
        )
        #expect(sent.status == 0, "\(sent.standardError)")
        let id = try JSONDecoder().decode(Answer<IDAnswer>.self, from: Data(sent.standardOutput.utf8)).data.id
        for user in ["amira", "bo"] {
            let list = try await server.run("inbox", "list", user, "--app", Stage.app)
            #expect(list.standardOutput.contains("New timetable"), "\(list.standardOutput)\(list.standardError)")
        }
        let counts = try await server.run("inbox", "counts", "amira", "--app", Stage.app)
        #expect(counts.standardOutput == "1 unread, of which 1 unseen.\n", "\(counts.standardError)")
        let read = try await server.run("inbox", "read", "amira", id, "--app", Stage.app)
        #expect(read.standardOutput == "0 unread, of which 0 unseen.\n", "\(read.standardError)")
        let recalled = try await server.run("inbox", "recall", id, "--yes")
        #expect(recalled.status == 0, "\(recalled.standardError)")
        let after = try await server.run("inbox", "list", "bo", "--app", Stage.app)
        #expect(after.standardOutput == "There is nothing.\n")
    }

    @Test("who is erased has no choice, no item and no timeline")
    func erases() async throws {
        let stage = try await Stage()
        let server = stage.server
        _ = try await server.run("announce", "--app", Stage.app, "--user", "amira", "--body", "Hello", "--inbox")
        let erased = try await server.run("users", "erase", "amira", "--app", Stage.app, "--yes", "--json")
        #expect(erased.status == 0 && erased.standardOutput.contains("\"amira\""), "\(erased.standardError)")
        let timeline = try await server.run("users", "timeline", "amira", "--app", Stage.app)
        #expect(timeline.status == 1 && timeline.standardError.contains("[not_found]"))
    }
}

/// What `send --wait --json` prints, as far as it is asked for.
private struct SentAnswer: Decodable {
    var notification: IDAnswer
}
