import Foundation
import MartletWire

/// What diagnostics say, in one language.
package struct DiagnosticsWords: Sendable {
    private let language: ErrorLanguage

    /// The words of a language.
    package init(_ language: ErrorLanguage) { self.language = language }

    /// One of two texts.
    func callAsFunction(_ english: String, _ japanese: String) -> String {
        language == .japanese ? japanese : english
    }

    /// The title of the view.
    package var title: String { self("Push notifications", "プッシュ通知") }
    /// The button that sends a test.
    package var sendTest: String { self("Send a test to this device", "この端末にテストを送信") }
    /// The button that copies the device token.
    package var copyToken: String { self("Copy the device token", "デバイストークンをコピー") }
    /// The button that copies everything.
    package var copyText: String { self("Copy everything", "すべてコピー") }

    var problems: String { self("Problems", "問題") }
    var device: String { self("Device", "端末") }
    var user: String { self("User", "ユーザー") }
    var forwarding: String { self("The system's calls", "システムからの呼び出し") }
    var events: String { self("Events", "イベント") }
    var history: String { self("Last answers, errors and pushes", "最近の応答、エラー、プッシュ") }
}

// The lines of each part.
extension DiagnosticsWords {
    typealias Line = DiagnosticsReport.Line

    func lines(ofProblems known: PushNotificationDiagnostics) -> [Line] {
        guard !known.problems.isEmpty else {
            return [Line(name: problems, value: self("the device knows of none", "検出されていません"))]
        }
        return known.problems.map { problem in
            let said = text(of: problem)
            return Line(name: said.description, value: said.suggestion)
        }
    }

    func lines(ofDevice known: PushNotificationDiagnostics) -> [Line] {
        let registered = known.registeredAt.map(time) ?? self("not in this launch", "今回の起動では未登録")
        return [
            Line(name: "SDK", value: PushNotificationSDK.version),
            Line(name: self("Server", "サーバー"), value: known.apiURL.absoluteString),
            Line(name: self("Installation", "インストール"), value: known.installationID ?? unknown),
            Line(name: self("Device token", "デバイストークン"), value: token(known)),
            Line(name: self("Reached through", "配信経路"), value: known.usesFirebase ? "Firebase" : "APNs"),
            Line(name: self("Environment", "環境"), value: known.environment?.rawValue ?? unknown),
            Line(name: self("Permission", "通知の許可"), value: text(of: known.permission)),
            Line(name: self("Registered", "登録"), value: registered),
            Line(name: self("Pushes to the device", "端末へのプッシュ"), value: known.isActive.map(onOff) ?? unknown),
        ]
    }

    func lines(ofUser known: PushNotificationDiagnostics) -> [Line] {
        let token =
            known.hasUserToken
            ? self("there is one", "あり")
            : known.needsUserToken ? self("missing", "必要ですがありません") : self("there is none", "なし")
        return [
            Line(name: self("Logged in", "ログイン中"), value: known.user ?? nobody),
            Line(name: self("Owner at the server", "サーバーでの所有者"), value: owners(known) ?? unknown),
            Line(name: self("User token", "ユーザートークン"), value: token),
        ]
    }

    /// Only the present user is named: who had the device before is not for whoever has it now.
    private func owners(_ known: PushNotificationDiagnostics) -> String? {
        guard let owners = known.owners else { return nil }
        var named = owners.filter { $0 == known.user }
        if named.count < owners.count { named.append(self("another user", "別のユーザー")) }
        return named.isEmpty ? nobody : named.joined(separator: self(" or ", "または"))
    }

    func lines(ofForwarding known: PushNotificationDiagnostics) -> [Line] {
        let handler = known.hasNotificationHandler ? self("set", "設定済み") : self("not set", "未設定")
        return [
            Line(name: self("Automatic forwarding", "自動転送"), value: onOff(known.automaticForwarding)),
            Line(name: self("App delegate", "アプリのデリゲート"), value: text(of: known.applicationDelegate)),
            Line(
                name: self("Notification center's delegate", "通知センターのデリゲート"),
                value: text(of: known.centerDelegate)
            ),
            Line(name: "onNotificationReceived", value: handler),
        ]
    }

    func lines(ofEvents known: PushNotificationDiagnostics) -> [Line] {
        let counts = known.eventQueue
        return [
            Line(name: self("Recorded", "記録"), value: onOff(known.isTrackingEnabled)),
            Line(name: self("Waiting", "送信待ち"), value: counts.map { "\($0.waiting)" } ?? unknown),
            Line(name: self("Dropped", "破棄"), value: counts.map { "\($0.dropped)" } ?? unknown),
            Line(name: self("Damaged", "破損"), value: counts.map { "\($0.damaged)" } ?? unknown),
        ]
    }

    /// The newest first.
    func lines(ofHistory known: PushNotificationDiagnostics) -> [Line] {
        guard !known.history.isEmpty else {
            return [Line(name: time(known.date), value: self("nothing yet", "まだありません"))]
        }
        return known.history.reversed().map { Line(name: time($0.date), value: text(of: $0.event)) }
    }
}

// What stands in the lines.
extension DiagnosticsWords {
    private var unknown: String { self("not known", "不明") }
    private var nobody: String { self("nobody", "なし") }

    private func onOff(_ isOn: Bool) -> String { isOn ? self("on", "オン") : self("off", "オフ") }

    private func time(_ date: Date) -> String {
        UTCTime(milliseconds: Int64((date.timeIntervalSince1970 * 1000).rounded())).description
    }

    /// As many characters as `martlet devices list` shows.
    private func token(_ known: PushNotificationDiagnostics) -> String {
        guard let token = known.deviceToken else { return self("there is none", "なし") }
        let short = token.count > 8 ? "\(token.prefix(8))…" : token
        return known.isDeviceTokenFresh ? short : self("\(short) (of an earlier launch)", "\(short)（以前の起動のもの）")
    }

    private func text(of permission: NotificationPermission) -> String {
        switch permission {
        case .notDetermined: self("not asked yet", "未確認")
        case .denied: self("refused", "拒否")
        case .authorized: self("allowed", "許可")
        case .provisional: self("quiet notifications, on trial", "仮許可（静かな通知）")
        case .ephemeral: self("for an App Clip", "App Clipでの一時的な許可")
        }
    }

    private func text(of forwarding: PushNotificationDiagnostics.Forwarding) -> String {
        switch forwarding {
        case .noDelegate: self("there is none", "なし")
        case .sdk: self("the SDK's", "SDKのもの")
        case .automatic: self("the app's, with the SDK's methods", "アプリのもの（SDKのメソッドあり）")
        case .removed: self("the app's, without the SDK's methods any more", "アプリのもの（SDKのメソッドが失われています）")
        case .app: self("the app's, which forwards by hand or not at all", "アプリのもの（手動で転送しているか、転送なし）")
        }
    }

    private func text(of event: PushNotificationDiagnostics.Event) -> String {
        switch event {
        case .answer(let request, let status, let code): "\(request): \(status)\(code.map { " \($0)" } ?? "")"
        case .noAnswer(let request, let error): "\(request): \(error.text(in: language).description)"
        case .error(let error): error.text(in: language).description
        case .push(let push): text(of: push)
        }
    }

    private func text(of push: PushNotificationDiagnostics.Push) -> String {
        let name = push.messageID.map { self("push \($0)", "プッシュ \($0)") } ?? self("push", "プッシュ")
        let arrival =
            switch push.arrival {
            case .inFront: self("came in front", "フォアグラウンドで受信")
            case .woke: self("woke the app", "アプリを呼び出し")
            case .tapped: self("tapped", "タップ")
            case .buttonTapped: self("a button was tapped", "ボタンをタップ")
            case .dismissed: self("dismissed", "消去")
            }
        let marks = [
            push.isHandled ? nil : self("another vendor's", "他社のもの"),
            push.isCounted ? nil : self("without an id", "IDなし"),
        ]
        return ([name, arrival] + marks.compactMap(\.self)).joined(separator: self(", ", "、"))
    }
}
