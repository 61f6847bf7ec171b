/// How a simulated FCM listens and what its projects hold.
package struct FCMSimulatorConfiguration: Sendable {
    /// Address of all ports.
    package var host = "127.0.0.1"
    /// Port of FCM and its token endpoint; 0 takes a free one.
    package var port: Int
    /// Port of a control API of its own; 0 takes a free one, `nil` for none.
    package var controlPort: Int?
    /// The server's certificate.
    package var certificate = SimulatorCertificate.selfMade
    /// Signs the certificate; `nil` makes a new one.
    package var authority: SimulatorAuthority?
    /// File that the authority's certificate is written to, as PEM, for clients to trust.
    package var authorityPath: String?
    /// The Firebase projects.
    package var projects: [String] = []
    /// Tokens and FIDs of which more is known than their form.
    package var devices: [FCMDevice] = []
    /// Whether other tokens are answered with UNREGISTERED.
    package var knownTokensOnly = false
    /// Google: 600,000 for each project.
    package var messagesPerMinute = 600_000
    /// Google: 240 for each Android device.
    package var messagesPerDeviceMinute = 240
    /// Scripted behaviour from the start.
    package var rules: [ServiceRule<FCMRuleCondition>] = []
    /// Seed of the rules' chances.
    package var seed: UInt64 = 1
    /// SETTINGS_MAX_CONCURRENT_STREAMS; Google's front ends announce about 100.
    package var maxConcurrentStreams = 100
    /// Received requests that can be read back; the oldest is dropped first.
    package var receivedLimit = 200_000
    /// Threads of the server.
    package var threads = 1

    package init(port: Int = 0, controlPort: Int? = 0) {
        self.port = port
        self.controlPort = controlPort
    }
}
