/// A query of events in SQL: `POST /api/v1/events/query`.
public struct EventQueryRequest: Sendable, Hashable, Codable {
    /// One SELECT.
    public var sql: String
    /// The id or name of the app whose events are there.
    public var app: String?
    /// How many rows at most.
    public var limit: Int?

    /// A query.
    public init(sql: String, app: String? = nil, limit: Int? = nil) {
        self.sql = sql
        self.app = app
        self.limit = limit
    }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable { case sql, app, limit }
}

/// The answer to a query in SQL.
public struct EventTable: Sendable, Hashable, Codable {
    /// The columns' names.
    public var columns: [String]
    /// The rows.
    public var rows: [[JSONValue]]
    /// Whether there were more rows, or more bytes, than the limit.
    public var isTruncated: Bool

    public init(columns: [String], rows: [[JSONValue]] = [], isTruncated: Bool = false) {
        self.columns = columns
        self.rows = rows
        self.isTruncated = isTruncated
    }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case columns, rows
        case isTruncated = "is_truncated"
    }
}

extension ErrorCode {
    /// The query took longer than the server gives one. HTTP 422.
    public static let queryTimedOut = ErrorCode(rawValue: "query_timed_out")
}
