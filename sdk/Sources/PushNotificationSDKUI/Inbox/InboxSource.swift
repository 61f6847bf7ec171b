package import PushNotificationSDKCore

/// What the inbox's views ask of the SDK. A preview answers by itself.
@MainActor
package protocol InboxSource: UserSource {
    /// What was read last, with what was marked since.
    var cached: CachedInbox? { get }
    /// Hints that something changed.
    var updates: AsyncStream<InboxUpdate> { get }

    /// Reads a page: the newest, or the one behind a cursor.
    func page(after cursor: String?) async throws(PushNotificationError) -> InboxPage
    func counts() async throws(PushNotificationError) -> InboxCounts
    func mark(_ itemID: String, as mark: InboxMark) async throws(PushNotificationError)
    /// Marks all items up to one.
    func markAll(upTo itemID: String, as mark: InboxMark) async throws(PushNotificationError)
    /// Goes where an item leads.
    func open(_ item: InboxItem)
}

/// The SDK's own inbox. Marks are made by the forms with completions: they begin in the order of the calls, and
/// ``cached`` has them before anything is waited for.
package struct SDKInbox: InboxSource {
    private let inbox: PushNotificationSDK.Inbox

    package init(_ inbox: PushNotificationSDK.Inbox) { self.inbox = inbox }

    package var user: String? { inbox.user }
    package var userChanges: AsyncStream<Void> { inbox.userChanges }
    package var cached: CachedInbox? { inbox.cached }
    package var updates: AsyncStream<InboxUpdate> { inbox.updates }

    package func page(after cursor: String?) async throws(PushNotificationError) -> InboxPage {
        try await inbox.page(cursor: cursor)
    }

    package func counts() async throws(PushNotificationError) -> InboxCounts { try await inbox.counts() }

    package func mark(_ itemID: String, as mark: InboxMark) async throws(PushNotificationError) {
        try await answer { inbox.mark(itemID, as: mark, completion: $0) }.get()
    }

    package func markAll(upTo itemID: String, as mark: InboxMark) async throws(PushNotificationError) {
        try await answer { inbox.markAll(upTo: itemID, as: mark, completion: $0) }.get()
    }

    package func open(_ item: InboxItem) { inbox.open(item) }
}

/// Makes a call at once, before anything else runs on the main actor, and waits for its end.
@MainActor
func answer<Value: Sendable>(
    _ call: (@escaping (Result<Value, PushNotificationError>) -> Void) -> Void
) async -> Result<Value, PushNotificationError> {
    await withCheckedContinuation { continuation in call { continuation.resume(returning: $0) } }
}
