/// A query of events in SQL: `POST /api/v1/events/query`.
public struct EventQueryRequest: Sendable, Hashable, Codable {
    /// One SELECT over `mobile.push_events`. At most 100,000 bytes.
    public var sql: String
    /// The id or name of the app whose events are there; absent takes the key's app, or else all apps.
    public var app: String?
    /// How many rows at most, 1 to 10,000; absent is 1,000.
    public var limit: Int?

    /// A query.
    public init(sql: String, app: String? = nil, limit: Int? = nil) {
        self.sql = sql
        self.app = app
        self.limit = limit
    }
}

/// The answer to a query in SQL.
public struct EventQueryResponse: Sendable, Hashable, Codable {
    /// The columns' names, in the order in which the SELECT names them.
    public var columns: [String]
    /// The rows, each with a value for each column: a text, a number, or `null`. A blob is its hexadecimal digits.
    public var rows: [[JSONValue]]
    /// Whether there were more rows, or more bytes, than the limit.
    public var isTruncated: Bool

    /// An answer from its parts.
    public init(columns: [String], rows: [[JSONValue]], isTruncated: Bool) {
        self.columns = columns
        self.rows = rows
        self.isTruncated = isTruncated
    }

    enum CodingKeys: String, CodingKey {
        case columns
        case rows
        case isTruncated = "is_truncated"
    }
}

extension ErrorCode {
    /// The query took longer than the server gives one. HTTP 422.
    public static let queryTimedOut = ErrorCode(rawValue: "query_timed_out")
}
