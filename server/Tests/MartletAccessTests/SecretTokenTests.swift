import Foundation
import JWTKit
import MartletWire
import Testing

@testable import MartletCore
@testable import MartletHTTP

@Suite("A user token under a shared secret")
struct SecretTokenTests {
    let clock = ManualTime()
    var verifier: UserTokenVerifier {
        UserTokenVerifier(vault: TokenFixture.vault, keySets: TokenFixture.cache(clock), clock: clock)
    }

    func refused(_ token: String) async throws -> Failure? {
        let app = try TokenFixture.secretApp()
        return await refusal { try await verifier.verify(token, for: app) }
    }

    @Test("is accepted and says who and how long")
    func accepts() async throws {
        let token = TokenFixture.hmac(TokenFixture.claims(at: clock.now()))
        let user = try await verifier.verify(token, for: TokenFixture.secretApp())
        #expect(user.subject == "alice")
        #expect(user.expiresAt == Timestamp(milliseconds: (clock.now().seconds + 600) * 1000))
    }

    @Test("made by jwt-kit is accepted")
    func acceptsTheLibrary() async throws {
        struct Payload: JWTPayload {
            var iss: IssuerClaim
            var aud: AudienceClaim
            var sub: SubjectClaim
            var exp: ExpirationClaim
            func verify(using algorithm: some JWTAlgorithm) throws {}
        }
        let keys = await JWTKeyCollection().add(hmac: HMACKey(from: TokenFixture.secret), digestAlgorithm: .sha256)
        let token = try await keys.sign(
            Payload(
                iss: IssuerClaim(value: TokenFixture.issuer),
                aud: AudienceClaim(value: ["other", TokenFixture.audience]),
                sub: "bob",
                exp: ExpirationClaim(value: Date(timeIntervalSince1970: Double(clock.now().seconds + 60)))
            )
        )
        #expect(try await verifier.verify(token, for: TokenFixture.secretApp()).subject == "bob")
    }

    static let broken: [([String: String?], String)] = [
        (["exp": nil], "has no 'exp'"),
        (["exp": "\"soon\""], "'exp' does not"),
        (["exp": "1e300"], "'exp' does not"),
        (["exp": "-1"], "'exp' does not"),
        (["exp": "1799999940"], "has expired"),
        (["nbf": "1800000061"], "not valid yet"),
        (["iat": "1800000061"], "issued in the future"),
        (["iss": nil], "issuer"),
        (["iss": "\"https://login.example.com\""], "issuer"),
        (["iss": "7"], "'iss' does not"),
        (["aud": nil], "audience"),
        (["aud": "[]"], "audience"),
        (["aud": "[\"com.example.other\"]"], "audience"),
        (["aud": "[1]"], "'aud' does not"),
        (["aud": "{}"], "'aud' does not"),
        (["sub": nil], "subject"),
        (["sub": "\"\""], "subject"),
        (["sub": "\"a\\u0000b\""], "subject"),
        (["sub": "\"\(String(repeating: "a", count: 257))\""], "subject"),
        (["sub": "12"], "'sub' does not"),
    ]

    @Test("with a broken claim is refused by name", arguments: broken)
    func refusesClaims(changes: [String: String?], words: String) async throws {
        let failure = try await refused(TokenFixture.hmac(TokenFixture.claims(at: clock.now(), changes)))
        #expect(failure?.code == .unauthorized)
        #expect(failure?.detail.message.contains(words) == true, "\(failure?.detail.message ?? "accepted")")
    }

    static let edges: [[String: String?]] = [
        ["exp": "1799999941"], ["nbf": "1800000060"], ["iat": "1800000060"], ["exp": "1800000000.5"],
        ["aud": "[\"x\",\"com.example.app\"]"], ["iat": nil], ["sub": "\"\(String(repeating: "ä", count: 128))\""],
        ["more": "{\"deep\":[1,2]}"],
    ]

    @Test("at the edge of a rule is accepted", arguments: edges)
    func acceptsEdges(changes: [String: String?]) async throws {
        #expect(try await refused(TokenFixture.hmac(TokenFixture.claims(at: clock.now(), changes))) == nil)
    }

    static let headers = [
        #"{"alg":"none"}"#, #"{"alg":"None"}"#, #"{"alg":"HS384"}"#, #"{"alg":"RS256"}"#, #"{"alg":"ES256"}"#,
        #"{"alg":"hs256"}"#, #"{"alg":""}"#,
    ]

    @Test("under another algorithm is refused although the code is right", arguments: headers)
    func refusesAlgorithms(header: String) async throws {
        let failure = try await refused(TokenFixture.hmac(TokenFixture.claims(at: clock.now()), header: header))
        #expect(failure?.code == .unauthorized)
        #expect(failure?.detail.message.contains("wrong algorithm") == true)
    }

    @Test("with critical extensions is refused")
    func refusesExtensions() async throws {
        let header = #"{"alg":"HS256","crit":["b64"],"b64":false}"#
        let failure = try await refused(TokenFixture.hmac(TokenFixture.claims(at: clock.now()), header: header))
        #expect(failure?.detail.message.contains("crit") == true)
    }

    @Test("of another secret, changed afterwards or without signature is refused")
    func refusesForgeries() async throws {
        let good = TokenFixture.hmac(TokenFixture.claims(at: clock.now()))
        let parts = good.split(separator: ".")
        let forged = parts[0] + "." + TokenFixture.encode(TokenFixture.claims(at: clock.now(), ["sub": "\"eve\""]))
        let other = TokenFixture.hmac(TokenFixture.claims(at: clock.now()), secret: [UInt8](repeating: 1, count: 32))
        for token in [other, forged + "." + parts[2], "\(parts[0]).\(parts[1])."] {
            let failure = try await refused(token)
            #expect(failure?.code == .unauthorized)
            #expect(failure?.detail.message.contains("signature") == true)
        }
    }

    static let noTokens = [
        "", ".", "..", "...", "a.b", "a.b.c.d", "mk_client_abc", "e30.e30.e30", "é.é.é", "e30=.e30=.e30=",
        "W10.W10.AA", "bnVsbA.bnVsbA.AA", "eyJhbGciOjd9.e30.AA", String(repeating: "a", count: 8193),
    ]

    @Test("that is none is refused and not repeated", arguments: noTokens)
    func refusesOtherText(text: String) async throws {
        let failure = try await refused(text)
        #expect(failure?.code == .unauthorized)
        if text.utf8.count > 3 { #expect(failure?.description.contains(text) == false) }
    }

    @Test("with claims nested too deep for the stack is refused")
    func refusesDepth() async throws {
        let deep = String(repeating: "[", count: 3000) + String(repeating: "]", count: 3000)
        let failure = try await refused(TokenFixture.hmac(#"{"aud":\#(deep)}"#))
        #expect(failure?.code == .unauthorized)
    }

    @Test("is not repeated in any refusal")
    func keepsTheToken() async throws {
        let token = TokenFixture.hmac(TokenFixture.claims(at: clock.now(), ["exp": "1"]))
        let failure = try #require(try await refused(token))
        for part in token.split(separator: ".") {
            #expect(!failure.detail.message.contains(part))
            #expect(failure.detail.hint?.contains(part) != true)
        }
    }

    @Test("finds its app before it is believed")
    func readsUnverified() throws {
        let token = TokenFixture.hmac(TokenFixture.claims(at: clock.now(), ["aud": "[\"a\",\"b\"]"]), secret: [1])
        let (issuer, audiences) = try verifier.claimsUnverified(token)
        #expect(issuer == TokenFixture.issuer)
        #expect(audiences == ["a", "b"])
        for changes: [String: String?] in [["iss": nil], ["aud": nil], ["aud": "[]"]] {
            let other = TokenFixture.hmac(TokenFixture.claims(at: clock.now(), changes))
            #expect(throws: Failure.self) { try verifier.claimsUnverified(other) }
        }
    }

    @Test("is refused by an app that has no verification, issuer or audience")
    func refusesWithoutSettings() async throws {
        let token = TokenFixture.hmac(TokenFixture.claims(at: clock.now()))
        var app = TokenFixture.app(nil)
        #expect(await refusal { try await verifier.verify(token, for: app) }?.code == .unauthorized)
        app = try TokenFixture.secretApp()
        app.identity.issuer = nil
        #expect(await refusal { try await verifier.verify(token, for: app) }?.code == .unauthorized)
    }
}
