import Foundation
package import MartletCore
package import MartletWire

/// The row that a statement stands on; good only until the next step. Row are read by the names that the statement
/// gives them.
package struct Row {
    let statement: Statement
    let engine: any SQLStatement

    /// An integer; 0 for NULL.
    package func int(_ column: StaticString) -> Int64 { engine.int(statement.column(column)) }

    /// An integer as a number of things.
    package func count(_ column: StaticString) -> Int { Int(int(column)) }

    /// Whether a condition holds, or an integer is not 0.
    package func flag(_ column: StaticString) -> Bool { int(column) != 0 }

    /// Whether there is no value.
    package func isNull(_ column: StaticString) -> Bool { engine.isNull(statement.column(column)) }

    /// An integer, or `nil` for NULL.
    package func optionalInt(_ column: StaticString) -> Int64? {
        let position = statement.column(column)
        return engine.isNull(position) ? nil : engine.int(position)
    }

    /// A text; empty for NULL.
    package func text(_ column: StaticString) -> String {
        withBytes(column) { String(decoding: $0, as: UTF8.self) }
    }

    /// A text, or `nil` for NULL.
    package func optionalText(_ column: StaticString) -> String? { isNull(column) ? nil : text(column) }

    /// A blob, or a text's UTF-8; empty for NULL.
    package func bytes(_ column: StaticString) -> [UInt8] { withBytes(column) { Array($0) } }

    /// The same without a copy.
    func withBytes<Value>(
        _ column: StaticString,
        _ body: (UnsafeBufferPointer<UInt8>) throws -> Value
    ) rethrows -> Value {
        try body(engine.bytes(statement.column(column)) ?? UnsafeBufferPointer(start: nil, count: 0))
    }

    /// A row's key.
    package func row<Item>(_ column: StaticString) -> RowID<Item> { RowID(int(column)) }

    /// A row's key, or `nil` for NULL.
    package func optionalRow<Item>(_ column: StaticString) -> RowID<Item>? { optionalInt(column).map { RowID($0) } }

    /// A moment.
    package func time(_ column: StaticString) -> Timestamp { Timestamp(milliseconds: int(column)) }

    /// A moment, or `nil` for NULL.
    package func optionalTime(_ column: StaticString) -> Timestamp? {
        optionalInt(column).map(Timestamp.init(milliseconds:))
    }

    /// An id outside, 16 bytes.
    package func publicID(_ column: StaticString) throws -> PublicID {
        guard let id = PublicID(bytes: bytes(column)) else { throw Row.damage("an id") }
        return id
    }

    /// An id outside, or `nil` for NULL.
    func optionalPublicID(_ column: StaticString) throws -> PublicID? { isNull(column) ? nil : try publicID(column) }

    func hash(_ column: StaticString) -> SecretHash { SecretHash(bytes: bytes(column)) }
    func optionalHash(_ column: StaticString) -> SecretHash? { isNull(column) ? nil : hash(column) }

    /// A case of an enumeration.
    func code<Value: DatabaseEnum>(_ column: StaticString, as type: Value.Type = Value.self) throws -> Value {
        guard let value = Value(code: int(column)) else { throw Row.damage("\(Value.self)") }
        return value
    }

    /// A case of an enumeration, or `nil` for NULL.
    func optionalCode<Value: DatabaseEnum>(_ column: StaticString, as type: Value.Type = Value.self) throws -> Value? {
        isNull(column) ? nil : try code(column)
    }

    /// A value that was stored as JSON.
    func json<Value: Decodable>(_ column: StaticString, as type: Value.Type = Value.self) throws -> Value {
        do {
            return try DocumentDecoder.decode(Value.self, from: JSONValue(json: Data(bytes(column))))
        } catch {
            throw Row.damage("\(Value.self)")
        }
    }

    /// What a row that the schema does not allow comes to.
    package static func damage(_ what: String) -> Failure {
        Failure(
            .internalError,
            "The database holds \(what) that this program cannot read.",
            hint: "Check the file with: sqlite3 FILE 'PRAGMA integrity_check'"
        )
    }
}
