/// A request to Martlet as the journal has it, before it is sent.
package struct Intent: Sendable, Codable, Equatable {
    /// What it does for the riders.
    package enum Purpose: String, Sendable, Codable {
        /// Tells them a version.
        case tell
        /// Takes the alert off their phones; others keep it.
        case remove
        /// Takes the alert off the phones of all, and cancels what is still under way.
        case end
    }

    /// The request's `Idempotency-Key`.
    package var key: String
    package var purpose: Purpose
    package var alert: String
    package var version: Int
    /// The audience, at most 1,000: the request is the same however often it is sent.
    package var riders: [String]
    /// The request's JSON, byte for byte.
    package var body: String

    package init(key: String, purpose: Purpose, alert: String, version: Int, riders: [String], body: String) {
        self.key = key
        self.purpose = purpose
        self.alert = alert
        self.version = version
        self.riders = riders
        self.body = body
    }
}

/// One line of the journal. Applied in their order, the lines make the state.
package enum StateRecord: Sendable, Codable, Equatable {
    /// The first line of a file.
    case began(epoch: String)
    /// A feed was used.
    case feed(made: Int)
    /// An alert has a version: a first one, or another content.
    case version(alert: String, number: Int, fingerprint: String, severity: Severity)
    /// A request will be sent.
    case intent(Intent)
    /// Martlet has accepted it under this id.
    case accepted(key: String, alert: String, notification: String)
    /// Martlet has refused it for good, or it was not worth sending any more.
    case dropped(key: String, reason: String)
    /// The alert's notifications that were still under way are cancelled.
    case cancelled(alert: String)
    /// Nobody has it on the screen any more.
    case quiet(alert: String, at: Int)
    /// It is gone for so long that nothing of it is needed.
    case forgotten(alert: String)
    /// What a compaction keeps of an alert.
    case alert(id: String, AlertState)
}

/// What is known of an alert that somebody was told of.
package struct AlertState: Sendable, Codable, Equatable {
    /// Counts from 1; never goes back, so that a dedup key is never used for two contents.
    package var version: Int
    package var fingerprint: String
    package var severity: Severity
    /// Requests made so far.
    package var parts = 0
    /// By rider, the last version that they were told and that is not taken back.
    package var told: [String: Int] = [:]
    /// Martlet's ids of what was accepted since the last cancellation.
    package var notifications: [String] = []
    /// Since when nobody has it, in seconds since 1970.
    package var quietSince: Int?

    package init(version: Int, fingerprint: String, severity: Severity) {
        self.version = version
        self.fingerprint = fingerprint
        self.severity = severity
    }
}
