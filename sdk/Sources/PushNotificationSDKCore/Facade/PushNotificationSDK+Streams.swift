public import Foundation

/// What the handlers are called with, as streams: any number of them, beside the handlers and each other. A stream ends with
/// the task that reads it. What came before anybody listened goes to the first handler or stream that does.
extension PushNotificationSDK {
    /// A button of a notification that was tapped.
    public struct TappedAction: Sendable, Hashable {
        /// The button's identifier.
        public let identifier: String
        /// The notification, with ``NotificationPayload/userText`` where the button takes text.
        public let payload: NotificationPayload
    }

    /// A link into the app.
    public struct DeepLink: Sendable, Hashable {
        /// The link.
        public let url: URL
        /// The tapped notification; `nil` where the system handed the link over.
        public let payload: NotificationPayload?
        /// The `persistentIdentifier` of the session of the scene that the link came to, in which the app shows where it
        /// leads; `nil` where the system named none, or the app's line that hands the link over does not.
        public let sceneID: String?

        init(_ opened: LinkHandling.Opened) {
            url = opened.url
            payload = opened.payload
            sceneID = opened.sceneID
        }
    }

    /// As ``onNotificationReceived``.
    public static var notifications: AsyncStream<NotificationPayload> { handlers.received.stream() }
    /// As ``onNotificationOpened``.
    public static var openedNotifications: AsyncStream<NotificationPayload> { handlers.opened.stream() }
    /// As ``onError``.
    public static var errors: AsyncStream<PushNotificationError> { handlers.errors.stream() }
    /// As ``onPermissionChanged``.
    public static var permissionChanges: AsyncStream<NotificationPermission> { handlers.permission.stream() }

    /// As ``onNotificationActionTapped``.
    public static var tappedActions: AsyncStream<TappedAction> {
        translated(handlers.actions.stream()) { TappedAction(identifier: $0.identifier, payload: $0.payload) }
    }

    /// As ``onDeepLink``.
    public static var deepLinks: AsyncStream<DeepLink> {
        translated(handlers.links.deepLinks.stream()) { DeepLink($0) }
    }

    private static func translated<From: Sendable, To: Sendable>(
        _ stream: AsyncStream<From>,
        _ translate: @escaping @Sendable (From) -> To
    ) -> AsyncStream<To> {
        AsyncStream { continuation in
            let task = Task {
                for await message in stream { continuation.yield(translate(message)) }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}
