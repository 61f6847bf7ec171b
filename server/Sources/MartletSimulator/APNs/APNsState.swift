/// What the simulator is and has: the answer of `GET /state`.
package struct SimulatorState: Codable, Sendable, Equatable {
    /// One listening port.
    package struct Listener: Codable, Sendable, Equatable {
        /// What it stands in for.
        package var environment: APNsEnvironment
        /// Its TCP port, also while it does not listen.
        package var port: Int
        /// Whether new connections are taken.
        package var isListening: Bool
    }

    /// One open connection.
    package struct Connection: Codable, Sendable, Equatable {
        /// Its number, which rules, received pushes and commands use.
        package var id: Int
        /// The environment of its port.
        package var environment: APNsEnvironment
        /// Requests that have arrived.
        package var requests: Int
        /// Requests without an answer yet.
        package var openStreams: Int
        /// SETTINGS_MAX_CONCURRENT_STREAMS as last sent.
        package var maxStreams: Int
        /// Whether GOAWAY has been sent.
        package var isGoingAway: Bool
    }

    /// All ports of the APNs.
    package var listeners: [Listener]
    /// All open connections, in the order of their numbers.
    package var connections: [Connection]
    /// Connections accepted since the start.
    package var connectionsSeen: Int
    /// The registered keys' ids.
    package var keys: [String]
    /// The registered apps' topics.
    package var apps: [String]
    /// Device tokens that were registered.
    package var tokens: Int
    /// Whether other tokens are answered with BadDeviceToken.
    package var knownTokensOnly: Bool
    /// Rules in force, spent ones included.
    package var rules: Int
    /// Provider-token signatures that were checked: one for each distinct token.
    package var signatureChecks: Int
}
