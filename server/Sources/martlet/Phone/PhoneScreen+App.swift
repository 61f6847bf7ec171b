import Foundation
import MartletWire
import PushNotificationSDK

extension PhoneScreen {
    /// A screen of the app's.
    enum View: String, Sendable, Encodable {
        case notices, settings
    }

    /// The notice list as the app shows it.
    struct Notices: Sendable, Encodable, Equatable {
        /// The number at the list's tab.
        var unread: Int?
        /// The newest first.
        var items: [Notice]
    }

    /// A line of the list.
    struct Notice: Sendable, Encodable, Equatable {
        var id: String
        var time: UTCTime
        var title: String
        var body: String
        var category: String?
        var isRead: Bool

        enum CodingKeys: String, CodingKey {
            case id, time, title, body, category
            case isRead = "read"
        }
    }

    /// The app's settings.
    struct Settings: Sendable, Encodable, Equatable {
        /// The switch over everything.
        var master: Bool
        /// The switch for pushes to this device.
        var device: Bool
        /// The switches of each category.
        var categories: [Category]
    }

    /// A category in the settings.
    struct Category: Sendable, Encodable, Equatable {
        var key: String
        var name: String
        var push: Bool
        var inbox: Bool
    }

    /// The lines of what is open that can be selected.
    var rows: Int {
        switch view {
        case .notices: notices?.items.count ?? 0
        case .settings: settings?.switches.count ?? 0
        case nil: notifications.count
        }
    }
}

extension PhoneScreen.Notices {
    init(_ inbox: CachedInbox) {
        unread = inbox.counts?.unread
        items = inbox.items.map { item in
            PhoneScreen.Notice(
                id: item.id,
                time: UTCTime(milliseconds: Int64(item.publishedAt.timeIntervalSince1970 * 1_000)),
                title: item.title ?? "",
                body: item.body ?? "",
                category: item.category,
                isRead: item.isRead
            )
        }
    }

    /// The list in a few words.
    var words: String {
        "\(items.count) notice\(items.count == 1 ? "" : "s")" + (unread.map { ", \($0) unread" } ?? "")
    }
}

extension PhoneScreen.Settings {
    /// A switch as it shows, and what turning it does.
    struct Switch: Equatable {
        var name: String
        var isOn: Bool
        var turn: PhoneOrder
    }

    init(_ preferences: NotificationPreferences, isDeviceOn: Bool) {
        master = preferences.master.enabled ?? true
        device = isDeviceOn
        categories = preferences.categories.map { category in
            PhoneScreen.Category(
                key: category.key,
                name: category.name(for: ["en"]),
                push: category.push.isOn,
                inbox: category.inbox.isOn
            )
        }
    }

    /// From top to bottom.
    var switches: [Switch] {
        let first = [
            Switch(
                name: "All notifications",
                isOn: master,
                turn: .change(.master(enabled: PreferenceSetting(!master)))
            ),
            Switch(name: "Pushes to this device", isOn: device, turn: .device(!device)),
        ]
        return first
            + categories.flatMap { category in
                // What is off as a whole is switched on as a whole.
                let push = PreferencesChange.category(
                    category.key,
                    enabled: category.push ? .unchanged : .on,
                    push: PreferenceSetting(!category.push)
                )
                let inbox = PreferencesChange.category(
                    category.key,
                    enabled: category.inbox ? .unchanged : .on,
                    inbox: PreferenceSetting(!category.inbox)
                )
                return [
                    Switch(name: "\(category.name): push", isOn: category.push, turn: .change(push)),
                    Switch(name: "\(category.name): list", isOn: category.inbox, turn: .change(inbox)),
                ]
            }
    }

    /// What is off, in a few words.
    var words: String {
        var off = [master ? nil : "everything", device ? nil : "this device"]
        off += categories.map { category in
            switch (category.push, category.inbox) {
            case (true, true): nil
            case (false, false): category.key
            case (false, true): "push of \(category.key)"
            case (true, false): "inbox of \(category.key)"
            }
        }
        let words = off.compactMap(\.self)
        return words.isEmpty ? "all is on" : "off: " + words.joined(separator: ", ")
    }
}
