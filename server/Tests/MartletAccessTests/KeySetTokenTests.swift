import Crypto
import CryptoExtras
import Foundation
import JWTKit
import MartletWire
import Testing

@testable import MartletCore
@testable import MartletHTTP

@Suite("A user token under a key set")
struct KeySetTokenTests {
    let clock = ManualTime()
    let key = P256.Signing.PrivateKey()
    var verifier: UserTokenVerifier {
        UserTokenVerifier(vault: TokenFixture.vault, keySets: TokenFixture.cache(clock), clock: clock)
    }
    var claims: String { TokenFixture.claims(at: clock.now()) }

    @Test("by a key of the set is accepted, with and without kid")
    func accepts() async throws {
        let app = TokenFixture.app(.keySet(json: TokenFixture.set(TokenFixture.jwk(key, kid: "k1"))))
        for header in [#"{"alg":"ES256","kid":"k1"}"#, #"{"alg":"ES256"}"#] {
            let token = try TokenFixture.ecdsa(claims, header: header, key: key)
            #expect(try await verifier.verify(token, for: app).subject == "alice")
        }
    }

    @Test("by a second key without kid is found among several")
    func triesEveryKey() async throws {
        let set = TokenFixture.set(
            TokenFixture.jwk(P256.Signing.PrivateKey(), kid: nil),
            TokenFixture.jwk(key, kid: nil)
        )
        let token = try TokenFixture.ecdsa(claims, header: #"{"alg":"ES256"}"#, key: key)
        #expect(try await verifier.verify(token, for: TokenFixture.app(.keySet(json: set))).subject == "alice")
    }

    @Test("signed with RS256 and PS512 by jwt-kit is accepted")
    func acceptsRSA() async throws {
        let (json, token) = try await RSATokens.make(claims: claims, algorithm: "RS256")
        #expect(try await verifier.verify(token, for: TokenFixture.app(.keySet(json: json))).subject == "alice")
        let (other, pss) = try await RSATokens.make(claims: claims, algorithm: "PS512")
        #expect(try await verifier.verify(pss, for: TokenFixture.app(.keySet(json: other))).subject == "alice")
    }

    @Test("signed with Ed25519 is accepted")
    func acceptsEdDSA() async throws {
        let key = Curve25519.Signing.PrivateKey()
        let x = Secret.base64URL(Array(key.publicKey.rawRepresentation))
        let set = TokenFixture.set(#"{"kty":"OKP","crv":"Ed25519","kid":"e","x":"\#(x)"}"#)
        let signed = TokenFixture.encode(#"{"alg":"EdDSA","kid":"e"}"#) + "." + TokenFixture.encode(claims)
        let token = signed + "." + Secret.base64URL(Array(try key.signature(for: Array(signed.utf8))))
        #expect(try await verifier.verify(token, for: TokenFixture.app(.keySet(json: set))).subject == "alice")
    }

    @Test("signed with the public key as an HMAC secret is refused")
    func refusesConfusion() async throws {
        let set = TokenFixture.set(TokenFixture.jwk(key, kid: "k1"))
        let app = TokenFixture.app(.keySet(json: set))
        let secrets = [
            Array(set.utf8), Array(key.publicKey.pemRepresentation.utf8), Array(key.publicKey.rawRepresentation),
            Array(key.publicKey.derRepresentation),
        ]
        for secret in secrets {
            for alg in ["HS256", "ES256", "none"] {
                let token = TokenFixture.hmac(claims, header: #"{"alg":"\#(alg)","kid":"k1"}"#, secret: secret)
                #expect(await refusal { try await verifier.verify(token, for: app) }?.code == .unauthorized)
            }
        }
    }

    @Test("whose kid names a shared key in the set is refused")
    func ignoresSharedKeys() async throws {
        let secret = Secret.base64URL([UInt8](repeating: 9, count: 32))
        let set = TokenFixture.set(#"{"kty":"oct","kid":"s","k":"\#(secret)"}"#, TokenFixture.jwk(key, kid: "k1"))
        let token = TokenFixture.hmac(
            claims,
            header: #"{"alg":"HS256","kid":"s"}"#,
            secret: [UInt8](repeating: 9, count: 32)
        )
        let failure = await refusal { try await verifier.verify(token, for: TokenFixture.app(.keySet(json: set))) }
        #expect(failure?.detail.message.contains("wrong algorithm") == true)
    }

    @Test("with an unknown kid, another key's kid, or an algorithm that the key has not is refused")
    func refusesOtherKeys() async throws {
        let other = P256.Signing.PrivateKey()
        let set = TokenFixture.set(
            TokenFixture.jwk(key, kid: "k1"),
            TokenFixture.jwk(other, kid: "k2"),
            TokenFixture.jwk(key, kid: "k3", extra: #","alg":"ES384""#)
        )
        let app = TokenFixture.app(.keySet(json: set))
        let cases = [
            (#"{"alg":"ES256","kid":"k9"}"#, "not in the app's key set"),
            (#"{"alg":"ES256","kid":"k2"}"#, "signature"),
            (#"{"alg":"ES256","kid":"k3"}"#, "not in the app's key set"),
            (#"{"alg":"ES384","kid":"k1"}"#, "wrong algorithm"),
            (#"{"alg":"RS256","kid":"k1"}"#, "wrong algorithm"),
            (#"{"alg":"none","kid":"k1"}"#, "wrong algorithm"),
        ]
        for (header, words) in cases {
            let token = try TokenFixture.ecdsa(claims, header: header, key: key)
            let failure = await refusal { try await verifier.verify(token, for: app) }
            #expect(failure?.code == .unauthorized)
            #expect(failure?.detail.message.contains(words) == true, "\(header): \(failure?.detail.message ?? "")")
        }
    }

    @Test("expired is refused after the signature was checked, and not before")
    func checksInOrder() async throws {
        let app = TokenFixture.app(.keySet(json: TokenFixture.set(TokenFixture.jwk(key, kid: "k1"))))
        let old = TokenFixture.claims(at: clock.now(), ["exp": "1"])
        let token = try TokenFixture.ecdsa(old, header: #"{"alg":"ES256"}"#, key: key)
        let forged = try TokenFixture.ecdsa(old, header: #"{"alg":"ES256"}"#, key: .init())
        let first = await refusal { try await verifier.verify(token, for: app) }
        let second = await refusal { try await verifier.verify(forged, for: app) }
        #expect(first?.detail.message.contains("expired") == true)
        #expect(second?.detail.message.contains("signature") == true)
    }

    @Test("waits for no provider: while the keys cannot be had the answer is 503, not 401")
    func saysUnavailable() async throws {
        let token = try TokenFixture.ecdsa(claims, header: #"{"alg":"ES256"}"#, key: key)
        let app = TokenFixture.app(.keySetURL("https://login.example.com/jwks"))
        #expect(await refusal { try await verifier.verify(token, for: app) }?.code == .overloaded)
    }
}

/// RSA keys and tokens.
enum RSATokens {
    struct Raw: JWTPayload {
        var iss: String
        var aud: String
        var sub: String
        var exp: Int
        func verify(using algorithm: some JWTAlgorithm) throws {}
    }

    static func make(claims: String, algorithm: String) async throws -> (set: String, token: String) {
        let key = try Insecure.RSA.PrivateKey(pem: _RSA.Signing.PrivateKey(keySize: .bits2048).pemRepresentation)
        let keys = JWTKeyCollection()
        if algorithm == "RS256" {
            await keys.add(rsa: key, digestAlgorithm: .sha256, kid: "r")
        } else {
            await keys.add(pss: key, digestAlgorithm: .sha512, kid: "r")
        }
        let payload = try JSONDecoder().decode(Raw.self, from: Data(claims.utf8))
        let (modulus, exponent) = try key.publicKey.getKeyPrimitives()
        let n = Secret.base64URL(Array(modulus))
        let e = Secret.base64URL(Array(exponent))
        return (
            TokenFixture.set(#"{"kty":"RSA","use":"sig","kid":"r","n":"\#(n)","e":"\#(e)"}"#),
            try await keys.sign(payload, kid: "r")
        )
    }
}
