import Foundation
import MartletWire

/// What differs between what was there and what is there now, value by value. A pure value.
struct AuditDifference: Sendable, Hashable {
    /// One value, by its path such as `identity.mode`; `nil` where it was not, or is no more.
    struct Change: Sendable, Hashable {
        var path: String
        var before: String?
        var after: String?
    }

    /// By path.
    let changes: [Change]

    /// The most values that are shown of one entry. Ours: what a person takes in.
    static let limit = 40
    /// The most characters that are shown of one value.
    static let textLimit = 300

    /// Of what was made all values, of what is gone all values, of what changed those that differ.
    init(before: JSONValue?, after: JSONValue?) {
        let (old, new) = (Self.values(of: before), Self.values(of: after))
        changes = Array(
            Set(old.keys).union(new.keys).filter { old[$0] != new[$0] }.sorted()
                .map { Change(path: $0, before: old[$0], after: new[$0]) }
                .prefix(Self.limit)
        )
    }

    /// The values at the ends of a document, by their paths; an empty object or list is a value too.
    private static func values(of document: JSONValue?) -> [String: String] {
        var values: [String: String] = [:]
        func collect(_ value: JSONValue, _ path: String) {
            switch value {
            case .object(let members) where !members.isEmpty:
                for (name, member) in members { collect(member, path.isEmpty ? name : "\(path).\(name)") }
            case .array(let items) where !items.isEmpty:
                for (index, item) in items.enumerated() { collect(item, "\(path)[\(index)]") }
            default: values[path] = text(value)
            }
        }
        if let document { collect(document, "") }
        return values
    }

    /// A value as people write it: a text without quotation marks.
    private static func text(_ value: JSONValue) -> String {
        let text = value.stringValue ?? (try? value.json()).map { String(decoding: $0, as: UTF8.self) } ?? ""
        return text.count > textLimit ? text.prefix(textLimit) + "…" : text
    }
}
