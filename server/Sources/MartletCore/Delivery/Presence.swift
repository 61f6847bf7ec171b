/// Which processes of several on one store are alive.
public enum Presence {
    /// For how long a process may say nothing before its leases end. Ours: it says so every second, and a pause of so many
    /// is none of a healthy server.
    public static let timeout: Duration = .seconds(10)

    /// For how long no lease ends once the store is back. Ours: every process has asked again by then.
    public static let guardTime: Duration = .seconds(15)
}
