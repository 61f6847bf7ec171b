import Foundation
import MartletWire

/// A flag's `key=value`.
enum NamedValue {
    /// The two parts of it.
    ///
    /// - Throws: `CommandFailure` when there is no key.
    static func parse(_ text: String, flag: String) throws -> (key: String, value: String) {
        guard let separator = text.firstIndex(of: "="), separator != text.startIndex else {
            throw CommandFailure("'\(text)' has no name.", hint: "Write it as \(flag) key=value")
        }
        return (String(text[..<separator]), String(text[text.index(after: separator)...]))
    }

    /// A value as JSON where it reads as JSON, otherwise as text.
    static func json(_ text: String) -> JSONValue { (try? JSONValue(json: Data(text.utf8))) ?? .string(text) }
}
