import Foundation
import MartletWire

/// Tells of changes in the inbox while the app is in front, somebody is logged in and somebody listens: one connection, made
/// anew with jitter when it ends.
final class InboxStream: Sendable {
    /// After how many seconds without a byte a connection is given up: three of the comments that the server sends every
    /// 15 s. And the most for the whole, beyond the hour after which the server ends it.
    private static let limits: (idle: TimeInterval, whole: TimeInterval) = (45, 3900)
    /// The first and the longest wait before the next connection, in milliseconds: ours. It doubles with each failure.
    private static let waits: (first: Int64, longest: Int64) = (4000, 60_000)
    /// The longest id that is sent back; revisions are numbers.
    private static let longestID = 64

    private struct State {
        var user: String?
        var task: Task<Void, Never>?
        var number = 0
        var isInFront = false
        var isClosed = false
        /// What the server is asked to go on from, and what was told last; of this user.
        var lastID: String?
        var lastRevision: Int64?
    }

    private let inbox: UserInbox
    private let handlers: Mailbox<InboxNews>
    private let state = Locked(State())

    init(_ inbox: UserInbox) {
        self.inbox = inbox
        handlers = inbox.calls.context.handlers.inbox
    }

    /// Whether there is a connection, or one is to be made.
    var isOpen: Bool { state.with { $0.task != nil } }

    func didBecomeActive() {
        state.with { $0.isInFront = true }
        update()
    }

    func didEnterBackground() {
        state.with { $0.isInFront = false }
        update()
    }

    /// Ends it for good: another client takes over.
    func close() {
        state.with { $0.isClosed = true }
        update()
    }

    /// Begins or ends the connection, as is right now: somebody listens, or logged in or out.
    func update() {
        let user = handlers.hasListener ? try? inbox.calls.user() : nil
        let ended = state.with { state -> Task<Void, Never>? in
            let wanted = state.isInFront && !state.isClosed ? user : nil
            if wanted == state.user, wanted == nil || state.task != nil { return nil }
            let ended = state.task
            if wanted != state.user { (state.lastID, state.lastRevision) = (nil, nil) }
            state.user = wanted
            state.number += 1
            let number = state.number
            state.task = wanted.map { user in Task { [weak self] in await self?.run(user, number) } }
            return ended
        }
        ended?.cancel()
    }

    private func run(_ user: String, _ number: Int) async {
        let environment = inbox.calls.context.environment
        var failures = 0
        while isWanted(user, number) {
            let (isHeard, retryAfter, isOver) = await connection(of: user, number)
            failures = isHeard ? 0 : failures + 1
            guard !isOver, isWanted(user, number) else { break }
            let bound = min(Self.waits.longest, Self.waits.first << min(failures, 10))
            let wait = (retryAfter ?? 0) + bound / 2 + Int64(Double(bound / 2) * environment.random())
            guard (try? await environment.clock.sleep(until: environment.clock.now + wait)) != nil else { break }
        }
        // It begins again when the app comes to the front, or somebody logs in.
        state.with { if $0.number == number { $0.task = nil } }
    }

    private func isWanted(_ user: String, _ number: Int) -> Bool {
        !Task.isCancelled && isCurrent(user, number)
    }

    private func isCurrent(_ user: String, _ number: Int) -> Bool {
        state.with { $0.number == number && $0.isInFront && !$0.isClosed } && handlers.hasListener
            && inbox.calls.isCurrent(user)
    }

    /// One connection, until it ends.
    ///
    /// - Returns: whether an event came, what the server asks to be left alone for, and whether another connection would
    ///   end in the same way.
    private func connection(of user: String, _ number: Int) async -> (isHeard: Bool, retryAfter: Int64?, isOver: Bool) {
        let parser = Locked(EventStreamParser())
        let isHeard = Locked(false)
        var request = UserRequest("GET", "inbox/stream")
        request.headers["Accept"] = "text/event-stream"
        request.headers["Last-Event-ID"] = state.with { $0.lastID }
        do throws(PushNotificationError) {
            let answer = try await inbox.calls.stream(request, of: user, limits: Self.limits) { [weak self] bytes in
                // A parser that had too much has nothing more to say: the connection is made anew.
                guard let self, let events = parser.with({ try? $0.take(bytes) }) else { return false }
                for event in events {
                    isHeard.with { $0 = true }
                    take(event, of: user, number)
                }
                return isCurrent(user, number)
            }
            let isRefused = (400..<500).contains(answer.status) && !RetryPolicy.isTemporary(status: answer.status)
            return (isHeard.with { $0 }, answer.retryAfter(now: inbox.calls.context.environment.clock.now), isRefused)
        } catch {
            return (isHeard.with { $0 }, nil, error == .loginRequired)
        }
    }

    private func take(_ event: StreamEvent, of user: String, _ number: Int) {
        guard ["state", "changed"].contains(event.name),
            let change = try? JSONDecoder().decode(InboxChange.self, from: Data(event.data.utf8))
        else { return }
        let isNew = state.with { state in
            guard state.number == number else { return false }
            if let id = event.id, id.utf8.count <= Self.longestID { state.lastID = id }
            defer { state.lastRevision = change.revision }
            return state.lastRevision != change.revision
        }
        guard isNew, inbox.calls.isCurrent(user) else { return }
        inbox.take(change, of: user)
        handlers.post(InboxNews(user: user, update: InboxUpdate(change)))
    }
}

extension InboxUpdate {
    init(_ change: InboxChange) {
        counts = InboxCounts(unread: change.unread, unseen: change.unseen, revision: change.revision)
        itemIDs = change.ids.map(\.description)
    }
}
