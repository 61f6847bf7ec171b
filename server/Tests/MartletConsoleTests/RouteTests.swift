import HTTPTypes
import MartletTesting
import MartletWire
import Testing

@testable import MartletConsole
@testable import MartletCore

@Suite("Every path of the console") struct RouteTests {
    /// A path with something in the place of each parameter.
    private func path(of path: String) -> String {
        path.split(separator: "/", omittingEmptySubsequences: false)
            .map { $0.hasPrefix("{") ? "018f0000-0000-7000-8000-000000000001" : String($0) }.joined(separator: "/")
    }

    private func ask(_ visitor: Visitor, _ row: RouteTable.Row) async throws -> Visitor.Answer {
        row.method == .get ? try await visitor.get(path(of: row.path)) : try await visitor.post(path(of: row.path))
    }

    /// The rows of what wants an operator, and one for each form's path as a page.
    private var guarded: [RouteTable.Row] {
        let rows = RouteTable.rows.filter { $0.who != .anybody }
        let pages = Set(rows.filter { $0.method == .get }.map(\.path))
        let formPages = rows.filter { $0.method == .post && !pages.contains($0.path) }
            .map { RouteTable.Row(method: .get, path: $0.path, who: $0.who) }
        return rows + formPages
    }

    @Test("has a row in the table of who may ask for it, and the table has no other rows")
    func table() async throws {
        try await Harness.run { harness in
            let stated = Set(harness.console.routes.map { RouteTable.Row($0) })
            let known = Set(RouteTable.rows)
            #expect(known.count == RouteTable.rows.count)
            #expect(stated.subtracting(known).map(\.description).sorted() == [])
            #expect(known.subtracting(stated).map(\.description).sorted() == [])
        }
    }

    @Test("nobody sees a page without a session, and each role only what the table says")
    func roles() async throws {
        try await Harness.run { harness in
            for role in OperatorRole.allCases {
                for (number, row) in guarded.enumerated() where row.path != "/sign-out" {
                    // What they do may end their session.
                    let visitor = try await harness.visitor(role, named: "\(role)-\(number)")
                    let answer = try await ask(visitor, row)
                    let name = "\(role.rawValue) \(row)"
                    #expect((answer.status == 403) == !row.who.includes(role), "\(name): \(answer.status)")
                    #expect(answer.status != 500, "\(name): \(answer.text.suffix(600))")
                }
            }
            for row in guarded {
                let answer = try await ask(harness.stranger, row)
                #expect(answer.status == 303, "\(row)")
                #expect(answer.location?.hasPrefix("/console/sign-in") == true, "\(row)")
            }
        }
    }

    @Test("a form's path is a page as well, or leads to the one that the form stands on")
    func formPages() async throws {
        try await PlantedScene.run(.secrets) { scene in
            let admin = try scene.visitor(.admin)
            for route in scene.harness.console.routes where route.method == .post && route.access != .open {
                for path in try await scene.paths(of: route) {
                    var answer = try await admin.get("\(path)?lang=ja")
                    #expect(answer.cookie?.contains("martlet_language=ja") == true, "\(path)")
                    if let place = answer.location {
                        answer = try await admin.get(String(place.dropFirst("/console".count)))
                    }
                    #expect(answer.status == 200, "\(path): \(answer.status)")
                    #expect(answer.text.contains("<html lang=\"ja\">"), "\(path)")
                }
            }
        }
    }

    @Test("a form that was refused leads to the page that it stands on, with what the address says")
    func formPage() async throws {
        try await Harness.run { harness in
            let (admin, id) = (try await harness.visitor(.admin), harness.app.id)
            for (path, place) in [
                ("/apps/\(id)/rename?lang=ja", "/console/apps/\(id)?lang=ja"),
                ("/apps/\(id)/credentials", "/console/apps/\(id)/credentials/new"),
                (
                    "/apps/\(id)/credentials/look?platform=fcm&lang=ja",
                    "/console/apps/\(id)/credentials/new?platform=fcm&lang=ja"
                ),
                ("/apps/look", "/console/apps/new"), ("/compose/send", "/console/compose"),
                ("/account/password", "/console/account"), ("/sign-out?lang=ja", "/console?lang=ja"),
                ("/people/\(id)/a%2Fb/devices/x/test", "/console/people/\(id)/a%2Fb/devices"),
                ("/topics/x/subscriptions/y/try", "/console/topics/x/subscriptions/y"),
            ] {
                let answer = try await admin.get(path)
                #expect(answer.status == 303 && answer.location == place, "\(path): \(answer.location ?? "")")
            }
        }
    }

    @Test("a form without its session's token, or with another's, changes nothing")
    func csrf() async throws {
        try await Harness.run { harness in
            let admin = try await harness.visitor(.admin)
            let other = try await harness.visitor(.admin, named: "other")
            for route in harness.console.routes where route.method == .post {
                guard case .operators = route.access else { continue }
                for token in ["", "x", other.csrf] {
                    let answer = try await admin.post(path(of: route.path), csrf: token)
                    #expect(answer.status == 403, "\(route.path) with '\(token.prefix(4))'")
                }
            }
            #expect(try await admin.get("/").status == 200)
        }
    }

    @Test("a form of another site's page is refused, as the browser tells of it")
    func foreign() async throws {
        try await Harness.run { harness in
            var admin = try await harness.visitor(.admin)
            for site in ["cross-site", "same-site"] {
                admin.headers = [HTTPField.Name("Sec-Fetch-Site")!: site]  // a literal
                #expect(try await admin.post("/sign-out").status == 403)
            }
            var stranger = harness.stranger
            stranger.headers = [HTTPField.Name("Sec-Fetch-Site")!: "cross-site"]  // a literal
            let signIn = try await stranger.post("/sign-in", ["name": "admin", "password": Harness.password])
            #expect(signIn.status == 403 && signIn.cookie == nil)
        }
    }

    @Test("every answer tells the browser what to refuse")
    func headers() async throws {
        try await Harness.run { harness in
            let admin = try await harness.visitor(.admin)
            for answer in [
                try await admin.get("/"), try await harness.stranger.get("/sign-in"),
                try await harness.stranger.get("/"), try await admin.get("/invitations/x"),
                try await admin.post("/sign-out", csrf: "x"),
            ] {
                let policy = answer.headers[.contentSecurityPolicy] ?? ""
                #expect(policy.hasPrefix("default-src 'none';") && policy.contains("frame-ancestors 'none'"))
                #expect(!policy.contains("unsafe"))
                #expect(answer.headers[HTTPField.Name("X-Frame-Options")!] == "DENY")  // a literal
                #expect(answer.headers[.xContentTypeOptions] == "nosniff")
            }
        }
    }

    @Test("a form that is too long is refused")
    func tooLong() async throws {
        var settings = ConsoleSettings()
        settings.formLimit = 1_000
        try await Harness.run(settings: settings) { harness in
            let admin = try await harness.visitor(.admin)
            let answer = try await admin.post("/sign-out", ["x": String(repeating: "x", count: 2_000)])
            #expect(answer.status == 413)
            #expect(try await admin.get("/").status == 200)
        }
    }

    @Test("what is gone has a page that says what to do, with the way to the list that it may be in")
    func gone() async throws {
        try await Harness.run { harness in
            let (admin, viewer) = (try await harness.visitor(.admin), try await harness.visitor(.viewer))
            for (path, list) in [
                ("/topics/x", "topics"), ("/people/x/ann", "people"), ("/apps/x", "apps"), ("/keys/x", "keys"),
                ("/categories/x/y?lang=en", "categories"), ("/problems?app=x", "problems"),
            ] {
                let text = try await admin.get(path).text
                #expect(text.contains("It may have been removed, or the address is incomplete."), "\(path)")
                #expect(text.contains("class=\"button\" href=\"/console/\(list)\""), "\(path)")
            }
            for path in ["/nonsense", "/operators/x", "/keys/x", "/phones/tap"] {
                let text = try await viewer.get(path).text
                #expect(!text.contains("class=\"button\" href="), "\(path)")
            }
        }
    }

    @Test("an address that nothing stands at has a page that says so, and nobody learns of it without a session")
    func missing() async throws {
        try await Harness.run { harness in
            let viewer = try await harness.visitor(.viewer)
            for path in ["/nonsense", "/nonsense/a/b?x=1", "/people/nobody", "/notifications/a/b"] {
                let answer = try await viewer.get(path)
                #expect(answer.status == 404, "\(path): \(answer.status)")
                #expect(answer.headers[.contentType]?.hasPrefix("text/html") == true, "\(path)")
                #expect(answer.text.contains("There is no such page.") && answer.text.contains("<nav"), "\(path)")
                #expect(try await harness.stranger.get(path).status == 303, "\(path)")
            }
        }
    }
}
