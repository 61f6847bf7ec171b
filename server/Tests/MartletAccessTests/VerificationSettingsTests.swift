import Crypto
import MartletCore
import MartletWire
import Testing

@testable import MartletHTTP

@Suite("Verification settings")
struct VerificationSettingsTests {
    @Test("a secret has 32 to 1,024 bytes and is not repeated")
    func checksSecrets() {
        for count in [32, 1024] {
            #expect(throws: Never.self) {
                try VerificationSettings.validate(secret: String(repeating: "s", count: count), field: "secret")
            }
        }
        for count in [0, 31, 1025] {
            let secret = String(repeating: "s", count: count)
            let failure = #expect(throws: Failure.self) {
                try VerificationSettings.validate(secret: secret, field: "secret")
            }
            #expect(failure?.code == .invalidValue)
            #expect(failure?.detail.field == "secret")
            if count > 0 { #expect(failure?.detail.message.contains(secret) == false) }
        }
    }

    static let urls: [(String, String?)] = [
        ("https://login.example.com/jwks", "https://login.example.com/jwks"),
        ("HTTPS://Login.Example.COM:8443/a?b=c", "https://login.example.com:8443/a?b=c"),
        ("https://login.example.com", "https://login.example.com/"),
        ("https://login.example.com?x=1", "https://login.example.com/?x=1"),
        ("https://127.0.0.1:1/", "https://127.0.0.1:1/"), ("https://[::1]:1/", "https://[::1]:1/"),
        ("http://login.example.com/", nil), ("https://", nil), ("https:///jwks", nil), ("", nil),
        ("https://user@login.example.com/", nil), ("https://a:b@login.example.com/", nil),
        ("https://login.example.com\\@internal/", nil), ("https://login.example.com:0/", nil),
        ("https://login.example.com:65536/", nil), ("https://login.example.com:+1/", nil),
        ("https://login.example.com:/", nil), ("https://login.example.com/#x", nil), ("https://lo gin/", nil),
        ("https://%6c/", nil), ("https://ü.example/", nil), ("https://[fe80::1%25eth0]/", nil),
        ("https://[::1/", nil), ("https://[127.0.0.1]/", nil), ("https://[::1]x/", nil), ("https://a..b/", nil),
        ("https://" + String(repeating: "a", count: 2048), nil),
    ]

    @Test("a key set's URL is https with one reading", arguments: urls)
    func checksURLs(url: String, text: String?) {
        #expect((try? KeySetURL(url, field: "url"))?.text == text)
        #expect((try? VerificationSettings.validate(keySetURL: url, field: "url")) != nil || text == nil)
    }

    @Test("a key set without a usable public key is refused")
    func refusesKeySets() async {
        let key = P256.Signing.PrivateKey()
        let small = Secret.base64URL([UInt8](repeating: 0xFF, count: 128))
        let sets = [
            "", "[]", "{}", #"{"keys":{}}"#, #"{"keys":[]}"#, #"{"keys":[1,null,"x",[]]}"#,
            #"{"keys":[{"kty":"oct","k":"AAAA"}]}"#,
            TokenFixture.set(TokenFixture.jwk(key, kid: "a", extra: #","use":"enc""#)),
            TokenFixture.set(TokenFixture.jwk(key, kid: "a", extra: #","key_ops":["encrypt"]"#)),
            TokenFixture.set(TokenFixture.jwk(key, kid: "a", extra: #","alg":"RSA-OAEP-256""#)),
            TokenFixture.set(#"{"kty":"EC","crv":"P-256","x":"AAAA","y":"AAAA"}"#),
            TokenFixture.set(#"{"kty":"EC","crv":"secp256k1","x":"AAAA","y":"AAAA"}"#),
            TokenFixture.set(#"{"kty":"RSA","n":"\#(small)","e":"AQAB"}"#),
            TokenFixture.set(#"{"kty":"OKP","crv":"Ed25519","x":"AAAA"}"#),
            TokenFixture.set(TokenFixture.jwk(key, kid: "a", extra: #","d":"AAAA""#)),
            TokenFixture.set(TokenFixture.jwk(key, kid: "a"), #"{"kty":"oct","k":"AAAA"}"#),
            #"{"keys":[\#(Array(repeating: TokenFixture.jwk(key, kid: "a"), count: 101).joined(separator: ","))]}"#,
            #"{"keys":[]}"# + String(repeating: " ", count: 256 << 10),
        ]
        for set in sets {
            let failure = await refusal { try await VerificationSettings.validate(keySet: set, field: "jwks") }
            #expect(failure?.code == .invalidValue, "\(set.prefix(80))")
            #expect(failure?.detail.field == "jwks")
        }
    }

    @Test("a key set may hold keys of other kinds beside a usable one")
    func acceptsMixedSets() async {
        let set = TokenFixture.set(
            #"{"kty":"future","anything":[{}]}"#,
            #"{"kty":"EC","crv":"secp256k1","x":"AA","y":"AA"}"#,
            TokenFixture.jwk(P256.Signing.PrivateKey(), kid: "a", extra: #","use":"sig","x5c":["MII"],"alg":"ES256""#)
        )
        await #expect(throws: Never.self) { try await VerificationSettings.validate(keySet: set, field: "jwks") }
    }
}
