import CLibPQ

/// PostgreSQL's numbers of types (pg_type.dat).
enum PostgresKind {
    static let bool: Oid = 16
    static let bytea: Oid = 17
    static let bigint: Oid = 20
    static let smallint: Oid = 21
    static let integer: Oid = 23
    static let text: Oid = 25

    /// The arrays of what a parameter may be.
    static func array(of kind: Oid) -> Oid {
        switch kind {
        case bytea: 1001
        case text: 1009
        default: 1016
        }
    }

    /// The name of such an array.
    static func arrayName(of kind: Oid) -> String {
        switch kind {
        case bytea: "bytea[]"
        case text: "text[]"
        default: "bigint[]"
        }
    }
}
