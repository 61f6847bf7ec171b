/// What the simulator is and has: the answer of `GET /state`.
public struct SimulatorState: Codable, Sendable, Equatable {
    /// One listening port.
    public struct Listener: Codable, Sendable, Equatable {
        /// What it stands in for.
        public var environment: APNsEnvironment
        /// Its TCP port, also while it does not listen.
        public var port: Int
        /// Whether new connections are taken.
        public var isListening: Bool
    }

    /// One open connection.
    public struct Connection: Codable, Sendable, Equatable {
        /// Its number, which rules, received pushes and commands use.
        public var id: Int
        /// The environment of its port.
        public var environment: APNsEnvironment
        /// Requests that have arrived.
        public var requests: Int
        /// Requests without an answer yet.
        public var openStreams: Int
        /// SETTINGS_MAX_CONCURRENT_STREAMS as last sent.
        public var maxStreams: Int
        /// Whether GOAWAY has been sent.
        public var isGoingAway: Bool
    }

    /// All ports of the APNs.
    public var listeners: [Listener]
    /// All open connections, in the order of their numbers.
    public var connections: [Connection]
    /// Connections accepted since the start.
    public var connectionsSeen: Int
    /// The registered keys' ids.
    public var keys: [String]
    /// The registered apps' topics.
    public var apps: [String]
    /// Device tokens that were registered.
    public var tokens: Int
    /// Whether other tokens are answered with BadDeviceToken.
    public var knownTokensOnly: Bool
    /// Rules in force, spent ones included.
    public var rules: Int
    /// Provider-token signatures that were checked: one for each distinct token.
    public var signatureChecks: Int
}

/// How many pushes were received: the answer of `GET /received/count`.
public struct ReceivedCounts: Codable, Sendable, Equatable {
    /// All since the start or the last reset.
    public var total = 0
    /// Those that can still be read.
    public var kept = 0
    /// Answers by HTTP status.
    public var byStatus: [String: Int] = [:]
    /// Refusals by reason.
    public var byReason: [String: Int] = [:]
    /// All by result.
    public var byOutcome: [String: Int] = [:]

    init() {}
}
