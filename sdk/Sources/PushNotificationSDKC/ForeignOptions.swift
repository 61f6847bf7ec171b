import Foundation
import MartletWire
import PushNotificationSDKCore

/// What `PushSDK_Configure` has no place for, as JSON; `docs/sdk/c.md` has the table of its members.
///
/// Nothing is passed over: a member of another name or type is an error that names it.
struct ForeignOptions: Sendable, Equatable {
    var timeout = SDKConfiguration.defaultTimeout
    var app: String?
    var apnsEnvironment: APNsEnvironment?
    var appGroup: String?
    var categories: [NotificationCategory] = []
    var presentation: NotificationPresentation?
    var eventStorage = EventStorage.files
    var automaticForwarding = true
    var tracksBeforeConsent = true
    /// The links that may be opened; `nil` leaves what holds by itself.
    var links: LinkPolicy?

    /// What holds where nothing is said.
    init() {}

    /// Reads the JSON.
    ///
    /// - Throws: ``PushNotificationError/invalidConfiguration(_:)`` naming the member at fault.
    init(json: String) throws(PushNotificationError) {
        guard let value = try? JSONValue(json: Data(json.utf8)), let members = value.objectValue else {
            throw .invalidConfiguration("the options are not a JSON object")
        }
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
            switch name {
            case "timeout": timeout = try Self.number(value, name)
            case "app": app = try Self.text(value, name)
            case "apnsEnvironment": apnsEnvironment = try Self.environment(value, name)
            case "appGroup": appGroup = try Self.text(value, name)
            case "categories":
                categories = try Self.list(value, name) { value, name throws(PushNotificationError) in
                    try Self.category(value, name)
                }
            case "presentation": presentation = try Self.presentation(value, name)
            case "eventStorage": eventStorage = try Self.eventStorage(value, name)
            case "automaticForwarding": automaticForwarding = try Self.flag(value, name)
            case "tracksBeforeConsent": tracksBeforeConsent = try Self.flag(value, name)
            case "links":
                links = LinkPolicy(
                    try Self.list(value, name) { value, name throws(PushNotificationError) in
                        try Self.rule(value, name)
                    }
                )
            default: throw .invalidConfiguration("the options have no member \(name.prefix(64))")
            }
        }
    }
}

extension ForeignOptions {
    private static func flag(_ value: JSONValue, _ name: String) throws(PushNotificationError) -> Bool {
        guard case .bool(let isOn) = value else { throw .invalidConfiguration("\(name) must be true or false") }
        return isOn
    }

    private static func environment(_ value: JSONValue, _ name: String) throws(PushNotificationError) -> APNsEnvironment
    {
        guard let environment = APNsEnvironment(rawValue: try text(value, name)) else {
            throw .invalidConfiguration("\(name) must be sandbox or production")
        }
        return environment
    }

    private static func eventStorage(
        _ value: JSONValue,
        _ name: String
    ) throws(PushNotificationError) -> EventStorage {
        guard let storage = EventStorage(rawValue: try text(value, name)) else {
            throw .invalidConfiguration("\(name) must be files or userDefaults")
        }
        return storage
    }

    private static func presentation(
        _ value: JSONValue,
        _ name: String
    ) throws(PushNotificationError) -> NotificationPresentation {
        let words: [String: NotificationPresentation] = [
            "banner": .banner, "list": .list, "sound": .sound, "badge": .badge,
        ]
        return NotificationPresentation(
            try list(value, name) { value, name throws(PushNotificationError) in
                guard let presentation = words[try text(value, name)] else {
                    throw .invalidConfiguration("\(name) must be banner, list, sound or badge")
                }
                return presentation
            }
        )
    }

    private static func category(_ value: JSONValue, _ name: String) throws(PushNotificationError)
        -> NotificationCategory
    {
        let members = try object(value, name, ["identifier", "actions"])
        let actions = try members["actions"].map { value throws(PushNotificationError) in
            try list(value, "\(name).actions") { value, name throws(PushNotificationError) in try action(value, name) }
        }
        return NotificationCategory(try text(members["identifier"], "\(name).identifier"), actions: actions ?? [])
    }

    private static func action(
        _ value: JSONValue,
        _ name: String
    ) throws(PushNotificationError) -> NotificationCategory.Action {
        let options: [(String, NotificationCategory.Action.Options)] = [
            ("foreground", .foreground), ("authenticationRequired", .authenticationRequired),
            ("destructive", .destructive),
        ]
        let members = try object(value, name, ["identifier", "title", "textInput"] + options.map(\.0))
        var action = NotificationCategory.Action(
            try text(members["identifier"], "\(name).identifier"),
            title: try text(members["title"], "\(name).title")
        )
        for (word, option) in options {
            guard let value = members[word] else { continue }
            if try flag(value, "\(name).\(word)") { action.options.insert(option) }
        }
        if let value = members["textInput"] { action.textInput = try textInput(value, "\(name).textInput") }
        return action
    }

    private static func textInput(
        _ value: JSONValue,
        _ name: String
    ) throws(PushNotificationError) -> NotificationCategory.Action.TextInput {
        let members = try object(value, name, ["buttonTitle", "placeholder"])
        var input = NotificationCategory.Action.TextInput(
            buttonTitle: try text(members["buttonTitle"], "\(name).buttonTitle")
        )
        if let value = members["placeholder"] { input.placeholder = try text(value, "\(name).placeholder") }
        return input
    }

    private static func rule(_ value: JSONValue, _ name: String) throws(PushNotificationError) -> LinkPolicy.Rule {
        let members = try object(value, name, ["scheme", "host", "path"])
        return LinkPolicy.Rule(
            scheme: try text(members["scheme"], "\(name).scheme"),
            host: try members["host"].map { value throws(PushNotificationError) in try text(value, "\(name).host") },
            path: try members["path"].map { value throws(PushNotificationError) in try text(value, "\(name).path") }
        )
    }
}

extension ForeignOptions {
    private static func text(_ value: JSONValue?, _ name: String) throws(PushNotificationError) -> String {
        guard let text = value?.stringValue, !text.isEmpty else {
            throw .invalidConfiguration("\(name) must be a text, and not empty")
        }
        return text
    }

    private static func number(_ value: JSONValue, _ name: String) throws(PushNotificationError) -> Double {
        guard let number = value.doubleValue else { throw .invalidConfiguration("\(name) must be a number") }
        return number
    }

    private static func object(
        _ value: JSONValue,
        _ name: String,
        _ known: [String]
    ) throws(PushNotificationError) -> [String: JSONValue] {
        guard let members = value.objectValue else { throw .invalidConfiguration("\(name) must be an object") }
        if let other = members.keys.sorted().first(where: { !known.contains($0) }) {
            throw .invalidConfiguration("\(name) has no member \(other.prefix(64))")
        }
        return members
    }

    /// The most elements of a list: more than the system takes, and more rules than any app has.
    private static let longestList = 100

    private static func list<Element>(
        _ value: JSONValue,
        _ name: String,
        _ element: (JSONValue, String) throws(PushNotificationError) -> Element
    ) throws(PushNotificationError) -> [Element] {
        guard case .array(let values) = value, values.count <= longestList else {
            throw .invalidConfiguration("\(name) must be a list of at most \(longestList)")
        }
        var elements: [Element] = []
        for (index, value) in values.enumerated() { elements.append(try element(value, "\(name)[\(index)]")) }
        return elements
    }
}
