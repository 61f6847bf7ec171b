import Foundation
import GRDBSQLite
import MartletCore
import MartletWire

/// A value that a statement's parameter takes.
protocol Storable {
    /// Binds the value; the position counts from 1.
    func bind(to statement: OpaquePointer, at position: Int32)
}

// SQLite copies the bytes before the call returns (SQLITE_TRANSIENT, a macro that Swift does not import).
private let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

extension Int64: Storable {
    /// Binds an INTEGER.
    func bind(to statement: OpaquePointer, at position: Int32) { sqlite3_bind_int64(statement, position, self) }
}

extension Int: Storable {
    /// Binds an INTEGER.
    func bind(to statement: OpaquePointer, at position: Int32) { sqlite3_bind_int64(statement, position, Int64(self)) }
}

extension Bool: Storable {
    /// Binds 0 or 1.
    func bind(to statement: OpaquePointer, at position: Int32) { sqlite3_bind_int64(statement, position, self ? 1 : 0) }
}

extension String: Storable {
    /// Binds a TEXT.
    func bind(to statement: OpaquePointer, at position: Int32) {
        var text = self
        text.withUTF8 { bytes in
            // An empty buffer may have no address, and no address would bind NULL.
            let start = UnsafeRawPointer(bytes.baseAddress)?.assumingMemoryBound(to: CChar.self)
            if let start {
                sqlite3_bind_text(statement, position, start, Int32(bytes.count), copied)
            } else {
                sqlite3_bind_text(statement, position, "", 0, copied)
            }
        }
    }
}

extension [UInt8]: Storable {
    /// Binds a BLOB.
    func bind(to statement: OpaquePointer, at position: Int32) {
        if isEmpty {
            sqlite3_bind_zeroblob(statement, position, 0)
        } else {
            withUnsafeBytes { _ = sqlite3_bind_blob(statement, position, $0.baseAddress, Int32($0.count), copied) }
        }
    }
}

extension Optional: Storable where Wrapped: Storable {
    /// Binds the value, or NULL.
    func bind(to statement: OpaquePointer, at position: Int32) {
        if let self { self.bind(to: statement, at: position) } else { sqlite3_bind_null(statement, position) }
    }
}

extension RowID: Storable {
    /// Binds an INTEGER.
    func bind(to statement: OpaquePointer, at position: Int32) { rawValue.bind(to: statement, at: position) }
}

extension Timestamp: Storable {
    /// Binds an INTEGER, milliseconds since 1970.
    func bind(to statement: OpaquePointer, at position: Int32) { rawValue.bind(to: statement, at: position) }
}

extension Duration: Storable {
    /// As whole milliseconds.
    func bind(to statement: OpaquePointer, at position: Int32) { milliseconds.bind(to: statement, at: position) }
}

extension PublicID: Storable {
    /// Binds a BLOB of 16 bytes.
    func bind(to statement: OpaquePointer, at position: Int32) {
        withUnsafeBytes(of: uuid.uuid) {
            _ = sqlite3_bind_blob(statement, position, $0.baseAddress, Int32($0.count), copied)
        }
    }
}

extension SecretHash: Storable {
    /// Binds a BLOB of 32 bytes.
    func bind(to statement: OpaquePointer, at position: Int32) { bytes.bind(to: statement, at: position) }
}
