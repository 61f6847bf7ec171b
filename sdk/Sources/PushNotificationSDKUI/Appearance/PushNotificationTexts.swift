public import Foundation
public import PushNotificationSDKCore

/// What the views say. `.current` is Japanese where the person prefers it to every other language, else English; an app
/// changes single texts, or gives all of them in another language.
///
///     var texts = PushNotificationTexts.current
///     texts.inbox = "News"
public struct PushNotificationTexts: Sendable {
    /// The title of the inbox, and the name of its channel.
    public var inbox: String
    /// The name of the channel of pushes.
    public var push: String
    /// What says that an item is not read, to whoever hears the list.
    public var unread: String
    /// How many items are not read, to whoever hears the badge.
    public var unreadCount: @Sendable (Int) -> String
    /// Marks an item as read.
    public var markRead: String
    /// Marks an item as unread.
    public var markUnread: String
    /// Marks all items as read.
    public var markAllRead: String
    /// Puts an item away.
    public var remove: String
    /// Where there are no items.
    public var empty: String
    /// Reads again what could not be read.
    public var retry: String
    /// Closes a message.
    public var close: String

    /// Within the last minute.
    public var now: String
    /// Minutes ago, from 1.
    public var minutesAgo: @Sendable (Int) -> String
    /// Hours ago, from 1.
    public var hoursAgo: @Sendable (Int) -> String
    /// Days ago, 1 to 6.
    public var daysAgo: @Sendable (Int) -> String
    /// The language of dates that are older.
    public var locale: Locale

    /// The title of the preferences.
    public var preferences: String
    /// The switches over all categories.
    public var allCategories: String
    /// Why a switch that is required cannot be moved.
    public var required: String
    /// Why a switch cannot be moved whose channel is off for all.
    public var offForAll: String
    /// That the Settings app keeps notifications from being shown.
    public var denied: String
    /// Opens the Settings app.
    public var openSettings: String
    /// That a switch moved back.
    public var notSaved: String
    /// That a mark was taken back.
    public var notMarked: String

    /// That the server cannot be reached.
    public var offline: String
    /// That the server cannot answer now.
    public var serverTrouble: String
    /// That nobody is logged in.
    public var loginNeeded: String
    /// Everything else that can go wrong.
    public var otherTrouble: String
}

extension PushNotificationTexts {
    /// In the person's language, of those that there are.
    public static var current: PushNotificationTexts {
        switch ErrorLanguage.current {
        case .english: english
        case .japanese: japanese
        }
    }

    /// In English.
    public static var english: PushNotificationTexts {
        PushNotificationTexts(
            inbox: "Inbox",
            push: "Push notifications",
            unread: "Unread",
            unreadCount: { "\($0) unread" },
            markRead: "Mark as read",
            markUnread: "Mark as unread",
            markAllRead: "Mark all as read",
            remove: "Remove",
            empty: "No messages",
            retry: "Try again",
            close: "OK",
            now: "now",
            minutesAgo: { $0 == 1 ? "1 minute ago" : "\($0) minutes ago" },
            hoursAgo: { $0 == 1 ? "1 hour ago" : "\($0) hours ago" },
            daysAgo: { $0 == 1 ? "1 day ago" : "\($0) days ago" },
            locale: Locale(identifier: "en"),
            preferences: "Notifications",
            allCategories: "All notifications",
            required: "Always on",
            offForAll: "Off for all notifications",
            denied: "Notifications are off for this app in Settings.",
            openSettings: "Open Settings",
            notSaved: "The change was not saved",
            notMarked: "The message was not changed",
            offline: "There is no connection. Check it and try again.",
            serverTrouble: "The server cannot answer now. Try again later.",
            loginNeeded: "Log in to see this.",
            otherTrouble: "Something went wrong. Try again later."
        )
    }

    /// In Japanese.
    public static var japanese: PushNotificationTexts {
        PushNotificationTexts(
            inbox: "お知らせ",
            push: "プッシュ通知",
            unread: "未読",
            unreadCount: { "未読\($0)件" },
            markRead: "既読にする",
            markUnread: "未読にする",
            markAllRead: "すべて既読にする",
            remove: "削除",
            empty: "お知らせはありません",
            retry: "再試行",
            close: "OK",
            now: "たった今",
            minutesAgo: { "\($0)分前" },
            hoursAgo: { "\($0)時間前" },
            daysAgo: { "\($0)日前" },
            locale: Locale(identifier: "ja"),
            preferences: "通知",
            allCategories: "すべての通知",
            required: "常にオンです",
            offForAll: "すべての通知でオフになっています",
            denied: "設定アプリで、このアプリの通知がオフになっています。",
            openSettings: "設定を開く",
            notSaved: "変更を保存できませんでした",
            notMarked: "お知らせを変更できませんでした",
            offline: "接続がありません。通信状態を確認して、もう一度お試しください。",
            serverTrouble: "サーバーが応答できません。しばらくしてからもう一度お試しください。",
            loginNeeded: "表示するにはログインしてください。",
            otherTrouble: "問題が発生しました。しばらくしてからもう一度お試しください。"
        )
    }

    /// What went wrong, for a person: unlike the error's own text, which is for the app's developer.
    public func text(for error: PushNotificationError) -> String {
        switch error {
        case .networkError: offline
        case .serverError: serverTrouble
        case .loginRequired: loginNeeded
        default: otherTrouble
        }
    }

    /// How long ago something was: up to a week in words, then the date.
    public func time(of date: Date, now moment: Date) -> String {
        switch Int(max(0, moment.timeIntervalSince(date))) {
        case let seconds where seconds < 60: return now
        case let seconds where seconds < 3600: return minutesAgo(seconds / 60)
        case let seconds where seconds < 86_400: return hoursAgo(seconds / 3600)
        case let seconds where seconds < 7 * 86_400: return daysAgo(seconds / 86_400)
        default: break
        }
        let formatter = DateFormatter()
        formatter.locale = locale
        formatter.dateStyle = .medium
        formatter.timeStyle = .none
        return formatter.string(from: date)
    }

    /// An item, to whoever hears the list.
    func spoken(_ item: InboxItem, now moment: Date) -> String {
        let state = item.isRead ? nil : unread
        return [state, item.title, item.subtitle, item.body, time(of: item.publishedAt, now: moment)]
            .compactMap(\.self).filter { !$0.isEmpty }.joined(separator: ", ")
    }
}
