import Foundation

/// A language that the SDK speaks.
package enum ErrorLanguage: Sendable, Hashable, CaseIterable {
    case english
    case japanese

    /// Japanese where the person prefers it to every other language, else English.
    package static var current: ErrorLanguage { ErrorLanguage(preferred: Locale.preferredLanguages) }

    /// The language for a person's preferences, the most wanted first.
    package init(preferred: [String]) {
        let first = preferred.first?.lowercased() ?? ""
        self = first == "ja" || first.hasPrefix("ja-") || first.hasPrefix("ja_") ? .japanese : .english
    }
}

/// What happened and what to do, for a person.
package struct ErrorText: Sendable, Hashable {
    /// What happened.
    package var description: String
    /// What to do next.
    package var suggestion: String

    package init(description: String, suggestion: String) {
        self.description = description
        self.suggestion = suggestion
    }
}

extension PushNotificationError {
    /// The text in one language.
    package func text(in language: ErrorLanguage) -> ErrorText {
        switch language {
        case .english: english
        case .japanese: japanese
        }
    }

    private var english: ErrorText {
        switch self {
        case .invalidConfiguration(let what):
            ErrorText(
                description: "The configuration is not valid: \(what)",
                suggestion: "Correct the value that is named."
            )
        case .permissionDenied:
            ErrorText(
                description: "Notifications were refused.",
                suggestion: "Notifications can be allowed for this app in the Settings app."
            )
        case .invalidToken:
            ErrorText(
                description: "The device token is not valid.",
                suggestion: "Hand over the token as the system gives it, without changing it."
            )
        case .networkError(let error):
            ErrorText(
                description: "The server could not be reached: \(error.networkReason.english)",
                suggestion: "Check the connection. The SDK tries again by itself."
            )
        case .serverError(let status, let message):
            ErrorText(
                description: "The server answered \(status): \(message)",
                suggestion: ServerAdvice(status: status).english
            )
        case .notConfigured:
            ErrorText(
                description: "The SDK is not configured.",
                suggestion: "Call PushNotificationSDK.configure(_:) when the app starts."
            )
        case .registrationFailed(let why):
            ErrorText(
                description: "The system gave no device token: \(why)",
                suggestion: "Check the app's push entitlement and its provisioning profile."
            )
        case .linkRefused(let why):
            ErrorText(
                description: "A link was not opened: \(why)",
                suggestion: "Add the link's scheme, host and path to the links that the app allows."
            )
        case .attachmentFailed(let why):
            ErrorText(
                description: "The attachment could not be shown: \(why)",
                suggestion: "Check the attachment's address, kind and size. The notification is shown without it."
            )
        case .eventsRejected(let count, let message):
            ErrorText(
                description: "The server refused events (\(count)): \(message)",
                suggestion: "Check the API key and the server's version. These events are not sent again."
            )
        case .loginRequired:
            ErrorText(
                description: "No user is logged in, or there is no token that speaks for the user.",
                suggestion: "Call login(_:userToken:) with a user token, or set onUserTokenNeeded."
            )
        }
    }

    private var japanese: ErrorText {
        switch self {
        case .invalidConfiguration(let what):
            ErrorText(description: "設定が正しくありません: \(what)", suggestion: "該当する値を修正してください。")
        case .permissionDenied:
            ErrorText(description: "通知は拒否されています。", suggestion: "設定アプリでこのアプリの通知を許可できます。")
        case .invalidToken:
            ErrorText(
                description: "デバイストークンが正しくありません。",
                suggestion: "システムから受け取ったトークンを変更せずに渡してください。"
            )
        case .networkError(let error):
            ErrorText(
                description: "サーバーに接続できませんでした: \(error.networkReason.japanese)",
                suggestion: "通信状態を確認してください。SDKが自動的に再試行します。"
            )
        case .serverError(let status, let message):
            ErrorText(
                description: "サーバーがエラーを返しました（\(status)）: \(message)",
                suggestion: ServerAdvice(status: status).japanese
            )
        case .notConfigured:
            ErrorText(
                description: "SDKが初期化されていません。",
                suggestion: "アプリの起動時にPushNotificationSDK.configure(_:)を呼び出してください。"
            )
        case .registrationFailed(let why):
            ErrorText(
                description: "デバイストークンを取得できませんでした: \(why)",
                suggestion: "プッシュ通知のエンタイトルメントとプロビジョニングプロファイルを確認してください。"
            )
        case .linkRefused(let why):
            ErrorText(
                description: "リンクを開きませんでした: \(why)",
                suggestion: "アプリが許可するリンクに、スキーム、ホスト、パスを追加してください。"
            )
        case .attachmentFailed(let why):
            ErrorText(
                description: "添付ファイルを表示できませんでした: \(why)",
                suggestion: "添付ファイルのURL、種類、サイズを確認してください。通知自体は表示されます。"
            )
        case .eventsRejected(let count, let message):
            ErrorText(
                description: "サーバーがイベントを拒否しました（\(count)件）: \(message)",
                suggestion: "APIキーとサーバーのバージョンを確認してください。これらのイベントは再送されません。"
            )
        case .loginRequired:
            ErrorText(
                description: "ログイン中のユーザーがいないか、ユーザートークンがありません。",
                suggestion: "login(_:userToken:)をユーザートークン付きで呼び出すか、onUserTokenNeededを設定してください。"
            )
        }
    }
}

/// What to do about a status of the server.
private struct ServerAdvice {
    var english: String
    var japanese: String

    init(status: Int) {
        switch status {
        case 401, 403:
            english = """
                Check the API key: it must be a valid client key of this app. Where the app's users are proven by tokens, \
                log in with a valid one.
                """
            japanese = """
                APIキーを確認してください。このアプリの有効なクライアントキーが必要です。\
                ユーザーをトークンで証明するアプリでは、有効なトークンでログインしてください。
                """
        case 404:
            english = "Check the API address."
            japanese = "APIのURLを確認してください。"
        case 408, 425, 429, 500...599:
            english = "Wait a moment. The SDK tries again by itself."
            japanese = "しばらくお待ちください。SDKが自動的に再試行します。"
        default:
            english = "Check the values that are sent and the versions of app and server."
            japanese = "送信する値と、アプリおよびサーバーのバージョンを確認してください。"
        }
    }
}

extension Error {
    /// Why there is no answer.
    fileprivate var networkReason: (english: String, japanese: String) {
        switch self as? TransportError {
        case .unreachable?: ("no connection.", "接続がありません。")
        case .timedOut?: ("the time was over.", "タイムアウトしました。")
        case .insecure?: ("the connection is not secure.", "安全な接続を確立できません。")
        case .answerTooLarge?: ("the answer is too long.", "応答が大きすぎます。")
        case .cancelled?: ("it was cancelled.", "キャンセルされました。")
        case .failed(let text)?: (text, text)
        case nil: (localizedDescription, localizedDescription)
        }
    }
}
