public import MartletCore

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

    /// All rules.
    public static let all: [Check] =
        apps + queues + keys + accessKeys + platformApplications + registration + batchRegistration + installations
        + endpoints + platformEndpoints + topics + subscriptions + submission + submittedTogether + listing
        + cancellation + fanOuts + audiences + topicAudiences + topicChanges + topicSubmission + publications + moves
        + claims + leases + inlineDispatch + quarantine + poison + settlement + endpointChanges + deviceChanges
        + lateAnswers + oneState + deadLetters + expiry + reports + retention + webhooks + operation + events
}
