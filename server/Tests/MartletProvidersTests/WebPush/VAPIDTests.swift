import Crypto
import Foundation
import MartletCore
import MartletWire
import Testing

@testable import MartletProviders

@Suite("VAPID keys and tokens")
struct VAPIDTests {
    private let start = Timestamp(milliseconds: 1_700_000_000_000)

    @Test("a token names the origin, ends after 12 hours, and verifies with the public key")
    func token() throws {
        let key = VAPIDKey()
        let token = try VAPIDToken.make(key: key, origin: "https://a.example", subject: "mailto:a@b.c", at: start)
        let parts = token.text.split(separator: ".")
        let claims = try JSONValue(json: Data(#require(Base64URL.decode(parts[1]))))
        #expect(claims == ["aud": "https://a.example", "exp": .integer(1_700_043_200), "sub": "mailto:a@b.c"])
        let header = try JSONValue(json: Data(#require(Base64URL.decode(parts[0]))))
        #expect(header == ["typ": "JWT", "alg": "ES256"])
        let signature = try P256.Signing.ECDSASignature(rawRepresentation: #require(Base64URL.decode(parts[2])))
        #expect(key.privateKey.publicKey.isValidSignature(signature, for: Data("\(parts[0]).\(parts[1])".utf8)))
    }

    @Test("one token for a key and an origin, made anew at six hours, shared by processes")
    func renewal() async throws {
        let values = KeptValues()
        let store = ProviderTokenStore(values.agree, vault: Vault(key: SymmetricKey(size: .bits256)))
        let (first, second) = (VAPIDTokenSource(tokenStore: store), VAPIDTokenSource(tokenStore: store))
        let key = VAPIDKey()
        func token(_ source: VAPIDTokenSource, _ origin: String, after seconds: Int) async throws -> VAPIDToken {
            let moment = start + .seconds(seconds)
            return try await source.token(key, id: key.id, origin: origin, subject: "mailto:a@b.c", at: moment)
        }
        let one = try await token(first, "https://a.example", after: 0)
        #expect(try await token(second, "https://a.example", after: 60) == one)
        #expect(try await token(first, "https://a.example", after: 6 * 3_600 - 1) == one)
        #expect(try await token(first, "https://b.example", after: 0) != one)
        let next = try await token(first, "https://a.example", after: 6 * 3_600)
        #expect(next != one)
        #expect(try await token(second, "https://a.example", after: 6 * 3_600) == next)
        #expect(await values.writes == 3)
    }

    @Test(
        "a subject is a mail address or an https page that anybody can reach",
        arguments: ["mailto:a@b.co", "mailto:push+x@example.com", "https://example.com/contact"]
    )
    func subject(_ text: String) throws { #expect(try VAPIDSubject.check(text) == text) }

    @Test(
        "any other subject is refused with the field",
        arguments: [
            "", "a@b.co", "mailto: a@b.co", "mailto:<a@b.co>", "mailto:a", "mailto:a@b", "mailto:a@b@c.de",
            "mailto:@b.co",
            "https://localhost", "https://localhost/x", "https://printer.local/", "http://example.com",
            "https://10.0.0.1",
            "mailto:a@printer.local", "mailto:a\"@b.co",
        ]
    )
    func badSubject(_ text: String) throws {
        let failure = try #require(throws: Failure.self) { try VAPIDSubject.check(text) }
        #expect(failure.detail.field == "subject")
    }

    private typealias Draft = CredentialDraft.Secret.WebPush

    private func check(_ draft: Draft, after previous: CheckedCredential? = nil) throws -> CheckedCredential {
        var draft = draft
        draft.previous = previous?.secret
        return try WebPushCredentialCheck.check(draft, url: nil, trust: nil)
    }

    private func keys(_ checked: CheckedCredential) throws -> [String] { try WebPushSecret(bytes: checked.secret).keys }

    @Test("a key is made once and kept; a rotation puts another before it")
    func rotation() throws {
        let first = try check(Draft(subject: "mailto:a@b.co"))
        let same = try check(Draft(subject: "mailto:c@d.co"), after: first)
        #expect(same.summary.topic == first.summary.topic)
        #expect(same.summary.teamID == "mailto:c@d.co")
        let rotated = try check(Draft(subject: nil, isRotation: true), after: same)
        #expect(rotated.summary.keyID != first.summary.keyID)
        #expect(rotated.summary.teamID == "mailto:c@d.co")
        #expect(try keys(rotated).dropFirst() == keys(first)[...])
    }

    @Test("a key that was made elsewhere becomes the present one, and its id is the same wherever it is stored")
    func imported() throws {
        let key = VAPIDKey()
        let first = try check(Draft(subject: "mailto:a@b.co"))
        let taken = try check(Draft(subject: nil, privateKey: key.base64URL), after: first)
        #expect(taken.summary.topic == key.publicKey)
        #expect(taken.summary.keyID == key.id)
        #expect(key.id.utf8.count == 11)
        #expect(try keys(taken).count == 2)
        #expect(try keys(check(Draft(subject: nil, privateKey: key.base64URL), after: taken)) == keys(taken))
    }

    @Test("keys beyond the sixteenth are forgotten, the oldest first")
    func limit() throws {
        var checked = try check(Draft(subject: "mailto:a@b.co"))
        for _ in 0..<20 { checked = try check(Draft(subject: nil, isRotation: true), after: checked) }
        #expect(try keys(checked).count == 16)
    }

    @Test("what is no key, and a credential without a subject or with an address, is refused with the field")
    func refusals() throws {
        func field(_ draft: Draft, url: String? = nil, trust: String? = nil) throws -> String? {
            try #require(throws: Failure.self) {
                try WebPushCredentialCheck.check(draft, url: url, trust: trust)
            }.detail.field
        }
        #expect(try field(Draft(subject: nil)) == "subject")
        #expect(try field(Draft(subject: "mailto:a@b.co", privateKey: "AAAA")) == "vapid_private_key")
        #expect(try field(Draft(subject: "mailto:a@b.co"), url: "https://a.b") == "url")
        #expect(try field(Draft(subject: "mailto:a@b.co"), trust: "x") == "trust")
    }

    @Test("the check of a credential says that its key signs, and what is wrong with a subject of before")
    func diagnosis() throws {
        let opened = try StoredWebPush.credential()
        let findings = WebPushDiagnosis.findings(opened, now: start)
        #expect(findings.map(\.level) == [.ok, .ok])
        var broken = opened
        let keys = try WebPushSecret(bytes: opened.secret).keys
        broken.secret = try WebPushSecret(subject: "mailto: x", keys: keys).bytes()
        #expect(WebPushDiagnosis.findings(broken, now: start).map(\.level) == [.ok, .problem])
        broken.secret = try WebPushSecret(subject: "mailto:a@b.co", keys: [VAPIDKey().base64URL]).bytes()
        #expect(WebPushDiagnosis.findings(broken, now: start).first?.level == .problem)
    }
}
