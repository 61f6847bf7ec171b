import Foundation
import GRDBSQLite
import MartletCore
import MartletWire

/// The columns of the row that a statement stands on, by position from 0; good only until the next step.
struct Columns {
    /// The statement.
    let handle: OpaquePointer

    /// An integer; 0 for NULL.
    func int(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    /// An integer as a number of things.
    func count(_ column: Int32) -> Int { Int(sqlite3_column_int64(handle, column)) }

    /// Whether an integer is not 0.
    func flag(_ column: Int32) -> Bool { sqlite3_column_int64(handle, column) != 0 }

    /// Whether there is no value.
    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

    /// An integer, or `nil` for NULL.
    func optionalInt(_ column: Int32) -> Int64? { isNull(column) ? nil : int(column) }

    /// A text; empty for NULL.
    func text(_ column: Int32) -> String {
        // The text first and its length after it, in the order that SQLite's documentation asks for.
        guard let start = sqlite3_column_text(handle, column) else { return "" }
        let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A text, or `nil` for NULL.
    func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

    /// A blob, or a text's UTF-8; empty for NULL.
    func bytes(_ column: Int32) -> [UInt8] {
        guard let start = sqlite3_column_blob(handle, column) else { return [] }
        return Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column))))
    }

    /// A row's key.
    func row<Row>(_ column: Int32) -> RowID<Row> { RowID(int(column)) }

    /// A row's key, or `nil` for NULL.
    func optionalRow<Row>(_ column: Int32) -> RowID<Row>? { optionalInt(column).map { RowID($0) } }

    /// A moment.
    func time(_ column: Int32) -> Timestamp { Timestamp(milliseconds: int(column)) }

    /// A moment, or `nil` for NULL.
    func optionalTime(_ column: Int32) -> Timestamp? { optionalInt(column).map(Timestamp.init(milliseconds:)) }

    /// An id outside, 16 bytes.
    func publicID(_ column: Int32) throws -> PublicID {
        guard let id = PublicID(bytes: bytes(column)) else { throw Columns.damage("an id") }
        return id
    }

    /// An id outside, or `nil` for NULL.
    func optionalPublicID(_ column: Int32) throws -> PublicID? { isNull(column) ? nil : try publicID(column) }

    /// A hash.
    func hash(_ column: Int32) -> SecretHash { SecretHash(bytes: bytes(column)) }
    func optionalHash(_ column: Int32) -> SecretHash? { isNull(column) ? nil : hash(column) }

    /// A case of an enumeration.
    func code<Value: DatabaseEnum>(_ column: Int32, as type: Value.Type = Value.self) throws -> Value {
        guard let value = Value(code: int(column)) else { throw Columns.damage("\(Value.self)") }
        return value
    }

    /// A case of an enumeration, or `nil` for NULL.
    func optionalCode<Value: DatabaseEnum>(_ column: Int32, as type: Value.Type = Value.self) throws -> Value? {
        isNull(column) ? nil : try code(column)
    }

    /// A value that was stored as JSON.
    func json<Value: Decodable>(_ column: Int32, as type: Value.Type = Value.self) throws -> Value {
        do {
            return try JSONDecoder().decode(Value.self, from: Data(bytes(column)))
        } catch {
            throw Columns.damage("\(Value.self)")
        }
    }

    /// What a row that the schema does not allow comes to.
    static func damage(_ what: String) -> Failure {
        Failure(
            .internalError,
            "The database holds \(what) that this program cannot read.",
            hint: "Check the file with: sqlite3 FILE 'PRAGMA integrity_check'"
        )
    }
}
