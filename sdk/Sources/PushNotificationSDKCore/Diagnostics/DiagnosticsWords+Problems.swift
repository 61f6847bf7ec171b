extension DiagnosticsWords {
    /// What is wrong, and what to do about it.
    func text(of problem: PushNotificationDiagnostics.Problem) -> ErrorText {
        switch problem {
        case .deviceLocked, .permissionMissing, .delegateReplaced, .notForwarded, .deviceTokenMissing:
            ofDevice(problem)
        case .notRegistered, .switchedOff, .userTokenMissing, .anotherOwner: ofServer(problem)
        case .noHandler, .pushOfAnotherVendor, .pushWithoutID: ofPushes(problem)
        }
    }

    private func ofDevice(_ problem: PushNotificationDiagnostics.Problem) -> ErrorText {
        switch problem {
        case .deviceLocked:
            ErrorText(
                description: self("Nobody has unlocked the device since it started", "端末が起動後にロック解除されていません"),
                suggestion: self(
                    "Unlock it: before that nothing is read and nothing registered.",
                    "ロックを解除してください。それまでSDKは何も読み込めず、登録もできません。"
                )
            )
        case .permissionMissing:
            ErrorText(
                description: self("Notifications are not allowed", "通知が許可されていません"),
                suggestion: self(
                    "Ask for the permission, or allow them in the Settings app.",
                    "許可を求めるか、設定アプリで許可してください。"
                )
            )
        case .delegateReplaced:
            ErrorText(
                description: self("A delegate lost the SDK's methods", "デリゲートからSDKのメソッドが失われました"),
                suggestion: self(
                    """
                    Another SDK or the app put something in its place. The SDK gives them again when the app comes to the \
                    front; forward the calls, or use PushNotificationAppDelegate.
                    """,
                    """
                    別のSDKかアプリが置き換えました。SDKは、アプリがフォアグラウンドになったときにもう一度追加します。\
                    呼び出しを転送するか、PushNotificationAppDelegateを使ってください。
                    """
                )
            )
        case .notForwarded:
            ErrorText(
                description: self("The app's delegate may forward nothing", "アプリのデリゲートが転送していない可能性"),
                suggestion: self(
                    "Use PushNotificationAppDelegate, forward the calls, or leave automaticForwarding on.",
                    "PushNotificationAppDelegateを使うか、呼び出しを転送するか、automaticForwardingを有効にしてください。"
                )
            )
        default:
            ErrorText(
                description: self("No device token came in this launch", "今回の起動でデバイストークンが届いていません"),
                suggestion: self(
                    "Check the push entitlement, the provisioning profile and the connection.",
                    "プッシュ通知のエンタイトルメント、プロビジョニングプロファイル、通信状態を確認してください。"
                )
            )
        }
    }

    private func ofServer(_ problem: PushNotificationDiagnostics.Problem) -> ErrorText {
        switch problem {
        case .notRegistered:
            ErrorText(
                description: self("The server has not taken the device", "サーバーに端末が登録されていません"),
                suggestion: self("The last answers and errors say why.", "最近の応答とエラーで理由を確認してください。")
            )
        case .switchedOff:
            ErrorText(
                description: self("Pushes to this device are off", "この端末へのプッシュはオフです"),
                suggestion: self(
                    "Switch them on: PushNotificationSDK.preferences.setPushEnabled(true).",
                    "PushNotificationSDK.preferences.setPushEnabled(true)でオンにしてください。"
                )
            )
        case .userTokenMissing:
            ErrorText(
                description: self("There is no token that speaks for the user", "ユーザートークンがありません"),
                suggestion: self(
                    "Log in with one, or set onUserTokenNeeded. Until then the user's pushes do not come here.",
                    "トークンを渡してログインするか、onUserTokenNeededを設定してください。それまで、このユーザーへのプッシュは届きません。"
                )
            )
        default:
            ErrorText(
                description: self("The server has another owner for this device", "サーバーでの所有者がログイン中のユーザーと異なります"),
                suggestion: self(
                    "The login or logout has not reached it: the last answers and errors say why.",
                    "ログインまたはログアウトがサーバーに届いていません。最近の応答とエラーで理由を確認してください。"
                )
            )
        }
    }

    private func ofPushes(_ problem: PushNotificationDiagnostics.Problem) -> ErrorText {
        switch problem {
        case .noHandler:
            ErrorText(
                description: self("No handler is told of notifications", "通知のハンドラーがありません"),
                suggestion: self(
                    "Set onNotificationReceived when the app starts.",
                    "アプリの起動時にonNotificationReceivedを設定してください。"
                )
            )
        case .pushOfAnotherVendor:
            ErrorText(
                description: self("A push was another vendor's", "他社のプッシュがありました"),
                suggestion: self(
                    "The SDK leaves it to that vendor's SDK and tells no handler of it.",
                    "SDKはそのベンダーのSDKに任せ、ハンドラーを呼び出しません。"
                )
            )
        default:
            ErrorText(
                description: self("A push had no id", "IDのないプッシュがありました"),
                suggestion: self(
                    "The handlers are told of it, but no event counts it: it needs a message_id.",
                    "ハンドラーは呼び出されますが、イベントには数えられません。message_idが必要です。"
                )
            )
        }
    }
}
