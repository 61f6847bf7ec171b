public import MartletCore
public import MartletStore
import MartletWire

/// What happened to people, for whoever has to explain it.
public struct PersonHistory: Sendable {
    private let store: Store
    private let breakers: QueueBreakers?
    private let clock: any WallClock

    /// - Parameter breakers: those of this process, if it sends.
    public init(
        store: Store,
        breakers: QueueBreakers? = nil,
        clock: any WallClock
    ) {
        (self.store, self.breakers, self.clock) = (store, breakers, clock)
    }

    /// Why a notification reached a person, or did not.
    ///
    /// - Throws: `Failure` with ``ErrorCode/notFound`` when there is no such notification.
    public func why(_ notification: Notification, user: String) async throws -> WhyReport {
        var facts = try await store.whyFacts(of: notification.row, user: user)
        if facts.leavesItem {
            let owner = InboxOwner(app: notification.app, user: user)
            facts.found = try await known {
                try await store.inbox(.one(notification.id), of: owner, PageRequest(count: 1)).items.first
            }
        }
        let now = clock.now()
        if facts.lines.contains(where: { $0.state == .pending }) {
            let stops = try await QueueStops(of: notification, store, breakers, at: now)
            facts.lines = facts.lines.map { stops.apply(to: $0) }
        }
        return WhyReport(facts, now: now)
    }

    /// A page of what happened to a person, newest first. A page may hold less than is asked for and have one after it:
    /// each looks at so many notifications and events of the app.
    ///
    /// - Throws: `Failure` with ``ErrorCode/notFound`` when there is no such person.
    public func timeline(_ filter: TimelineFilter, _ page: PageRequest) async throws -> Page<TimelineEntry> {
        let newest = filter.until.map { $0 - .milliseconds(1) } ?? Timestamp(milliseconds: Self.distant)
        let position = page.after.map { TimelinePosition(key: $0) } ?? TimelinePosition(newest)
        let count = min(page.count, Self.limit)
        let limit = count + position.skipped + 1
        var part = try await store.timeline(filter, upTo: position.moment, limit: limit)
        if filter.kinds.contains(.inbox) {
            let owner = InboxOwner(app: filter.app, user: filter.user)
            for status in [InboxStatusName.active, .archived] {
                part.add(try await items(status, of: owner, upTo: position.moment, limit: limit))
            }
        }
        return position.page(of: part, filter, count: count)
    }

    /// The most that a page of a timeline holds.
    public static let limit = 200

    /// A moment that is later than all others, in the year 2109.
    private static let distant: Int64 = 1 << 42

    /// An inbox is read by its items' numbers, which begin with the time of their publication.
    private func items(
        _ status: InboxStatusName,
        of owner: InboxOwner,
        upTo moment: Timestamp,
        limit: Int
    ) async throws -> TimelinePart {
        let before = NotificationIDs.firstKey(of: moment + .milliseconds(1))
        let request = PageRequest(after: before, count: limit)
        guard let page = try await known({ try await store.inbox(.list(status, category: nil), of: owner, request) })
        else {
            return TimelinePart()
        }
        let horizon = page.next.flatMap { _ in page.items.last }.map { NotificationIDs.moment(of: $0.row.rawValue) }
        return TimelinePart(page.items.map(TimelineEntry.init), horizon: horizon)
    }

    /// What is found, or `nil` where there is no such thing.
    private func known<Value>(_ read: () async throws -> Value?) async throws -> Value? {
        do { return try await read() } catch let failure as Failure where failure.code == .notFound { return nil }
    }
}
