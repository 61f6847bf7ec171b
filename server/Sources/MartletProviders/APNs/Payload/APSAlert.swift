public import MartletWire

/// The member `alert` of `aps` (Apple, "Generating a remote notification").
public struct APSAlert: Sendable, Hashable {
    /// A text of an alert.
    public enum Text: Sendable, Hashable {
        /// The text itself.
        case plain(String)
        /// A key of the app's strings with what fills its places; only Live Activities take it here.
        case localized(key: String, arguments: [String])
    }

    /// The first line.
    public var title: Text?
    /// The second line.
    public var subtitle: Text?
    /// The text.
    public var body: Text?
    /// The launch image shown after a tap.
    public var launchImage: String?
    /// The key of the title in the app's strings.
    public var titleLocKey: String?
    /// What fills the places of the title.
    public var titleLocArgs: [String]?
    /// The key of the subtitle in the app's strings.
    public var subtitleLocKey: String?
    /// What fills the places of the subtitle.
    public var subtitleLocArgs: [String]?
    /// The key of the text in the app's strings.
    public var locKey: String?
    /// What fills the places of the text.
    public var locArgs: [String]?
    /// Members that this version does not know; they go to the phone as they are.
    public var other: [String: JSONValue] = [:]

    /// An alert; what is not named here is set on its property.
    public init(title: Text? = nil, subtitle: Text? = nil, body: Text? = nil) {
        self.title = title
        self.subtitle = subtitle
        self.body = body
    }
}

extension APSAlert.Text: ExpressibleByStringLiteral {
    /// A plain text.
    public init(stringLiteral value: String) { self = .plain(value) }
}

extension APSAlert {
    /// The alert as JSON.
    var json: JSONValue {
        var members = other
        members["title"] = title?.json
        members["subtitle"] = subtitle?.json
        members["body"] = body?.json
        members["launch-image"] = launchImage.map(JSONValue.string)
        members["title-loc-key"] = titleLocKey.map(JSONValue.string)
        members["title-loc-args"] = titleLocArgs.map { .array($0.map(JSONValue.string)) }
        members["subtitle-loc-key"] = subtitleLocKey.map(JSONValue.string)
        members["subtitle-loc-args"] = subtitleLocArgs.map { .array($0.map(JSONValue.string)) }
        members["loc-key"] = locKey.map(JSONValue.string)
        members["loc-args"] = locArgs.map { .array($0.map(JSONValue.string)) }
        return .object(members)
    }
}

extension APSAlert.Text {
    fileprivate var json: JSONValue {
        switch self {
        case .plain(let text): .string(text)
        case .localized(let key, let arguments):
            .object(["loc-key": .string(key), "loc-args": .array(arguments.map(JSONValue.string))])
        }
    }
}
