import Foundation

/// The app's handlers. They outlive a client: an app may set them before it configures the SDK, and keep them after.
package final class Handlers: Sendable {
    /// A tapped button and its notification.
    package struct TappedAction: Sendable, Hashable {
        /// The button's identifier.
        package var identifier: String
        /// The notification.
        package var payload: NotificationPayload
    }

    /// Notifications.
    package let received = Mailbox<NotificationPayload>()
    /// Tapped notifications.
    package let opened = Mailbox<NotificationPayload>()
    /// Tapped buttons.
    package let actions = Mailbox<TappedAction>()
    /// What the person allows, whenever it changes.
    package let permission = Mailbox<NotificationPermission>()
    /// Errors that no caller waits for.
    package let errors = Mailbox<PushNotificationError>()
    /// Wishes for a token that speaks for the user; each is answered once.
    package let userTokens = Mailbox<UserTokenRequest>(bound: 1)
    /// What changed in the inbox.
    package let inbox = Mailbox<InboxNews>()
    /// Tells whoever shows what is a user's own that the user may be another one.
    package let userChanges = Mailbox<Void>(bound: 1)

    /// What the app says about links.
    package let links: LinkHandling
    /// What the app says about reloading.
    package let refresh = RefreshHandling()

    private let policy = Locked<PresentationPolicy?>(nil)

    /// How notifications are shown while the app is in front; `nil` follows the configuration.
    package var presentationPolicy: PresentationPolicy? {
        get { policy.with { $0 } }
        set { policy.replace(\.self, with: newValue) }
    }

    /// No handlers.
    ///
    /// - Parameter links: what is said about links before the app says anything.
    package init(links: LinkHandling = LinkHandling()) {
        self.links = links
    }

    /// Takes all handlers away, and what waits for them.
    package func forget() {
        received.forget()
        opened.forget()
        actions.forget()
        errors.forget()
        permission.forget()
        userTokens.forget()
        inbox.forget()
        userChanges.forget()
        links.deepLinks.forget()
        links.forgetPolicy()
        refresh.forget()
        presentationPolicy = nil
    }
}
