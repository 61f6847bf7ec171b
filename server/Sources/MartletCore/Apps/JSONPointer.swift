public import MartletWire

/// The place of a value in a JSON document (RFC 6901), such as `/user_uid`.
public struct JSONPointer: Sendable, Hashable {
    /// The text, as it was given.
    public let text: String
    /// The names of members and the places in arrays that lead to the value, without escapes.
    private let steps: [String]

    /// The longest text, in bytes: ours, many times what a field's name has.
    package static let limit = 256

    /// Reads a pointer; `nil` for a text that is none, or too long.
    public init?(_ text: String) {
        guard text.utf8.count <= JSONPointer.limit else { return nil }
        self.text = text
        guard !text.isEmpty else {
            steps = []
            return
        }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts[0].isEmpty else { return nil }
        var steps: [String] = []
        for part in parts.dropFirst() {
            guard let step = JSONPointer.step(part) else { return nil }
            steps.append(step)
        }
        self.steps = steps
    }

    /// `~0` stands for `~`, and `~1` for `/`; nothing else may follow a tilde.
    private static func step(_ part: Substring) -> String? {
        let pieces = part.split(separator: "~", omittingEmptySubsequences: false)
        var step = String(pieces[0])
        for piece in pieces.dropFirst() {
            switch piece.first {
            case "0": step += "~"
            case "1": step += "/"
            default: return nil
            }
            step += piece.dropFirst()
        }
        return step
    }

    /// The value at this place; `nil` where the document has none.
    public func value(in document: JSONValue) -> JSONValue? {
        var value = document
        for step in steps {
            let next: JSONValue? =
                switch value {
                case .object(let members): members[step]
                case .array(let elements): JSONPointer.index(step, of: elements)
                default: nil
                }
            guard let next else { return nil }
            value = next
        }
        return value
    }

    private static func index(_ step: String, of elements: [JSONValue]) -> JSONValue? {
        // No sign and no leading zero.
        guard let index = Int(step), String(index) == step, elements.indices.contains(index) else { return nil }
        return elements[index]
    }
}
