import Testing

@testable import MartletSimulator

@Suite("Checks of a grant at the simulated token endpoint")
struct GrantCheckTests {
    /// A change of a good grant, and the error and a part of its description.
    struct Row: Sendable, CustomTestStringConvertible {
        var name: String
        var error: String
        var header: [String: JSONValue] = ["alg": .string("RS256"), "kid": .string("key1")]
        var claims: [String: JSONValue?] = [:]
        var isForeignKey = false
        var isRevoked = false
        var grantType = GrantCheck.grantType
        var testDescription: String { name }
    }

    static let rows: [Row] = [
        Row(name: "a good grant", error: "accepted"),
        Row(
            name: "Google's own constant as audience",
            error: "accepted",
            claims: ["aud": .string(GrantCheck.audience)]
        ),
        Row(
            name: "the scope of firebase-admin",
            error: "accepted",
            claims: ["scope": .string("https://www.googleapis.com/auth/cloud-platform x")]
        ),
        Row(name: "a minute early", error: "accepted", claims: ["iat": .integer(FCMFixture.now + 60)]),
        Row(
            name: "another grant type comes before the signature",
            error: "unsupported_grant_type",
            isForeignKey: true,
            grantType: "password"
        ),
        Row(name: "HS256", error: "invalid_grant", header: ["alg": .string("HS256"), "kid": .string("key1")]),
        Row(name: "another kid", error: "invalid_grant", header: ["alg": .string("RS256"), "kid": .string("key2")]),
        Row(name: "no kid", error: "invalid_grant", header: ["alg": .string("RS256")]),
        Row(name: "another key", error: "invalid_grant", isForeignKey: true),
        Row(name: "another account", error: "invalid_grant", claims: ["iss": .string("x@y")]),
        Row(name: "a revoked account", error: "invalid_grant", isRevoked: true),
        Row(name: "another audience", error: "invalid_grant", claims: ["aud": .string("https://example.com/token")]),
        Row(
            name: "another audience comes before the scope",
            error: "invalid_grant",
            claims: ["aud": .string("x"), "scope": .string("y")]
        ),
        Row(name: "61 seconds early", error: "invalid_grant", claims: ["iat": .integer(FCMFixture.now + 61)]),
        Row(
            name: "expired",
            error: "invalid_grant",
            claims: ["iat": .integer(FCMFixture.now - 3_600), "exp": .integer(FCMFixture.now)]
        ),
        Row(name: "longer than an hour", error: "invalid_grant", claims: ["exp": .integer(FCMFixture.now + 3_601)]),
        Row(name: "no exp", error: "invalid_grant", claims: ["exp": nil]),
        Row(name: "no scope", error: "invalid_scope", claims: ["scope": nil]),
        Row(name: "another scope", error: "invalid_scope", claims: ["scope": .string("email")]),
    ]

    @Test("each fault has its error", arguments: rows)
    func refuses(row: Row) throws {
        var fixture = try FCMFixture()
        if row.isRevoked { _ = fixture.registry.revoke(fixture.account.email, isRevoked: true) }
        let assertion = try FCMFixture.jwt(
            header: row.header,
            claims: FCMFixture.claims(row.claims),
            key: row.isForeignKey ? fixture.otherKey : fixture.key
        )
        let check = GrantCheck(ownURL: FCMFixture.ownURL, now: FCMFixture.now)
        let form = ["grant_type": row.grantType, "assertion": assertion]
        #expect(Self.result { () throws(FCMError) in try check.account(form: form, in: fixture.registry) } == row.error)
    }

    @Test("text that is no JWT is refused", arguments: ["", "a.b", "a.b.c", "..", "e30.e30.e30"])
    func refusesText(assertion: String) throws {
        let fixture = try FCMFixture()
        let check = GrantCheck(ownURL: FCMFixture.ownURL, now: FCMFixture.now)
        let form = ["grant_type": GrantCheck.grantType, "assertion": assertion]
        let result = Self.result { () throws(FCMError) in try check.account(form: form, in: fixture.registry) }
        #expect(result == "invalid_grant")
    }

    @Test("a form's fields are read")
    func form() {
        #expect(GrantCheck.form(Array("a=b+c%21&d=&e".utf8)) == ["a": "b c!", "d": "", "e": ""])
    }

    private static func result(_ body: () throws(FCMError) -> FCMAccount) -> String {
        do {
            _ = try body()
            return "accepted"
        } catch {
            return error.code.rawValue
        }
    }
}
