import MartletWire

/// Something that an access key may do, as a rule: `publish,get*:arn:aws:sns:us-east-1:123456789012:orders-*`.
///
/// Before the colon stand actions, in any case and with or without IAM's `sns:`; behind it a name. `*` stands for any run
/// of characters in both.
public struct AccessPermission: Sendable, Hashable {
    /// Which actions a rule means.
    public struct Action: Sendable, Hashable {
        /// As it was written, without `sns:`.
        public let text: String

        /// Whether it means an action, such as `Publish`.
        public func matches(_ action: String) -> Bool { Wildcard.matches(action.lowercased(), text.lowercased()) }
    }

    /// The longest rule, in bytes. Ours: a name of a topic with its ARN has 310 at most.
    public static let longest = 512
    /// How many a key may have. Ours: all of them are looked at with each call.
    public static let limit = 50

    /// The rule as it was written.
    public let text: String
    /// What it allows; one at least.
    public let actions: [Action]
    private let resource: String

    /// Reads a rule.
    ///
    /// - Throws: `Failure` naming `allow`.
    public init(_ text: String) throws(Failure) {
        let colon = text.firstRange(of: ":arn")?.lowerBound ?? text.lastIndex(of: ":") ?? text.endIndex
        let resource = String(text[colon...].dropFirst())
        let actions = text[..<colon].split(separator: ",", omittingEmptySubsequences: false).map(Self.action)
        guard text.utf8.count <= Self.longest, actions.allSatisfy(Self.isAction), Self.isResource(resource) else {
            throw .invalid(
                "allow",
                "A rule has the form ACTION:ARN.",
                hint:
                    "For example publish:arn:aws:sns:us-east-1:123456789012:news, get*,list*:* or *:arn:aws:sns:*:shop-*."
            )
        }
        self.text = text
        self.actions = actions.map(Action.init)
        self.resource = resource
    }

    /// Whether it allows an action, such as `Publish`, on what bears a name.
    public func allows(_ action: String, on name: String) -> Bool {
        Wildcard.matches(name, resource) && actions.contains { $0.matches(action) }
    }

    /// An action without the service that IAM names before it.
    private static func action(_ text: Substring) -> String {
        String(text.lowercased().hasPrefix("sns:") ? text.dropFirst(4) : text)
    }

    private static func isAction(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { (0x61...0x7A).contains($0 | 0x20) || $0 == UInt8(ascii: "*") }
    }

    /// `*`, or a name of SNS as far as it is said.
    private static func isResource(_ text: String) -> Bool {
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return false }
        if text == "*" { return true }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts[0] == "arn" else { return false }
        // Behind a star anything may follow.
        return parts.prefix(3).contains { $0.contains("*") } || (parts.count > 2 && parts[2] == "sns")
    }
}

/// Texts with `*` in them.
package enum Wildcard {
    /// Whether a text is one that a pattern stands for: `*` is any run of characters, everything else is itself.
    package static func matches(_ text: String, _ pattern: String) -> Bool {
        let (text, pattern) = (Array(text.utf8), Array(pattern.utf8))
        var (index, place) = (0, 0)
        // Behind the last star, and how far the text was when it began.
        var last: (place: Int, index: Int)?
        while index < text.count {
            if place < pattern.count, pattern[place] == UInt8(ascii: "*") {
                place += 1
                last = (place, index)
            } else if place < pattern.count, pattern[place] == text[index] {
                place += 1
                index += 1
            } else if let star = last {
                last = (star.place, star.index + 1)
                (place, index) = (star.place, star.index + 1)
            } else {
                return false
            }
        }
        return pattern[place...].allSatisfy { $0 == UInt8(ascii: "*") }
    }
}
