import Foundation
import MartletWire

/// What becomes of one preference.
public enum PreferenceSetting: Sendable, Hashable, ExpressibleByBooleanLiteral {
    /// It is switched on.
    case on
    /// It is switched off.
    case off
    /// The choice is taken back, and the default holds again.
    case byDefault
    /// It stays as it is.
    case unchanged

    /// On or off.
    public init(_ isOn: Bool) { self = isOn ? .on : .off }

    /// On or off.
    public init(booleanLiteral value: Bool) { self.init(value) }

    fileprivate var patch: NullablePatch<Bool> {
        switch self {
        case .on: .value(true)
        case .off: .value(false)
        case .byDefault: .null
        case .unchanged: .unset
        }
    }
}

/// A change of preferences. What it does not name stays, also what another device changes at the same time.
///
///     try await PushNotificationSDK.preferences.set(.category("comment", push: false))
public struct PreferencesChange: Sendable, Equatable {
    private var master: ChannelPatch?
    private var categories: [String: ChannelPatch] = [:]

    /// A change of nothing yet.
    public init() {}

    /// A change over all categories.
    public static func master(
        enabled: PreferenceSetting = .unchanged,
        push: PreferenceSetting = .unchanged,
        inbox: PreferenceSetting = .unchanged
    ) -> PreferencesChange {
        var change = PreferencesChange()
        change.setMaster(enabled: enabled, push: push, inbox: inbox)
        return change
    }

    /// A change of one category.
    public static func category(
        _ key: String,
        enabled: PreferenceSetting = .unchanged,
        push: PreferenceSetting = .unchanged,
        inbox: PreferenceSetting = .unchanged
    ) -> PreferencesChange {
        var change = PreferencesChange()
        change.setCategory(key, enabled: enabled, push: push, inbox: inbox)
        return change
    }

    /// Changes what holds over all categories; what was set here before and is `unchanged` stays set.
    public mutating func setMaster(
        enabled: PreferenceSetting = .unchanged,
        push: PreferenceSetting = .unchanged,
        inbox: PreferenceSetting = .unchanged
    ) {
        master = (master ?? ChannelPatch()).setting(enabled, push, inbox)
    }

    /// Changes one category; what was set here before and is `unchanged` stays set.
    public mutating func setCategory(
        _ key: String,
        enabled: PreferenceSetting = .unchanged,
        push: PreferenceSetting = .unchanged,
        inbox: PreferenceSetting = .unchanged
    ) {
        categories[key] = (categories[key] ?? ChannelPatch()).setting(enabled, push, inbox)
    }

    /// Reads a change from JSON: `{"master":{"push":false},"categories":{"comment":{"enabled":null}}}`, where `null` takes
    /// a choice back.
    ///
    /// - Throws: ``PushNotificationError/invalidConfiguration(_:)`` naming what is wrong.
    public init(json: String) throws(PushNotificationError) {
        guard let members = (try? JSONValue(json: Data(json.utf8)))?.objectValue else {
            throw .invalidConfiguration("the preferences are not a JSON object")
        }
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
            switch (name, value.objectValue) {
            case ("master", let value?): master = try Self.patch(value, "master")
            case ("categories", let value?):
                for (key, value) in value {
                    guard let value = value.objectValue else {
                        throw .invalidConfiguration("categories.\(key.prefix(64)) must be an object")
                    }
                    categories[key] = try Self.patch(value, "categories.\(key.prefix(64))")
                }
            case ("master", nil), ("categories", nil): throw .invalidConfiguration("\(name) must be an object")
            default: throw .invalidConfiguration("the preferences have no member \(name.prefix(64))")
            }
        }
    }

    private static func patch(
        _ members: [String: JSONValue],
        _ name: String
    ) throws(PushNotificationError) -> ChannelPatch {
        var patch = ChannelPatch()
        for (key, value) in members {
            let setting: NullablePatch<Bool>
            switch value {
            case .bool(let isOn): setting = .value(isOn)
            case .null: setting = .null
            default: throw .invalidConfiguration("\(name).\(key.prefix(64)) must be true, false or null")
            }
            switch key {
            case "enabled": patch.enabled = setting
            case "push": patch.push = setting
            case "inbox": patch.inbox = setting
            default: throw .invalidConfiguration("\(name) has no member \(key.prefix(64))")
            }
        }
        return patch
    }

    /// The request.
    var update: PreferencesUpdate {
        PreferencesUpdate(master: master, categories: categories.isEmpty ? nil : categories)
    }
}

extension ChannelPatch {
    fileprivate func setting(
        _ enabled: PreferenceSetting,
        _ push: PreferenceSetting,
        _ inbox: PreferenceSetting
    ) -> ChannelPatch {
        var patch = self
        if enabled != .unchanged { patch.enabled = enabled.patch }
        if push != .unchanged { patch.push = push.patch }
        if inbox != .unchanged { patch.inbox = inbox.patch }
        return patch
    }
}
