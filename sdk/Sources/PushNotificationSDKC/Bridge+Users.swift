import Foundation
import MartletWire
import PushNotificationSDKCore

/// Preferences and inbox, as the C functions use them: JSON text in and out. Each answer comes once, on the main queue.
extension Bridge {
    typealias JSONCompletion = (Result<String, PushNotificationError>) -> Void
    typealias Completion = (Result<Void, PushNotificationError>) -> Void

    static func loadPreferences(_ completion: @escaping JSONCompletion) {
        PushNotificationSDK.preferences.load { completion($0.map(\.json)) }
    }

    /// - Parameter json: the change, as ``PreferencesChange/init(json:)`` reads it.
    static func setPreferences(_ json: UnsafePointer<CChar>?, _ completion: @escaping JSONCompletion) {
        reading(completion) { () throws(PushNotificationError) in
            let change = try PreferencesChange(json: ForeignText(json, named: "the preferences").required())
            PushNotificationSDK.preferences.set(change) { completion($0.map(\.json)) }
        }
    }

    static func setPushEnabled(_ isEnabled: Bool, _ completion: @escaping Completion) {
        PushNotificationSDK.preferences.setPushEnabled(isEnabled, completion: completion)
    }

    /// - Parameter json: which items, as ``ForeignInboxQuery`` reads it; NULL is the newest page.
    static func inboxPage(_ json: UnsafePointer<CChar>?, _ completion: @escaping JSONCompletion) {
        reading(completion) { () throws(PushNotificationError) in
            let text = try ForeignText(json, named: "the query").optional()
            let query = try text.map { text throws(PushNotificationError) in try ForeignInboxQuery(json: text) }
            let wanted = query ?? ForeignInboxQuery()
            PushNotificationSDK.inbox.page(
                status: wanted.status,
                category: wanted.category,
                cursor: wanted.cursor,
                limit: wanted.limit
            ) { completion($0.map(\.json)) }
        }
    }

    static func inboxCounts(_ completion: @escaping JSONCompletion) {
        PushNotificationSDK.inbox.counts { completion($0.map(\.json)) }
    }

    /// - Parameter json: a list of ids.
    static func markInbox(
        _ json: UnsafePointer<CChar>?,
        _ mark: UnsafePointer<CChar>?,
        _ completion: @escaping Completion
    ) {
        reading(completion) { () throws(PushNotificationError) in
            let text = try ForeignText(json, named: "the items").required()
            guard case .array(let ids)? = try? JSONValue(json: Data(text.utf8)) else {
                throw .invalidConfiguration("the items are not a JSON list")
            }
            let mark = try inboxMark(mark)
            PushNotificationSDK.inbox.mark(ids.map { $0.stringValue ?? "" }, as: mark, completion: completion)
        }
    }

    static func markWholeInbox(
        _ itemID: UnsafePointer<CChar>?,
        _ mark: UnsafePointer<CChar>?,
        _ category: UnsafePointer<CChar>?,
        _ completion: @escaping Completion
    ) {
        reading(completion) { () throws(PushNotificationError) in
            let id = try ForeignText(itemID, named: "itemID").required()
            let mark = try inboxMark(mark)
            let category = try ForeignText(category, named: "category").optional()
            PushNotificationSDK.inbox.markAll(upTo: id, as: mark, category: category, completion: completion)
        }
    }

    static func archiveInboxItem(_ itemID: UnsafePointer<CChar>?, _ completion: @escaping Completion) {
        reading(completion) { () throws(PushNotificationError) in
            let id = try ForeignText(itemID, named: "itemID").required()
            PushNotificationSDK.inbox.archive(id, completion: completion)
        }
    }

    /// Sets what is told of changes in the inbox.
    static func setInboxHandler(_ handler: ((UnsafePointer<CChar>) -> Void)?) {
        PushNotificationSDK.inbox.onUpdate = handler.map { handler in { $0.json.withCString(handler) } }
    }

    /// Sets what is told that a token is needed that speaks for a user.
    static func setUserTokenHandler(_ handler: ((UnsafePointer<CChar>) -> Void)?) {
        PushNotificationSDK.onUserTokenNeeded = handler.map { handler in
            { user, reply in
                // A question that was not answered is over: the SDK waits for no longer than a request.
                tokenReplies.with { $0[user] = reply }
                user.withCString(handler)
            }
        }
    }

    /// Takes the token that was asked for; NULL where there is none.
    static func answerUserToken(_ playerAccountId: UnsafePointer<CChar>?, _ userToken: UnsafePointer<CChar>?) {
        guard let user = try? ForeignText(playerAccountId, named: "playerAccountId").required() else { return }
        let reply = tokenReplies.with { $0.removeValue(forKey: user) }
        reply?((try? ForeignText(userToken, named: "userToken").optional()) ?? nil)
    }

    /// What takes the token of a user, while one is asked for: a user at a time is logged in, so there are few.
    private static let tokenReplies = Locked<[String: @Sendable (String?) -> Void]>([:])

    private static func inboxMark(_ mark: UnsafePointer<CChar>?) throws(PushNotificationError) -> InboxMark {
        guard let mark = InboxMark(rawValue: try ForeignText(mark, named: "the mark").required()) else {
            throw .invalidConfiguration("the mark must be seen, unseen, read, unread, archived or unarchived")
        }
        return mark
    }

    /// Reads a call's texts and begins it; where a text cannot be read, the caller is told.
    private static func reading<Value: Sendable>(
        _ completion: @escaping (Result<Value, PushNotificationError>) -> Void,
        _ work: () throws(PushNotificationError) -> Void
    ) {
        do throws(PushNotificationError) {
            try work()
        } catch {
            MainCompletion(completion)(.failure(error))
        }
    }
}

/// Which items of the inbox C wants: the JSON object `{"status","category","cursor","limit"}`, each of which may be absent.
struct ForeignInboxQuery: Sendable, Equatable {
    var status = InboxStatus.active
    var category: String?
    var cursor: String?
    var limit = 20

    /// The newest page.
    init() {}

    /// Reads the JSON.
    ///
    /// - Throws: ``PushNotificationError/invalidConfiguration(_:)`` naming the member at fault.
    init(json: String) throws(PushNotificationError) {
        guard let members = (try? JSONValue(json: Data(json.utf8)))?.objectValue else {
            throw .invalidConfiguration("the query is not a JSON object")
        }
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
            switch (name, value) {
            case ("status", .string(let text)):
                guard let known = InboxStatus(rawValue: text) else {
                    throw .invalidConfiguration("status must be active, unseen, unread, read or archived")
                }
                status = known
            case ("category", .string(let text)): category = text
            case ("cursor", .string(let text)): cursor = text
            case ("limit", .integer(let number)): limit = Int(clamping: number)
            case ("status", _), ("category", _), ("cursor", _), ("limit", _):
                throw .invalidConfiguration("\(name) has another type")
            default: throw .invalidConfiguration("the query has no member \(name.prefix(64))")
            }
        }
    }
}
