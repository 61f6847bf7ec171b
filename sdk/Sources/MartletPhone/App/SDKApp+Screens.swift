public import PushNotificationSDKCore

/// The screens that a developer makes of the SDK's inbox and preferences. All of it needs a running app.
extension SDKApp {
    // MARK: The notice list

    /// What the list shows before there is an answer, and without a connection; `nil` where nothing was read yet.
    public var notices: CachedInbox? { inbox?.cached }

    /// The user opens the list: its newest items are read, and what was not seen is seen now.
    ///
    /// - Throws: `PushNotificationError`.
    public func openNotices() async throws(PushNotificationError) {
        let page = try await readNotices()
        if let newest = page.items.first, page.items.contains(where: { !$0.isSeen }) {
            try await runningInbox().markAll(upTo: newest.id, as: .seen)
        } else {
            _ = try await runningInbox().counts()
        }
    }

    /// Reads the newest items again, as an app does whose list is on the screen when something changes.
    ///
    /// - Throws: `PushNotificationError`.
    @discardableResult
    public func readNotices() async throws(PushNotificationError) -> InboxPage { try await runningInbox().page() }

    /// The user taps an item of the list: it is read, and leads where it leads.
    ///
    /// - Throws: `PushNotificationError`.
    public func open(_ item: InboxItem) async throws(PushNotificationError) {
        let inbox = try runningInbox()
        try await inbox.mark(item.id, as: .read)
        inbox.open(item)
    }

    /// The user puts an item away.
    ///
    /// - Throws: `PushNotificationError`.
    public func archive(_ item: InboxItem) async throws(PushNotificationError) {
        try await runningInbox().archive(item.id)
    }

    /// The user marks everything in the list as read; what arrived since it was read is not in it.
    ///
    /// - Throws: `PushNotificationError`.
    public func readAll() async throws(PushNotificationError) {
        guard let newest = notices?.items.first else { return }
        try await runningInbox().markAll(upTo: newest.id, as: .read)
    }

    private func runningInbox() throws(PushNotificationError) -> PushNotificationSDK.Inbox {
        guard let inbox else { throw .notConfigured }
        return inbox
    }

    // MARK: The settings screen

    /// The user opens the settings.
    ///
    /// - Throws: `PushNotificationError`.
    @discardableResult
    public func openSettings() async throws(PushNotificationError) -> NotificationPreferences {
        try await runningPreferences().load()
    }

    /// The user turns a switch of all devices.
    ///
    /// - Throws: `PushNotificationError`.
    @discardableResult
    public func change(_ change: PreferencesChange) async throws(PushNotificationError) -> NotificationPreferences {
        try await runningPreferences().set(change)
    }

    /// The user turns the switch of this device.
    ///
    /// - Throws: `PushNotificationError`.
    public func setPushEnabled(_ isEnabled: Bool) async throws(PushNotificationError) {
        try await runningPreferences().setPushEnabled(isEnabled)
    }

    private func runningPreferences() throws(PushNotificationError) -> PushNotificationSDK.Preferences {
        guard let preferences else { throw .notConfigured }
        return preferences
    }
}
