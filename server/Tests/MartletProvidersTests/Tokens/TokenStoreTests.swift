import Crypto
import MartletCore
import MartletWire
import Synchronization
import Testing

@testable import MartletProviders

@Suite("Provider tokens that outlive a process")
struct TokenStoreTests {
    private let start = Timestamp(milliseconds: 1_700_000_000_000)
    private let values = KeptValues()
    private let vault = Vault(key: SymmetricKey(size: .bits256))
    private let pem = P256.Signing.PrivateKey().pemRepresentation

    /// A source as a process makes it when it starts.
    private func source(_ pem: String? = nil) throws -> ProviderTokenSource {
        let key = try SigningKey(pem: pem ?? self.pem, keyID: "ABCD123456", teamID: "TEAM123456")
        return ProviderTokenSource(key: key, tokenStore: ProviderTokenStore(values.agree, vault: vault))
    }

    @Test("a restarted process goes on with the token that there is")
    func restart() async throws {
        let before = try await source().token(at: start)
        let after = try await source().token(at: start + .seconds(44 * 60))
        #expect(after == before)
        #expect(await values.writes == 1)
    }

    @Test("a token that is due is replaced once, and the others take the new one")
    func renewal() async throws {
        let (first, second) = (try source(), try source())
        let old = try await first.token(at: start)
        #expect(try await second.token(at: start) == old)

        let new = try await first.token(at: start + .seconds(51 * 60))

        #expect(new != old)
        #expect(try await second.token(at: start + .seconds(52 * 60)) == new)
        #expect(await values.writes == 2)
    }

    @Test("a token that APNs calls expired is not taken up again")
    func expired() async throws {
        let source = try source()
        let old = try await source.token(at: start)
        source.expired(old)
        #expect(try await source.token(at: start + .seconds(30 * 60)) != old)
        #expect(await values.writes == 2)
    }

    private final class Answer: Sendable {
        let pending = Mutex<(@Sendable () -> Void)?>(nil)
        func arrive() { pending.withLock { $0 }?() }
    }

    @Test("too many updates that are answered while the store is asked keep the token in use")
    func pausedMeanwhile() async throws {
        let answer = Answer()
        // It does something else while it is asked.
        let store = ProviderTokenStore(
            { _, proposal in
                if proposal == nil { answer.arrive() }
                return proposal?.value
            },
            vault: vault
        )
        let key = try SigningKey(pem: pem, keyID: "ABCD123456", teamID: "TEAM123456")
        let made = ProviderTokenSource(key: key, tokenStore: store)
        let first = try await made.token(at: start)
        answer.pending.withLock { $0 = { [start] in made.tooMany(first, at: start + .seconds(50 * 60)) } }

        #expect(try await made.token(at: start + .seconds(51 * 60)) == first)
    }

    @Test("a wrong key under the same ids leaves nothing to the right one")
    func wrongKey() async throws {
        let wrong = try await source(P256.Signing.PrivateKey().pemRepresentation).token(at: start)
        let right = try await source().token(at: start)
        #expect(wrong != right)
        #expect(await values.names.count == 2)
    }

    @Test("what is kept is sealed")
    func sealed() async throws {
        let token = try await source().token(at: start)
        for name in await values.names {
            let sealed = try #require(await values.sharedValue(name)).sealed
            #expect(!String(decoding: sealed, as: UTF8.self).contains(token.text.prefix(20)))
        }
    }

    @Test("a store that fails does not stop sending")
    func storeDown() async throws {
        let key = try SigningKey(pem: pem, keyID: "ABCD123456", teamID: "TEAM123456")
        let source = ProviderTokenSource(
            key: key,
            tokenStore: ProviderTokenStore({ _, _ in throw CancellationError() }, vault: vault)
        )
        let token = try await source.token(at: start)
        #expect(try await source.token(at: start + .seconds(60)) == token)
    }
}
