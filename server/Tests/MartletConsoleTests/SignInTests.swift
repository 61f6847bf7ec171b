import HTTPTypes
import MartletPipeline
import MartletTesting
import MartletWire
import Testing

@testable import MartletConsole
@testable import MartletCore

@Suite("Signing in") struct SignInTests {
    @Test("a password opens the console, and the cookie is for the browser alone")
    func signIn() async throws {
        try await Harness.run { harness in
            _ = try await harness.visitor(.admin, named: "ann")
            let stranger = harness.stranger
            #expect(try await stranger.get("/").location == "/console/sign-in?next=%2Fconsole%2F")
            let wrong = try await stranger.post("/sign-in", ["name": "ann", "password": "not it, not it"])
            #expect(wrong.status == 401 && wrong.cookie == nil)
            #expect(wrong.text.contains("The name or the password is wrong.") && wrong.text.contains(#"value="ann""#))
            let right = try await stranger.post("/sign-in", ["name": "ann", "password": Harness.password])
            #expect(right.status == 303 && right.location == "/console")
            let cookie = try #require(right.cookie)
            for word in ["HttpOnly", "SameSite=Lax", "Path=/console", "Max-Age=604800"] {
                #expect(cookie.contains(word), "\(word)")
            }
            #expect(!cookie.contains("Secure"))
            var behindTLS = stranger
            behindTLS.headers[HTTPField.Name("X-Forwarded-Proto")!] = "https"  // a literal
            let secure = try await behindTLS.post("/sign-in", ["name": "ann", "password": Harness.password])
            #expect(secure.cookie?.hasSuffix("; Secure") == true)
        }
    }

    @Test("a link that leads to another site after signing in leads to the console")
    func redirect() async throws {
        try await Harness.run { harness in
            _ = try await harness.visitor(.viewer, named: "bob")
            let places = [
                "https://evil.example/", "//evil.example", "/console.evil", "/consolex", "javascript:alert(1)",
                "/\\evil.example", "/console/\\evil", "/console\n/x",
            ]
            for place in places {
                let path = "/sign-in?next=\(Link.escaped(place))"
                let answer = try await harness.stranger.post(path, ["name": "bob", "password": Harness.password])
                #expect(answer.location == "/console", "\(place)")
            }
            let own = try await harness.stranger.post(
                "/sign-in?next=%2Fconsole%2Fpeople%3Fq%3Dx",
                ["name": "bob", "password": Harness.password]
            )
            #expect(own.location == "/console/people?q=x")
        }
    }

    @Test("a session that somebody brings along is not the one that begins")
    func fixation() async throws {
        try await Harness.run { harness in
            let victim = try await harness.visitor(.admin, named: "ann")
            _ = try await victim.post("/sign-out")
            let answer = try await victim.post("/sign-in", ["name": "ann", "password": Harness.password])
            let cookie = try #require(answer.cookie)
            #expect(!cookie.contains(try #require(victim.secret).text))
            // The old one stays at its end.
            #expect(try await victim.get("/").status == 303)
        }
    }

    @Test("an invitation makes one operator, once, with a password that is long enough and typed twice")
    func invitation() async throws {
        try await Harness.run { harness in
            let made = try await harness.operators.invite("eve", as: .sender, by: .system)
            let path = "/invitations/\(made.token)"
            let page = try await harness.stranger.get(path)
            #expect(page.status == 200 && page.text.contains("Welcome, eve"))
            for (first, second) in [("short", "short"), (Harness.password, "another one entirely")] {
                let refused = try await harness.stranger.post(path, ["password": first, "again": second])
                #expect(refused.status == 422 && refused.cookie == nil && refused.text.contains("role=\"alert\""))
            }
            let password = Harness.password
            let taken = try await harness.stranger.post(path, ["password": password, "again": password])
            #expect(taken.status == 303 && taken.cookie != nil)
            let again = try await harness.stranger.post(path, ["password": password, "again": password])
            #expect(again.status == 404 && again.cookie == nil)
            #expect(try await harness.stranger.get("/invitations/AAAAAAAAAAAAAAAAAAAAAA").status == 404)
        }
    }

    @Test("a session ends by signing out, and after twelve hours without use")
    func ends() async throws {
        try await Harness.run { harness in
            let visitor = try await harness.visitor(.viewer)
            #expect(try await visitor.get("/").status == 200)
            harness.clock.advance(by: .seconds(12 * 3_600 + 1))
            #expect(try await visitor.get("/").status == 303)
            let other = try await harness.visitor(.viewer, named: "other")
            let out = try await other.post("/sign-out")
            #expect(out.cookie?.contains("Max-Age=0") == true)
            #expect(try await other.get("/").status == 303)
        }
    }

    @Test("the browser keeps what it is known by, which lets it in when strangers have used up the account's attempts")
    func known() async throws {
        var settings = ConsoleSettings()
        settings.client = { _, forwarded in forwarded.first ?? "192.0.2.7" }
        try await Harness.run(settings: settings) { harness in
            _ = try await harness.visitor(.admin, named: "ann")
            var browser = harness.stranger
            browser.headers[HTTPField.Name("X-Forwarded-For")!] = "203.0.113.1"  // a literal
            let form: KeyValuePairs = ["name": "ann", "password": Harness.password]
            let first = try await browser.post("/sign-in", form)
            let cookie = try #require(first.headers[values: .setCookie].first { $0.hasPrefix("martlet_browser=") })
            for word in ["HttpOnly", "SameSite=Lax", "Path=/console", "Max-Age=34560000"] {
                #expect(cookie.contains(word), "\(word)")
            }
            browser.headers[HTTPField.Name("X-Forwarded-For")!] = "203.0.113.2"  // a literal
            for number in 0..<10 {
                let other = OperatorService.Browser(address: "\(number)", userAgent: "")
                _ = try? await harness.operators.signIn(name: "ann", password: "wrong", from: other)
            }
            let stranger = try await browser.post("/sign-in", form)
            #expect(stranger.status == 429)
            #expect(
                stranger.text.contains("or now in a browser in which you have signed in before"),
                "\(stranger.text)"
            )
            browser.headers[.cookie] = String(cookie.prefix { $0 != ";" })
            #expect(try await browser.post("/sign-in", form).status == 303)
        }
    }

    @Test("ten wrong passwords make the next ones wait, also the right one")
    func throttle() async throws {
        try await Harness.run { harness in
            _ = try await harness.visitor(.admin, named: "ann")
            for _ in 0..<10 {
                _ = try await harness.stranger.post("/sign-in", ["name": "ann", "password": "wrong wrong wrong"])
            }
            let next = try await harness.stranger.post("/sign-in", ["name": "ann", "password": Harness.password])
            #expect(next.status == 429 && next.cookie == nil)
        }
    }
}
