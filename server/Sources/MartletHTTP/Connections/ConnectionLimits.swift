/// What a client's connection may cost. Each deadline is for time in which the client is waited for; the server's own
/// work has none here.
public struct ConnectionLimits: Sendable {
    /// How many connections are open at most. Ours: with what else is open it stays below the 1,024 files that a process
    /// may have on a system that was not told otherwise.
    public var connections = 512
    /// How many of them one address has at most; 0 is no bound. A quarter of all.
    public var connectionsPerAddress = 128
    /// For how long a new connection may take until its first request's head is there.
    public var firstHeadTimeout: Duration = .seconds(10)
    /// For how long a connection may be idle between an answer and the next request's head.
    public var idleTimeout: Duration = .seconds(60)
    /// For how long a request's body may take, from its head on. Longer than the 30 seconds after which whoever reads a
    /// body refuses it with words.
    public var bodyTimeout: Duration = .seconds(35)
    /// For how long an answer may lie here without the client taking any of it; looked at so often, so that it may be
    /// twice as long.
    public var answerTimeout: Duration = .seconds(30)
    /// For how long the rest of a body that nobody wants is discarded once its request is answered, so that the client
    /// reads the answer before the connection is closed (RFC 9112, section 9.6).
    public var discardTimeout: Duration = .seconds(5)
    /// How many bytes of answers may lie here, over all connections. Beyond it the connection with the most is closed.
    public var answerBytes = 64 * 1024 * 1024
    /// How many bytes of answers the operating system takes for each connection. Ours: left alone Linux takes up to 4 MiB,
    /// and says that there is room again when a third is gone, which would take a slow reader longer than the deadline.
    public var systemBytes = 256 * 1024
    /// How many bytes are read from a connection at once. Requests that a client sends without waiting for answers are
    /// all decoded as they are read, so that this bounds them: some two hundred of the shortest.
    public var readBytes = 4096

    /// How many bytes a request's header fields have at most, and its path with the query: what is done with them grows
    /// with them, and anybody may send some. Twice what other servers take.
    public var headBytes = 32 * 1024

    /// The defaults.
    public init() {}
}
