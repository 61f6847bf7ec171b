import Crypto
import Foundation
import MartletCore
import MartletWire
import Testing

@testable import MartletProviders

@Suite("Provider tokens")
struct ProviderTokenTests {
    private static let start = Timestamp(milliseconds: 1_700_000_000_000)

    private func minutes(_ minutes: Int) -> Timestamp { Self.start + .seconds(minutes * 60) }

    private func token(_ name: String, at moment: Timestamp) -> ProviderToken {
        ProviderToken(text: name, issuedAt: moment)
    }

    private func state(_ tokens: ProviderToken..., jitter: Double = 0) -> ProviderTokenState {
        var state = ProviderTokenState()
        for token in tokens { state.minted(token, jitter: jitter) }
        return state
    }

    @Test("without a token one is minted")
    func first() { #expect(ProviderTokenState().decision(at: Self.start) == .mint) }

    @Test(
        "a token is used until 45 to 50 minutes after its own iat",
        arguments: [(0.0, 44, true), (0, 45, false), (0.5, 47, true), (0.5, 48, false), (1, 49, true), (1, 50, false)]
    )
    func refresh(jitter: Double, age: Int, isUsed: Bool) {
        let first = token("a", at: Self.start)
        let decision = state(first, jitter: jitter).decision(at: minutes(age))
        #expect(decision == (isUsed ? .use(first) : .mint))
    }

    @Test("a clock that was set back makes the token one of the future, and a new one is minted")
    func clockSetBack() {
        let first = token("a", at: minutes(10))
        #expect(state(first).decision(at: minutes(9)) == .use(first))
        #expect(state(first).decision(at: minutes(8)) == .mint)
    }

    @Test("an expired token is replaced, an answer to an older one changes nothing")
    func expired() {
        let (first, second) = (token("a", at: minutes(0)), token("b", at: minutes(46)))
        var renewed = state(first)
        renewed.expired(first)
        #expect(renewed.decision(at: minutes(30)) == .mint)
        var later = state(first, second)
        later.expired(first)
        #expect(later.decision(at: minutes(47)) == .use(second))
    }

    @Test("after too many updates the token before is used, and none is minted for 20 minutes")
    func tooMany() {
        let (first, second) = (token("a", at: minutes(0)), token("b", at: minutes(15)))
        var state = state(first, second)

        state.tooMany(second, at: minutes(16))

        #expect(state.decision(at: minutes(16)) == .use(first))
        #expect(state.decision(at: minutes(35)) == .use(first))
        #expect(state.decision(at: minutes(44)) == .use(first))
        #expect(state.decision(at: minutes(45)) == .mint)
    }

    @Test("after too many updates the only token, or an outlived one before it, stays")
    func tooManyWithoutOlder() {
        let only = token("a", at: minutes(0))
        var single = state(only)
        single.tooMany(only, at: minutes(1))
        #expect(single.decision(at: minutes(20)) == .use(only))

        let (old, new) = (token("a", at: minutes(0)), token("b", at: minutes(61)))
        var outlived = state(old, new)
        outlived.tooMany(new, at: minutes(62))
        #expect(outlived.decision(at: minutes(63)) == .use(new))
    }

    @Test("no token is minted while minting rests, even when one is due")
    func rest() {
        let first = token("a", at: minutes(0))
        var state = state(first)
        state.tooMany(first, at: minutes(40))
        #expect(state.decision(at: minutes(59)) == .use(first))
        #expect(state.decision(at: minutes(60)) == .mint)
    }

    @Test("no token is minted while minting rests, even when the one in use has expired")
    func restWithoutToken() {
        let first = token("a", at: minutes(0))
        var state = state(first)
        state.tooMany(first, at: minutes(50))
        state.expired(first)
        #expect(state.decision(at: minutes(69)) == .rest(until: minutes(70)))
        #expect(state.decision(at: minutes(70)) == .mint)
    }

    @Test("a clock that was set back makes no rest longer")
    func restAndClockSetBack() {
        let first = token("a", at: minutes(60))
        var state = state(first)
        state.tooMany(first, at: minutes(100))
        #expect(state.decision(at: minutes(41)) == .mint)
        state.expired(first)
        #expect(state.decision(at: minutes(99)) == .mint)
        #expect(state.decision(at: minutes(100)) == .rest(until: minutes(120)))
    }

    @Test("while minting rests another process's token is taken, but not the one for which it rests")
    func adoptionAtRest() {
        let (first, second, other) = (
            token("a", at: minutes(0)), token("b", at: minutes(15)), token("c", at: minutes(30))
        )
        var state = state(first, second)
        state.tooMany(second, at: minutes(30))
        state.expired(first)
        #expect(state.decision(at: minutes(40)) == .rest(until: minutes(50)))
        #expect(!state.mayAdopt(second, at: minutes(40)))
        #expect(state.mayAdopt(other, at: minutes(40)))
        #expect(state.mayAdopt(second, at: minutes(50)))
    }

    @Test("a source that rests gives no token, and one when the rest is over")
    func restingSource() async throws {
        let pem = P256.Signing.PrivateKey().pemRepresentation
        let source = ProviderTokenSource(key: try SigningKey(pem: pem, keyID: "K", teamID: "T"))
        let first = try await source.token(at: Self.start)
        source.tooMany(first, at: minutes(50))
        source.expired(first)
        await #expect(throws: ProviderTokenSource.Resting(until: minutes(70))) {
            try await source.token(at: minutes(55))
        }
        #expect(try await source.token(at: minutes(70)) != first)
    }

    @Test("a token is ES256 with kid, iss and a whole iat, and its signature is the key's")
    func format() throws {
        let key = P256.Signing.PrivateKey()
        let now = Timestamp(milliseconds: 1_700_000_000_987)

        let token = try ProviderToken.mint(key: key, keyID: "ABCDE12345", teamID: "TEAM123456", at: now)

        let parts = token.text.split(separator: ".")
        #expect(parts.count == 3)
        #expect(try json(parts[0]) == ["alg": "ES256", "kid": "ABCDE12345"])
        #expect(try json(parts[1]) == ["iss": "TEAM123456", "iat": 1_700_000_000])
        #expect(token.issuedAt == Timestamp(milliseconds: 1_700_000_000_000))
        let signature = try P256.Signing.ECDSASignature(rawRepresentation: try data(parts[2]))
        #expect(key.publicKey.isValidSignature(signature, for: Data("\(parts[0]).\(parts[1])".utf8)))
    }

    @Test("many who ask at the same time get one token")
    func singleFlight() async throws {
        let pem = P256.Signing.PrivateKey().pemRepresentation
        let source = ProviderTokenSource(key: try SigningKey(pem: pem, keyID: "K", teamID: "T"))

        let texts = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<64 { group.addTask { try await source.token(at: Self.start).text } }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }

        #expect(texts.count == 1)
        let later = try await source.token(at: minutes(51))
        #expect(!texts.contains(later.text))
        source.expired(later)
        #expect(try await source.token(at: minutes(51)).text != later.text)
    }

    private func data(_ part: Substring) throws -> Data {
        let base64 = part.replacing("-", with: "+").replacing("_", with: "/")
        return try #require(Data(base64Encoded: base64 + String(repeating: "=", count: (4 - base64.count % 4) % 4)))
    }

    private func json(_ part: Substring) throws -> JSONValue { try JSONValue(json: try data(part)) }
}
