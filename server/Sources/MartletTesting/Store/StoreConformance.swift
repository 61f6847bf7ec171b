public import MartletCore
import MartletWire

/// What every store has to do, whatever it is made of: each check runs on an empty store of its own, whose clock the
/// check moves.
public enum StoreConformance {
    /// One rule.
    public struct Check: Sendable, CustomStringConvertible {
        /// The rule in words.
        public let name: String
        let body: @Sendable (World) async throws -> Void

        init(_ name: String, _ body: @escaping @Sendable (World) async throws -> Void) {
            self.name = name
            self.body = body
        }

        /// Runs the check.
        ///
        /// - Throws: ``Violation`` when the store breaks the rule, and whatever the store throws.
        public func run(_ store: any Store, _ clock: ManualClock) async throws {
            try await body(World(store: store, clock: clock))
        }

        /// The rule in words.
        public var description: String { name }
    }

    /// A rule that a store broke.
    public struct Violation: Error, Sendable, CustomStringConvertible {
        /// What was expected, what was found, and where it was looked for.
        public let description: String
    }

    /// All rules.
    public static let all: [Check] =
        apps + queues + keys + accessKeys + platformApplications + registration + installations + endpoints
        + platformEndpoints + topics + subscriptions + submission + listing + cancellation + fanOuts + audiences
        + topicAudiences + topicChanges + topicSubmission + publications + moves
        + claims + leases + inlineDispatch + quarantine + poison + settlement + endpointChanges + deviceChanges
        + lateAnswers + oneState + deadLetters + expiry + reports + retention + webhooks + operation + events
}

/// Checks that something holds.
func expect(
    _ condition: Bool,
    _ what: @autoclosure () -> String,
    line: Int = #line,
    file: String = #fileID
) throws {
    guard condition else { throw StoreConformance.Violation(description: "\(what()) (\(file):\(line))") }
}

/// Checks that two values are the same.
func expect<Value: Equatable>(
    _ found: Value,
    is expected: Value,
    _ what: @autoclosure () -> String,
    line: Int = #line,
    file: String = #fileID
) throws {
    let text = "\(what()): found \(found), expected \(expected) (\(file):\(line))"
    guard found == expected else { throw StoreConformance.Violation(description: text) }
}

/// The value of something that must be there.
func unwrap<Value>(
    _ value: Value?,
    _ what: @autoclosure () -> String,
    line: Int = #line,
    file: String = #fileID
) throws -> Value {
    guard let value else { throw StoreConformance.Violation(description: "no \(what()) (\(file):\(line))") }
    return value
}

/// Checks that something is refused with a code.
func expectRefusal(
    _ code: ErrorCode,
    _ what: String,
    line: Int = #line,
    file: String = #fileID,
    _ body: () async throws -> Void
) async throws {
    do {
        try await body()
    } catch let failure as Failure {
        return try expect(failure.code, is: code, what, line: line, file: file)
    }
    throw StoreConformance.Violation(description: "\(what): not refused (\(file):\(line))")
}
