package import Foundation

/// A stand-in for the browsers' push services: the checks of RFC 8030 and RFC 8292 and each service's own answers, by HTTP/2
/// and 1.1, and two ways in for real browsers.
package typealias WebPushSimulator = Simulator<WebPushService>

/// How the simulated push services listen.
package typealias WebPushSimulatorConfiguration = SimulatorConfiguration<WebPushService>

extension WebPushService {
    /// What only the simulated push services are told.
    package struct Settings: ServiceSettings {
        /// Port that Firefox, and Chromium's check-in and registration, connect to, without TLS; 0 takes a free one.
        package var browserPort = 0
        /// Port of Chromium's messages, with TLS; 0 takes a free one.
        package var messagePort = 0
        /// SETTINGS_MAX_CONCURRENT_STREAMS.
        package var maxConcurrentStreams = 100

        package init() {}
    }
}

extension WebPushSimulator {
    /// Port for Firefox, and for Chromium's check-in and registration.
    package var browserPort: Int { service.browserListener?.port ?? 0 }

    /// Port for Chromium's messages.
    package var messagePort: Int { service.browserListener?.messagePort ?? 0 }

    /// The origins of the addresses that it stands in for, for a server that maps them here.
    package static var origins: [String] {
        PushServiceKind.allCases.compactMap(\.origin) + [WebPushRegistry.chromiumOrigin]
    }

    /// A new subscription of a simulated browser; `nil` when there are too many.
    ///
    /// - Parameter key: the application server's, as 65 bytes; `nil` for one that any key may use.
    package func subscribe(
        _ kind: PushServiceKind = .other,
        key: Data? = nil,
        sizeLimit: Int? = nil
    ) -> WebPushSubscriptionDocument? {
        service.subscribe(kind, key: key, sizeLimit: sizeLimit)
    }

    /// Ends a subscription: its pushes are answered 410.
    package func end(_ id: String) {
        _ = service.withRegistry { $0.set(.gone, of: id) }
    }

    /// What waits for a simulated browser, opened with its keys.
    package func messages(of id: String) -> [WebPushMessageDocument] {
        let now = service.scripted.clock.now()
        let items = service.lines.withMailbox(of: id) { $0.take(after: 0, limit: WebPushMailbox.limit, now: now) }
        return (items ?? []).map(WebPushMessageDocument.init)
    }
}
