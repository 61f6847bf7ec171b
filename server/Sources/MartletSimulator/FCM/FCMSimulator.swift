/// A stand-in for Firebase Cloud Messaging: Google's token endpoint, checks and errors, by HTTP/2 and 1.1.
package typealias FCMSimulator = Simulator<FCMService>

/// How a simulated FCM listens and what its projects hold.
package typealias FCMSimulatorConfiguration = SimulatorConfiguration<FCMService>

extension FCMService {
    /// What only a simulated FCM is told: its projects, their devices and limits.
    package struct Settings: ServiceSettings {
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
        /// SETTINGS_MAX_CONCURRENT_STREAMS; Google's front ends announce about 100.
        package var maxConcurrentStreams = 100

        package init() {}
    }
}

extension FCMSimulator {
    /// A new service account of the project, which is made when it is new.
    package func makeAccount(project: String) -> ServiceAccountFile {
        service.makeAccount(project: project)
    }

    /// Makes a token or FID known, or changes what is known of it.
    package func register(_ device: FCMDevice) {
        service.withRegistry { $0.register(device) }
    }

    /// A new token for a phone that reads its messages; `nil` when there are too many.
    package func openDevice(project: String, platform: FCMDevice.Platform = .android) -> String? {
        service.openDevice(FCMRegistry.newToken(), project: project, platform: platform)
    }

    /// What waits for such a phone.
    package func messages(of token: String) -> [FCMDeviceMessage] {
        let now = service.scripted.clock.now()
        let items = service.devices.withMailbox(of: token) { $0.take(after: 0, limit: FCMMailbox.limit, now: now) }
        return (items ?? []).map(FCMDeviceMessage.init)
    }

    /// All access tokens are expired from now on.
    package func expireAccessTokens() {
        service.withRegistry { $0.expireAccess() }
    }

    /// The account's grants are refused, or taken again.
    package func revoke(_ email: String, isRevoked: Bool = true) {
        _ = service.withRegistry { $0.revoke(email, isRevoked: isRevoked) }
    }

    /// How far Google's clock is ahead of this machine's.
    package func setClockSkew(seconds: Int) {
        service.withRegistry { $0.clockSkew = Int64(seconds) }
    }
}
