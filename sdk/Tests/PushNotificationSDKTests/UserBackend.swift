import Foundation
import MartletWire
import PushNotificationSDKCore
import PushNotificationSDKTesting

/// A server with the preferences and the inboxes of its users, for each of whom a token speaks.
final class UserBackend: Sendable {
    private struct State {
        var tokens: [String: String] = [:]
        var items: [String: [InboxItemResponse]] = [:]
        var master: [String: ChannelChoice] = [:]
        var choices: [String: [String: ChannelChoice]] = [:]
        var revision: Int64 = 0
        var isOffline = false
        /// Items that are not there any more.
        var gone: Set<PublicID> = []
    }

    private let state = Locked(State())
    /// What was done with items, in order.
    /// Without the installations that they were done on, which have a journal of their own.
    let actions = Journal<InboxActionRequest>()
    let installations = Journal<PublicID?>()
    let transport: ScriptedTransport

    init() {
        transport = ScriptedTransport(.success(HTTPAnswer(status: 500)))
        transport.answer { [weak self] call, _ in self?.answer(to: call) ?? .failure(.cancelled) }
    }

    /// Lets a token speak for a user.
    func allow(_ token: String, for user: String) { state.with { $0.tokens[token] = user } }

    /// Lets a token speak for nobody any more.
    func refuse(_ token: String) { state.with { $0.tokens[token] = nil } }

    /// Whether nothing is reached.
    var isOffline: Bool {
        get { state.with { $0.isOffline } }
        set { state.with { $0.isOffline = newValue } }
    }

    /// Publishes an item, which is newer than all that are there.
    @discardableResult
    func publish(to user: String, category: String? = nil, _ change: (inout InboxItemResponse) -> Void = { _ in })
        -> InboxItemResponse
    {
        state.with { state in
            let number = state.items.values.map(\.count).reduce(0, +)
            let time = UTCTime(milliseconds: 1_772_366_000_000 + Int64(number) * 1000)
            var item = InboxItemResponse(
                id: PublicID(high: 0x0192_0000_0000_7000, low: 0x8000_0000_0000_0000 | UInt64(number)),
                publishedAt: time,
                expiresAt: UTCTime(milliseconds: time.milliseconds + 90 * 86_400_000),
                isSeen: false,
                isRead: false,
                isArchived: false
            )
            item.category = category
            item.title = "Item \(number) of \(user)"
            change(&item)
            state.items[user, default: []].insert(item, at: 0)
            return item
        }
    }

    /// Takes an item away.
    func recall(_ id: PublicID) {
        state.with { state in
            for user in state.items.keys { state.items[user]?.removeAll { $0.id == id } }
            state.gone.insert(id)
        }
    }

    /// What a user has, newest first.
    func items(of user: String) -> [InboxItemResponse] { state.with { $0.items[user] ?? [] } }

    /// What a user chose for a category.
    func choice(of user: String, _ category: String) -> ChannelChoice? { state.with { $0.choices[user]?[category] } }

    /// The answer to one call.
    func answer(to call: HTTPCall) -> Result<HTTPAnswer, TransportError> {
        if isOffline { return .failure(.unreachable("offline")) }
        let path = call.url.path.replacingOccurrences(of: "/api/v1/", with: "")
        if path == "tokens" { return .success(.registered(by: call)) }
        if path.hasPrefix("installations/") { return .success(HTTPAnswer(status: 204)) }
        guard let token = call.bearer, let user = state.with({ $0.tokens[token] }) else {
            return .success(.error(401, .unauthorized, "The user token has expired."))
        }
        switch (call.method, path) {
        case ("GET", "inbox"): return .success(page(of: user, call))
        case ("GET", "inbox/counts"): return .success(.json(200, counts(of: user)))
        case ("POST", "inbox/actions"): return .success(act(for: user, call))
        case ("GET", "preferences"): return .success(.json(200, preferences(of: user)))
        case ("PATCH", "preferences"): return .success(change(of: user, call))
        default: return .success(.error(404, .notFound))
        }
    }

    private func page(of user: String, _ call: HTTPCall) -> HTTPAnswer {
        let query = URLComponents(url: call.url, resolvingAgainstBaseURL: true)?.queryItems ?? []
        func value(_ name: String) -> String? { query.first { $0.name == name }?.value }
        let limit = value("limit").flatMap(Int.init) ?? 20
        let wanted = items(of: user).filter { item in
            let category = value("category")
            guard category == nil || category == item.category else { return false }
            switch value("status") {
            case "archived": return item.isArchived
            case "unread": return !item.isRead
            default: return !item.isArchived
            }
        }
        let rest = wanted.drop { item in value("cursor").map { "\(item.id)" >= $0 } ?? false }
        let page = Array(rest.prefix(limit))
        return .json(200, List(page, next: rest.count > limit ? page.last.map { "\($0.id)" } : nil))
    }

    private func counts(of user: String) -> InboxCountsResponse {
        let items = items(of: user)
        return InboxCountsResponse(
            unread: items.filter { !$0.isRead }.count,
            unseen: items.filter { !$0.isSeen }.count,
            revision: state.with { $0.revision }
        )
    }

    private func act(for user: String, _ call: HTTPCall) -> HTTPAnswer {
        guard let body = call.body, var action = try? JSONDecoder().decode(InboxActionRequest.self, from: body) else {
            return .error(400, .malformedRequest)
        }
        installations.add(action.installationID)
        action.installationID = nil
        actions.add(action)
        let isFound = state.with { [action] state in
            guard (action.ids ?? []).allSatisfy({ !state.gone.contains($0) }) else { return false }
            state.revision += 1
            for index in state.items[user, default: []].indices {
                let item = state.items[user, default: []][index]
                let isMeant = action.ids?.contains(item.id) ?? (action.upTo.map { item.id <= $0 } ?? false)
                if isMeant { state.items[user]?[index] = Self.item(item, after: action.action) }
            }
            return true
        }
        return isFound ? .json(200, counts(of: user)) : .error(404, .notFound)
    }

    private static func item(_ item: InboxItemResponse, after action: InboxAction) -> InboxItemResponse {
        var item = item
        switch action {
        case .see: item.isSeen = true
        case .unsee: (item.isSeen, item.isRead) = (false, false)
        case .read: (item.isSeen, item.isRead) = (true, true)
        case .unread: item.isRead = false
        case .archive: (item.isSeen, item.isRead, item.isArchived) = (true, true, true)
        case .unarchive: item.isArchived = false
        }
        return item
    }

    private func preferences(of user: String) -> PreferencesResponse {
        state.with { state in
            PreferencesResponse(
                revision: state.revision,
                master: state.master[user] ?? ChannelChoice(),
                categories: ["comment", "follow"].map { key in
                    let choice = state.choices[user]?[key] ?? ChannelChoice()
                    return CategoryPreference(
                        key: key,
                        names: ["en": key.capitalized, "ja": "種類"],
                        choice: choice,
                        push: ChannelState(isOn: choice.push ?? true, source: choice.push == nil ? .system : .user),
                        inbox: ChannelState(isOn: choice.inbox ?? true, source: choice.inbox == nil ? .system : .user)
                    )
                }
            )
        }
    }

    private func change(of user: String, _ call: HTTPCall) -> HTTPAnswer {
        guard let body = call.body, let update = try? JSONDecoder().decode(PreferencesUpdate.self, from: body) else {
            return .error(400, .malformedRequest)
        }
        state.with { state in
            state.revision += 1
            if let patch = update.master { state.master[user, default: ChannelChoice()].apply(patch) }
            for (key, patch) in update.categories ?? [:] {
                state.choices[user, default: [:]][key, default: ChannelChoice()].apply(patch)
            }
        }
        return .json(200, preferences(of: user))
    }
}

extension ChannelChoice {
    fileprivate mutating func apply(_ patch: ChannelPatch) {
        func new(_ patch: NullablePatch<Bool>, _ old: Bool?) -> Bool? {
            switch patch {
            case .unset: old
            case .null: nil
            case .value(let value): value
            }
        }
        enabled = new(patch.enabled, enabled)
        push = new(patch.push, push)
        inbox = new(patch.inbox, inbox)
    }
}

extension Fixture {
    /// An install whose server is a backend with users.
    init(_ backend: UserBackend, storage: MemoryStore = MemoryStore()) {
        self.init(transport: backend.transport, storage: storage)
    }

    /// A client that somebody is logged in to, with the token that the backend knows.
    func client(of user: String, at backend: UserBackend) throws -> PushClient {
        let client = try client()
        backend.allow("jwt.of.\(user)", for: user)
        client.login(user, token: "jwt.of.\(user)")
        return client
    }
}

extension PushClient {
    var publicInbox: PushNotificationSDK.Inbox { PushNotificationSDK.Inbox(of: self) }
    var publicPreferences: PushNotificationSDK.Preferences { PushNotificationSDK.Preferences(of: self) }
}

/// How a call ended.
func outcome<Value: Sendable>(
    _ work: () async throws(PushNotificationError) -> Value
) async -> Result<Value, PushNotificationError> {
    do throws(PushNotificationError) {
        return .success(try await work())
    } catch {
        return .failure(error)
    }
}

extension Result where Failure == PushNotificationError {
    /// Why it failed.
    var failure: PushNotificationError? {
        if case .failure(let error) = self { error } else { nil }
    }
}

extension HTTPCall {
    /// The credential that a call presents.
    var bearer: String? {
        let field = headers["Authorization"] ?? ""
        return field.hasPrefix("Bearer ") ? String(field.dropFirst(7)) : nil
    }
}
