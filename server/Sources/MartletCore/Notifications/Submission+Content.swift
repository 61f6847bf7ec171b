import MartletWire

extension Submission {
    /// Refuses what shows nothing on any phone and carries nothing to the app: an empty text comes of a variable that was
    /// not set. A push type of its own says that it is meant, and Amazon SNS takes such a message to a topic.
    ///
    /// - Throws: `Failure` naming the content.
    func validateContent() throws(Failure) {
        guard pushType == nil || pushType == "alert", !recordsRefusals, badges.isEmpty, inboxBadge == nil,
            content.isEmpty
        else { return }
        throw .invalid(
            "content",
            "The notification is empty: no title, body, badge, sound or data.",
            hint: "Give a title or a body; for other kinds of push name the push_type."
        )
    }
}

extension Content {
    /// Whether there is nothing in it for a person or the app.
    fileprivate var isEmpty: Bool {
        [title, subtitle, body, image, deepLink, sound].allSatisfy { $0?.isBlank ?? true } && badge == nil
            && data.isEmpty && overrides.values.allSatisfy { $0 == [:] || $0.isBlank }
    }
}

extension JSONValue {
    /// Whether it is made of blank texts alone. An empty object may be meant: Wallet's payload is one.
    fileprivate var isBlank: Bool {
        switch self {
        case .null: true
        case .string(let text): text.isBlank
        case .object(let members):
            !members.isEmpty && members.allSatisfy { $0.key == "data" ? $0.value == [:] : $0.value.isBlank }
        case .array(let elements): elements.allSatisfy(\.isBlank)
        case .bool, .integer, .number, .decimal: false
        }
    }
}

extension String {
    /// Whether nothing of it is seen: white space and characters without a shape.
    package var isBlank: Bool {
        unicodeScalars.allSatisfy { $0.properties.isWhitespace || $0.properties.isDefaultIgnorableCodePoint }
    }

    /// The text, unless nothing of it is seen.
    var shown: String? { isBlank ? nil : self }
}
