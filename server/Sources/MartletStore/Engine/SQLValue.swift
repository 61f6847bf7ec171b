import Foundation
package import MartletCore
package import MartletWire

/// A value that a statement's parameter takes. What has no value is NULL of the type's own kind, which PostgreSQL wants
/// to know.
package protocol SQLValue {
    /// Binds the value; the position counts from 1.
    func bind(to statement: any SQLStatement, at position: Int32)
    /// Binds NULL.
    static func bindNull(to statement: any SQLStatement, at position: Int32)
}

/// What is stored as an integer.
package protocol SQLInteger: SQLValue {
    /// The integer.
    var stored: Int64 { get }
}

extension SQLInteger {
    /// Binds the integer.
    package func bind(to statement: any SQLStatement, at position: Int32) { statement.bind(stored, at: position) }

    /// Binds NULL.
    package static func bindNull(to statement: any SQLStatement, at position: Int32) {
        statement.bind(nil, at: position)
    }
}

extension Int64: SQLInteger {
    /// Itself.
    package var stored: Int64 { self }
}

extension Int: SQLInteger {
    /// Itself.
    package var stored: Int64 { Int64(self) }
}

extension Bool: SQLInteger {
    /// 0 or 1.
    package var stored: Int64 { self ? 1 : 0 }
}

extension RowID: SQLValue, SQLInteger {
    /// The key.
    package var stored: Int64 { rawValue }
}

extension Timestamp: SQLValue, SQLInteger {
    /// Milliseconds since 1970.
    package var stored: Int64 { rawValue }
}

extension Duration: SQLValue, SQLInteger {
    /// Whole milliseconds.
    package var stored: Int64 { milliseconds }
}

extension String: SQLValue {
    /// Binds a text.
    package func bind(to statement: any SQLStatement, at position: Int32) {
        var text = self
        text.withUTF8 { statement.bind(text: $0, at: position) }
    }

    /// Binds NULL.
    package static func bindNull(to statement: any SQLStatement, at position: Int32) {
        statement.bind(text: nil, at: position)
    }
}

extension [UInt8]: SQLValue {
    /// Binds a blob.
    package func bind(to statement: any SQLStatement, at position: Int32) {
        withUnsafeBufferPointer { statement.bind(bytes: $0, at: position) }
    }

    /// Binds NULL.
    package static func bindNull(to statement: any SQLStatement, at position: Int32) {
        statement.bind(bytes: nil, at: position)
    }
}

extension PublicID: SQLValue {
    /// Binds 16 bytes.
    package func bind(to statement: any SQLStatement, at position: Int32) {
        withUnsafeBytes(of: uuid.uuid) {
            statement.bind(bytes: $0.assumingMemoryBound(to: UInt8.self), at: position)
        }
    }

    /// Binds NULL.
    package static func bindNull(to statement: any SQLStatement, at position: Int32) {
        statement.bind(bytes: nil, at: position)
    }
}

extension SecretHash: SQLValue {
    /// Binds 32 bytes.
    package func bind(to statement: any SQLStatement, at position: Int32) { bytes.bind(to: statement, at: position) }

    /// Binds NULL.
    package static func bindNull(to statement: any SQLStatement, at position: Int32) {
        statement.bind(bytes: nil, at: position)
    }
}

extension Optional: SQLValue where Wrapped: SQLValue {
    /// Binds the value, or NULL.
    package func bind(to statement: any SQLStatement, at position: Int32) {
        if let value = self {
            value.bind(to: statement, at: position)
        } else {
            Wrapped.bindNull(to: statement, at: position)
        }
    }

    /// Binds NULL.
    package static func bindNull(to statement: any SQLStatement, at position: Int32) {
        Wrapped.bindNull(to: statement, at: position)
    }
}
