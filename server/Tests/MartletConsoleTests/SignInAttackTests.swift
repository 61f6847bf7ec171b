import HTTPTypes
import MartletPipeline
import MartletStore
import MartletTesting
import MartletWire
import Testing

@testable import MartletConsole
@testable import MartletCore

@Suite("Attacks on signing in and on sessions") struct SignInAttackTests {
    private static func code(_ attempt: () async throws -> OperatorService.SignedIn) async -> ErrorCode? {
        do {
            _ = try await attempt()
            return nil
        } catch {
            return (error as? Failure)?.code
        }
    }

    @Test("ten thousand wrong passwords from one address are refused there, and others sign in")
    func oneAddress() async throws {
        var settings = ConsoleSettings()
        settings.client = { _, forwarded in forwarded.first ?? "192.0.2.7" }
        try await Harness.run(settings: settings) { harness in
            _ = try await harness.visitor(.sender, named: "ann")
            let browser = OperatorService.Browser(address: "203.0.113.1", userAgent: "")
            var codes: [ErrorCode: Int] = [:]
            for number in 0..<10_000 {
                let code = await Self.code {
                    try await harness.operators.signIn(name: "bob\(number % 50)", password: "no", from: browser)
                }
                codes[try #require(code), default: 0] += 1
            }
            #expect(codes == [.unauthorized: 10, .tooManyRequests: 9_990])
            var attacker = harness.stranger
            attacker.headers[HTTPField.Name("X-Forwarded-For")!] = "203.0.113.1"  // a literal
            let form: KeyValuePairs = ["name": "ann", "password": Harness.password]
            let refused = try await attacker.post("/sign-in", form)
            #expect(refused.status == 429 && refused.cookie == nil && refused.text.contains("Try again in"))
            #expect(try await harness.stranger.post("/sign-in", form).status == 303)
        }
    }

    @Test("ten thousand wrong passwords for one account from as many addresses are refused, and others sign in")
    func oneAccount() async throws {
        try await Harness.run { harness in
            _ = try await harness.visitor(.sender, named: "ann")
            _ = try await harness.visitor(.admin, named: "bob")
            var codes: [ErrorCode: Int] = [:]
            for number in 0..<10_000 {
                let browser = OperatorService.Browser(address: "2001:db8::\(number)", userAgent: "")
                let code = await Self.code {
                    try await harness.operators.signIn(name: "bob", password: "wrong, wrong", from: browser)
                }
                codes[try #require(code), default: 0] += 1
            }
            #expect(codes == [.unauthorized: 10, .tooManyRequests: 9_990])
            let form: KeyValuePairs = ["name": "ann", "password": Harness.password]
            #expect(try await harness.stranger.post("/sign-in", form).status == 303)
        }
    }

    @Test("many who try at once wait in a short line, beyond which they are told to come again")
    func atOnce() async throws {
        try await Harness.run { harness in
            _ = try await harness.visitor(.sender, named: "ann")
            let codes = await withTaskGroup(of: ErrorCode?.self) { group in
                for number in 0..<500 {
                    group.addTask {
                        let browser = OperatorService.Browser(address: "198.51.100.\(number)", userAgent: "")
                        return await Self.code {
                            try await harness.operators.signIn(
                                name: "x\(number)",
                                password: "no, not this",
                                from: browser
                            )
                        }
                    }
                }
                return await group.reduce(into: Set<ErrorCode?>()) { $0.insert($1) }
            }
            #expect(codes.isSubset(of: [.unauthorized, .overloaded]))
            let form: KeyValuePairs = ["name": "ann", "password": Harness.password]
            #expect(try await harness.stranger.post("/sign-in", form).status == 303)
        }
    }

    // MARK: Sessions

    @Test("the token of a session that has ended is good for nothing, in it and in the next")
    func endedToken() async throws {
        try await Harness.run { harness in
            let old = try await harness.visitor(.admin, named: "ann")
            #expect(try await old.post("/sign-out").status == 303)
            let again = try await old.post("/keys", ["name": "x", "scope": "admin"])
            #expect(again.status == 303 && again.location?.hasPrefix("/console/sign-in") == true)
            let browser = OperatorService.Browser(address: "192.0.2.7", userAgent: "")
            let next = try await harness.operators.signIn(name: "ann", password: Harness.password, from: browser)
            let new = Visitor(client: harness.client, secret: next.secret)
            #expect(try await new.post("/keys", ["name": "x", "scope": "admin"], csrf: old.csrf).status == 403)
            #expect(try await harness.store.keys(.api(app: nil), PageRequest()).items.isEmpty)
        }
    }

    @Test("a session's secret opens nothing in an address, a form or another header")
    func elsewhere() async throws {
        try await Harness.run { harness in
            let admin = try await harness.visitor(.admin)
            let secret = try #require(admin.secret).text
            var stranger = harness.stranger
            stranger.headers[.authorization] = "Bearer \(secret)"
            let query = "martlet_session=\(secret)&csrf=\(admin.csrf)"
            #expect(try await stranger.get("/keys?\(query)").status == 303)
            let posted = try await stranger.post("/keys?\(query)", ["martlet_session": secret, "name": "x"])
            #expect(posted.status == 303 && posted.location?.hasPrefix("/console/sign-in") == true)
        }
    }

    @Test("of two different session cookies none opens the console; the same one twice does")
    func twoCookies() async throws {
        try await Harness.run { harness in
            let mine = try #require(try await harness.visitor(.admin).secret).text
            let theirs = try #require(try await harness.visitor(.viewer).secret).text
            let name = "martlet_session"
            let cookies = [
                "\(name)=\(mine); \(name)=\(theirs)", "\(name)=\(theirs); \(name)=\(mine)",
                "\(name)=\(mine); \(name)=x",
                "\(name)=\(mine); \(name) = \(theirs)",
            ]
            var stranger = harness.stranger
            for cookie in cookies {
                stranger.headers[.cookie] = cookie
                #expect(try await stranger.get("/").status == 303, "\(cookie)")
            }
            stranger.headers[.cookie] = "a=b; \(name)=\(mine); \(name)=\(mine)"
            #expect(try await stranger.get("/").status == 200)
        }
    }

    @Test(
        "a cookie that is none is nobody's",
        arguments: [
            "martlet_session=", "martlet_session", "=", ";;;", "martlet_session=日本語日本語日",
            "martlet_session=\u{e9}\u{ff}",
            "martlet_session==", "martlet_session=AAAAAAAAAAAAAAAAAAAAAA", "MARTLET_SESSION=x",
            "martlet_language=../../x",
            "martlet_session=" + String(repeating: "A", count: 10_000),
        ]
    )
    func oddCookies(cookie: String) async throws {
        try await Harness.run { harness in
            var stranger = harness.stranger
            stranger.headers[.cookie] = cookie
            let (first, signIn) = (try await stranger.get("/"), try await stranger.get("/sign-in"))
            #expect(first.status == 303 && signIn.status == 200)
        }
    }
}
