import HTTPTypes
import MartletPipeline
import MartletStore
import MartletTesting
import MartletWire
import Testing

@testable import MartletConsole
@testable import MartletCore

@Suite("Forms whose session has ended") struct KeptFormTests {
    private static let site = HTTPField.Name("Sec-Fetch-Site")!  // a literal
    private static let own: HTTPFields = [site: "same-origin"]
    private static let kept = "data-kept"

    /// A browser of this operator with a session of its own, which sends forms of the console's pages.
    private func signIn(_ name: String, _ harness: Harness) async throws -> Visitor {
        let browser = OperatorService.Browser(address: "192.0.2.7", userAgent: "")
        let signedIn = try await harness.operators.signIn(name: name, password: Harness.password, from: browser)
        return Visitor(client: harness.client, secret: signedIn.secret, headers: Self.own)
    }

    @Test("a form is kept until its writer has signed in again and pressed twice, and is done once")
    func kept() async throws {
        try await Harness.run { harness in
            var old = try await harness.visitor(.admin, named: "ann")
            old.headers = Self.own
            #expect(try await old.post("/sign-out").status == 303)
            let form: KeyValuePairs = [
                "app": harness.app.id.description, "key": "news", "locale": "en", "name": "<b>\"News\"</b>",
                "position": "3",
            ]
            let ended = try await old.post("/categories", form)
            #expect(ended.status == 401 && ended.text.contains(Self.kept) && !ended.text.contains(old.csrf))
            #expect(ended.text.contains("action=\"/console/categories\""))
            #expect(ended.text.contains("href=\"/console/sign-in\" target=\"_blank\""))
            for field in [
                "name=\"key\" value=\"news\"", "name=\"name\" value=\"&lt;b&gt;&quot;News&quot;&lt;/b&gt;\"",
                "name=\"position\" value=\"3\"", "name=\"csrf\" value=\"\"",
            ] {
                #expect(ended.text.contains(field), "\(field)")
            }
            #expect(try await harness.stranger.post("/categories", form).status == 303)
            let new = try await signIn("ann", harness)
            for token in ["", old.csrf] {
                let again = try await new.post("/categories", form, csrf: token)
                #expect(again.status == 403 && again.text.contains("You are signed in again, as ann: press once more."))
                #expect(again.text.contains("name=\"csrf\" value=\"\(new.csrf)\""))
                #expect(again.text.contains("name=\"key\" value=\"news\""))
            }
            #expect(try await harness.store.categories(of: harness.app.row).isEmpty)
            #expect(try await new.post("/categories", form).status == 303)
            #expect(try await harness.store.categories(of: harness.app.row).map(\.key) == ["news"])
        }
    }

    /// What a browser says of a form that no page of the console sent, or does not say.
    private static let others: [HTTPFields] = [
        [:], [site: "cross-site"], [site: "same-site"], [site: "none"],
        [site: "cross-site", .origin: "http://localhost"],
        [.origin: "https://evil.example"], [.origin: "null"], [.origin: "http://localhost.evil.example"],
        [.origin: "http://localhost:81"], [.origin: "http://localhost@evil.example"],
        [.origin: "http://evil.example/localhost"], [.origin: "evil:////localhost"], [.origin: "localhost"],
        [.referer: "http://evil.example/console"], [.referer: "http://evil.example//localhost/"],
        [.origin: "null", .referer: "http://localhost/console"],
    ]

    @Test("another site's form is kept by nobody: no press makes it one's own", arguments: others)
    func attack(headers: HTTPFields) async throws {
        try await Harness.run { harness in
            var (stranger, admin) = (harness.stranger, try await harness.visitor(.admin))
            (stranger.headers, admin.headers) = (headers, headers)
            let form: KeyValuePairs = ["app": harness.app.id.description, "key": "evil"]
            let ended = try await stranger.post("/categories", form)
            #expect(ended.status == 303 && !ended.text.contains("evil"), "\(headers)")
            for token in ["", "x"] {
                let wrong = try await admin.post("/categories", form, csrf: token)
                #expect(wrong.status == 403 && !wrong.text.contains(Self.kept) && !wrong.text.contains("evil"))
                #expect(!wrong.text.contains("name=\"key\""))
            }
            #expect(try await harness.store.categories(of: harness.app.row).isEmpty)
        }
    }

    @Test(
        "a browser that says where the form stood in an older way is believed too",
        arguments: [
            [.origin: "http://localhost"], [.referer: "http://localhost/console/categories?x=/"],
        ] as [HTTPFields]
    )
    func older(headers: HTTPFields) async throws {
        try await Harness.run { harness in
            var stranger = harness.stranger
            stranger.headers = headers
            let ended = try await stranger.post("/categories", ["key": "news"])
            #expect(ended.status == 401 && ended.text.contains(Self.kept))
            // A proxy says that the browser came over TLS: a page without it is another's.
            stranger.headers[HTTPField.Name("X-Forwarded-Proto")!] = "https"  // a literal
            #expect(try await stranger.post("/categories", ["key": "news"]).status == 303)
        }
    }

    @Test("no page keeps a secret, a credential's file, or more than a form may have")
    func notKept() async throws {
        var settings = ConsoleSettings()
        settings.formLimit = 5_000
        try await Harness.run(settings: settings) { harness in
            var (stranger, admin) = (harness.stranger, try await harness.visitor(.admin))
            (stranger.headers, admin.headers) = (Self.own, Self.own)
            let secrets: [(String, KeyValuePairs<String, String>)] = [
                ("/account/password", ["current": "old kestrel", "password": "new kestrel", "again": "new kestrel"]),
                ("/apps/\(harness.app.id)/identity", ["mode": "signed", "issuer": "x", "secret": "kestrel"]),
            ]
            for (path, form) in secrets {
                #expect(try await stranger.post(path, form).status == 303, "\(path)")
                let wrong = try await admin.post(path, form, csrf: "x")
                #expect(wrong.status == 403 && !wrong.text.contains("kestrel"), "\(path)")
            }
            let path = "/apps/\(harness.app.id)/credentials"
            #expect(try await stranger.upload(path, Array("kestrel".utf8), ["platform": "apns"]).status == 303)
            #expect(try await stranger.post("/compose", ["body": String(repeating: "a", count: 6_000)]).status == 303)
            #expect(try await stranger.post("/sign-out").status == 303)
        }
    }

    @Test("a notification with a list is kept without it, and is shown again before anything is done with it")
    func list() async throws {
        try await Harness.run { harness in
            var stranger = harness.stranger
            stranger.headers = Self.own
            let fields: KeyValuePairs = [
                "form": "on", "do": "review", "audience": "all", "title": "Late", "body": "a\nb",
            ]
            let answer = try await stranger.upload("/compose", Array("ann".utf8), fields)
            #expect(answer.status == 401 && answer.text.contains("Choose it again"))
            #expect(answer.text.contains("name=\"do\" value=\"edit\"") && !answer.text.contains("value=\"review\""))
            #expect(answer.text.contains("value=\"Late\"") && answer.text.contains("value=\"a\nb\""))
            #expect(answer.text.contains("enctype=\"multipart/form-data\""))
        }
    }

    @Test("what is asked for beside the page says that nobody is signed in, and has no page to sign in")
    func beside() async throws {
        try await Harness.run { harness in
            var stranger = harness.stranger
            stranger.headers = Self.own
            for part in ["preview", "count"] {
                let answer = try await stranger.post("/compose/\(part)", ["form": "on", "title": "Late"])
                #expect(answer.status == 401 && !answer.text.contains("type=\"password\""), "\(part)")
            }
            let page = try await harness.visitor(.sender).get("/compose").text
            #expect(page.contains("data-signed-out=\"You are signed out. Sign in in another tab, then go on here"))
            let script = try await harness.stranger.get("/assets/console.js").text
            #expect(script.contains("response.status === 401") && script.contains("'/console/sign-in'"))
        }
    }
}
