import Foundation
import MartletPhone
import MartletWire

/// What shows on a phone at one moment.
struct PhoneScreen: Sendable, Encodable, Equatable {
    /// A notification on it.
    struct Entry: Sendable, Encodable, Equatable {
        var id: String
        var time: UTCTime
        var title: String
        var subtitle: String
        var body: String
        var attachments: Int
        var buttons: [Button]
    }

    /// A button of a notification.
    struct Button: Sendable, Encodable, Equatable {
        var id: String
        var title: String
    }

    /// The phone's number, from 1.
    var phone: Int
    /// Who uses the app.
    var user: String?
    /// Where the app stands.
    var app: String
    /// Whether the screen is locked.
    var isLocked: Bool
    /// Whether the phone reaches anything.
    var isOnline: Bool
    /// Whether the system's prompt shows.
    var isAsking: Bool
    /// Whether notifications are allowed; absent before there was an answer.
    var allowed: Bool?
    /// The number on the app's icon.
    var badge: Int
    /// The page that the app shows.
    var page: String?
    /// What shows, the newest first.
    var notifications: [Entry]
    /// What of the app is open.
    var view: View?
    /// The app's notice list, once it was read.
    var notices: Notices?
    /// The app's settings, once they were read.
    var settings: Settings?

    enum CodingKeys: String, CodingKey {
        case phone, user, app
        case isLocked = "locked"
        case isOnline = "online"
        case isAsking = "asking"
        case allowed, badge, page, notifications, view, notices, settings
    }
}

extension PhoneScreen {
    /// The phone's number and its user.
    var name: String { TextWidth.printable(user.map { "\(phone) \($0)" } ?? "\(phone)") }

    /// What a person sees of the phone at a glance.
    var glance: String {
        let place =
            switch app {
            case AppState.foreground.rawValue: "app in front"
            case _ where isLocked: "locked"
            case AppState.background.rawValue: "home"
            default: "app not running"
            }
        let parts = [
            place, isOnline ? nil : "offline", allowed == false ? "notifications off" : nil,
            badge > 0 ? "badge \(badge)" : nil,
        ]
        return parts.compactMap(\.self).joined(separator: ", ")
    }
}

extension PhoneScreen.Entry {
    init(_ shown: ShownNotification) {
        id = shown.id
        time = UTCTime(milliseconds: Int64(shown.date.timeIntervalSince1970 * 1_000))
        title = shown.title
        subtitle = shown.subtitle
        body = shown.body
        attachments = shown.attachments.count
        buttons = shown.buttons.map { PhoneScreen.Button(id: $0.id, title: $0.title) }
    }
}
