import Dispatch
import Foundation
import MartletWire
import Synchronization

/// Makes and checks hashes of passwords, one at a time, so that guessing costs the guesser and not the server.
public struct PasswordHasher: Sendable {
    /// How many characters a password has.
    package static let lengths = 12...256

    package let cost: PasswordHash.Cost
    package let queue: PasswordQueue
    private let nobody: PasswordHash

    /// A hasher of the standard cost.
    public init() { self.init(cost: .standard) }

    package init(cost: PasswordHash.Cost, queue: PasswordQueue = PasswordQueue()) {
        self.cost = cost
        self.queue = queue
        nobody = PasswordHash(ofNothing: cost)
    }

    /// Checks that a password can be somebody's new one: 12 to 256 characters.
    public static func validate(_ password: String, field: String = "password") throws(Failure) {
        guard lengths.contains(password.unicodeScalars.count) else {
            throw .invalid(
                field,
                "A password has \(lengths.lowerBound) to \(lengths.upperBound) characters.",
                hint: "Some words that do not belong together are easy to remember and hard to guess."
            )
        }
    }

    /// The hash of a new password.
    ///
    /// - Throws: `Failure` as ``validate(_:field:)`` does, and ``ErrorCode/overloaded`` when too many wait.
    public func hash(_ password: String, field: String = "password") async throws -> PasswordHash {
        try PasswordHasher.validate(password, field: field)
        let bytes = PasswordHasher.bytes(password)
        return try await queue.run { [cost] in try PasswordHash(of: bytes, cost: cost) }
    }

    /// Whether a password is the one of a hash. Without one it is not, after the same time.
    ///
    /// - Throws: `Failure` with ``ErrorCode/overloaded`` when too many wait.
    public func verify(_ password: String, against hash: PasswordHash?) async throws -> Bool {
        // scrypt takes no empty password, and nobody has one that is as long as a request.
        let isPossible = PasswordHasher.lengths.contains(password.unicodeScalars.count)
        let bytes = isPossible ? PasswordHasher.bytes(password) : [0]
        let expected = hash ?? nobody
        return try await queue.run { try expected.matches(bytes) } && isPossible && hash != nil
    }

    /// Composed, because keyboards differ in how they write *é* (RFC 8265, section 4.2).
    private static func bytes(_ password: String) -> [UInt8] {
        Array(password.precomposedStringWithCanonicalMapping.utf8)
    }
}

/// Work that is done one piece at a time, on a thread of its own, and of which a few pieces may wait.
package final class PasswordQueue: Sendable {
    /// How many may wait. Ours: the last of them waits a second or two.
    package static let limit = 16

    private let count = Mutex(0)
    private let thread = DispatchQueue(label: "martlet-passwords")

    package init() {}

    /// Does a piece of work when its turn comes.
    ///
    /// - Throws: what `work` does, and `Failure` with ``ErrorCode/overloaded`` when ``limit`` pieces wait.
    package func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { answer in
            do { try start(work) { answer.resume(with: $0) } } catch { answer.resume(throwing: error) }
        }
    }

    /// Has a piece of work done, and calls `completion` on its thread.
    package func start<Value: Sendable>(
        _ work: @escaping @Sendable () throws -> Value,
        _ completion: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) throws(Failure) {
        let isAdmitted = count.withLock { count in
            // One is being done.
            guard count < PasswordQueue.limit + 1 else { return false }
            count += 1
            return true
        }
        guard isAdmitted else {
            var failure = Failure(.overloaded, "Too many sign-ins wait.", hint: "Try again in some seconds.")
            failure.retryAfter = .seconds(5)
            throw failure
        }
        thread.async { [self] in
            let result = Result(catching: work)
            count.withLock { $0 -= 1 }
            completion(result)
        }
    }
}
