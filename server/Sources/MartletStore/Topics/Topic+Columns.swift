import MartletCore
package import MartletFilter
import MartletWire

extension Topic {
    /// What ``init(_:)`` reads.
    static let columns = """
        t.id, t.public_id, t.app_id, t.region, t.name, t.is_fifo, t.attributes, t.tags, t.confirmed, t.pending,
        t.ended, t.created_at
        """

    /// A topic from a row of these columns.
    init(_ row: Row) throws {
        self.init(
            row: row.row("id"),
            id: try row.publicID("public_id"),
            app: row.optionalRow("app_id"),
            region: row.text("region"),
            name: row.text("name"),
            isFIFO: row.flag("is_fifo"),
            attributes: try row.json("attributes"),
            tags: try row.json("tags"),
            counts: SubscriptionCounts(
                confirmed: row.count("confirmed"),
                pending: row.count("pending"),
                deleted: row.count("ended")
            ),
            createdAt: row.time("created_at")
        )
    }
}

extension Subscription {
    /// What ``init(_:)`` reads.
    static let columns = """
        s.id, s.public_id, s.topic_id, s.kind, s.app_id, s.subject_id, s.endpoint, s.address, s.is_confirmed,
        s.attributes, s.created_at, p.text, p.scope, u.external_id
        """

    /// Where the columns are; those of deleted topics are left out.
    static let tables = """
        subscriptions s /*+ CROSS */ JOIN topics t ON t.id = s.topic_id AND t.deleted_at IS NULL
            LEFT JOIN filter_policies p ON p.id = s.policy_id
            LEFT JOIN users u ON s.kind = 2 AND u.id = s.subject_id
        """

    /// A subscription from a row of these columns.
    init(_ row: Row) throws {
        self.init(
            row: row.row("id"),
            id: try row.publicID("public_id"),
            topic: row.row("topic_id"),
            subject: try Subject(row),
            address: row.text("address"),
            filter: row.isNull("text") ? nil : try SubscriptionFilter(row),
            isConfirmed: row.flag("is_confirmed"),
            attributes: try row.json("attributes"),
            createdAt: row.time("created_at")
        )
    }
}

extension Subscription.Subject {
    fileprivate init(_ row: Row) throws {
        switch try row.code("kind", as: SubjectKind.self) {
        case .endpoint:
            self = .endpoint(row.row("subject_id"), try row.publicID("endpoint"), app: row.row("app_id"))
        case .user:
            self = .user(User(row: row.row("subject_id"), app: row.row("app_id"), id: row.text("external_id")))
        case .webhook: self = .webhook(row.text("address"))
        }
    }
}

extension SubscriptionFilter {
    /// A filter from a policy's two columns.
    init(_ row: Row) throws { self.init(stored: row.text("text"), scope: try row.code("scope")) }
}

/// What kind of subject subscribes, as it is stored.
enum SubjectKind: Int, CaseIterable, DatabaseEnum {
    case endpoint = 1
    case user = 2
    /// A webhook URL.
    case webhook = 3
}

extension FilterScope: RareDatabaseEnum {
    /// From 1 in the order of the cases.
    package var code: Int64 {
        switch self {
        case .messageAttributes: 1
        case .messageBody: 2
        }
    }
}
