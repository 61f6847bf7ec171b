public import Foundation
@_exported public import PushNotificationSDKBase
public import UserNotifications

// tvOS shows no alerts and runs no such extensions.
#if !os(tvOS)
    /// What an app's service extension is made of: it attaches the image, movie or sound of a notification, and reports that
    /// it arrived. A subclass needs three lines:
    ///
    ///     nonisolated final class NotificationService: PushNotificationServiceExtension {
    ///         override var appGroup: String? { "group.com.example.game" }
    ///     }
    ///
    /// The notification is always shown: as it came, where something fails or takes too long. The system runs the extension
    /// only for a push with an alert and `mutable-content: 1`.
    open class PushNotificationServiceExtension: UNNotificationServiceExtension {
        /// The app group that the extension shares with its app, as in ``SDKConfiguration/appGroup``. Without one no
        /// delivery is reported from here.
        open var appGroup: String? { nil }

        /// The bundle id of the extension's app: the extension's own without its last component. With another one the
        /// app does not find what the extension saw, because each app of a group has files of its own.
        open var appBundleID: String? {
            guard let own = environment.bundleID, let dot = own.lastIndex(of: ".") else { return nil }
            return String(own[..<dot])
        }

        /// How the extension reaches the app's server, with the same address and app as the app's own: the key is in code and
        /// never on disk. With it and an app group the extension itself uploads its deliveries, once the app has registered the
        /// device; without it they wait in the app group until the app runs.
        open var configuration: SDKConfiguration? { nil }

        /// The category of a notification that names none: it has no buttons, and its dismissals are reported. `nil` leaves
        /// such notifications without a category.
        open var defaultCategory: String? { NotificationCategory.standard.identifier }

        /// Whether a push that carries no number counts the app's icon up by one; off. The app takes the count back with
        /// ``PushNotificationSDK/setBadge(_:)``.
        open var countsBadge: Bool { false }

        /// How many seconds a silent server may hold a notification back while its delivery is uploaded: 1. A delivery that
        /// takes longer is uploaded by the app; with 0 all are.
        open var uploadTimeout: TimeInterval { 1 }

        /// Pins the certificates of the server in ``configuration``, as ``PushNotificationSDK/serverTrustHandler`` does in the app,
        /// whose process is another. Files come from other hosts and are not asked about.
        open var serverTrustHandler: ServerTrustHandler? { nil }

        /// Everything outside, for tests and virtual phones.
        package var environment = ExtensionEnvironment()
        private let work = Locked<RichNotification?>(nil)

        /// Changes the notification and hands it over. A push of another vendor's is handed back as it came.
        override open func didReceive(
            _ request: UNNotificationRequest,
            withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
        ) {
            let payload = NotificationPayload(userInfo: request.content.userInfo)
            guard payload.isOurs else { return contentHandler(request.content) }
            if !payload.removedMessageIDs.isEmpty { environment.removeShown(payload.removedMessageIDs) }
            let handoff = ContentHandoff(request.content, contentHandler)
            let app = appBundleID ?? ""
            let container = app.isEmpty ? nil : appGroup.flatMap(environment.container)
            let rich = RichNotification(
                ReceivedNotification(identifier: request.identifier, payload: payload),
                handoff: handoff,
                spool: container.map { EventSpool(container: $0, app: app, files: environment.files) },
                badge: countsBadge ? container.map { SharedBadge($0, app: app, files: environment.files) } : nil,
                configuration: configuration,
                uploadTimeout: uploadTimeout,
                trust: serverTrustHandler,
                environment: environment
            )
            work.with { $0 = rich }
            rich.begin(defaultCategory: defaultCategory)
        }

        /// The time is up: what there is is handed over.
        override open func serviceExtensionTimeWillExpire() {
            work.with { $0 }?.expire()
        }
    }

    /// Everything outside that an extension needs.
    package struct ExtensionEnvironment: Sendable {
        /// The folder of an app group, by its identifier.
        package var container: @Sendable (String) -> URL? = {
            FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: $0)
        }
        /// The extension's own bundle id.
        package var bundleID = Bundle.main.bundleIdentifier
        /// The files in that folder.
        package var files: any FileAccess = SystemFiles()
        /// Makes the way to the server, of which the extension's own check is asked.
        package var transport: @Sendable (ServerTrustHandler?) -> any HTTPTransport = { handler in
            URLSessionTransport(trust: { handler })
        }
        /// The time of the delivery.
        package var clock: any SDKClock = SystemClock()
        /// Takes the notifications of messages out of the notification center; it does not wait for the system.
        package var removeShown: @Sendable (Set<String>) -> Void = { messageIDs in
            UNUserNotificationCenter.current().getDeliveredNotifications { shown in
                let identifiers = shown.filter { notification in
                    let payload = NotificationPayload(userInfo: notification.request.content.userInfo)
                    return payload.messageID.map(messageIDs.contains) ?? false
                }.map(\.request.identifier)
                guard !identifiers.isEmpty else { return }
                UNUserNotificationCenter.current().removeDeliveredNotifications(withIdentifiers: identifiers)
            }
        }
        /// How many seconds the files of one notification may take.
        package var time = AttachmentRules.time
        /// The address that is asked in the place of an allowed one; tests reach local servers by it.
        package var rewrite: @Sendable (URL) -> URL = { $0 }
        /// Where files are fetched to; the system moves them from there.
        package var folder: URL = FileManager.default.temporaryDirectory

        /// The system's own.
        package init() {}
    }
#endif
