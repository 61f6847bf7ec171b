public import MartletWire

/// Something that happened to a person.
public struct TimelineEntry: Sendable, Hashable {
    /// When.
    public var at: Timestamp
    /// What it is.
    public var kind: TimelineKind
    /// What happened, as one word.
    public var what: String
    /// The notification, where there is one.
    public var notification: PublicID?
    /// The endpoint, where there is one.
    public var endpoint: PublicID?
    /// The facts, in one sentence.
    public var detail: String?

    package init(
        at: Timestamp,
        kind: TimelineKind,
        what: String,
        notification: PublicID? = nil,
        endpoint: PublicID? = nil,
        detail: String? = nil
    ) {
        self.at = at
        self.kind = kind
        self.what = what
        self.notification = notification
        self.endpoint = endpoint
        self.detail = detail
    }

    /// The newest first; of one moment always in the same order, because a page may end among them.
    fileprivate static func isBefore(_ a: TimelineEntry, _ b: TimelineEntry) -> Bool {
        if a.at != b.at { return a.at > b.at }
        return a.place.lexicographicallyPrecedes(b.place)
    }

    private var place: [String] {
        [kind.rawValue, notification?.description ?? "", endpoint?.description ?? "", what, detail ?? ""]
    }
}

extension TimelineEntry {
    /// What was recorded of a delivery, or of one that was not made; `nil` while nothing is.
    package init?(_ report: DeliveryReport, of notification: PublicID) {
        guard report.state != .pending, let at = report.at else { return nil }
        let isMade = report.state != .suppressed
        self.init(
            at: at,
            kind: isMade ? .delivery : .suppression,
            what: isMade ? report.state.rawValue : report.reason ?? report.state.rawValue,
            notification: notification,
            endpoint: report.endpoint,
            detail: report.statement
        )
    }

    package init(_ item: InboxItem) {
        let status = item.status.word
        self.init(
            at: item.publishedAt,
            kind: .inbox,
            what: "published",
            notification: item.id,
            detail: (item.content.title ?? item.content.body).map { "The item '\($0)' is \(status)." }
                ?? "The item is \(status)."
        )
    }
}

/// What of a timeline is asked for.
public struct TimelineFilter: Sendable, Hashable {
    /// Whose user.
    public var app: RowID<App>
    /// The customer's own id for the person.
    public var user: String
    /// Only these kinds.
    public var kinds: Set<TimelineKind>
    /// Only what happened then or later.
    public var since: Timestamp?
    /// Only what happened before then.
    public var until: Timestamp?

    package init(
        app: RowID<App>,
        user: String,
        kinds: Set<TimelineKind> = Set(TimelineKind.allCases),
        since: Timestamp? = nil,
        until: Timestamp? = nil
    ) {
        self.app = app
        self.user = user
        self.kinds = kinds
        self.since = since
        self.until = until
    }
}

/// What was found of a timeline.
public struct TimelinePart: Sendable, Hashable {
    /// What happened, in no order.
    public var entries: [TimelineEntry]
    /// What happened at this moment or before may be missing; `nil` where nothing is.
    public private(set) var horizon: Timestamp?

    package init(_ entries: [TimelineEntry] = [], horizon: Timestamp? = nil) {
        self.entries = entries
        self.horizon = horizon
    }

    /// Adds what another source has.
    package mutating func add(_ other: TimelinePart) {
        entries += other.entries
        if let moment = other.horizon { horizon = max(horizon ?? moment, moment) }
    }
}

/// Where a page of a timeline begins: a moment, and how many things of that moment were in the pages before.
package struct TimelinePosition: Hashable {
    package var moment: Timestamp
    package var skipped = 0

    private static let bits: Int64 = 20

    package init(_ moment: Timestamp, skipped: Int = 0) {
        self.moment = moment
        self.skipped = skipped
    }

    package init(key: Int64) {
        self.init(Timestamp(milliseconds: key >> Self.bits), skipped: Int(key & (1 << Self.bits - 1)))
    }

    /// The position as a page's key.
    package var key: Int64 { moment.rawValue << Self.bits | Int64(min(skipped, 1 << Self.bits - 1)) }

    /// The page of a part that was read up to this position's moment.
    package func page(of part: TimelinePart, _ filter: TimelineFilter, count: Int) -> Page<TimelineEntry> {
        // Where not even this moment could be read whole, what was read of it counts, so that it goes on.
        let horizon = part.horizon.map { min($0, moment - .milliseconds(1)) }
        let found = part.entries
            .filter { entry in
                entry.at <= moment && (horizon.map { entry.at > $0 } ?? true)
                    && (filter.since.map { entry.at >= $0 } ?? true)
            }
            .sorted(by: TimelineEntry.isBefore)
            .dropFirst(skipped)
        let items = Array(found.prefix(count))
        if let last = items.last, found.count > items.count {
            let earlier = last.at == moment ? skipped : 0
            let next = TimelinePosition(last.at, skipped: earlier + items.count { $0.at == last.at })
            return Page(items: items, next: next.key)
        }
        let isOver = horizon.map { horizon in filter.since.map { horizon < $0 } ?? (horizon.rawValue < 0) } ?? true
        return Page(items: items, next: isOver ? nil : horizon.map { TimelinePosition($0).key })
    }
}
