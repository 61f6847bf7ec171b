// What the control API does, for programs that hold the simulator itself.
extension APNsSimulator {
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

    /// Adds a rule after the others.
    ///
    /// - Returns: its id; `nil` when 10,000 rules are in force.
    @discardableResult
    package func add(_ rule: SimulatorRule) -> Int? {
        service.withRules { $0.add(rule)?.id }
    }

    /// The rules in order, with how often each matched and fired.
    package var rules: [SimulatorRuleState] {
        service.withRules { $0.rules }
    }

    /// Removes all rules.
    package func removeRules() {
        service.withRules { $0.removeAll() }
    }

    /// Forgets received pushes, rules and provider tokens; keeps keys, apps, devices and connections.
    package func reset() {
        service.reset()
    }

    /// Received pushes numbered above `after`, oldest first.
    package func received(
        token: String? = nil,
        topic: String? = nil,
        after: Int = 0,
        limit: Int = 1_000
    ) -> [ReceivedPush] {
        service.received(token: token, topic: topic, after: after, limit: limit)
    }

    /// Counts of all pushes received.
    package var receivedCounts: ReceivedCounts {
        service.withLog { $0.counts }
    }

    /// Forgets the pushes received.
    package func removeReceived() {
        service.withLog { $0.removeAll() }
    }

    /// Listeners, connections and sizes.
    package func state() async -> SimulatorState {
        await service.state()
    }

    /// Takes no new connections, on all ports or on the environment's.
    package func stopListening(_ mode: ListenerMode = .refuse, environment: APNsEnvironment? = nil) async {
        for (_, listener) in service.listeners(environment) { await listener.stop(mode) }
    }

    /// Takes connections again.
    ///
    /// - Throws: what the system says of the port.
    package func resumeListening(environment: APNsEnvironment? = nil) async throws {
        for (_, listener) in service.listeners(environment) { try await listener.start() }
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

extension SimulatedService {
    func reset() {
        withRules { $0.removeAll() }
        withRegistry { $0.forgetTokens() }
        withLog { $0.removeAll() }
        devices.removeWaiting()
    }

    func received(token: String?, topic: String?, after: Int, limit: Int) -> [ReceivedPush] {
        let token = token?.lowercased()
        let packed = withLog { log in
            log.packed(after: after, count: limit) { push in
                (token == nil || PackedPush.token(in: push.path) == token)
                    && (topic == nil || push.header("apns-topic") == topic)
            }
        }
        return packed.map { $0.unpacked() }
    }

    func state() async -> SimulatorState {
        var ports: [SimulatorState.Listener] = []
        for (environment, listener) in listeners(nil) {
            ports.append(
                .init(environment: environment, port: listener.port, isListening: await listener.isListening)
            )
        }
        let connections = await onConnections(nil) { $0.summary }
        let rules = withRules { $0.rules.count }
        let seen = connectionsSeen
        return withRegistry { registry in
            SimulatorState(
                listeners: ports,
                connections: connections,
                connectionsSeen: seen,
                keys: registry.keys.keys.sorted(),
                apps: registry.apps.keys.sorted(),
                tokens: registry.devices.count,
                knownTokensOnly: registry.knownTokensOnly,
                rules: rules,
                signatureChecks: registry.signatureChecks
            )
        }
    }
}
