/// How the simulated push services listen.
package struct WebPushSimulatorConfiguration: Sendable {
    /// Address of all ports.
    package var host = "127.0.0.1"
    /// Port of all services; 0 takes a free one.
    package var port: Int
    /// Port of a control API of its own; 0 takes a free one, `nil` for none.
    package var controlPort: Int?
    /// Port that Firefox, and Chromium's check-in and registration, connect to, without TLS; 0 takes a free one.
    package var browserPort = 0
    /// Port of Chromium's messages, with TLS; 0 takes a free one.
    package var messagePort = 0
    /// The server's certificate.
    package var certificate = SimulatorCertificate.selfMade
    /// Signs the certificate; `nil` makes a new one.
    package var authority: SimulatorAuthority?
    /// File that the authority's certificate is written to, as PEM, for clients to trust.
    package var authorityPath: String?
    /// Scripted behaviour from the start.
    package var rules: [ServiceRule<WebPushRuleCondition>] = []
    /// Seed of the rules' chances.
    package var seed: UInt64 = 1
    /// SETTINGS_MAX_CONCURRENT_STREAMS.
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
