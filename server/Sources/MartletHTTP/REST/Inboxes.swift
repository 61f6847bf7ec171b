import MartletCore
import MartletPipeline
import MartletStore
import MartletWire

/// What a person can read later: the person reads and marks by their own token, a server key names the user.
extension MartletAPI {
    func listInbox(_ call: Call) async throws -> List<InboxItemResponse> {
        let page = try call.page()
        let (owner, app) = try await inboxOwner(of: call)
        let status = call.query("status").flatMap(InboxStatusName.init(rawValue:)) ?? .active
        let category = try await categoryRow(call.query("category"), of: app)
        let found = try await store.inbox(.list(status, category: category), of: owner, page)
        return call.list(found, InboxItemResponse.init)
    }

    func countInbox(_ call: Call) async throws -> Reply<InboxCounts> {
        let (owner, _) = try await inboxOwner(of: call)
        return Reply(try await store.inboxCounts(of: owner))
    }

    func showInboxItem(_ call: Call) async throws -> Reply<InboxItemResponse> {
        let id = try call.id("id", of: "inbox item")
        let (owner, _) = try await inboxOwner(of: call)
        return Reply(try await inboxItem(id, of: owner))
    }

    func updateInboxItem(_ request: InboxItemUpdate, _ call: Call) async throws -> Reply<InboxItemResponse> {
        let id = try call.id("id", of: "inbox item")
        let (owner, _) = try await inboxOwner(of: call)
        for action in try request.actions() {
            _ = try await store.markInbox(.items([id], action), of: owner, on: request.installationID)
        }
        return Reply(try await inboxItem(id, of: owner))
    }

    func actOnInbox(_ request: InboxActionRequest, _ call: Call) async throws -> Reply<InboxCounts> {
        let (owner, app) = try await inboxOwner(of: call)
        let category = try await categoryRow(request.category, of: app)
        let mark = try InboxMark(request, category: category)
        return Reply(try await store.markInbox(mark, of: owner, on: request.installationID))
    }

    func recallNotification(_ call: Call) async throws -> Reply<NotificationResponse> {
        let notification = try await notification(of: call)
        let recalled = try await inboxes.recall(notification.row)
        await record(.recallNotification, notification, recalled, by: call.caller)
        return Reply(try await response(for: recalled))
    }

    /// Whose inbox a call is about. A user's own requests are counted.
    ///
    /// - Throws: `Failure` with ``ErrorCode/tooManyRequests``, and as ``person(of:)`` does.
    func inboxOwner(of call: Call) async throws -> (owner: InboxOwner, app: App) {
        let (app, user) = try await person(of: call)
        if call.caller.key == nil { try quotas.takeInboxRequest(of: user, app) }
        return (InboxOwner(app: app.row, user: user), app)
    }

    private var inboxes: InboxService { InboxService(store: store, submitter: submitter, logger: logger) }

    private func inboxItem(_ id: PublicID, of owner: InboxOwner) async throws -> InboxItemResponse {
        guard let item = try await store.inbox(.one(id), of: owner, PageRequest(count: 1)).items.first else {
            throw Failure.notFound("inbox item")
        }
        return InboxItemResponse(item)
    }

    /// The category by which items are chosen; of an archived one there are items too.
    private func categoryRow(_ key: String?, of app: App) async throws -> RowID<Category>? {
        guard let key else { return nil }
        guard let found = try await store.categories(of: app.row).first(where: { $0.key == key }) else {
            throw Failure.invalid("category", "The app has no such category.")
        }
        return found.row
    }
}

extension InboxItemUpdate {
    /// What is to be done, in this order, so that the item is as the request says.
    ///
    /// - Throws: `Failure` for what cannot be true of one item: who archived it read it, and who read it saw it.
    func actions() throws(Failure) -> [InboxAction] {
        if isArchived == true, isRead == false || isSeen == false {
            throw .invalid("is_archived", "An item that is archived was seen and read.")
        }
        if isRead == true, isSeen == false { throw .invalid("is_read", "An item that was read was seen.") }
        let undone: InboxAction? =
            isSeen == false ? .unsee : isRead == false ? .unread : isArchived == false ? .unarchive : nil
        let done: InboxAction? = isArchived == true ? .archive : isRead == true ? .read : isSeen == true ? .see : nil
        return [undone, done].compactMap(\.self)
    }
}

extension InboxMark {
    /// What a request asks for.
    ///
    /// - Throws: `Failure` naming the field.
    init(_ request: InboxActionRequest, category: RowID<Category>?) throws(Failure) {
        let action = request.action
        guard request.all != true else {
            guard request.ids == nil else {
                throw .invalid("ids", "The items are given twice.", hint: "Send ids, or all with up_to.")
            }
            guard let last = request.upTo else {
                throw .invalid("up_to", "'all' needs 'up_to': the newest item that the person saw in the list.")
            }
            guard [.see, .read, .archive].contains(action) else {
                throw .invalid("action", "With 'all' it is 'see', 'read' or 'archive'.", hint: "Name the items in ids.")
            }
            self = .all(upTo: last, action, category: category)
            return
        }
        for (field, isThere) in [("up_to", request.upTo != nil), ("category", request.category != nil)] where isThere {
            throw .invalid(field, "It goes with 'all'.", hint: "Leave it out, or send all in place of ids.")
        }
        guard let ids = request.ids, (1...InboxActionRequest.limit).contains(ids.count) else {
            throw .invalid(
                "ids",
                "One request names 1 to \(InboxActionRequest.limit) items.",
                hint: "Send several requests, or all with up_to."
            )
        }
        self = .items(ids, action)
    }
}

extension InboxItemResponse {
    init(_ item: InboxItem) {
        self.init(
            id: item.id,
            publishedAt: UTCTime(item.publishedAt),
            expiresAt: UTCTime(item.expiresAt),
            isSeen: item.status.isSeen,
            isRead: item.status.isRead,
            isArchived: item.status.isArchived
        )
        category = item.category
        title = item.content.title
        subtitle = item.content.subtitle
        body = item.content.body
        image = item.content.image
        deepLink = item.content.deepLink
        data = item.content.data.isEmpty ? nil : item.content.data
    }
}
