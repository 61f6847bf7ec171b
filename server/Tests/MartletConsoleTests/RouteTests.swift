import HTTPTypes
import MartletTesting
import Testing

@testable import MartletConsole
@testable import MartletCore

@Suite("Every path of the console") struct RouteTests {
    /// A path with something in the place of each parameter.
    private func path(of route: ConsoleRoute) -> String {
        route.path.split(separator: "/", omittingEmptySubsequences: false)
            .map { $0.hasPrefix("{") ? "018f0000-0000-7000-8000-000000000001" : String($0) }.joined(separator: "/")
    }

    @Test("nobody sees a page without a session, and each role only what it may")
    func roles() async throws {
        try await Harness.run { harness in
            for role in OperatorRole.allCases {
                for route in harness.console.routes where route.path != "/sign-out" {
                    guard case .operators(let act) = route.access else { continue }
                    let visitor = try await harness.visitor(
                        role,
                        named: "\(role)-\(route.method)-\(route.path.hashValue)"
                    )
                    let answer =
                        route.method == .get
                        ? try await visitor.get(path(of: route)) : try await visitor.post(path(of: route))
                    let name = "\(role.rawValue) \(route.method) \(route.path)"
                    #expect((answer.status == 403) == !role.may(act), "\(name): \(answer.status)")
                    #expect(answer.status != 500, "\(name): \(answer.text.suffix(600))")
                }
            }
            for route in harness.console.routes {
                guard case .operators = route.access else { continue }
                let answer =
                    route.method == .get
                    ? try await harness.stranger.get(path(of: route)) : try await harness.stranger.post(path(of: route))
                #expect(answer.status == 303, "\(route.method) \(route.path)")
                #expect(answer.location?.hasPrefix("/console/sign-in") == true, "\(route.method) \(route.path)")
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
                    let answer = try await admin.post(path(of: route), csrf: token)
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
                ("/categories/x/y?lang=en", "categories"), ("/troubles?app=x", "troubles"),
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
            for path in ["/nonsense", "/nonsense/a/b?x=1", "/people/nobody", "/notifications/a/b", "/sign-out"] {
                let answer = try await viewer.get(path)
                #expect(answer.status == 404, "\(path): \(answer.status)")
                #expect(answer.headers[.contentType]?.hasPrefix("text/html") == true, "\(path)")
                #expect(answer.text.contains("There is no such page.") && answer.text.contains("<nav"), "\(path)")
                #expect(try await harness.stranger.get(path).status == 303, "\(path)")
            }
        }
    }
}
