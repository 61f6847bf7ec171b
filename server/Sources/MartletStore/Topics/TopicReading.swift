import MartletCore
import MartletWire

/// A topic's subscribers of one app as one notification finds them.
struct TopicReading: Sendable {
    var topic: RowID<Topic>
    /// Whose people.
    var app: RowID<App>
    /// Who subscribed after this one is not among them.
    var lastSubscription: Int64
    /// The policies that the message matches.
    var policies: Set<Int64>

    /// With how many policies the subscribers of each are read by themselves; with more all are looked at, one by one.
    /// Ours: so many reads of a page cost about what looking at ten thousand subscribers does.
    static let fewPolicies = 16

    /// How many subscribers are looked at for one part at most, so that a part that few match is written soon too.
    static let scanLimit = 10_000

    /// Whether a subscription gets the message.
    func includes(_ subscription: Int64, policy: Int64?) -> Bool {
        subscription <= lastSubscription && (policy.map(policies.contains) ?? true)
    }
}

extension Transaction {
    /// The next part of a topic's audience. The cursor's major key is 0 among the endpoints that are subscribed, its
    /// minor key the last of them; then it is a user and the last endpoint that was read of theirs.
    ///
    /// - Parameter scanLimit: how many subscribers to look at.
    func subscribers(
        _ reading: TopicReading,
        after cursor: FanOut.Cursor,
        limit: Int,
        scanLimit: Int = TopicReading.scanLimit
    ) throws -> AudiencePage {
        var page = AudiencePage()
        guard cursor.major == 0 else {
            return try users(reading, after: cursor, limit: limit, scanLimit: scanLimit, beside: page)
        }
        let part = try subjects(.endpoint, reading, after: cursor.minor, limit: limit, scanLimit: scanLimit)
        let select = try prepare(SQL.candidate)
        for endpoint in part.subjects {
            guard let candidate = try select.bind(endpoint, reading.app).first(Candidate.init) else { continue }
            // Who is gone is no subscriber any more.
            if candidate.status != .removed { page.candidates.append(candidate) }
        }
        if let next = part.next {
            page.next = FanOut.Cursor(major: 0, minor: next)
            return page
        }
        // Users' keys count from 1.
        let users = FanOut.Cursor(major: 1, minor: 0)
        return try self.users(
            reading,
            after: users,
            limit: limit - part.subjects.count,
            scanLimit: scanLimit,
            beside: page
        )
    }

    /// Whether an endpoint is subscribed itself, or its user is, so that it gets the message.
    func isSubscriber(_ member: Member, _ reading: TopicReading) throws -> Bool {
        if try isSubscribed(.endpoint, member.endpoint.rawValue, reading) { return true }
        guard let user = member.user else { return false }
        return try isSubscribed(.user, user.rawValue, reading)
    }

    private func isSubscribed(_ kind: SubjectKind, _ subject: Int64, _ reading: TopicReading) throws -> Bool {
        let isIncluded = try prepare(SQL.subjectSubscription).bind(reading.topic, reading.app, kind.code, subject)
            .first { reading.includes($0.int("id"), policy: $0.optionalInt("policy_id")) }
        return isIncluded ?? false
    }

    /// The devices of subscribed users, from the cursor's user on, without those that are met by themselves.
    private func users(
        _ reading: TopicReading,
        after cursor: FanOut.Cursor,
        limit: Int,
        scanLimit: Int,
        beside before: AudiencePage
    ) throws -> AudiencePage {
        var page = before
        guard limit > 0 else {
            page.next = cursor
            return page
        }
        let part = try subjects(.user, reading, after: cursor.major - 1, limit: limit, scanLimit: scanLimit)
        let hasOwn = try hasSubscribedEndpoints(reading)
        var capacity = limit
        for user in part.subjects {
            let after = user == cursor.major ? cursor.minor : 0
            guard capacity > 0 else {
                page.next = FanOut.Cursor(major: user, minor: 0)
                return page
            }
            let found = try prepare(SQL.userEndpoints).bind(reading.app, user, after, capacity + 1).all(Candidate.init)
            for candidate in found.prefix(capacity) {
                let endpoint = candidate.member.endpoint.rawValue
                if hasOwn, try isSubscribed(.endpoint, endpoint, reading) { continue }
                page.candidates.append(candidate)
            }
            guard found.count <= capacity else {
                page.next = FanOut.Cursor(major: user, minor: found[capacity - 1].member.endpoint.rawValue)
                return page
            }
            if found.isEmpty, after == 0 { page.usersWithoutEndpoint.append(RowID(user)) }
            capacity -= max(found.count, 1)
        }
        page.next = part.next.map { FanOut.Cursor(major: $0 + 1, minor: 0) }
        return page
    }

    private func hasSubscribedEndpoints(_ reading: TopicReading) throws -> Bool {
        try prepare(SQL.subscribers)
            .bind(reading.topic, reading.app, SubjectKind.endpoint.code, Int64(0), reading.lastSubscription, 1)
            .exists()
    }

    /// Subjects in their order that get the message, and the last one that was looked at where there may be more.
    private func subjects(
        _ kind: SubjectKind,
        _ reading: TopicReading,
        after: Int64,
        limit: Int,
        scanLimit: Int
    ) throws -> (subjects: [Int64], next: Int64?) {
        guard reading.policies.count > TopicReading.fewPolicies else {
            let statement = try prepare(SQL.subscribersOfPolicy)
            var found: [Int64] = []
            // In an order that does not change, and those without a policy too.
            for policy in [nil] + reading.policies.sorted().map(Optional.some) {
                found += try statement.bind(
                    reading.topic,
                    reading.app,
                    kind.code,
                    policy,
                    after,
                    reading.lastSubscription,
                    limit + 1
                )
                .all { $0.int("subject_id") }
            }
            let part = Array(found.sorted().prefix(limit))
            return (part, found.count > limit ? part.last : nil)
        }
        let looked = try prepare(SQL.subscribers)
            .bind(reading.topic, reading.app, kind.code, after, reading.lastSubscription, scanLimit + 1)
            .all { (subject: $0.int("subject_id"), policy: $0.optionalInt("policy_id")) }
        var part: [Int64] = []
        for (index, one) in looked.prefix(scanLimit).enumerated() {
            if one.policy.map(reading.policies.contains) ?? true { part.append(one.subject) }
            guard part.count < limit else { return (part, index + 1 < looked.count ? one.subject : nil) }
        }
        return (part, looked.count > scanLimit ? looked[scanLimit - 1].subject : nil)
    }
}
