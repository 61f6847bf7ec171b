public import MartletCore
public import MartletStore

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
        /// - Parameter withdraw: takes a notification back from a user, as what they read in the inbox is.
        /// - Throws: ``Violation`` when the store breaks the rule, and whatever the store throws.
        public func run(_ store: Store, _ clock: ManualClock, withdraw: @escaping Withdraw) async throws {
            try await body(World(store: store, clock: clock, withdraw: withdraw))
        }

        /// The rule in words.
        public var description: String { name }
    }

    /// Takes a notification back from a user: part of other writes in a store, and so no operation of its seam.
    public typealias Withdraw = @Sendable (RowID<User>, RowID<Notification>) async throws -> Void

    /// All rules.
    public static let all: [Check] =
        apps + queues + keys + accessKeys + keyTimes + platformApplications + registration + batchRegistration
        + installations
        + endpoints + platformEndpoints + topics + subscriptions + submission + submittedTogether + listing
        + cancellation + fanOuts + audiences + topicAudiences + topicChanges + topicSubmission + publications + moves
        + claims + leases + withdrawals + holds + holdEnds + inlineDispatch + quarantine + poison + settlement
        + endpointChanges + deviceChanges + lateAnswers + oneState + deadLetters + expiry + reports + retention
        + webhooks + operation + events + categories + preferences + erasure + erasedPeople + choices + lateChanges
        + deviceSwitches + inbox + personHistories + missed + resends + estimates + search + webPush + whyAudit
        + operators + passwordLinks + operatorSessions + auditLog + counts + notificationDetails

    /// Rules at the size that the specification names, for a store in memory: elsewhere they take too long.
    public static let whole: [Check] = [wholeWhyAudit, wholePatches]
}
