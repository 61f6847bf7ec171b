import Foundation
import HTTPTypes
import MartletPipeline
import MartletStore
import MartletWire
import Testing

@testable import MartletConsole
@testable import MartletCore
@testable import MartletTesting

extension Harness {
    /// Gives the app a credential for Apple, which is never sent with.
    func storeCredential() async throws {
        let queue = DeliveryQueue(app: app.row, platform: .apns, environment: .production)
        let summary = CredentialSummary(
            kind: .token,
            topic: "com.example.shop",
            keyID: "ABC1234567",
            teamID: "DEF1234567",
            expiresAt: nil
        )
        _ = try await store.storeCredential(
            queue,
            StoredCredentialDraft(summary: summary, sealed: [1], url: nil, trust: nil)
        )
    }

    /// Devices of as many people.
    func register(_ users: [String]) async throws {
        let registrations = users.enumerated().map { number, user in
            Registration(
                app: app.row,
                platform: .apns,
                token: String(repeating: "0", count: 56) + String(10_000_000 + number),
                environment: .production,
                owner: .user(user)
            )
        }
        for result in try await store.register(registrations) { _ = try result.get() }
    }

    /// The newest notifications.
    func sent() async throws -> [MartletCore.Notification] {
        try await store.notifications(.matching(NotificationFilter()), PageRequest()).items
    }
}

extension Visitor.Answer {
    /// The value of a hidden field.
    func hidden(_ name: String) -> String {
        guard let begin = text.range(of: "name=\"\(name)\" value=\"")?.upperBound,
            let end = text[begin...].firstIndex(of: "\"")
        else { return "" }
        return String(text[begin..<end])
    }
}

extension Visitor {
    /// The page that an answer leads to.
    func follow(_ answer: Answer) async throws -> Answer {
        guard let place = answer.location else { return answer }
        return try await get(String(place.dropFirst("/console".count)))
    }

    /// A page, wherever its path leads.
    func open(_ path: String) async throws -> Answer { try await follow(get(path)) }

    /// The review of what a form says, or what it is refused with.
    func review(_ fields: KeyValuePairs<String, String>) async throws -> Answer {
        try await follow(try await post("/compose", fields))
    }

    /// Presses the button of a review.
    func send(_ review: Answer, shown: String? = nil, typed: String = "", more: [String] = []) async throws -> Answer {
        let fields = ["review=\(review.hidden("review"))", "shown=\(shown ?? review.hidden("shown"))", "csrf=\(csrf)"]
        return try await send(.post, "/compose/send", (fields + ["typed=\(typed)"] + more).joined(separator: "&"))
    }

    /// Sends a form with a list of people as a file.
    func post(_ path: String, _ values: KeyValuePairs<String, String> = [:], list: String) async throws -> Answer {
        var lines: [String] = []
        let pairs = values.map { ($0.key, $0.value) } + [("csrf", csrf)]
        for (name, value) in pairs {
            lines += ["--x", "Content-Disposition: form-data; name=\"\(name)\"", "", value]
        }
        lines += ["--x", "Content-Disposition: form-data; name=\"list\"; filename=\"people.csv\""]
        lines += ["Content-Type: text/csv", "", list, "--x--", ""]
        return try await send(.post, path, lines.joined(separator: "\r\n"), type: "multipart/form-data; boundary=x")
    }
}

@Suite("Compose") struct ComposePageTests {
    @Test("a review says how many get it, and its button sends once, however often it is pressed")
    func sendOnce() async throws {
        try await Harness.run { harness in
            try await harness.storeCredential()
            try await harness.register(["ann", "bob"])
            let sender = try await harness.visitor(.sender)
            let review = try await sender.review(
                ["form": "on", "do": "review", "audience": "users", "users": "ann\nbob\ncid", "title": "<b>Hi</b>"]
            )
            #expect(review.status == 200 && review.text.contains("2 people get it"), "\(review.text)")
            #expect(!review.text.contains("<b>Hi"))
            #expect(try await harness.sent().isEmpty)
            var places: Set<String?> = []
            for _ in 0..<3 {
                let answer = try await sender.send(review)
                #expect(answer.status == 303, "\(answer.text)")
                places.insert(answer.location)
            }
            let sent = try await harness.sent()
            #expect(sent.count == 1 && places.count == 1)
            let page = try await sender.get("/notifications/\(sent[0].id)?done=compose_sent")
            #expect(page.status == 200 && page.text.contains("It is sent.") && !page.text.contains("<b>Hi"))
            let entries = try await harness.store.auditEntries(AuditFilter(action: .sendNotification), PageRequest())
                .items
            #expect(entries.count == 1 && entries.first?.actor.name == "sender")
        }
    }

    @Test("a review that is sent leads to what it sent, and is another operator's page never")
    func afterwards() async throws {
        try await Harness.run { harness in
            try await harness.storeCredential()
            try await harness.register(["ann"])
            let sender = try await harness.visitor(.sender)
            let begun = try await sender.post("/compose", ["form": "on", "do": "review", "title": "Hi"])
            let place = try #require(begun.location, "\(begun.text)")
            #expect(begun.status == 303 && place.hasPrefix("/console/compose/reviews/"))
            let path = String(place.dropFirst("/console".count))
            // Loaded again it is the same review.
            let review = try await sender.get(path)
            #expect(try await sender.get(path).hidden("review") == review.hidden("review"))
            let other = try await harness.visitor(.admin)
            #expect(try await other.get(path).status == 404)
            #expect(try await other.send(review).status == 404)
            #expect(try await sender.get("/compose?review=\(review.hidden("review"))").text.contains("value=\"Hi\""))
            let sent = try await sender.send(review)
            #expect(sent.location?.hasPrefix("/console/notifications/") == true)
            // Back and reload.
            let back = try await sender.get(path)
            #expect(back.status == 303 && back.location == sent.location)
            #expect(try await harness.sent().count == 1)
        }
    }

    @Test("the same send within a minute is asked about, and made once more only by who says so")
    func lately() async throws {
        try await Harness.run { harness in
            try await harness.storeCredential()
            try await harness.register(["ann"])
            let sender = try await harness.visitor(.sender)
            let fields: KeyValuePairs = [
                "form": "on", "do": "review", "title": "Hi", "audience": "users", "users": "ann",
            ]
            let early = try await sender.review(fields)
            let first = try await sender.review(fields)
            #expect(!first.text.contains("You sent this"))
            #expect(try await sender.send(first).status == 303)
            harness.clock.advance(by: .seconds(20))
            // Of another tab, which was open already.
            for review in [early, try await sender.review(fields)] {
                let refused = try await sender.send(review)
                #expect(refused.status == 422 && refused.text.contains("You sent this 20 s ago."), "\(refused.text)")
                #expect(refused.text.contains("name=\"repeat\""))
            }
            #expect(try await sender.review(fields).text.contains("You sent this 20 s ago."))
            // It is typed otherwise, and what is sent is the same.
            let same: KeyValuePairs = [
                "form": "on", "do": "review", "title": "Hi", "audience": "users", "users": "ann\n",
                "zone": "Asia/Tokyo",
            ]
            #expect(try await sender.review(same).text.contains("You sent this 20 s ago."))
            #expect(try await harness.sent().count == 1)
            // Neither another text nor another operator is asked.
            #expect(
                !(try await sender.review(["form": "on", "do": "review", "title": "Ho"]).text.contains("You sent"))
            )
            #expect(!(try await harness.visitor(.admin).review(fields).text.contains("You sent")))
            #expect(try await sender.send(early, more: ["repeat=on"]).status == 303)
            #expect(try await harness.sent().count == 2)
            harness.clock.advance(by: .seconds(60))
            #expect(!(try await sender.review(fields).text.contains("You sent")))
        }
    }

    @Test(
        "who writes to a paused provider's devices is told so beside the count and before the button, with a way to mend it"
    )
    func paused() async throws {
        try await Harness.run { harness in
            try await harness.storeCredential()
            let queue = try await harness.world.makeQueue(harness.app)
            try await harness.world.register(harness.app, 1, user: "ann")
            let sender = try await harness.visitor(.sender)
            let fields: KeyValuePairs = ["form": "on", "do": "review", "title": "Hi"]
            #expect(try await !sender.review(fields).text.contains("is paused"))
            _ = try await SaidPageTests.pause(queue, harness, advice: "Mend.")
            for path in ["/compose", "/compose/count"] {
                let page = try await sender.follow(
                    sender.post(path, ["app": "\(harness.app.id)", "form": "on", "do": "review", "title": "Hi"])
                )
                #expect(
                    page.text.contains("Apple (APNs), production, is paused: its devices get this only once")
                        && page.text.contains("href=\"/console/apps/\(harness.app.id)\""),
                    "\(path): \(page.text)"
                )
            }
            // Also where nobody can be counted.
            let refused = try await sender.post(
                "/compose/count",
                ["app": "\(harness.app.id)", "form": "on", "audience": "topic"]
            )
            #expect(!refused.text.contains("gets it") && refused.text.contains("is paused"), "\(refused.text)")
        }
    }

    @Test("a send to more than a thousand people wants the number")
    func typed() async throws {
        try await Harness.run { harness in
            try await harness.storeCredential()
            try await harness.register((0...1_000).map { "user-\($0)" })
            let sender = try await harness.visitor(.sender)
            let review = try await sender.review(["form": "on", "do": "review", "title": "Hi"])
            #expect(review.text.contains("1,001") && review.text.contains("name=\"typed\""))
            func send(_ typed: String, shown: String) async throws -> Int {
                try await sender.send(review, shown: shown, typed: typed).status
            }
            #expect(try await send("", shown: "1001") == 422)
            #expect(try await send("3", shown: "3") == 422)
            #expect(try await harness.sent().isEmpty)
            #expect(try await send("1,001", shown: "1001") == 303)
            #expect(try await harness.sent().map(\.audience) == [.all])
        }
    }

    @Test("the switch of languages loses nothing that was written, neither while it is written nor before it is sent")
    func languages() async throws {
        try await Harness.run { harness in
            try await harness.storeCredential()
            try await harness.register(["ann"])
            let sender = try await harness.visitor(.sender)
            let page = try await sender.post("/compose", ["form": "on", "do": "edit", "title": "Kept words"])
            #expect(page.status == 200 && page.text.contains("id=\"kept-input\""))
            let button =
                #"<button form="kept-input" formaction="/console/compose?lang=ja" formnovalidate name="do" value="edit""#
            #expect(page.text.contains(button), "\(page.text)")
            // The Enter key presses the form's first button, which is none of these.
            let first = page.text.firstMatch(of: /<button form="kept-input"[^>]*>/)
            let enter = #"<button form="kept-input" name="do" value="check" hidden tabindex="-1">"#
            #expect(first.map { String($0.0) } == enter)
            let other = try await sender.post("/compose?lang=ja", ["form": "on", "do": "edit", "title": "Kept words"])
            #expect(other.status == 200 && other.text.contains("<html lang=\"ja\">"))
            #expect(other.text.contains("value=\"Kept words\""))
            #expect(other.cookie?.contains("martlet_language=ja") == true)
            // A review is kept by the server.
            let begun = try await sender.post("/compose", ["form": "on", "do": "review", "title": "Kept words"])
            let place = try #require(begun.location)
            #expect(try await sender.follow(begun).text.contains("<a href=\"\(place)?lang=ja\""))
            #expect(try await sender.get("\(place.dropFirst(8))?lang=ja").text.contains("Kept words"))
            #expect(try await sender.get("/people").text.contains("<a href=\"/console/people?lang=ja\""))
        }
    }

    @Test("a refused form keeps what was written and says what is wrong at its field")
    func refused() async throws {
        try await Harness.run { harness in
            try await harness.storeCredential()
            let sender = try await harness.visitor(.sender)
            let answer = try await sender.post(
                "/compose",
                ["form": "on", "do": "review", "title": "Kept \"title\"", "image": "http://example.com/x.png"]
            )
            #expect(answer.status == 422)
            #expect(answer.text.contains("Kept &quot;title&quot;") && answer.text.contains("id=\"e-image\""))
            let long = String(repeating: "x", count: 3_000)
            let large = try await sender.post("/compose", ["form": "on", "do": "review", "body": long + long])
            #expect(large.status == 413 && large.text.contains("id=\"e-body\""))
            let blank = try await sender.post("/compose", ["form": "on", "do": "review"])
            #expect(blank.status == 422 && blank.text.contains("This notification has no text."))
        }
    }

    @Test("a list is checked line by line, and its people go into the form")
    func list() async throws {
        try await Harness.run { harness in
            let sender = try await harness.visitor(.sender)
            let answer = try await sender.post("/compose/list", list: "user_id,x\nann,1\n,2\n<i>,3")
            #expect(answer.status == 200 && answer.text.contains("ann\n&lt;i&gt;"), "\(answer.text)")
            #expect(answer.text.contains("2 people") && answer.text.contains("Line 3"))
        }
    }

    @Test("lines of a file that name nobody are left out only by whoever says so, and the review names them")
    func badLines() async throws {
        try await Harness.run { harness in
            try await harness.storeCredential()
            try await harness.register(["ann", "eve"])
            let sender = try await harness.visitor(.sender)
            let file = "user_id,x\nann,1\n,2\neve,3\n,4"
            let refused = try await sender.post("/compose", ["form": "on", "do": "review", "title": "Hi"], list: file)
            #expect(refused.status == 422 && refused.text.contains("id=\"e-users\""), "\(refused.text)")
            #expect(refused.text.contains("2 lines of the file name nobody: 3, 5."), "\(refused.text)")
            #expect(refused.text.contains("Line 3") && refused.text.contains("name=\"skip_bad\""))
            // The file is gone now; what was wrong with it is not.
            let fields: KeyValuePairs = [
                "form": "on", "do": "review", "title": "Hi", "audience": "users", "users": "ann\neve",
                "bad_lines": refused.hidden("bad_lines"),
            ]
            let again = try await sender.post("/compose", fields)
            #expect(again.status == 422 && again.text.contains("2 lines of the file name nobody: 3, 5."))
            #expect(again.text.contains("name=\"skip_bad\"") && again.hidden("bad_lines") == "2 3 5")
            let without: KeyValuePairs = [
                "form": "on", "do": "review", "title": "Hi", "audience": "users", "users": "ann\neve",
                "bad_lines": "2 3 5", "skip_bad": "on",
            ]
            let review = try await sender.review(without)
            #expect(review.status == 200 && review.text.contains("2 people get it"), "\(review.text)")
            #expect(review.text.contains("2 lines that name nobody: 3, 5"), "\(review.text)")
            let ticked: KeyValuePairs = ["form": "on", "do": "review", "title": "Hi", "skip_bad": "on"]
            let atOnce = try await sender.follow(sender.post("/compose", ticked, list: file))
            #expect(atOnce.status == 200 && atOnce.text.contains("2 lines that name nobody: 3, 5"))
        }
    }

    @Test("the preview has the payload's bytes as the provider counts them, and the count needs no text")
    func preview() async throws {
        try await Harness.run { harness in
            try await harness.storeCredential()
            try await harness.register(["ann"])
            let sender = try await harness.visitor(.sender)
            let preview = try await sender.post("/compose/preview", ["form": "on", "title": "Hi", "body": "There"])
            #expect(
                preview.status == 200 && preview.text.contains("bytes left") && preview.text.contains("max=\"4096\"")
            )
            #expect(!preview.text.contains("<html") && preview.text.contains("There"))
            let count = try await sender.post("/compose/count", ["form": "on", "audience": "all"])
            #expect(count.text.contains("1 person gets it"), "\(count.text)")
        }
    }
}

@Suite("Notifications") struct NotificationPageTests {
    /// A notification that a backend sent.
    private func send(_ harness: Harness, _ title: String) async throws -> MartletCore.Notification {
        let submission = Submission(
            app: harness.app,
            audience: .users(["ann", "nobody"]),
            content: Content(title: title)
        )
        let submitted = try await harness.console.submitter.submit(submission, idempotency: nil)
        return try #require(try await harness.store.notification(submitted.id))
    }

    @Test("a viewer sees what became of it and none of its texts, and cannot search for them")
    func viewer() async throws {
        try await Harness.run { harness in
            try await harness.storeCredential()
            try await harness.register(["ann"])
            let sent = try await send(harness, "The secret word")
            let viewer = try await harness.visitor(.viewer)
            let sender = try await harness.visitor(.sender)
            for path in ["/notifications", "/notifications/\(sent.id)", "/notifications/\(sent.id)/missed"] {
                let masked = try await viewer.get(path)
                #expect(masked.status == 200 && !masked.text.contains("secret word"), "\(path)")
                #expect(try await sender.get(path).text.contains("secret word"), "\(path)")
            }
            let page = try await viewer.get("/notifications/\(sent.id)")
            #expect(page.text.contains("no_endpoint") && page.text.contains("data-part=\"progress\""))
            #expect(try await viewer.get("/notifications?q=nothing").text.contains("\(sent.id)"))
            #expect(!(try await sender.get("/notifications?q=nothing").text.contains("\(sent.id)")))
            #expect(try await sender.get("/notifications?q=SECRET&state=sending").text.contains("\(sent.id)"))
            #expect(!(try await sender.get("/notifications?until=2020-01-01").text.contains("\(sent.id)")))
        }
    }

    @Test("a sender cancels what they sent and nothing else; an admin cancels all")
    func cancelling() async throws {
        try await Harness.run { harness in
            try await harness.storeCredential()
            try await harness.register(["ann"])
            let foreign = try await send(harness, "Hello")
            let sender = try await harness.visitor(.sender)
            let values: KeyValuePairs = [
                "form": "on", "do": "review", "audience": "users", "users": "ann", "title": "Mine",
            ]
            #expect(try await sender.send(sender.review(values)).status == 303)
            let own = try #require(try await harness.sent().first { $0.content.title == "Mine" })
            #expect(try await sender.post("/notifications/\(foreign.id)/cancel").status == 403)
            #expect(try await sender.post("/notifications/\(own.id)/cancel").status == 303)
            #expect(try await harness.store.notification(own.id)?.state == .cancelled)
            #expect(try await harness.store.notification(foreign.id)?.state == .sending)
            let admin = try await harness.visitor(.admin)
            #expect(try await admin.post("/notifications/\(foreign.id)/cancel").status == 303)
            let entries = try await harness.store.auditEntries(
                AuditFilter(action: .cancelNotification),
                PageRequest()
            ).items
            #expect(entries.map(\.actor.name) == ["admin", "sender"])
        }
    }

    @Test("what is done or cancelled already is not cancelled: the page says so, and the audit log nothing")
    func nothingToCancel() async throws {
        try await Harness.run { harness in
            try await harness.storeCredential()
            try await harness.register(["ann"])
            let submission = Submission(app: harness.app, audience: .users(["nobody"]), content: Content(title: "Hi"))
            let done = try await harness.console.submitter.submit(submission, idempotency: nil).id
            try await harness.world.fanOut()
            #expect(try await harness.store.notification(done)?.state == .done)
            let open = try await send(harness, "Hello").id
            let admin = try await harness.visitor(.admin)
            for (id, word, text, count) in [
                (done, "was_done", "It was already done: nothing was left to cancel.", 0),
                (open, "cancelled", "It is cancelled.", 1), (open, "was_cancelled", "It was already cancelled.", 1),
            ] {
                let answer = try await admin.post("/notifications/\(id)/cancel")
                #expect(answer.location == "/console/notifications/\(id)?done=notification_\(word)")
                #expect(try await admin.get("/notifications/\(id)?done=notification_\(word)").text.contains(text))
                let filter = AuditFilter(action: .cancelNotification)
                #expect(try await harness.store.auditEntries(filter, PageRequest()).items.count == count, "\(word)")
            }
        }
    }

    @Test("what cannot be sent again says what to do on pages")
    func notAgain() async throws {
        try await Harness.run { harness in
            try await harness.storeCredential()
            try await harness.register(["ann"])
            let open = try await send(harness, "Hello").id
            let submission = Submission(app: harness.app, audience: .users(["nobody"]), content: Content(title: "Hi"))
            let done = try await harness.console.submitter.submit(submission, idempotency: nil).id
            try await harness.world.fanOut()
            let sender = try await harness.visitor(.sender)
            for (id, hint) in [
                (open, "Wait until it is done, or cancel it on its page."),
                (done, "they have it by now, or no device."),
            ] {
                let again: KeyValuePairs = ["do": "send", "once": "0123456789abcdef", "shown": "0", "counted": ""]
                let page = try await sender.post("/notifications/\(id)/resend", again)
                #expect(page.status == 409 && page.text.contains(hint), "\(page.text)")
                #expect(!page.text.contains("/api/v1") && !page.text.contains("GET …"), "\(page.text)")
            }
        }
    }

    @Test("who did not get it is a page and a file that no spreadsheet runs")
    func missed() async throws {
        try await Harness.run { harness in
            try await harness.storeCredential()
            let submission = Submission(
                app: harness.app,
                audience: .users(["=1+1", "<i>"]),
                content: Content(title: "Hello")
            )
            let sent = try await harness.console.submitter.submit(submission, idempotency: nil)
            let viewer = try await harness.visitor(.viewer)
            let page = try await viewer.get("/notifications/\(sent.id)/missed")
            #expect(page.text.contains("&lt;i&gt;") && !page.text.contains("<i>"))
            #expect(page.text.contains("/console/people/\(harness.app.id)/%3Ci%3E"))
            let file = try await viewer.get("/notifications/\(sent.id)/missed?format=csv")
            #expect(file.headers[.contentType]?.hasPrefix("text/csv") == true)
            #expect(file.text.contains("'=1+1,") && file.text.split(separator: "\r\n").count == 3)
            let none = try await viewer.get("/notifications/\(sent.id)/missed?devices=every&reason=BadTopic")
            #expect(none.text.contains("No device missed it."))
        }
    }
}
