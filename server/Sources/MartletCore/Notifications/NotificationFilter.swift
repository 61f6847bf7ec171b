public import MartletWire

/// Which notifications of a list are asked for.
public struct NotificationFilter: Sendable, Hashable {
    /// An app's; `nil` is everybody's.
    public var app: RowID<App>?
    /// Of one state.
    public var state: NotificationStatus?
    /// Only those that were accepted then or later.
    public var since: Timestamp?
    /// Only those whose title or body contains it.
    public var search: ContentSearch?
    /// Only those with this dedup key.
    public var dedupKey: String?
    /// Only those of this category.
    public var category: RowID<Category>?
    /// Only those of which something is recorded of this person, by the customer's own id; needs the app.
    public var user: String?

    package init(
        app: RowID<App>? = nil,
        state: NotificationStatus? = nil,
        since: Timestamp? = nil,
        search: ContentSearch? = nil
    ) {
        self.app = app
        self.state = state
        self.since = since
        self.search = search
    }

    /// The smallest key of a notification that it asks for.
    package var firstKey: Int64 {
        since.map(Self.firstKey(since:)) ?? .min
    }

    /// The smallest key of a notification that was accepted then or later.
    package static func firstKey(since moment: Timestamp) -> Int64 {
        // Keys are of the years 1970 to 2109.
        return NotificationIDs.firstKey(of: Timestamp(milliseconds: min(max(moment.rawValue, 0), 1 << 42)))
    }
}

/// A text that is looked for in titles and bodies, whatever its letters' case. A pure value.
public struct ContentSearch: Sendable, Hashable {
    /// The text in lower case.
    private let text: String
    /// What of it is the same in any case but that of ASCII's letters; `nil` where that says nothing.
    private let bytes: [UInt8]?

    /// The most bytes of a text. Ours: longer than anybody types.
    package static let limit = 256

    package init(_ text: String) {
        self.text = text.lowercased()
        bytes = text.utf8.allSatisfy { $0 < 0x80 } ? text.utf8.map(Self.lowercased) : nil
    }

    /// Whether a title or a body contains it.
    package func matches(title: String?, body: String?) -> Bool {
        [title, body].contains { $0.map(isIn) ?? false }
    }

    /// Whether a content's JSON may have it, so that the rest need not be read.
    package func mayMatch(json: UnsafeBufferPointer<UInt8>) -> Bool {
        // What JSON writes in another way is found out by reading it.
        guard let bytes, bytes.allSatisfy({ $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }) else {
            return true
        }
        return Self.contains(bytes, in: json)
    }

    private func isIn(_ text: String) -> Bool {
        guard let bytes else { return text.lowercased().contains(self.text) }
        return Array(text.utf8).withUnsafeBufferPointer { Self.contains(bytes, in: $0) }
    }

    private static func contains(_ part: [UInt8], in text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let first = part.first else { return true }
        guard text.count >= part.count else { return false }
        for start in 0...text.count - part.count where lowercased(text[start]) == first {
            if part.indices.allSatisfy({ lowercased(text[start + $0]) == part[$0] }) { return true }
        }
        return false
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }
}
