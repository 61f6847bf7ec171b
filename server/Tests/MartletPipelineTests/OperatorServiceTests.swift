import MartletPipeline
import MartletSQLite
import MartletStore
import MartletTesting
import MartletWire
import Testing

@testable import MartletCore

@Suite struct OperatorServiceTests {
    static let browser = OperatorService.Browser(address: "192.0.2.1", userAgent: "Browser/1")
    static let password = "correct horse battery"

    /// A service over a store in memory, with hashes that cost little.
    struct Scene {
        let clock = ManualClock()
        let store: Store
        let service: OperatorService

        init() async throws {
            store = try await SQLiteStore.inMemory(clock: clock)
            let cost = PasswordHash.Cost(rounds: 4, blockSize: 1, parallelism: 1)
            service = OperatorService(store: store, clock: clock, passwords: PasswordHasher(cost: cost))
        }

        func signIn(
            _ name: String = "Ann",
            _ password: String = OperatorServiceTests.password,
            from address: String = "a"
        )
            async throws -> OperatorService.SignedIn
        {
            let browser = OperatorService.Browser(address: address, userAgent: "")
            return try await service.signIn(name: name, password: password, from: browser)
        }

        func makeAnn() async throws -> OperatorService.SignedIn {
            let invited = try await service.invite("Ann", as: .admin, by: .system)
            return try await service.redeem(
                token: invited.token,
                password: OperatorServiceTests.password,
                from: OperatorServiceTests.browser
            )
        }

        /// What an attempt is refused with.
        func refusal(_ attempt: () async throws -> Void) async -> Failure? {
            do { try await attempt() } catch { return error as? Failure }
            return nil
        }
    }

    @Test("the first operator is invited until there is one, redeems the token with a password, and is signed in")
    func first() async throws {
        let scene = try await Scene()
        let invited = try #require(try await scene.service.inviteFirst())
        #expect(try await scene.service.invitation(token: invited.token) == invited.invitation)
        let short = await scene.refusal {
            _ = try await scene.service.redeem(token: invited.token, password: "short", from: Self.browser)
        }
        #expect(short?.detail.field == "password")
        let signed = try await scene.service.redeem(token: invited.token, password: Self.password, from: Self.browser)
        #expect(signed.session.owner.role == .admin)
        #expect(try await scene.service.session(signed.secret) == signed.session)
        #expect(try await scene.service.inviteFirst() == nil)
        for token in [invited.token, "", "x"] {
            let refusal = await scene.refusal {
                _ = try await scene.service.redeem(token: token, password: Self.password, from: Self.browser)
            }
            #expect(refusal?.code == .notFound)
        }
        await scene.store.close()
    }

    @Test("who signs in with name and password has a session until they sign out, with another secret each time")
    func signsIn() async throws {
        let scene = try await Scene()
        _ = try await scene.makeAnn()
        let one = try await scene.signIn("ann")
        let other = try await scene.signIn()
        #expect(one.secret.text != other.secret.text)
        try await scene.service.signOut(one.session)
        #expect(try await scene.service.session(one.secret) == nil)
        scene.clock.advance(by: .seconds(60))
        #expect(try await scene.service.session(other.secret)?.usedAt == other.session.usedAt)
        #expect(try await scene.service.session(other.secret)?.usedAt == scene.clock.now())
        await scene.store.close()
    }

    @Test("an unknown name, a wrong password and a disabled operator are refused in the same words")
    func refuses() async throws {
        let scene = try await Scene()
        _ = try await scene.makeAnn()
        let invited = try await scene.service.invite("Bob", as: .viewer, by: .system)
        let bob = try await scene.service.redeem(token: invited.token, password: Self.password, from: Self.browser)
        var change = OperatorChange()
        change.isDisabled = true
        _ = try await scene.store.updateOperator(bob.session.owner.id, change, by: .system)
        #expect(try await scene.service.session(bob.secret) == nil)
        for (name, password) in [
            ("Eve", Self.password), ("Ann", Self.password + "!"), ("Bob", Self.password), ("", ""),
        ] {
            let refusal = await scene.refusal { _ = try await scene.signIn(name, password) }
            #expect(refusal == Failure.wrongPassword, "\(name)")
        }
        await scene.store.close()
    }

    @Test("after ten wrong passwords nobody signs in to the account for a quarter of an hour; right ones do not count")
    func throttles() async throws {
        let scene = try await Scene()
        _ = try await scene.makeAnn()
        for _ in 0..<20 { _ = try await scene.signIn() }
        for number in 0..<10 {
            let refusal = await scene.refusal { _ = try await scene.signIn("Ann", "wrong", from: "\(number)") }
            #expect(refusal?.code == .unauthorized)
        }
        let refusal = await scene.refusal { _ = try await scene.signIn("ANN", from: "new") }
        #expect(refusal?.code == .tooManyRequests)
        #expect(refusal?.retryAfter == .seconds(900))
        scene.clock.advance(by: .seconds(900))
        _ = try await scene.signIn()
        await scene.store.close()
    }

    @Test("a stranger's wrong passwords keep nobody out of a browser or an address from which they signed in before")
    func strangers() async throws {
        let scene = try await Scene()
        let ann = try await scene.makeAnn()
        try await scene.service.signOut(ann.session)
        func refusal(_ password: String, from browser: OperatorService.Browser) async -> Failure? {
            await scene.refusal {
                _ = try await scene.service.signIn(name: "Ann", password: password, from: browser)
            }
        }
        for number in 0..<30 { _ = await scene.refusal { _ = try await scene.signIn("Ann", "no", from: "\(number)") } }
        let elsewhere = OperatorService.Browser(address: "198.51.100.1", userAgent: "")
        #expect(await refusal(Self.password, from: elsewhere)?.code == .tooManyRequests)
        let kept = OperatorService.Browser(address: "198.51.100.1", userAgent: "", secret: ann.browser)
        #expect(await refusal(Self.password, from: kept) == nil, "the browser")
        #expect(await refusal(Self.password, from: Self.browser) == nil, "the address that the browser has left")
        // Another's cookie, and one that was made up, are good for nothing.
        for secret in [ann.secret, SessionSecret()] {
            let odd = OperatorService.Browser(address: "203.0.113.9", userAgent: "", secret: secret)
            #expect(await refusal(Self.password, from: odd)?.code == .tooManyRequests)
        }
        for _ in 0..<10 { #expect(await refusal("wrong", from: kept)?.code == .unauthorized) }
        #expect(await refusal(Self.password, from: kept)?.code == .tooManyRequests)
        await scene.store.close()
    }

    @Test("a secret that the browser brings along is kept only where it is of an earlier sign-in of the same operator")
    func planted() async throws {
        let scene = try await Scene()
        let ann = try await scene.makeAnn()
        let planted = SessionSecret()
        for (secret, isKept) in [(ann.browser, true), (planted, false)] {
            let browser = OperatorService.Browser(address: "a", userAgent: "", secret: secret)
            let signedIn = try await scene.service.signIn(name: "Ann", password: Self.password, from: browser)
            #expect((signedIn.browser.text == secret.text) == isKept)
        }
        await scene.store.close()
    }

    @Test("wrong passwords are in the audit log with name and address, never themselves, and a bounded number of them")
    func recorded() async throws {
        let scene = try await Scene()
        let ann = try await scene.makeAnn()
        for name in ["ANN", "hunter2 in the wrong field"] {
            _ = await scene.refusal { _ = try await scene.signIn(name, "hunter2", from: "203.0.113.1") }
        }
        func recorded() async throws -> [AuditEntry] {
            try await scene.store.auditEntries(AuditFilter(action: .wrongPassword), PageRequest(count: 200)).items
        }
        let entries = try await recorded()
        #expect(entries.map(\.subject.id) == ["unknown", ann.session.owner.id.description])
        #expect(entries.map(\.after) == [["address": "203.0.113.1"], ["address": "203.0.113.1", "name": "Ann"]])
        for number in 0..<300 {
            _ = await scene.refusal { _ = try await scene.signIn("x\(number)", "no", from: "\(number)") }
        }
        #expect(try await recorded().count == 100)
        let last = try await recorded().first?.after?.objectValue
        #expect(last?["further"] == "not written for a quarter of an hour")
        scene.clock.advance(by: .seconds(900))
        _ = await scene.refusal { _ = try await scene.signIn("Ann", "no", from: "b") }
        #expect(try await recorded().count == 101)
        await scene.store.close()
    }

    @Test("a password is changed by who knows the old one, which ends all other sessions")
    func changesPassword() async throws {
        let scene = try await Scene()
        let mine = try await scene.makeAnn()
        let other = try await scene.signIn()
        let next = "another horse battery"
        let refusal = await scene.refusal {
            try await scene.service.changePassword(of: mine.session, from: "wrong", to: next, in: Self.browser)
        }
        #expect(refusal?.code == .unauthorized)
        #expect(try await scene.service.session(other.secret) != nil)
        try await scene.service.changePassword(of: mine.session, from: Self.password, to: next, in: Self.browser)
        #expect(try await scene.service.session(mine.secret) != nil)
        #expect(try await scene.service.session(other.secret) == nil)
        #expect(await scene.refusal { _ = try await scene.signIn() }?.code == .unauthorized)
        _ = try await scene.signIn("Ann", next)
        await scene.store.close()
    }
}
