import Foundation
import MartletWire

extension PushNotificationSDK {
    /// The inbox of the user who is logged in.
    public static var inbox: Inbox { Inbox() }

    /// The inbox of the user who is logged in: what was published for that user, whether or not a push of it arrived. Every
    /// call needs a user, by ``PushNotificationSDK/login(_:userToken:)``.
    public struct Inbox: Sendable {
        /// The client of a phone among many; `nil` is the SDK's own.
        private let ownClient: PushClient?

        init() { ownClient = nil }

        /// The inbox of one client among many.
        package init(of client: PushClient) { ownClient = client }

        /// The newest items and the counts that were read last, for a screen that is shown before there is an answer, or
        /// without a connection; `nil` where nothing was read yet, and where nobody is logged in.
        public var cached: CachedInbox? { client?.inbox.cached }

        /// The user who is logged in.
        package var user: String? { client?.context.identity.userID }

        /// Hints that somebody logged in or out.
        package var userChanges: AsyncStream<Void> { handlers.userChanges.stream() }

        /// Reads a page, newest items first. What was marked without a connection is sent before. Notifications that this
        /// device shows of items that were read on another one are taken away.
        ///
        /// - Parameters:
        ///   - status: which items; those that are not archived, where it is left out.
        ///   - category: only those of this category.
        ///   - cursor: ``InboxPage/cursor`` of the page before.
        ///   - limit: the most items, 1 to 100.
        /// - Throws: ``PushNotificationError``: `loginRequired`, `networkError`, `serverError`, `notConfigured`.
        public func page(
            status: InboxStatus = .active,
            category: String? = nil,
            cursor: String? = nil,
            limit: Int = 20
        ) async throws(PushNotificationError) -> InboxPage {
            try await beginPage(UserInbox.Query(status: status, category: category, cursor: cursor, limit: limit))()
        }

        /// Reads how many items the user has not read.
        ///
        /// - Throws: ``PushNotificationError``, as above.
        public func counts() async throws(PushNotificationError) -> InboxCounts {
            try await beginCounts()()
        }

        /// Marks items. ``cached`` shows it at once; without a connection the mark is kept, in order with up to 500 others, and
        /// sent later. Reading or archiving an item takes the notification of it away that this device shows.
        ///
        /// - Throws: ``PushNotificationError``: as above where the server refused it, `networkError` where too many marks
        ///   wait, and `invalidConfiguration` for what is no item's id.
        public func mark(_ itemIDs: [String], as mark: InboxMark) async throws(PushNotificationError) {
            try await beginMark(itemIDs, mark)()
        }

        /// Marks one item, as above.
        ///
        /// - Throws: ``PushNotificationError``, as above.
        public func mark(_ itemID: String, as mark: InboxMark) async throws(PushNotificationError) {
            try await self.mark([itemID], as: mark)
        }

        /// Puts an item away, as ``mark(_:as:)-(String,_)`` does with `archived`.
        ///
        /// - Throws: ``PushNotificationError``, as above.
        public func archive(_ itemID: String) async throws(PushNotificationError) {
            try await mark(itemID, as: .archived)
        }

        /// Marks all items up to one, as above: the newest that the user saw in the list, so that what arrived meanwhile is
        /// not marked unseen.
        ///
        /// - Parameters:
        ///   - itemID: the newest item.
        ///   - mark: `seen`, `read` or `archived`.
        ///   - category: only those of this category.
        /// - Throws: ``PushNotificationError``, as above; `invalidConfiguration` for another mark.
        public func markAll(
            upTo itemID: String,
            as mark: InboxMark = .read,
            category: String? = nil
        ) async throws(PushNotificationError) {
            try await beginMarkAll(itemID, mark, category)()
        }

        /// Goes where an item leads, as a tap on its notification does: to ``PushNotificationSDK/onDeepLink``, or to a page.
        /// A link that ``PushNotificationSDK/linkPolicy`` does not allow reaches ``PushNotificationSDK/onError``.
        public func open(_ item: InboxItem) {
            if item.link != nil { client?.links.open(item.notification, in: nil) }
        }

        /// Called when something changed in the inbox, while the app is in front: the counts at once, and then with each
        /// change. On the main thread; a hint to read the page again that is shown.
        public var onUpdate: ((InboxUpdate) -> Void)? {
            get {
                handlers.inbox.handler.map { handler in { handler(InboxNews(user: nil, update: $0)) } }
            }
            nonmutating set {
                // The handlers outlive a client, and do not keep it alive.
                handlers.inbox.handler = newValue.map { handler in
                    { [weak ownClient] in if Self.isCurrent($0, in: ownClient) { handler($0.update) } }
                }
                client?.inboxStream.update()
            }
        }

        /// As ``onUpdate``, as a stream: any number of them, beside the handler. It ends with the task that reads it.
        public var updates: AsyncStream<InboxUpdate> {
            let news = handlers.inbox.stream()
            client?.inboxStream.update()
            return AsyncStream { continuation in
                let task = Task { [weak ownClient] in
                    for await news in news where Self.isCurrent(news, in: ownClient) { continuation.yield(news.update) }
                    continuation.finish()
                }
                continuation.onTermination = { _ in task.cancel() }
            }
        }

        fileprivate func beginPage(_ query: UserInbox.Query) throws(PushNotificationError) -> UserWork<InboxPage> {
            guard let client else { throw .notConfigured }
            return try client.inbox.page(query)
        }

        fileprivate func beginCounts() throws(PushNotificationError) -> UserWork<InboxCounts> {
            guard let client else { throw .notConfigured }
            return try client.inbox.counts()
        }

        fileprivate func beginMark(
            _ itemIDs: [String],
            _ mark: InboxMark
        ) throws(PushNotificationError) -> UserWork<Void> {
            guard let client else { throw .notConfigured }
            var jobs: [InboxJob] = []
            for id in itemIDs { jobs.append(InboxJob(mark.action, try PublicID(itemID: id))) }
            return try client.inbox.mark(jobs)
        }

        fileprivate func beginMarkAll(
            _ itemID: String,
            _ mark: InboxMark,
            _ category: String?
        ) throws(PushNotificationError) -> UserWork<Void> {
            guard let client else { throw .notConfigured }
            guard [.seen, .read, .archived].contains(mark) else {
                throw .invalidConfiguration("all items can be marked as seen, read or archived, and not as \(mark)")
            }
            var job = InboxJob(mark.action, try PublicID(itemID: itemID))
            job.isForAll = true
            job.category = category
            return try client.inbox.mark([job])
        }

        /// What is on its way while somebody else logs in is nothing for the new user.
        private static func isCurrent(_ news: InboxNews, in client: PushClient?) -> Bool {
            news.user == nil || news.user == (client ?? PushNotificationSDK.client)?.context.identity.userID
        }

        private var client: PushClient? { ownClient ?? PushNotificationSDK.client }
        private var handlers: Handlers { ownClient?.handlers ?? PushNotificationSDK.handlers }
    }
}

/// The same with completions, which are called on the main thread. Calls count in the order in which they are made.
extension PushNotificationSDK.Inbox {
    /// Reads a page, newest items first. What was marked without a connection is sent before.
    public func page(
        status: InboxStatus = .active,
        category: String? = nil,
        cursor: String? = nil,
        limit: Int = 20,
        completion: @escaping (Result<InboxPage, PushNotificationError>) -> Void
    ) {
        tell(completion) { () throws(PushNotificationError) in
            try beginPage(UserInbox.Query(status: status, category: category, cursor: cursor, limit: limit))
        }
    }

    /// Reads how many items the user has not read.
    public func counts(completion: @escaping (Result<InboxCounts, PushNotificationError>) -> Void) {
        tell(completion) { () throws(PushNotificationError) in try beginCounts() }
    }

    /// Marks items.
    public func mark(
        _ itemIDs: [String],
        as mark: InboxMark,
        completion: ((Result<Void, PushNotificationError>) -> Void)?
    ) {
        tell(completion) { () throws(PushNotificationError) in try beginMark(itemIDs, mark) }
    }

    /// Marks one item.
    public func mark(
        _ itemID: String,
        as mark: InboxMark,
        completion: ((Result<Void, PushNotificationError>) -> Void)?
    ) {
        self.mark([itemID], as: mark, completion: completion)
    }

    /// Puts an item away.
    public func archive(_ itemID: String, completion: ((Result<Void, PushNotificationError>) -> Void)?) {
        mark([itemID], as: .archived, completion: completion)
    }

    /// Marks all items up to one.
    public func markAll(
        upTo itemID: String,
        as mark: InboxMark = .read,
        category: String? = nil,
        completion: ((Result<Void, PushNotificationError>) -> Void)?
    ) {
        tell(completion) { () throws(PushNotificationError) in try beginMarkAll(itemID, mark, category) }
    }
}

extension PublicID {
    /// Reads an item's id.
    ///
    /// - Throws: ``PushNotificationError/invalidConfiguration(_:)``.
    fileprivate init(itemID: String) throws(PushNotificationError) {
        guard let id = PublicID(itemID) else { throw .invalidConfiguration("that is no inbox item's id") }
        self = id
    }
}
