/// A stand-in for Apple's push service.
package typealias APNsSimulator = Simulator<APNsService>

/// How a simulated APNs listens and what its developer account holds.
package typealias APNsSimulatorConfiguration = SimulatorConfiguration<APNsService>

extension APNsService {
    /// What only a simulated APNs is told: its ports, developer account and limits.
    package struct Settings: ServiceSettings {
        /// What `port` stands in for.
        package var environment = APNsEnvironment.production
        /// A second port that stands in for the sandbox, with the same account; 0 takes a free one, `nil` for none.
        package var sandboxPort: Int?
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

        package init() {}
    }
}

extension APNsSimulator {
    /// Port that stands in for the sandbox, when one was asked for.
    package var sandboxPort: Int? { service.scripted.listeners().dropFirst().first?.port }

    /// Adds a provider key or replaces the one of its id; provider tokens seen before are verified anew.
    package func register(_ key: SimulatorKey) {
        service.withRegistry { $0.register(key) }
    }

    /// Adds an app or replaces the one of its topic.
    package func register(_ app: SimulatorApp) {
        service.withRegistry { $0.register(app) }
    }

    /// Makes a device token known, or changes what is known of it.
    package func register(_ device: SimulatorDevice) {
        service.withRegistry { $0.register(device) }
    }

    /// Received pushes numbered above `after`, oldest first.
    package func received(
        token: String? = nil,
        topic: String? = nil,
        after: Int = 0,
        limit: Int = 1_000
    ) -> [ReceivedPush] {
        service.scripted.received(after: after, limit: limit, where: PackedPush.filter(token: token, topic: topic))
    }

    /// Forgets the pushes received.
    package func removeReceived() {
        service.scripted.withLog { $0.removeAll() }
    }

    /// Listeners, connections and sizes.
    package func state() async -> SimulatorState {
        await service.state()
    }

    /// Sends GOAWAY on a connection, or on all, naming the last stream received.
    package func goAway(connection: Int? = nil, reason: String? = nil, code: UInt32 = 0) async {
        _ = await service.onConnections(connection) { $0.goAway(reason: reason, code: code) }
    }

    /// Resets a connection, or all.
    package func abortConnections(_ connection: Int? = nil) async {
        _ = await service.onConnections(connection) { $0.abort() }
    }

    /// Sends SETTINGS_MAX_CONCURRENT_STREAMS on a connection, or on all.
    package func setMaxConcurrentStreams(_ count: Int, connection: Int? = nil) async {
        _ = await service.onConnections(connection) { $0.setMaxStreams(count) }
    }
}
