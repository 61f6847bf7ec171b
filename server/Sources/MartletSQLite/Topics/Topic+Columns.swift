import MartletCore
import MartletFilter
import MartletWire

extension Topic {
    /// What ``init(_:)`` reads, in its order.
    static let columns = """
        t.id, t.public_id, t.app_id, t.region, t.name, t.is_fifo, t.attributes, t.tags, t.confirmed, t.pending,
        t.ended, t.created_at
        """

    /// A topic from a row of these columns.
    init(_ row: Columns) throws {
        self.init(
            row: row.row(0),
            id: try row.publicID(1),
            app: row.optionalRow(2),
            region: row.text(3),
            name: row.text(4),
            isFIFO: row.flag(5),
            attributes: try row.json(6),
            tags: try row.json(7),
            counts: SubscriptionCounts(confirmed: row.count(8), pending: row.count(9), deleted: row.count(10)),
            createdAt: row.time(11)
        )
    }
}

extension Subscription {
    /// What ``init(_:)`` reads, in its order.
    static let columns = """
        s.id, s.public_id, s.topic_id, s.kind, s.app_id, s.subject_id, s.endpoint, s.address, s.is_confirmed,
        s.attributes, s.created_at, p.text, p.scope, u.external_id
        """

    /// Where the columns are; those of deleted topics are left out.
    static let tables = """
        subscriptions s CROSS JOIN topics t ON t.id = s.topic_id AND t.deleted_at IS NULL
            LEFT JOIN filter_policies p ON p.id = s.policy_id
            LEFT JOIN users u ON s.kind = 2 AND u.id = s.subject_id
        """

    /// A subscription from a row of these columns.
    init(_ row: Columns) throws {
        let filter = try row.optionalText(11).map { SubscriptionFilter(stored: $0, scope: try row.code(12)) }
        self.init(
            row: row.row(0),
            id: try row.publicID(1),
            topic: row.row(2),
            subject: try Subject(row),
            address: row.text(7),
            filter: filter,
            isConfirmed: row.flag(8),
            attributes: try row.json(9),
            createdAt: row.time(10)
        )
    }
}

extension Subscription.Subject {
    fileprivate init(_ row: Columns) throws {
        switch try row.code(3, as: SubjectKind.self) {
        case .endpoint: self = .endpoint(row.row(5), try row.publicID(6), app: row.row(4))
        case .user: self = .user(User(row: row.row(5), app: row.row(4), id: row.text(13)))
        case .webhook: self = .webhook(row.text(7))
        }
    }
}

/// What kind of subject subscribes, as it is stored.
enum SubjectKind: Int, CaseIterable, DatabaseEnum {
    /// An endpoint.
    case endpoint = 1
    /// A user.
    case user = 2
    /// A webhook URL.
    case webhook = 3
}

extension FilterScope: RareDatabaseEnum {
    /// From 1 in the order of the cases.
    var code: Int64 {
        switch self {
        case .messageAttributes: 1
        case .messageBody: 2
        }
    }
}
