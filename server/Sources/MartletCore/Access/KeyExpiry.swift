import MartletWire

/// From when a key that is being made will open nothing.
package struct KeyExpiry: Sendable, Hashable {
    package let moment: Timestamp

    /// An expiry at a moment that has not come.
    ///
    /// - Throws: `Failure` naming `expires_at` for one that has.
    package init(_ moment: Timestamp, now: Timestamp) throws(Failure) {
        guard moment > now else {
            throw .invalid(
                "expires_at",
                "It must be in the future.",
                hint: "Leave it out for a key that does not expire."
            )
        }
        self.moment = moment
    }
}

extension APIKey {
    /// Whether its time is over. Whoever presents it is asked this at that moment, because keys are kept in memory.
    package func isExpired(at now: Timestamp) -> Bool { expiresAt.map { $0 <= now } ?? false }
}

extension StoredAccessKey {
    /// Whether its time is over, as of an API key.
    package func isExpired(at now: Timestamp) -> Bool { expiresAt.map { $0 <= now } ?? false }
}
