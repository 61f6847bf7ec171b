package import Foundation

/// A link that the system opened the app by.
package struct SystemLink: Sendable, Hashable {
    /// The link.
    package var url: URL
    /// The session of the scene that it came to, where the system says so.
    package var sceneID: String?
    /// Whether nobody looked whose it is: links of other libraries and universal links come the same way. A refusal is no
    /// error then, a page that the policy allows is the app's own, and what a policy of the app's allows waits for its
    /// handler.
    package var isUnsorted = false
    /// Whether it waits for a handler where the app has none yet.
    package var waits = false

    /// A link.
    package init(_ url: URL, in sceneID: String? = nil) {
        self.url = url
        self.sceneID = sceneID
    }
}

/// What the app says about links. It outlives a client: an app may say it before it configures the SDK.
package final class LinkHandling: Sendable {
    /// A link into the app, and the notification that it came with.
    package struct Opened: Sendable, Equatable {
        /// The link.
        package var url: URL
        /// The tapped notification; `nil` when the system handed the link over.
        package var payload: NotificationPayload?
        /// The session of the scene that it came to, where the system says so.
        package var sceneID: String?

        package init(url: URL, payload: NotificationPayload?, sceneID: String? = nil) {
            self.url = url
            self.payload = payload
            self.sceneID = sceneID
        }
    }

    /// Links into the app. Without a handler only the newest is kept: the person wants to be where the last tap leads.
    package let deepLinks = Mailbox<Opened>(bound: 1)
    private let chosen = Locked<LinkPolicy?>(nil)
    private let ownSchemes: @Sendable () -> LinkPolicy

    /// Nothing said yet.
    ///
    /// - Parameter ownSchemes: what holds until the app sets a policy.
    package init(ownSchemes: @escaping @Sendable () -> LinkPolicy = { .ownSchemes(Bundle.main.infoDictionary) }) {
        self.ownSchemes = ownSchemes
    }

    /// The links that may be opened.
    package var policy: LinkPolicy {
        get { chosen.with { $0 } ?? ownSchemes() }
        set { chosen.with { $0 = newValue } }
    }

    /// Whether the app has set a policy.
    package var hasPolicy: Bool { chosen.with { $0 != nil } }

    /// Goes back to what holds until the app sets a policy.
    package func forgetPolicy() {
        chosen.with { $0 = nil }
    }
}
