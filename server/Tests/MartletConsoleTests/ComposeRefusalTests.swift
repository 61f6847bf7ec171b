import HTTPTypes
import MartletStore
import MartletTesting
import MartletWire
import Testing

@testable import MartletConsole
@testable import MartletCore

@Suite("What Compose refuses and tells of") struct ComposeRefusalTests {
    private func review(_ visitor: Visitor, _ fields: [(String, String)]) async throws -> Visitor.Answer {
        let pairs = [("form", "on"), ("do", "review"), ("title", "Hi"), ("csrf", visitor.csrf)] + fields
        let body = pairs.map { "\($0.0)=\(Link.escaped($0.1))" }.joined(separator: "&")
        return try await visitor.follow(visitor.send(.post, "/compose", body))
    }

    @Test("who is named and not there is named in the review, and a send to nobody has no button")
    func nobody() async throws {
        try await Harness.run { harness in
            try await harness.storeCredential()
            try await harness.register(["ann"])
            let sender = try await harness.visitor(.sender)
            let some = try await review(sender, [("audience", "users"), ("users", "ann\nzork")])
            #expect(some.text.contains("Nobody here has this id, or the person has no device: zork"), "\(some.text)")
            #expect(some.text.contains("Send to 1 person now"))
            let none = try await review(sender, [("audience", "users"), ("users", "zork\n<i>")])
            #expect(none.text.contains("people without a device: zork, &lt;i&gt;"), "\(none.text)")
            #expect(none.text.contains("there is nothing to send") && !none.text.contains("Send to 0"))
            #expect(none.text.contains("Back to the text"))
        }
    }

    @Test(
        "a link leads into the web or into an app",
        arguments: [
            ("https://example.com/a?b=1", true), ("http://example.com", true), ("myapp://news/42", true),
            ("MyApp:news", true), ("javascript:alert(1)", false), ("JavaScript:alert(1)", false),
            ("data:text/html,x", false), ("file:///etc/passwd", false), ("hello world", false), ("hello", false),
            ("https://", false), ("https:example.com", false), ("my app://x", false), ("1app://x", false),
            ("myapp:", false), ("://x", false), ("", false), ("java\tscript:x", false),
        ]
    )
    func links(link: String, isTappable: Bool) { #expect(LinkCheck.isTappable(link) == isTappable) }

    @Test("a test to a platform without a credential leads to the form of one, and whoever may not open it to an admin")
    func missingCredential() async throws {
        try await Harness.run { harness in
            try await harness.storeCredential()
            let fields: KeyValuePairs = [
                "form": "on", "do": "test", "title": "Hi", "test_kind": "fcm",
                "test_to": String(repeating: "a", count: 140),
            ]
            let form = "href=\"/console/apps/\(harness.app.id)/credentials/new?platform=fcm\""
            for role in [OperatorRole.sender, .admin] {
                let page = try await harness.visitor(role).post("/compose", fields)
                #expect(page.status == 422 && page.text.contains("has no credential for fcm."), "\(page.text)")
                #expect(page.text.contains("or ask an admin to.") && !page.text.contains("/api/v1"), "\(role)")
                #expect(page.text.contains(form) == (role == .admin), "\(role): \(page.text)")
            }
        }
    }

    @Test("the usual time to deliver within is named as what it is")
    func usualExpiry() async throws {
        try await Harness.run { harness in
            try await harness.storeCredential()
            #expect(Submission.Expiry.undatedLifetime == .seconds(86_400))
            let sender = try await harness.visitor(.sender)
            let usual = "The usual: 1 day while it waits here, then as long as the provider keeps it"
            #expect(try await sender.get("/compose").text.contains("<option value=\"\">\(usual)</option>"))
            #expect(try await review(sender, []).text.contains(usual))
        }
    }

    @Test("what is wrong is said at its field")
    func fields() async throws {
        try await Harness.run { harness in
            try await harness.storeCredential()
            try await harness.register(["ann"])
            let sender = try await harness.visitor(.sender)
            let wrong: [(fields: [(String, String)], id: String, says: String)] = [
                ([("link", "hello world")], "e-link", "A link begins with https://"),
                ([("link", "javascript:alert(1)")], "e-link", "A link begins with https://"),
                ([("badge", "3")], "e-badge", "A number is typed here"),
                ([("badge_kind", "number"), ("badge", "-3")], "e-badge", "0 or more"),
            ]
            for (fields, id, says) in wrong {
                let answer = try await review(sender, fields)
                #expect(answer.status == 422 && answer.text.contains("id=\"\(id)\""), "\(fields)")
                #expect(answer.text.contains(says), "\(fields)")
            }
            let past = try await review(sender, [("when", "later"), ("at", "2020-01-01T00:00")])
            #expect(past.status == 422 && past.text.contains("Choose Now or a later time."))
            let far = try await review(sender, [("when", "later"), ("at", "2029-01-01T00:00"), ("zone", "Asia/Tokyo")])
            #expect(
                far.status == 422 && far.text.contains("the latest time is 2028-01-16 17:00 Asia/Tokyo"),
                "\(far.text)"
            )
        }
    }

    @Test("a list is checked where there is one")
    func list() async throws {
        try await Harness.run { harness in
            let sender = try await harness.visitor(.sender)
            let none = try await sender.post("/compose", ["form": "on", "do": "list", "audience": "users"])
            #expect(none.status == 422 && none.text.contains("there is nothing to check"))
            let typed = try await sender.post(
                "/compose",
                ["form": "on", "do": "list", "audience": "users", "users": "ann\nbob\nann"]
            )
            #expect(typed.status == 200 && typed.text.contains("2 people") && typed.text.contains("again"))
        }
    }

    @Test("topics and categories are chosen by their names")
    func choices() async throws {
        try await Harness.run { harness in
            try await harness.storeCredential()
            let draft = CategoryRequest(key: "news", names: ["en": "All the news"])
            _ = try await harness.store.createCategory(draft, of: harness.app.row, actor: "test")
            let topic = try await harness.store.createTopic(TopicDraft(app: harness.app.row, name: "harbour")).topic
            let sender = try await harness.visitor(.sender)
            let page = try await sender.get("/compose?audience=topic&topic=\(topic.id)").text
            #expect(page.contains("<option value=\"\(topic.id)\" selected>harbour</option>"), "\(page)")
            #expect(page.contains("<option value=\"news\">All the news</option>"))
            var japanese = sender
            japanese.headers = [.acceptLanguage: "ja"]
            #expect(try await japanese.get("/compose").text.contains("<option value=\"news\">All the news</option>"))
            let reviewed = try await review(sender, [("category", "news")])
            #expect(reviewed.text.contains("All the news"))
            let odd = try await sender.get("/compose?audience=topic&topic=gone")
            #expect(odd.text.contains("<option value=\"gone\" selected>"))
        }
    }
}
