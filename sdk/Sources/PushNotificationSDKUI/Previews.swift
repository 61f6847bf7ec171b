#if DEBUG && canImport(SwiftUI) && !os(tvOS)
    import Foundation
    import MartletWire
    import PushNotificationSDKCore
    import SwiftUI

    /// An inbox in memory.
    @available(iOS 15.0, macOS 12.0, *)
    @MainActor
    private final class SampleInbox: InboxSource {
        var cached: CachedInbox? {
            let unread = items.filter { !$0.isRead }.count
            return CachedInbox(items: items, counts: InboxCounts(unread: unread, unseen: 0, revision: 0))
        }
        var updates: AsyncStream<InboxUpdate> { AsyncStream { $0.finish() } }
        var user: String? { nil }
        var userChanges: AsyncStream<Void> { AsyncStream { $0.finish() } }
        private var items: [InboxItem]
        private let trouble: PushNotificationError?

        init(
            _ titles: [String] = ["Bob wrote about your post", "Version 5 is here"],
            trouble: PushNotificationError? = nil
        ) {
            self.trouble = trouble
            let now = Int64(Date().timeIntervalSince1970 * 1000)
            items = titles.enumerated().map { index, title in
                let time = UTCTime(milliseconds: now - Int64(index) * 7_000_000)
                var item = InboxItemResponse(
                    id: PublicID(high: 0x7000, low: UInt64(index)),
                    publishedAt: time,
                    expiresAt: UTCTime(milliseconds: now + 86_400_000),
                    isSeen: true,
                    isRead: index > 0,
                    isArchived: false
                )
                item.title = title
                item.body = "What there is to say about it, in a line or two."
                return InboxItem(item, links: .nothing)
            }
        }

        func page(after cursor: String?) async throws(PushNotificationError) -> InboxPage {
            if let trouble { throw trouble }
            return InboxPage(items: items, cursor: nil)
        }

        func counts() async throws(PushNotificationError) -> InboxCounts {
            InboxCounts(unread: 1, unseen: 0, revision: 0)
        }

        func mark(_ itemID: String, as mark: InboxMark) async throws(PushNotificationError) {
            items = items.map { $0.id == itemID ? $0.after(mark) : $0 }
        }

        func markAll(upTo itemID: String, as mark: InboxMark) async throws(PushNotificationError) {
            items = items.map { $0.after(mark) }
        }

        func open(_ item: InboxItem) {}
    }

    /// Preferences in memory, which take no change.
    @available(iOS 15.0, macOS 12.0, *)
    private struct SamplePreferences: PreferencesSource {
        var user: String? { nil }
        var userChanges: AsyncStream<Void> { AsyncStream { $0.finish() } }
        let cached: NotificationPreferences? = {
            let on = ChannelState(isOn: true, source: .system)
            let required = ChannelState(isOn: true, source: .required)
            return NotificationPreferences(
                PreferencesResponse(
                    revision: 1,
                    master: ChannelChoice(),
                    categories: [
                        CategoryPreference(
                            key: "follow",
                            names: ["en": "New followers", "ja": "新しいフォロワー"],
                            choice: ChannelChoice(),
                            push: on,
                            inbox: on
                        ),
                        CategoryPreference(
                            key: "security",
                            names: ["en": "Security", "ja": "セキュリティ"],
                            choice: ChannelChoice(),
                            push: required,
                            inbox: required
                        ),
                    ]
                )
            )
        }()

        func load() async throws(PushNotificationError) -> NotificationPreferences {
            guard let cached else { throw .loginRequired }
            return cached
        }

        func set(_ change: PreferencesChange) async throws(PushNotificationError) -> NotificationPreferences {
            throw .serverError(statusCode: 503, message: "")
        }

        func permission() async -> NotificationPermission? { .denied }
        func openSettings() async {}
    }

    @available(iOS 15.0, macOS 12.0, *)
    struct InboxView_Previews: PreviewProvider {
        static var previews: some View {
            NavigationView { InboxView(SampleInbox()) }.previewDisplayName("Items")
            NavigationView { InboxView(SampleInbox([])) }.previewDisplayName("Empty")
            NavigationView { InboxView(SampleInbox([], trouble: .loginRequired)) }.previewDisplayName("Nobody")
            NavigationView { InboxView(SampleInbox(trouble: .networkError(URLError(.notConnectedToInternet)))) }
                .previewDisplayName("Offline")
            NavigationView { InboxView(SampleInbox()) }
                .pushNotificationTexts(.japanese)
                .environment(\.dynamicTypeSize, .accessibility3)
                .previewDisplayName("Japanese, large")
        }
    }

    @available(iOS 15.0, macOS 12.0, *)
    struct PreferencesView_Previews: PreviewProvider {
        static var previews: some View {
            NavigationView { PreferencesView(SamplePreferences()) }.previewDisplayName("Denied")
            NavigationView { PreferencesView(SamplePreferences()) }
                .pushNotificationTexts(.japanese)
                .previewDisplayName("Japanese")
        }
    }

    @available(iOS 15.0, macOS 12.0, *)
    struct InboxBadge_Previews: PreviewProvider {
        static var previews: some View {
            Image(systemName: "tray").overlay(alignment: .topTrailing) { InboxBadge(SampleInbox()) }
            TabView {
                InboxView(SampleInbox())
                    .tabItem { Label("Inbox", systemImage: "tray") }
                    .modifier(InboxBadgeModifier(SampleInbox()))
            }
        }
    }
#endif
