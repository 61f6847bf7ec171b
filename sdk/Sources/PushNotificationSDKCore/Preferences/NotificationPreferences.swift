import Foundation
package import MartletWire

/// What the user wants: over all categories and of each, on each channel.
public struct NotificationPreferences: Sendable, Equatable {
    /// What the user chose; an absent value was never chosen and is the default.
    public struct Choice: Sendable, Hashable, Codable {
        /// Whether there is anything at all.
        public let enabled: Bool?
        /// Whether there are pushes.
        public let push: Bool?
        /// Whether there are inbox items.
        public let inbox: Bool?
    }

    /// What says whether a channel is on.
    public enum Source: String, Sendable, Hashable, Codable, CaseIterable {
        /// The category cannot be switched off on this channel.
        case required
        /// The user's choice over all categories.
        case master
        /// The user's choice for the category.
        case user
        /// The category's default.
        case category
        /// Nothing says otherwise, and so it is on.
        case system
    }

    /// Whether a channel is on, and what says so.
    public struct Channel: Sendable, Hashable, Codable {
        /// Whether it is on.
        public let isOn: Bool
        /// What says so.
        public let source: Source

        /// Whether a switch for it changes anything now.
        public var canChange: Bool { source != .required }
    }

    /// What the user wants of one category.
    public struct Category: Sendable, Hashable, Codable, Identifiable {
        /// The category's key, such as `comment`.
        public let key: String
        /// What people read in a settings screen, by locale.
        public let names: [String: String]
        /// What the user chose.
        public let choice: Choice
        /// Pushes.
        public let push: Channel
        /// Inbox items.
        public let inbox: Channel

        /// The category's key.
        public var id: String { key }

        /// What people read in one of their languages, the most wanted first; the device's, where none are given. The key,
        /// where there is no name.
        public func name(for languages: [String]? = nil) -> String {
            let known = Dictionary(names.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { $1 })
            for language in languages ?? Locale.preferredLanguages {
                var parts = language.replacingOccurrences(of: "_", with: "-").lowercased().split(separator: "-")
                while !parts.isEmpty {
                    if let name = known[parts.joined(separator: "-")] { return name }
                    parts.removeLast()
                }
            }
            return known["en"] ?? names.min { $0.key < $1.key }?.value ?? key
        }
    }

    /// The number of the last change; 0 where nothing was ever chosen.
    public let revision: Int64
    /// What the user chose over all categories. Off there changes no category's own choice.
    public let master: Choice
    /// One for each category of the app, in the order of a settings screen.
    public let categories: [Category]
    /// The language and region that the server knows of the user.
    public let locale: String?
    /// The IANA time zone that the server knows of the user.
    public let timeZone: String?

    /// What the user wants of one category; `nil` where the app has no such category.
    public subscript(key: String) -> Category? { categories.first { $0.key == key } }
}

extension NotificationPreferences {
    /// Preferences as the server says them.
    package init(_ response: PreferencesResponse) {
        revision = response.revision
        master = Choice(response.master)
        categories = response.categories.map(Category.init)
        locale = response.locale
        timeZone = response.timeZone
    }

    /// The preferences as JSON, under this type's own names.
    public var json: String {
        var members: [String: JSONValue] = [
            "revision": .integer(revision), "master": master.json, "categories": .array(categories.map(\.json)),
        ]
        members["locale"] = locale.map(JSONValue.string)
        members["timeZone"] = timeZone.map(JSONValue.string)
        return JSONValue.object(members).text
    }
}

extension NotificationPreferences.Choice {
    fileprivate init(_ choice: ChannelChoice) {
        self.init(enabled: choice.enabled, push: choice.push, inbox: choice.inbox)
    }

    fileprivate var json: JSONValue {
        var members: [String: JSONValue] = [:]
        members["enabled"] = enabled.map(JSONValue.bool)
        members["push"] = push.map(JSONValue.bool)
        members["inbox"] = inbox.map(JSONValue.bool)
        return .object(members)
    }
}

extension NotificationPreferences.Channel {
    fileprivate init(_ state: ChannelState) {
        self.init(isOn: state.isOn, source: .init(state.source))
    }

    fileprivate var json: JSONValue { ["isOn": .bool(isOn), "source": .string(source.rawValue)] }
}

extension NotificationPreferences.Source {
    fileprivate init(_ source: PreferenceSource) {
        switch source {
        case .required: self = .required
        case .master: self = .master
        case .user: self = .user
        case .category: self = .category
        case .system: self = .system
        }
    }
}

extension NotificationPreferences.Category {
    fileprivate init(_ category: CategoryPreference) {
        self.init(
            key: category.key,
            names: category.names,
            choice: .init(category.choice),
            push: .init(category.push),
            inbox: .init(category.inbox)
        )
    }

    fileprivate var json: JSONValue {
        [
            "key": .string(key), "names": .object(names.mapValues(JSONValue.string)), "choice": choice.json,
            "push": push.json, "inbox": inbox.json,
        ]
    }
}

extension JSONValue {
    /// The value as text; an empty object where it holds a number that JSON does not have, which none from JSON does.
    var text: String { (try? json()).map { String(decoding: $0, as: UTF8.self) } ?? "{}" }
}
