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

    /// The two parts of `key=text` or `key:=json`.
    ///
    /// - Throws: `CommandFailure` when there is no key, or what is said to be JSON is none.
    static func value(_ text: String, flag: String) throws -> (key: String, value: JSONValue) {
        let (key, value) = try parse(text, flag: flag)
        guard key.hasSuffix(":"), key.count > 1 else { return (key, .string(value)) }
        let name = String(key.dropLast())
        return (name, try InputFile.json(Data(value.utf8), from: "\(flag) \(name)"))
    }
}
