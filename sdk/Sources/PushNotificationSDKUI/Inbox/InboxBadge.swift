#if canImport(SwiftUI) && !os(tvOS)
    public import PushNotificationSDKCore
    public import SwiftUI

    /// The number of items that are not read, in a capsule; nothing where all are read.
    ///
    ///     Image(systemName: "tray").overlay(alignment: .topTrailing) { InboxBadge() }
    @available(iOS 15.0, macOS 12.0, *)
    public struct InboxBadge: View {
        @StateObject private var observed: Observed<UnreadModel>
        @Environment(\.pushNotificationTheme) private var theme
        @Environment(\.pushNotificationTexts) private var texts

        /// A badge of an inbox.
        public init(_ inbox: PushNotificationSDK.Inbox = PushNotificationSDK.inbox) { self.init(SDKInbox(inbox)) }

        init(_ source: any InboxSource) { _observed = StateObject(wrappedValue: Observed(UnreadModel(source))) }

        private var model: UnreadModel { observed.model }

        /// The number.
        public var body: some View {
            Text(model.unread < 100 ? "\(model.unread)" : "99+")
                .font(theme.detailFont)
                .foregroundColor(theme.badgeTextColor)
                .padding(.horizontal, 6)
                .padding(.vertical, 2)
                .background(Capsule().fill(theme.badgeColor))
                // A view that is not there would not count.
                .opacity(model.unread > 0 ? 1 : 0)
                .accessibilityLabel(texts.unreadCount(model.unread))
                .accessibilityHidden(model.unread == 0)
                .task { [model] in await model.run() }
        }
    }

    @available(iOS 15.0, macOS 12.0, *)
    extension View {
        /// Shows how many items are not read as the system's badge of a tab or of a row in a list.
        public func pushNotificationInboxBadge(
            _ inbox: PushNotificationSDK.Inbox = PushNotificationSDK.inbox
        ) -> some View {
            modifier(InboxBadgeModifier(SDKInbox(inbox)))
        }
    }

    @available(iOS 15.0, macOS 12.0, *)
    struct InboxBadgeModifier: ViewModifier {
        @StateObject private var observed: Observed<UnreadModel>

        init(_ source: any InboxSource) { _observed = StateObject(wrappedValue: Observed(UnreadModel(source))) }

        func body(content: Content) -> some View {
            content
                .badge(observed.model.unread)
                .task { [model = observed.model] in await model.run() }
        }
    }
#endif
