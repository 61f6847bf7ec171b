import MartletCore

/// Which routes are open, for whom, and which are to be closed. A pure value; what is taken out of it the caller closes.
struct RouteTable<Key: Hashable & Sendable, Route: Sendable>: Sendable {
    /// Names one route from when it was made.
    struct ID: Sendable, Hashable { let number: Int }

    private struct Entry: Sendable {
        let key: Key
        let route: Route
        var queues: Set<DeliveryQueue>
        var users = 0
        var lastUse: Timestamp
        /// Not found any more; closed when its last user has left.
        var isRetired = false
    }

    /// A connection that nothing was sent over for a day is not worth keeping: Apple's are long-lived, not eternal.
    static var idleLimit: Duration { .seconds(86_400) }

    private let limit: Int
    private var entries: [ID: Entry] = [:]
    private var byKey: [Key: ID] = [:]
    private var byQueue: [DeliveryQueue: ID] = [:]
    private var next = 0

    init(limit: Int) { self.limit = limit }

    /// How many routes are open, those that are about to be closed included.
    var count: Int { entries.count }

    /// The routes that queues use.
    var routes: [DeliveryQueue: Route] { byQueue.compactMapValues { entries[$0]?.route } }

    /// Takes a route into use.
    ///
    /// - Parameter made: what is used where there is none yet; not used where there is one.
    /// - Returns: the route, its name for ``release(_:)``, and those that the caller shall close: what the queue used
    ///   before its credential was replaced, what has been idle, and what is beyond the limit. `nil` when there is no
    ///   route for the key and none was made.
    mutating func acquire(
        _ key: Key,
        for queue: DeliveryQueue,
        at now: Timestamp,
        made: Route?
    ) -> (id: ID, route: Route, closing: [Route])? {
        let id: ID
        if let known = byKey[key] {
            id = known
        } else {
            guard let route = made else { return nil }
            next += 1
            id = ID(number: next)
            entries[id] = Entry(key: key, route: route, queues: [], lastUse: now)
            byKey[key] = id
        }
        var closing: [Route] = []
        if let old = byQueue[queue], old != id {
            entries[old]?.queues.remove(queue)
            if entries[old]?.queues.isEmpty ?? false { closing += retire(old) }
        }
        byQueue[queue] = id
        entries[id]!.queues.insert(queue)  // it was found or made above
        entries[id]!.users += 1
        entries[id]!.lastUse = now
        closing += sweep(at: now)
        return (id, entries[id]!.route, closing)
    }

    /// Gives a route back; returns it when the caller shall close it.
    mutating func release(_ id: ID) -> Route? {
        guard var entry = entries[id] else { return nil }
        entry.users -= 1
        entries[id] = entry
        guard entry.isRetired, entry.users == 0 else { return nil }
        entries[id] = nil
        return entry.route
    }

    /// Takes out all routes, for the caller to close.
    mutating func removeAll() -> [Route] {
        defer {
            entries = [:]
            byKey = [:]
            byQueue = [:]
        }
        return entries.values.map(\.route)
    }

    private mutating func sweep(at now: Timestamp) -> [Route] {
        var closing: [Route] = []
        for (id, entry) in entries where entry.users == 0 && now - entry.lastUse > Self.idleLimit {
            closing += retire(id)
        }
        guard byKey.count > limit else { return closing }
        // Those in use stay: their number is bounded by how many pushes are under way.
        let unused = entries.filter { $0.value.users == 0 }.sorted { $0.value.lastUse < $1.value.lastUse }
        for (id, _) in unused.prefix(byKey.count - limit) { closing += retire(id) }
        return closing
    }

    private mutating func retire(_ id: ID) -> [Route] {
        guard var entry = entries[id], !entry.isRetired else { return [] }
        byKey[entry.key] = nil
        for queue in entry.queues where byQueue[queue] == id { byQueue[queue] = nil }
        entry.isRetired = true
        entries[id] = entry.users == 0 ? nil : entry
        return entry.users == 0 ? [entry.route] : []
    }
}
