/// The integer key of a row inside the store; it never leaves the server.
public struct RowID<Row>: Sendable, Hashable, Comparable, RawRepresentable {
    /// The key; rows have positive ones.
    public let rawValue: Int64

    /// A key by its number.
    public init(rawValue: Int64) { self.rawValue = rawValue }

    /// A key by its number.
    public init(_ rawValue: Int64) { self.rawValue = rawValue }

    /// Rows made earlier have smaller keys.
    public static func < (a: RowID, b: RowID) -> Bool { a.rawValue < b.rawValue }
}
