import Foundation
import MartletWire

/// Opens the links of tapped notifications, as far as the app's policy allows, and writes down which.
package final class LinkRouter: LinkSink {
    private let handling: LinkHandling
    private let platform: any Platform
    private let events: any EventSink
    private let report: @Sendable (PushNotificationError) -> Void
    private let log: Log

    /// A router of one client.
    package init(_ client: ClientContext, events: any EventSink) {
        handling = client.handlers.links
        platform = client.environment.platform
        report = client.report
        log = client.log
        self.events = events
    }

    /// A link into an app goes before a web link; one that is refused leaves the other its chance.
    package func open(_ notification: ReceivedNotification, in sceneID: String? = nil) {
        let policy = handling.policy
        for text in [notification.payload.deepLink, notification.payload.link].compactMap(\.self) {
            switch policy.decision(for: text) {
            case .deepLink(let url):
                events.record(.deeplinkOpen, notification, value: url.absoluteString)
                return handOver(LinkHandling.Opened(url: url, payload: notification.payload, sceneID: sceneID))
            case .web(let url):
                return show(url, in: .inAppBrowser, of: sceneID) { [events] in
                    events.record(.linkOpen, notification, value: url.absoluteString)
                }
            case .refused(let why):
                report(.linkRefused(why.reason))
            }
        }
    }

    package func open(_ link: SystemLink) -> Bool {
        // Without a handler the app deals with its links itself, unless it was told that this one was taken, or has said
        // which links it takes and left it to the SDK to hand them over.
        let waits = link.waits || link.isUnsorted && handling.hasPolicy
        guard waits || handling.deepLinks.hasListener else { return false }
        switch handling.policy.decision(for: link.url.absoluteString) {
        case .web where !link.isUnsorted:
            return false
        case .deepLink(let url), .web(let url):
            post(LinkHandling.Opened(url: url, payload: nil, sceneID: link.sceneID))
            return true
        case .refused(let why):
            if link.isUnsorted {
                log(.info, "A link of the system's is left to the app: \(why.reason)")
            } else {
                report(.linkRefused(why.reason))
            }
            return false
        }
    }

    private func handOver(_ link: LinkHandling.Opened) {
        // An app that says neither which links it takes nor what takes them has its scene or application delegate, to
        // which the system brings the app's own schemes.
        guard handling.deepLinks.hasListener || handling.hasPolicy else { return show(link.url, in: .system) }
        post(link)
    }

    private func post(_ link: LinkHandling.Opened) {
        if !handling.deepLinks.hasListener { log(.warning, "A link into the app waits until onDeepLink is set.") }
        handling.deepLinks.post(link)
    }

    private func show(
        _ url: URL,
        in target: LinkTarget,
        of sceneID: String? = nil,
        opened: @escaping @Sendable () -> Void = {}
    ) {
        Task { [platform, report] in
            guard await platform.open(url, in: target, of: sceneID) else {
                return report(.linkRefused("nothing on this device opens it."))
            }
            opened()
        }
    }
}

extension LinkRefusal {
    /// Why, for the app's developer; the link itself is not named.
    package var reason: String {
        switch self {
        case .malformed: "it is not an address, or longer than \(LinkText.longest) bytes."
        case .scheme: "its scheme is not allowed."
        case .credentials: "it holds a user name or a password."
        case .host: "its host is not allowed."
        case .path: "its path is not allowed."
        }
    }
}
