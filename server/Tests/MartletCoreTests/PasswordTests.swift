import Dispatch
import MartletWire
import Synchronization
import Testing

@testable import MartletCore

@Suite struct PasswordTests {
    /// Of little work, so that tests are quick.
    static let cheap = PasswordHash.Cost(rounds: 4, blockSize: 1, parallelism: 1)
    static let hasher = PasswordHasher(cost: cheap)
    static let password = "correct horse battery"

    @Test("a key is what RFC 7914 says it is: section 12, the third vector, of which ours is the first half")
    func vector() throws {
        let key = try PasswordHash.derive(
            Array("pleaseletmein".utf8),
            Array("SodiumChloride".utf8),
            PasswordHash.Cost(rounds: 14, blockSize: 8, parallelism: 1)
        )
        let expected: [UInt8] = [
            0x70, 0x23, 0xBD, 0xCB, 0x3A, 0xFD, 0x73, 0x48, 0x46, 0x1C, 0x06, 0xCD, 0x81, 0xFD, 0x38, 0xEB,
            0xFD, 0xA8, 0xFB, 0xBA, 0x90, 0x4F, 0x8E, 0x3E, 0xA9, 0xB5, 0x43, 0xF6, 0x54, 0x5D, 0xA1, 0xF2,
        ]
        #expect(key == expected)
    }

    @Test("a password is verified with the parameters and the salt that its hash has")
    func verifies() async throws {
        let hash = try await Self.hasher.hash(Self.password)
        let stored = try #require(PasswordHash(hash.text))
        #expect(stored == hash)
        #expect(hash.text.hasPrefix("$scrypt$ln=4,r=1,p=1$"))
        #expect(try await PasswordHasher().verify(Self.password, against: stored))
        #expect(try await !Self.hasher.verify(Self.password + "!", against: stored))
        #expect(try await hash != Self.hasher.hash(Self.password))
        #expect(!"\(hash)".contains("scrypt"))
    }

    @Test("the standard is N=2^15, r=8, p=1")
    func standard() throws {
        let hash = try PasswordHash(of: Array(Self.password.utf8), cost: .standard)
        #expect(hash.text.hasPrefix("$scrypt$ln=15,r=8,p=1$"))
        #expect(try hash.matches(Array(Self.password.utf8)))
    }

    @Test("a password is the same however its letters are composed")
    func composed() async throws {
        let hash = try await Self.hasher.hash("re\u{301}sume\u{301} on the table")
        #expect(try await Self.hasher.verify("r\u{E9}sum\u{E9} on the table", against: hash))
    }

    @Test("nobody's password is wrong, and so is what cannot be a password, without a trap")
    func impossible() async throws {
        let hash = try await Self.hasher.hash(Self.password)
        #expect(try await !Self.hasher.verify(Self.password, against: nil))
        for text in ["", "short", "\0", String(repeating: "a", count: 1_000_000)] {
            #expect(try await !Self.hasher.verify(text, against: hash))
            #expect(try await !Self.hasher.verify(text, against: nil))
        }
    }

    @Test("a password has 12 to 256 characters", arguments: [0, 11, 257])
    func lengths(count: Int) async throws {
        for fine in [12, 256] { try PasswordHasher.validate(String(repeating: "é", count: fine)) }
        await #expect(throws: Failure.self) {
            try await Self.hasher.hash(String(repeating: "a", count: count))
        }
    }

    @Test(
        "a text that is no hash is not read",
        arguments: [
            "", "$scrypt$", "scrypt$ln=4,r=1,p=1$AAAAAAAAAAAAAAAAAAAAAA$A",
            "$scrypt$ln=4,r=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
            "$scrypt$ln=40,r=1,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
            "$scrypt$ln=4,r=1,p=1$AAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
            "$argon2$ln=4,r=1,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        ]
    )
    func unreadable(text: String) { #expect(PasswordHash(text) == nil) }

    @Test("one hash is made at a time, sixteen wait, and one more is told that too many do")
    func queue() async throws {
        let queue = PasswordQueue()
        let gate = DispatchSemaphore(value: 0)
        let running = Mutex(0)
        let most = Mutex(0)
        let (done, finished) = AsyncStream.makeStream(of: Void.self)
        let work: @Sendable () -> Void = {
            let now = running.withLock { count in
                count += 1
                return count
            }
            most.withLock { $0 = max($0, now) }
            gate.wait()
            running.withLock { $0 -= 1 }
        }
        for _ in 0...PasswordQueue.limit { try queue.start(work) { _ in finished.yield() } }
        let failure = #expect(throws: Failure.self) { try queue.start(work) { _ in } }
        #expect(failure?.code == .overloaded)
        #expect(failure?.retryAfter == .seconds(5))
        for _ in 0...PasswordQueue.limit { gate.signal() }
        var left = PasswordQueue.limit + 1
        for await _ in done {
            left -= 1
            if left == 0 { break }
        }
        #expect(most.withLock(\.self) == 1)
        #expect(try await queue.run { 7 } == 7)
    }
}
