public import MartletCore
import MartletWire

extension Store {
    /// A part of an audience as it is now, with what its people chose; writes nothing. Who is named and not known has a key
    /// that nobody has.
    ///
    /// - Throws: `Failure` with ``ErrorCode/notFound`` for a topic that is gone.
    public func audience(
        _ query: AudienceQuery,
        after cursor: FanOut.Cursor,
        limit: Int
    ) async throws -> AudiencePage {
        if case .topic(let selection) = query.audience {
            let policies = policies
            return try await readWithPolicies { transaction in
                let reading = try transaction.reading(of: selection, query, policies)
                let page = try transaction.subscribers(reading, after: cursor, limit: limit)
                return try transaction.adding(choicesFor: query, to: page)
            }
        }
        return try await read { try $0.audience(query, after: cursor, limit: limit) }
    }

    /// How many people an audience has, counted for no longer than about so long: what is not counted by then is taken to be
    /// as dense as the rest.
    ///
    /// - Throws: `Failure` with ``ErrorCode/notFound`` for a topic that is gone.
    public func size(of query: AudienceQuery, within limit: Duration) async throws -> AudienceSize {
        switch query.audience {
        case .all:
            return try await readLong { transaction in
                let end = ContinuousClock.now + limit
                return AudienceSize(
                    devices: try transaction.layer(.anonymous, of: query.app, until: end),
                    users: try transaction.layer(.users, of: query.app, until: end)
                )
            }
        case .topic(let selection):
            let policies = policies
            return try await readWithPolicies { transaction in
                let reading = try transaction.reading(of: selection, query, policies)
                let end = ContinuousClock.now + limit
                return AudienceSize(
                    devices: try transaction.layer(.endpoint, reading, until: end),
                    users: try transaction.layer(.user, reading, until: end)
                )
            }
        case .users, .endpoints, .tokens:
            let count = query.audience.count ?? 0
            guard count > 0 else { return AudienceSize() }
            return AudienceSize(users: AudienceSize.Layer(count: count, keys: 0...Int64(count - 1)))
        }
    }
}

extension Transaction {
    fileprivate func audience(_ query: AudienceQuery, after cursor: FanOut.Cursor, limit: Int) throws -> AudiencePage {
        let start = Int(cursor.major)
        switch query.audience {
        case .all, .topic: return try adding(choicesFor: query, to: everybody(query.app, after: cursor, limit: limit))
        case .users(let ids):
            let window = Array(ids.dropFirst(start).prefix(limit))
            var unknown: [RowID<User>] = []
            let page = try endpoints(of: window, query.app, after: cursor, total: ids.count, limit: limit) { id in
                if let user = try user(id, of: query.app) { return .user(user) }
                unknown.append(RowID(-Int64(start + unknown.count + 1)))
                return nil
            }
            var known = try adding(choicesFor: query, to: page)
            known.usersWithoutEndpoint += unknown
            return known
        case .endpoints(let ids):
            let window = Array(ids.dropFirst(start).prefix(limit))
            var page = try candidates(window, query.app)
            page.next = FanOut.Cursor(after: start + window.count, of: ids.count)
            return try adding(choicesFor: query, to: page)
        case .tokens(let tokens, let platform):
            let window = Array(tokens.dropFirst(start).prefix(limit))
            var page = try adding(choicesFor: query, to: candidates(window, query.app, platform))
            // A token that is not known yet is made, and sent to.
            for number in 0..<page.unknownEndpoints {
                let member = Member(endpoint: RowID(-Int64(start + number + 1)), user: nil)
                page.candidates.append(
                    Candidate(member: member, platform: platform, environment: nil, status: .enabled)
                )
            }
            page.unknownEndpoints = 0
            page.next = FanOut.Cursor(after: start + window.count, of: tokens.count)
            return page
        }
    }

    /// A part of an audience with what its users chose, as it is now.
    fileprivate func adding(choicesFor query: AudienceQuery, to page: AudiencePage) throws -> AudiencePage {
        try adding(choicesFor: query.category, asOf: lastPreferenceChange(of: query.app), of: query.app, to: page)
    }

    fileprivate func reading(
        of selection: TopicSelection,
        _ query: AudienceQuery,
        _ policies: PolicyIndexCache
    ) throws -> TopicReading {
        guard let topic = try topicHead(selection.id)?.row else { throw Failure.notFound("topic") }
        return TopicReading(
            topic: topic,
            app: query.app,
            lastSubscription: .max,
            policies: try matching(query.message, of: topic, policies)
        )
    }

    /// An app's devices of nobody, or its users who have a device.
    fileprivate func layer(
        _ layer: AudienceLayer,
        of app: RowID<App>,
        until end: ContinuousClock.Instant
    ) throws -> AudienceSize.Layer? {
        let first = try prepare(layer.end(isFirst: true)).bind(app).first { $0.int("key") }
        let last = try prepare(layer.end(isFirst: false)).bind(app).first { $0.int("key") }
        guard let first, let last, first <= last else { return nil }
        let statement = try prepare(layer.count)
        var (count, looked): (Int, Int64) = (0, 0)
        for part in CountedKeys.parts(of: first...last) {
            count += try statement.bind(app, part.lowerBound, part.upperBound).first { $0.count("count") } ?? 0
            looked += part.upperBound - part.lowerBound + 1
            guard ContinuousClock.now < end else { break }
        }
        let share = Double(looked) / Double(last - first + 1)
        return AudienceSize.Layer(count: Int((Double(count) / share).rounded()), keys: first...last)
    }

    /// The subscribers of a topic that a message is for, policy by policy.
    fileprivate func layer(
        _ kind: SubjectKind,
        _ reading: TopicReading,
        until end: ContinuousClock.Instant
    ) throws -> AudienceSize.Layer? {
        let policies = [nil] + reading.policies.sorted().map(Optional.some)
        var (layer, counted): (AudienceSize.Layer?, Int) = (nil, 0)
        for policy in policies {
            let statement = try prepare(SQL.countedSubscribers(withPolicy: policy != nil))
            let most = SQL.countedSubscribersLimit
            statement.bind(reading.topic, reading.app, kind.code, most)
            if let policy { statement.set(5, policy) }
            let found = try statement.first { (count: $0.count("count"), first: $0.int("first"), last: $0.int("last")) }
            if let found, found.count > 0 {
                let known = layer ?? AudienceSize.Layer(count: 0, keys: found.first...found.last)
                layer = AudienceSize.Layer(
                    count: known.count + found.count,
                    keys: min(known.keys.lowerBound, found.first)...max(known.keys.upperBound, found.last)
                )
            }
            counted += 1
            guard ContinuousClock.now < end else { break }
        }
        guard var layer else { return nil }
        layer.count = layer.count * policies.count / counted
        return layer
    }
}

/// Which keys are looked at where it is counted how many of them are somebody: all of a few, and else parts that lie evenly
/// among them. A pure value.
///
/// Keys belong to all apps of a server, and one that is gone is not used again: how many of them are an app's differs from
/// place to place, so many small parts say more than few large ones.
enum CountedKeys {
    /// How many keys are looked at. Ours: 20 ms where each is somebody.
    static let limit: Int64 = 262_144
    /// In how many parts. Ours: to find the beginning of one costs as much as to count 200 keys.
    static let parts: Int64 = 512

    static func parts(of keys: ClosedRange<Int64>) -> [ClosedRange<Int64>] {
        let span = keys.upperBound - keys.lowerBound + 1
        guard span > limit else { return [keys] }
        return (0..<parts).map { number in
            let first = keys.lowerBound + span / parts * number + span % parts * number / parts
            return first...first + limit / parts - 1
        }
    }
}

/// What everybody is made of, each in the order of one key.
private enum AudienceLayer {
    case anonymous, users

    /// The first key or the last: app.
    func end(isFirst: Bool) -> String {
        switch (self, isFirst) {
        case (.anonymous, true): SQL.firstOfAnonymous
        case (.anonymous, false): SQL.lastOfAnonymous
        case (.users, true): SQL.firstOfUsers
        case (.users, false): SQL.lastOfUsers
        }
    }

    var count: String { self == .anonymous ? SQL.countedAnonymous : SQL.countedUsers }
}

/// What counts an audience, from indexes alone; a test reads the plans.
extension SQL {
    /// How many subscribers of one policy are counted at most. Ours: half a second.
    static let countedSubscribersLimit = 5_000_000

    private static let anonymousDevices =
        "endpoints /*+ endpoints_audience */ WHERE app_id = ? AND user_id IS NULL AND status <> 2"
    private static let usersDevices =
        "endpoints /*+ endpoints_audience */ WHERE app_id = ? AND user_id IS NOT NULL AND status <> 2"

    /// The first device of nobody: app.
    static let firstOfAnonymous = "SELECT id AS key FROM \(anonymousDevices) ORDER BY id LIMIT 1"
    /// The last one: app.
    static let lastOfAnonymous = "SELECT id AS key FROM \(anonymousDevices) ORDER BY id DESC LIMIT 1"
    /// The first user who has a device: app.
    static let firstOfUsers = "SELECT user_id AS key FROM \(usersDevices) ORDER BY user_id, id LIMIT 1"
    /// The last one: app.
    static let lastOfUsers = "SELECT user_id AS key FROM \(usersDevices) ORDER BY user_id DESC, id DESC LIMIT 1"

    /// Devices of nobody in a range of keys: app, first, last.
    static let countedAnonymous = "SELECT count(*) AS count FROM \(anonymousDevices) AND id BETWEEN ? AND ?"

    /// Users in a range of keys who have a device: app, first, last.
    static let countedUsers = """
        SELECT count(*) AS count FROM (SELECT DISTINCT user_id FROM \(usersDevices) AND user_id BETWEEN ? AND ?) AS part
        """

    /// Subscribers of a topic that have one policy, or none: topic, app, kind, limit, policy.
    static func countedSubscribers(withPolicy hasPolicy: Bool) -> String {
        """
        SELECT count(*) AS count, min(subject_id) AS first, max(subject_id) AS last FROM (
            SELECT subject_id FROM subscriptions /*+ subscriptions_policy */
            WHERE topic_id = ?1 AND app_id = ?2 AND kind = ?3 AND kind <> 3 AND policy_id \(hasPolicy ? "= ?5" : "IS NULL")
            ORDER BY subject_id LIMIT ?4
        ) AS part
        """
    }
}
