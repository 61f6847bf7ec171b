import Foundation
package import MartletCore
package import MartletWire

/// A value that a statement's parameter takes. What has no value is NULL of the type's own kind, which PostgreSQL wants
/// to know.
package protocol SQLValue {
    /// Binds a value, or NULL; the position counts from 1.
    static func bind(_ value: Self?, to statement: any SQLStatement, at position: Int32)
}

extension SQLValue {
    /// Binds the value.
    func bind(to statement: any SQLStatement, at position: Int32) { Self.bind(self, to: statement, at: position) }
}

/// What is stored as an integer.
package protocol SQLInteger: SQLValue {
    /// The integer.
    var stored: Int64 { get }
}

extension SQLInteger {
    /// Binds the integer.
    package static func bind(_ value: Self?, to statement: any SQLStatement, at position: Int32) {
        statement.bind(value?.stored, at: position)
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
    package static func bind(_ value: String?, to statement: any SQLStatement, at position: Int32) {
        guard var text = value else { return statement.bind(text: nil, at: position) }
        text.withUTF8 { statement.bind(text: $0, at: position) }
    }
}

extension [UInt8]: SQLValue {
    /// Binds a blob.
    package static func bind(_ value: [UInt8]?, to statement: any SQLStatement, at position: Int32) {
        guard let value else { return statement.bind(bytes: nil, at: position) }
        value.withUnsafeBufferPointer { statement.bind(bytes: $0, at: position) }
    }
}

extension PublicID: SQLValue {
    /// Binds 16 bytes.
    package static func bind(_ value: PublicID?, to statement: any SQLStatement, at position: Int32) {
        guard let value else { return statement.bind(bytes: nil, at: position) }
        withUnsafeBytes(of: value.uuid.uuid) {
            statement.bind(bytes: $0.assumingMemoryBound(to: UInt8.self), at: position)
        }
    }
}

extension SecretHash: SQLValue {
    /// Binds 32 bytes.
    package static func bind(_ value: SecretHash?, to statement: any SQLStatement, at position: Int32) {
        [UInt8].bind(value?.bytes, to: statement, at: position)
    }
}

extension Optional: SQLValue where Wrapped: SQLValue {
    /// Binds the value, or NULL.
    package static func bind(_ value: Wrapped??, to statement: any SQLStatement, at position: Int32) {
        Wrapped.bind(value ?? nil, to: statement, at: position)
    }
}
