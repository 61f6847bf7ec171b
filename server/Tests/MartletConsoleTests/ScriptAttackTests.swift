import Foundation
import HTTPTypes
import MartletTesting
import MartletWire
import Testing

@testable import MartletConsole
@testable import MartletCore

extension Visitor.Answer {
    /// The text as far as a parser of HTML takes it for markup: what other scripts join to it is left out.
    var ascii: String { String(decoding: text.utf8.filter { $0 < 0x80 }, as: UTF8.self) }

    /// What of a planted script would run, or would say a session's token to others; empty for a page that is sound.
    func faults(token: String = "") -> [String] {
        guard headers[.contentType]?.hasPrefix("text/html") == true else { return [] }
        let text = ascii
        var found = ["<script>x", "<img src=x", "<script>alert"].filter { text.contains($0) }
        for attribute in ["href", "src", "action"] where text.contains("\(attribute)=\"javascript:") {
            found.append("\(attribute) with a script")
        }
        let fields = text.components(separatedBy: #"name="csrf" value="\#(token)""#).count
        if !token.isEmpty, text.components(separatedBy: token).count != fields { found.append("the token in a text") }
        return found
    }
}

@Suite("Script in the texts of others") struct ScriptAttackTests {
    private static let marked = Link.escaped(Plants.mark)
    private static let shown = "&lt;script&gt;x&lt;/script&gt;"

    @Test("is text on every page, for every role, in both languages", arguments: [Plants.script, .joined])
    func pages(plants: Plants) async throws {
        try await PlantedScene.run(plants) { scene in
            var shown: Set<String> = []
            for role in OperatorRole.allCases {
                var visitor = try scene.visitor(role)
                for language in Texts.languages {
                    visitor.headers = [.acceptLanguage: language]
                    for route in scene.pageRoutes {
                        for path in try await scene.paths(of: route) {
                            let answer = try await visitor.open(path)
                            #expect(answer.status < 500, "\(role) \(path)")
                            #expect(answer.faults(token: visitor.csrf) == [], "\(role) \(path)")
                            if answer.status == 200, answer.ascii.contains(Self.shown) { shown.insert(route.path) }
                        }
                    }
                }
            }
            let expected: Set = [
                "/notifications", "/notifications/{id}", "/notifications/{id}/missed", "/notifications/{id}/resend",
                "/people/{app}/{user}", "/people/{app}/{user}/devices", "/people/{app}/{user}/inbox",
                "/people/{app}/{user}/why/{notification}", "/topics/{id}", "/topics/{id}/subscriptions/{subscription}",
                "/categories", "/categories/{app}/{key}", "/problems", "/apps/{id}", "/apps/{id}/findings", "/keys",
                "/access-keys", "/operators", "/sessions", "/account", "/audit", "/phones", "/", "/invitations/{token}",
            ]
            #expect(expected.subtracting(shown).sorted() == [], "pages on which nothing was planted")
        }
    }

    @Test("is escaped by bytes, whatever a reader takes for one character")
    func scalars() throws {
        let escaped = PageText().escapeText("\u{600}<b\u{301} a=\"\u{301}'\u{200D}&\u{110BD}>é日")
        #expect(escaped == "\u{600}&lt;b\u{301} a=&quot;\u{301}&#39;\u{200D}&amp;\u{110BD}&gt;é日")
        #expect(CSVRow.field("x\"\u{301},=1") == "\"x\"\"\u{301},=1\"")
        let list = PeopleList(typed: "\"a,\u{301}b\"\n\"c\"\"\u{301}\"")
        #expect(list.people == ["a,\u{301}b", "c\"\u{301}"])
        #expect(PeopleList(typed: list.text).people == list.people)
    }

    @Test("is escaped so in every place of every template")
    func templates() throws {
        let (library, texts) = (try PageLibrary(), Texts(preferred: ["en"]))
        for source in PageLibrary.sources {
            var values: PageValues = [:]
            for found in String(decoding: source.bytes, as: UTF8.self).matches(of: /\{\{[#^]?([a-z_0-9]+)\}\}/) {
                values[String(found.output.1)] = "\u{600}<zz\u{600}>"
            }
            // The only one that is not escaped: our own picture, made of numbers.
            values["chart"] = nil
            let text = library.part(source.name, values, texts).utf8.filter { $0 < 0x80 }
            let page = String(decoding: text, as: UTF8.self)
            #expect(!page.contains("<zz") && !page.contains("zz>"), "\(source.name)")
        }
    }

    @Test("is text where an address asks for it")
    func queries() async throws {
        try await PlantedScene.run(.script) { scene in
            let names = [
                "q", "reason", "kind", "status", "action", "actor", "subject", "id", "next", "attributes", "body",
                "title",
                "subtitle", "users", "topic", "zone", "done", "lang", "period", "expiry", "tested", "key_id",
                "bundle_id",
            ]
            let query = names.map { "\($0)=\(Self.marked)" }.joined(separator: "&")
            let links = "link=javascript%3Aalert(1)&image=javascript%3Aalert(1)&url=javascript%3Aalert(1)"
            let admin = try scene.visitor(.admin)
            for route in scene.pageRoutes {
                for path in try await scene.paths(of: route) {
                    let answer = try await admin.get("\(path)?\(query)&\(links)")
                    #expect(answer.status < 500, "\(path)")
                    #expect(answer.faults(token: admin.csrf) == [], "\(path)")
                }
            }
            for query in ["app=\(Self.marked)", "cursor=\(Self.marked)", "like=\(Self.marked)"] {
                for route in scene.pageRoutes {
                    let path = try #require(try await scene.paths(of: route).first)
                    let answer = try await admin.get("\(path)?\(query)")
                    #expect(answer.status < 500 && answer.faults() == [], "\(path)?\(query)")
                }
            }
            let found = try await admin.get("/people?q=\(Self.marked)")
            #expect(found.status == 200 && found.text.contains(Self.shown))
        }
    }

    @Test("is text on the pages that show a form again, and in what is said of it")
    func forms() async throws {
        try await PlantedScene.run(.script) { scene in
            let admin = try scene.visitor(.admin)
            var posts = ["/compose", "/compose/preview", "/compose/count", "/compose/list", "/compose/send"]
            for route in scene.harness.console.routes where route.method == .post && route.path != "/sign-out" {
                // What would end the admin's session, and what waits for a provider's answer.
                let isOther = ["session", "/operators/{id}", "/test"].contains { route.path.contains($0) }
                if !isOther, let path = try await scene.paths(of: route).first { posts.append(path) }
            }
            let mark = Plants.mark
            for path in posts {
                for kind in ["review", "list", "edit"] {
                    let answer = try await admin.post(
                        path,
                        [
                            "form": "on", "do": kind, "audience": "users", "users": mark, "title": mark, "body": mark,
                            "link": "javascript:alert(1)", "image": "javascript:alert(1)", "data": mark, "topic": mark,
                            "attributes": mark, "name": mark, "key": mark, "who": mark, "filter": mark, "typed": mark,
                            "confirm": mark, "attribute": "DisplayName", "value": mark, "locale": mark, "role": mark,
                            "scope": mark, "allow": mark, "issuer": mark, "jwks_url": mark,
                            "bundle_id": mark, "url": "javascript:alert(1)", "reason": mark, "user": mark,
                            "current": mark, "password": mark, "again": mark, "test_to": mark, "zone": mark,
                            "app": scene.app.id.description,
                        ]
                    )
                    #expect(answer.status < 500, "\(path)")
                    #expect(answer.faults(token: admin.csrf) == [], "\(path)")
                }
            }
            let signIn = try await scene.harness.stranger.post("/sign-in?next=\(Self.marked)", ["name": mark])
            #expect(signIn.status == 401 && signIn.faults() == [] && signIn.text.contains(Self.shown))
        }
    }
}
