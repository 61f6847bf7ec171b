import Foundation
import MartletWire

/// What changed, in one line: of what was made or changed the members that differ, of what is gone its name.
struct ChangeWords {
    private let before: [String: JSONValue]
    private let after: [String: JSONValue]
    private let isGone: Bool

    /// The most characters of a value, and of the line: it is one column of several.
    private static let (valueLimit, lineLimit) = (40, 120)

    init(before: JSONValue?, after: JSONValue?) {
        self.before = before?.objectValue ?? [:]
        self.after = after?.objectValue ?? [:]
        isGone = before != nil && after == nil
    }

    /// The line; `nil` where there is nothing to say.
    var text: String? {
        if isGone { return before["name"].map { "was \(Self.shown($0))" } }
        let words = Self.ordered(after).compactMap { name -> String? in
            guard let value = after[name], value != before[name] else { return nil }
            guard let old = before[name] else { return "\(name): \(Self.shown(value))" }
            return "\(name): \(Self.shown(old)) → \(Self.shown(value))"
        }
        let taken = Self.ordered(before).filter { after[$0] == nil }.map { "without \($0)" }
        let all = words + taken
        return all.isEmpty ? nil : Self.cut(all.joined(separator: ", "), to: Self.lineLimit)
    }

    /// The members that tell something, a name first.
    private static func ordered(_ members: [String: JSONValue]) -> [String] {
        members.keys.filter { !["id", "app_id", "created_at", "revision"].contains($0) }
            .sorted { ($0 == "name" ? 0 : 1, $0) < ($1 == "name" ? 0 : 1, $1) }
    }

    private static func shown(_ value: JSONValue) -> String {
        if case .string(let text) = value { return cut(text, to: valueLimit) }
        let text = (try? value.json()).map { String(decoding: $0, as: UTF8.self) } ?? "?"
        return cut(text, to: valueLimit)
    }

    private static func cut(_ text: String, to limit: Int) -> String {
        text.count > limit ? text.prefix(limit - 1) + "…" : text
    }
}
