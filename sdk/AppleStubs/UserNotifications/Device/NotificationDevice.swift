/// What the user allows an app.
package struct NotificationPermission: Sendable, Equatable {
    package var status = UNAuthorizationStatus.notDetermined
    package var granted: UNAuthorizationOptions = []

    package init(status: UNAuthorizationStatus = .notDetermined, granted: UNAuthorizationOptions = []) {
        self.status = status
        self.granted = granted
    }

    /// Whether the app's notifications show anywhere.
    package var mayNotify: Bool { status.rawValue >= UNAuthorizationStatus.authorized.rawValue }
}

/// The system's side of one app's notifications. It outlives the app's process.
package final class NotificationDevice: Sendable {
    /// Shows the prompt and calls back with the user's answer, once; the phone behind the device does it.
    package typealias Prompt =
        @Sendable (_ options: UNAuthorizationOptions, _ answer: @escaping @Sendable (_ allows: Bool) -> Void) -> Void
    package typealias Reply = @Sendable (Bool, (any Error)?) -> Void

    private struct State {
        var permission = NotificationPermission()
        var prompt: Prompt = { _, answer in answer(true) }
        /// Who waits for the user's answer; several calls share one prompt.
        var waiting: [Reply] = []
        var prompts = 0
        var failure: UNError?
        var categories: [CategoryRecord] = []
        var delivered: [NotificationRecord] = []
        var badge = 0
        var removed: @Sendable ([String]) -> Void = { _ in }
    }

    private let state = Guarded(State())

    /// A device on which the app was never asked for anything.
    package init() {}

    package var permission: NotificationPermission { state.read { $0.permission } }
    /// How often the user was asked.
    package var promptCount: Int { state.read { $0.prompts } }
    package var categories: [CategoryRecord] { state.read { $0.categories } }
    /// What Notification Center shows, the oldest first.
    package var delivered: [NotificationRecord] { state.read { $0.delivered } }
    package var badge: Int { state.read { $0.badge } }

    /// How the user is asked; allows at once unless set.
    package func setPrompt(_ prompt: @escaping Prompt) {
        state.write { $0.prompt = prompt }
    }

    /// What the next requests fail with, as an app without the entitlement sees; `nil` to end it.
    package func failRequests(with error: UNError?) {
        state.write { $0.failure = error }
    }

    /// The user changes the switch in the system's settings.
    package func setPermission(_ permission: NotificationPermission) {
        state.write { $0.permission = permission }
    }

    package func requestAuthorization(_ options: UNAuthorizationOptions, reply: @escaping Reply) {
        enum Step {
            case answer(Bool, UNError?)
            case ask(Prompt)
            case wait
        }
        let step = state.write { state -> Step in
            if let failure = state.failure { return .answer(false, failure) }
            switch state.permission.status {
            case .denied: return .answer(false, nil)
            case .authorized, .ephemeral: return .answer(true, nil)
            case .notDetermined where options.contains(.provisional):
                state.permission = NotificationPermission(status: .provisional, granted: options)
                return .answer(true, nil)
            case .provisional where options.contains(.provisional): return .answer(true, nil)
            case .notDetermined, .provisional:
                state.waiting.append(reply)
                guard state.waiting.count == 1 else { return .wait }
                state.prompts += 1
                return .ask(state.prompt)
            }
        }
        switch step {
        case .answer(let granted, let error): reply(granted, error)
        case .ask(let prompt): prompt(options) { [weak self] in self?.answer($0, options: options) }
        case .wait: break
        }
    }

    private func answer(_ allows: Bool, options: UNAuthorizationOptions) {
        let waiting = state.write { state -> [Reply] in
            let waiting = state.waiting
            state.waiting = []
            guard !waiting.isEmpty else { return [] }
            state.permission = NotificationPermission(
                status: allows ? .authorized : .denied,
                granted: allows ? options : []
            )
            return waiting
        }
        for reply in waiting { reply(allows, nil) }
    }

    package func setCategories(_ categories: [CategoryRecord]) {
        state.write { $0.categories = categories }
    }

    /// Puts a notification into the list; one with the same id is replaced.
    package func deliver(_ notification: NotificationRecord) {
        state.write { state in
            state.delivered.removeAll { $0.identifier == notification.identifier }
            state.delivered.append(notification)
        }
    }

    /// The user takes notifications out of the list.
    package func removeDelivered(where matches: (NotificationRecord) -> Bool) {
        state.write { $0.delivered.removeAll(where: matches) }
    }

    /// The app takes notifications out of the list.
    package func removeByApp(where matches: (NotificationRecord) -> Bool) {
        let (gone, tell) = state.write { state in
            let gone = state.delivered.filter(matches).map(\.identifier)
            state.delivered.removeAll(where: matches)
            return (gone, state.removed)
        }
        if !gone.isEmpty { tell(gone) }
    }

    /// What is told of the notifications that left the list without the user's doing.
    package func watchRemovals(_ body: @escaping @Sendable (_ identifiers: [String]) -> Void) {
        state.write { $0.removed = body }
    }

    /// Sets the number on the icon.
    ///
    /// - Returns: the error where the number is negative.
    package func setBadge(_ number: Int) -> UNError? {
        guard number >= 0 else { return UNError(.badgeInputInvalid) }
        state.write { $0.badge = number }
        // Devices empty the app's list with the badge. Nowhere documented; an app must not rely on the list after it.
        if number == 0 { removeByApp { _ in true } }
        return nil
    }
}
