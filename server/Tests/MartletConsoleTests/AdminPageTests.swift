import Foundation
import HTTPTypes
import MartletPipeline
import MartletStore
import MartletTesting
import MartletWire
import Synchronization
import Testing

@testable import MartletConsole
@testable import MartletCore

@Suite("Apps, keys, operators and phones") struct AdminPageTests {
    private func audited(_ harness: Harness) async throws -> [AuditEntry] {
        try await harness.store.auditEntries(AuditFilter(), PageRequest()).items
    }

    @Test("a key is shown once, in the answer that makes it, and the log has its beginning alone")
    func keys() async throws {
        try await Harness.run { harness in
            let admin = try await harness.visitor(.admin)
            let made = try await admin.post("/keys", ["name": "backend", "scope": "send", "app": "\(harness.app.id)"])
            let secret = try #require(made.text.firstMatch(of: /mk_send_[\w-]{43}/)?.0)
            #expect(made.status == 200 && made.headers[.cacheControl] == "no-store")
            let list = try await admin.get("/keys")
            #expect(list.text.contains("backend") && !list.text.contains(secret))
            #expect(list.text.contains(">active</span>") && list.text.contains("<summary>Revoke…"), "\(list.text)")
            #expect(try await harness.store.key(.hash(SecretHash(of: String(secret))))?.api?.scope == .send)
            let entry = try #require(try await audited(harness).first)
            #expect(entry.action.rawValue == "key.create" && entry.app == harness.app.row)
            #expect(!"\(entry)".contains(secret))
            for form in [["name": "", "scope": "send"], ["name": "x", "scope": "client"]] {
                let refused = try await admin.post("/keys", ["name": form["name"]!, "scope": form["scope"]!])
                #expect(refused.status == 422 && refused.text.contains("role=\"alert\""))
            }
        }
    }

    @Test("a key of either kind expires when the form says so, and the list has that and its last use")
    func keyTimes() async throws {
        try await Harness.run { harness in
            let admin = try await harness.visitor(.admin)
            let end = harness.clock.now() + .seconds(30 * 86_400)
            _ = try await admin.post("/keys", ["name": "brief", "scope": "send", "expires_at": "30d"])
            _ = try await admin.post("/keys", ["name": "lasting", "scope": "send", "expires_at": ""])
            let keys = try await harness.store.keys(.api(app: nil), PageRequest()).items.compactMap(\.api)
            #expect(keys.map(\.expiresAt) == [end, nil])
            _ = try await admin.post("/access-keys", ["name": "boto", "expires_at": "365d"])
            let access = try #require(try await harness.store.keys(.access, PageRequest()).items.first?.access)
            #expect(access.expiresAt == harness.clock.now() + .seconds(365 * 86_400))
            for path in ["/keys", "/access-keys"] {
                let form: KeyValuePairs = ["name": "kept", "scope": "send", "expires_at": "1s"]
                let refused = try await admin.post(path, form)
                #expect(refused.status == 422 && refused.text.contains("kept"))
                #expect(refused.text.contains("name=\"expires_at\" aria-invalid=\"true\""))
                #expect(try await !admin.get(path).text.contains(">expired<"))
            }
            try await harness.store.noteUses([KeyUse(.api(keys[1].row), at: end - .seconds(60))])
            harness.clock.advance(to: end)
            let later = try await harness.stranger.post("/sign-in", ["name": "admin", "password": Harness.password])
            let cookie = try #require(later.cookie?.firstMatch(of: /martlet_session=([\w-]{22})/)?.1)
            let back = Visitor(client: harness.client, secret: SessionSecret(String(cookie)))
            let list = try await back.get("/keys").text
            #expect(list.contains(">expired<") && list.contains(PageValues.time(end)["text"] as? String ?? "?"))
            #expect(list.contains(PageValues.time(end - .seconds(60))["text"] as? String ?? "?"))
        }
    }

    @Test("the last admin key is revoked only when it is said twice")
    func lastKey() async throws {
        try await Harness.run { harness in
            let admin = try await harness.visitor(.admin)
            let key = try await harness.store.makeKey(.admin, app: nil, name: "only").key
            let first = try await admin.post("/keys/\(key.id)/revoke")
            #expect(first.status == 409 && first.text.contains("name=\"force\""))
            #expect(try await harness.store.key(.id(key.id))?.api?.revokedAt == nil)
            let second = try await admin.post("/keys/\(key.id)/revoke", ["force": "yes"])
            #expect(second.status == 303)
            #expect(try await harness.store.key(.id(key.id))?.api?.revokedAt != nil)
            #expect(try await audited(harness).first?.action.rawValue == "key.revoke")
        }
    }

    @Test("an access key has its rules, a secret that is shown once, and an end")
    func accessKeys() async throws {
        try await Harness.run { harness in
            let admin = try await harness.visitor(.admin)
            let rule = "publish:arn:aws:sns:us-east-1:123456789012:news"
            let made = try await admin.post("/access-keys", ["name": "boto", "allow": "\(rule)\r\n\r\nget*:*"])
            let id = String(try #require(made.text.firstMatch(of: /MKIA[A-Z2-7]{16}/)?.0))
            let key = try #require(try await harness.store.key(.accessKey(id))?.access)
            #expect(key.permissions?.map(\.text) == [rule, "get*:*"])
            #expect(try await admin.post("/access-keys", ["name": "x", "allow": "fly:*"]).status == 422)
            #expect(try await admin.post("/access-keys/\(id)/revoke").status == 303)
            #expect(try await admin.get("/access-keys").text.contains(id))
            #expect(try await admin.post("/access-keys/\(id)/revoke").status == 404)
        }
    }

    @Test("an app is deleted when its name was typed, and the log keeps what it was")
    func deletion() async throws {
        try await Harness.run { harness in
            let admin = try await harness.visitor(.admin)
            let path = "/apps/\(harness.app.id)"
            let refused = try await admin.post("\(path)/delete", ["confirm": "shopp"])
            #expect(refused.status == 422 && refused.text.contains("role=\"alert\""))
            #expect(try await harness.store.app(.row(harness.app.row)) != nil)
            #expect(
                try await admin.post("\(path)/delete", ["confirm": "shop"]).location == "/console/apps?done=app_deleted"
            )
            #expect(try await harness.store.app(.row(harness.app.row)) == nil)
            let entry = try #require(try await audited(harness).first)
            #expect(entry.action.rawValue == "app.delete" && entry.before?.objectValue?["name"] == "shop")
        }
    }

    @Test("an app is made by its name alone, is renamed, and a taken name is said with the input kept")
    func apps() async throws {
        try await Harness.run { harness in
            let admin = try await harness.visitor(.admin)
            let made = try await admin.post("/apps/new", ["name": "com.example.news"])
            let app = try #require(try await harness.store.app(.name("com.example.news")))
            #expect(made.location == "/console/apps/\(app.id)?done=app_created")
            let taken = try await admin.post("/apps/new", ["name": "shop", "bundle_id": "com.example.shop"])
            #expect(taken.status == 409 && taken.text.contains(#"value="com.example.shop""#))
            #expect(try await admin.post("/apps/\(app.id)/rename", ["name": "news"]).status == 303)
            #expect(try await harness.store.app(.row(app.row))?.name == "news")
            let page = try await admin.get("/apps/\(app.id)")
            #expect(page.status == 200 && page.text.contains("news"))
            let viewer = try await harness.visitor(.viewer)
            let seen = try await viewer.get("/apps/\(app.id)")
            #expect(seen.status == 200 && !seen.text.contains("/delete\""))
        }
    }

    @Test("an invitation's link is shown once and makes an operator of that role")
    func invitations() async throws {
        try await Harness.run { harness in
            let admin = try await harness.visitor(.admin)
            let made = try await admin.post("/operators", ["name": "eve", "role": "sender"])
            let path = try #require(made.text.firstMatch(of: /\/invitations\/[\w-]{22}/)?.0)
            #expect(try await harness.stranger.get(String(path)).text.contains("Welcome, eve"))
            #expect(try await admin.post("/operators", ["name": "admin", "role": "viewer"]).status == 409)
        }
    }

    @Test("the last admin stays one, and a disabled operator's session ends")
    func operators() async throws {
        try await Harness.run { harness in
            let admin = try await harness.visitor(.admin, named: "ann")
            let viewer = try await harness.visitor(.viewer, named: "vic")
            let ann = try #require(try await harness.store.operator(.name("ann")))
            let vic = try #require(try await harness.store.operator(.name("vic")))
            #expect(try await admin.post("/operators/\(ann.id)", ["role": "viewer"]).status == 409)
            #expect(try await admin.post("/operators/\(vic.id)", ["disabled": "yes"]).status == 303)
            #expect(try await viewer.get("/account").status == 303)
            #expect(try await admin.post("/operators/\(vic.id)", ["disabled": "no", "role": "sender"]).status == 303)
            #expect(try await harness.store.operator(.name("vic"))?.role == .sender)
            #expect(try await admin.get("/operators").text.contains("vic"))
        }
    }

    @Test("the list of sessions ends every one but that in which it is read")
    func sessions() async throws {
        try await Harness.run { harness in
            let admin = try await harness.visitor(.admin)
            _ = try await harness.visitor(.viewer, named: "vic")
            let secret = try #require(admin.secret)
            let own = try #require(try await harness.store.session(secret))
            let list = try await admin.get("/sessions").text
            for session in try await harness.store.sessions(.all, PageRequest()).items {
                let form = "action=\"/console/sessions/\(session.id)/end\""
                #expect(list.contains(form) == (session.id != own.id), "\(list)")
            }
            #expect(list.contains("<span class=\"word good\">this one</span>"), "\(list)")
        }
    }

    @Test("a new password ends the other sessions and asks for the present one")
    func password() async throws {
        try await Harness.run { harness in
            let first = try await harness.visitor(.viewer, named: "vic")
            let signedIn = try await harness.stranger.post("/sign-in", ["name": "vic", "password": Harness.password])
            #expect(signedIn.status == 303)
            let new = "another horse battery"
            let wrong = try await first.post("/account/password", ["current": "no", "password": new, "again": new])
            #expect(wrong.status == 422 && !wrong.text.contains(new))
            let vic = try #require(try await harness.store.operator(.name("vic")))
            #expect(try await harness.store.sessions(.of(vic.row), PageRequest()).items.count == 2)
            let changed = try await first.post(
                "/account/password",
                ["current": Harness.password, "password": new, "again": new]
            )
            #expect(changed.location == "/console/account?done=password_changed")
            #expect(try await harness.store.sessions(.of(vic.row), PageRequest()).items.count == 1)
            #expect(try await first.get("/account").status == 200)
        }
    }

    @Test("the audit log shows what changed, escaped, and finds it by who and what")
    func audit() async throws {
        try await Harness.run { harness in
            let admin = try await harness.visitor(.admin)
            _ = try await admin.post("/keys", ["name": "<script>x</script>", "scope": "send"])
            let page = try await admin.get("/audit?action=key.create")
            #expect(page.text.contains("&lt;script&gt;") && !page.text.contains("<script>x"))
            #expect(page.text.contains("<code>key.create</code>") && page.text.contains(">API key: created</a>"))
            #expect(page.text.contains("<option value=\"key.create\" selected>API key: created</option>"))
            let none = try await admin.get("/audit?action=app.delete")
            #expect(none.status == 200 && !none.text.contains("<code>key.create</code>"))
        }
    }
}

@Suite("The page of phones") struct PhonePageTests {
    private static let token = String(repeating: "ab", count: 32)
    private static let message = "018f0000-0000-7000-8000-000000000001"

    /// A simulator that has had one push.
    private static func settings() -> ConsoleSettings {
        var settings = ConsoleSettings()
        settings.simulator = "http://127.0.0.1:9444"
        settings.fetch = { address in
            switch address.dropFirst("http://127.0.0.1:9444".count) {
            case "/received/count": return Array(#"{"total":1,"kept":1}"#.utf8)
            case "/received?after=0&limit=1000":
                return Array(
                    """
                    {"received":[{"seq":1,"time":1700000000000,"path":"/3/device/x","token":"\(token)","status":200,
                    "headers":{"apns-push-type":"alert"},"payload":{"aps":{"alert":{"title":"Late","body":"Line 4"}},
                    "message_id":"\(message)"}}],"next":1}
                    """.utf8
                )
            default: throw Failure.notFound("service")
            }
        }
        return settings
    }

    private func register(_ harness: Harness) async throws {
        _ = try await harness.store.register(
            Registration(app: harness.app.row, platform: .apns, token: Self.token, owner: .user("ann"))
        )
    }

    @Test("a tap is an event of the phone's installation's user, and the push is gone from its screen")
    func tap() async throws {
        try await Harness.run(settings: Self.settings()) { harness in
            try await register(harness)
            let (sender, viewer) = (try await harness.visitor(.sender), try await harness.visitor(.viewer))
            let page = try await sender.get("/phones")
            #expect(page.text.contains(">ann<") && page.text.contains("/phones/tap"))
            #expect(try await !viewer.get("/phones").text.contains("/phones/tap"))
            let form: KeyValuePairs = ["platform": "apns", "device": Self.token, "message_id": Self.message]
            #expect(try await viewer.post("/phones/tap", form).status == 403)
            #expect(try await sender.post("/phones/tap", form).location == "/console/phones?done=phone_open")
            let events = try await harness.store.events(EventFilter(app: harness.app.row), PageRequest()).items
            #expect(events.map(\.draft.type) == [.open] && events.first?.draft.user == "ann")
            #expect(events.first?.draft.messageID == Self.message && events.first?.draft.apnsToken == Self.token)
            let after = try await sender.get("/phones")
            #expect(!after.text.contains("Line 4") && after.text.contains("opened"))
            // Nothing is on it any more, and so no number.
            #expect(after.text.contains("No notifications") && !after.text.contains("Badge:"))
            #expect(!after.text.contains(">nil<"))
            let unknown: KeyValuePairs = ["platform": "apns", "device": "ab", "message_id": "x"]
            let gone = try await sender.post("/phones/dismiss", unknown)
            #expect(gone.status == 404 && gone.text.contains("is not on the phone any more."))
            #expect(gone.text.contains("The phones below are as they are now.") && gone.text.contains("Lock screens"))
        }
    }

    @Test("a push is on its phone's screen, masked for who only reads")
    func screens() async throws {
        try await Harness.run(settings: Self.settings()) { harness in
            let (sender, viewer) = (try await harness.visitor(.sender), try await harness.visitor(.viewer))
            let page = try await sender.get("/phones")
            #expect(page.text.contains("Late") && page.text.contains("Line 4"))
            let masked = try await viewer.get("/phones")
            #expect(masked.status == 200 && !masked.text.contains("Line 4") && !masked.text.contains(Self.token))
        }
    }

    @Test("a phone shows the number of its newest push, and the page says when it is not updated any more")
    func badge() async throws {
        var settings = Self.settings()
        settings.fetch = { [fetch = settings.fetch] address in
            let text = String(decoding: try await fetch(address), as: UTF8.self)
            return Array(text.replacing(#""aps":{"#, with: #""aps":{"badge":3,"#).utf8)
        }
        try await Harness.run(settings: settings) { harness in
            let page = try await harness.visitor(.viewer).get("/phones")
            #expect(page.text.contains("Badge: </span>3</span>"), "\(page.text)")
            #expect(page.text.contains("data-stale=\"These phones are not updated any more. Reload the page.\""))
        }
    }

    @Test("a simulator that does not answer is said, and without one the page teaches how to have one")
    func without() async throws {
        var settings = ConsoleSettings()
        settings.simulator = "http://127.0.0.1:1"
        settings.fetch = { _ in throw Failure.notFound("simulator") }
        try await Harness.run(settings: settings) { harness in
            let page = try await harness.visitor(.viewer).get("/phones")
            #expect(page.status == 200 && page.text.contains("role=\"alert\""))
        }
        try await Harness.run { harness in
            let viewer = try await harness.visitor(.viewer)
            #expect(try await viewer.get("/phones").text.contains("MARTLET_CONSOLE_SIMULATOR"))
            #expect(try await viewer.get("/").text.contains("/console/phones") == false)
        }
    }
}
