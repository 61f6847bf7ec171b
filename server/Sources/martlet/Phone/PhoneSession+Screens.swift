import MartletPhone
import PushNotificationSDK

/// The app's own screens: its notice list and its settings.
extension PhoneSession {
    /// Does what the order says.
    ///
    /// - Throws: `PhoneOrder.Wrong` when that cannot be done.
    func use(_ order: PhoneOrder) async throws(PhoneOrder.Wrong) {
        switch order {
        case .notices:
            await perform(opening: .notices)
            try await ask { () async throws(PushNotificationError) in try await app.openNotices() }
            sayNotices()
        case .read(let position):
            let item = try notice(position)
            try await ask { () async throws(PushNotificationError) in try await app.open(item) }
            sayNotices()
        case .archive(let position):
            let item = try notice(position)
            try await ask { () async throws(PushNotificationError) in try await app.archive(item) }
            sayNotices()
        case .readAll:
            try checkRunning()
            try await ask { () async throws(PushNotificationError) in try await app.readAll() }
            sayNotices()
        case .settings:
            await perform(opening: .settings)
            try await ask { () async throws(PushNotificationError) in try await app.openSettings() }
            saySettings()
        case .change(let change):
            try checkRunning()
            try await ask { () async throws(PushNotificationError) in try await app.change(change) }
            saySettings()
        case .device(let isOn):
            try checkRunning()
            try await ask { () async throws(PushNotificationError) in try await app.setPushEnabled(isOn) }
            isDeviceOn = isOn
            saySettings()
        default: break
        }
    }

    /// The list is on the screen while something in it changes.
    func readAgain() {
        // What comes meanwhile is in the answer, or comes with the next change.
        guard !isReading else { return }
        isReading = true
        let before = app.notices?.items
        Task {
            _ = try? await app.readNotices()
            isReading = false
            if app.notices?.items != before { sayNotices() }
        }
    }

    private func perform(opening view: PhoneScreen.View) async {
        await move(.open)
        self.view = view
    }

    private func notice(_ position: Int) throws(PhoneOrder.Wrong) -> InboxItem {
        try checkRunning()
        let items = app.notices?.items ?? []
        guard items.indices.contains(position - 1) else {
            throw PhoneOrder.Wrong(
                message: "There is no notice \(position) on phone \(number).",
                hint: items.isEmpty ? "'notices' opens the list." : "There are \(items.count); 1 is the newest."
            )
        }
        return items[position - 1]
    }

    /// Without a connection the app shows what it read last.
    private func ask<Value>(
        _ body: () async throws(PushNotificationError) -> Value
    ) async throws(PhoneOrder.Wrong) {
        do throws(PushNotificationError) {
            _ = try await body()
        } catch {
            if !phone.network.isOn { return }
            let hint =
                error == .loginRequired
                ? "An inbox needs a user token: 'login USER TOKEN', or --secret-file for tokens that are made here."
                : "'show' prints what the app shows."
            throw PhoneOrder.Wrong(message: error.errorDescription ?? "\(error)", hint: hint)
        }
    }

    private func sayNotices() {
        guard let notices = screen.notices else { return }
        say(SessionEvent(.notices, on: number, value: notices.words))
    }

    private func saySettings() {
        guard let settings = screen.settings else { return }
        say(SessionEvent(.settings, on: number, value: settings.words))
    }
}
