/// How a simulated APNs listens and what its developer account holds.
package struct APNsSimulatorConfiguration: Sendable {
    /// Address of all ports.
    package var host = "127.0.0.1"
    /// Port of the APNs; 0 takes a free one.
    package var port: Int
    /// Port of the control API; 0 takes a free one.
    package var controlPort: Int
    /// What `port` stands in for.
    package var environment = APNsEnvironment.production
    /// A second port that stands in for the sandbox, with the same account; 0 takes a free one, `nil` for none.
    package var sandboxPort: Int?

    /// The server's certificate, for all ports of the APNs.
    package var certificate = SimulatorCertificate.selfMade
    /// File that the authority's certificate is written to, as PEM, for clients to trust.
    package var authorityPath: String?
    /// Signs the certificate; `nil` makes a new one.
    package var authority: SimulatorAuthority?
    /// PEM texts of authorities whose client certificates are taken for Apple's, beside the simulator's own.
    package var clientAuthorities: [String] = []

    /// The developer account's keys.
    package var keys: [SimulatorKey] = []
    /// The developer account's apps.
    package var apps: [SimulatorApp] = []
    /// Device tokens of which more is known than their form.
    package var devices: [SimulatorDevice] = []
    /// Whether device tokens other than `devices` are answered with BadDeviceToken.
    package var knownTokensOnly = false
    /// Scripted behaviour from the start.
    package var rules: [SimulatorRule] = []
    /// Seed of the rules' chances.
    package var seed: UInt64 = 1

    /// SETTINGS_MAX_CONCURRENT_STREAMS of a new connection. Apple: "APNs allows only one stream until you post a
    /// request with a valid authentication token". Load generators that do not look at SETTINGS first want more.
    package var streamsBeforeAuthentication = 1
    /// SETTINGS_MAX_CONCURRENT_STREAMS after a connection's first authenticated request; 1,000 was seen of Apple.
    package var maxConcurrentStreams = 1_000
    /// Bytes of bodies that may be under way on a connection; from 65,535, where every connection begins (RFC 9113,
    /// section 6.9.2), to 2,147,483,647.
    package var connectionWindow = 16 * 1024 * 1024
    /// Apple: at most one new provider token in 20 minutes for each key. Zero switches the check off.
    package var minimumTokenInterval = Duration.seconds(20 * 60)
    /// Whether a key's new tokens are counted over all connections, and not on each by itself, as was seen of Apple.
    package var countsTokenUpdatesAcrossConnections = false
    /// Whether provider tokens that are older than an hour, or of the future, are refused.
    package var checksTokenTimes = true
    /// Received pushes that can be read back; the oldest is dropped first.
    package var receivedLimit = 200_000
    /// Threads of the APNs.
    package var threads = 1

    /// A production APNs on a free port with an empty account, unless told otherwise.
    package init(port: Int = 0, controlPort: Int = 0) {
        self.port = port
        self.controlPort = controlPort
    }
}
