/// What a process says of itself, to the store and through it to others.
public protocol ProcessStore: Sendable {
    /// Says to the other processes on the store that this one is alive and which breakers it has open; ends the leases of
    /// those that have not said so for ``Presence/timeout``. Where nobody has said so for that long, it was the store that
    /// was away: then no lease ends for ``Presence/guardTime``, in which its holders record their answers and renew it.
    ///
    /// - Returns: the breakers that others have open. A store that has one process alone does nothing.
    func poll(process: Int64, breakers: [SharedBreaker]) async throws -> [SharedBreaker]

    /// Brings leases and waits for a further attempt forward by the time that the clock was set back by, so that they
    /// last no longer than they were meant to. What is scheduled for a moment stays there. A store that takes the time
    /// from its database's own machine does nothing.
    func clockWasSetBack(by duration: Duration) async throws
}

/// Which processes of several on one store are alive.
public enum Presence {
    /// For how long a process may say nothing before its leases end. Ours: it says so every second, and a pause of so many
    /// is none of a healthy server.
    public static let timeout: Duration = .seconds(10)

    /// For how long no lease ends once the store is back. Ours: every process has asked again by then.
    public static let guardTime: Duration = .seconds(15)
}
