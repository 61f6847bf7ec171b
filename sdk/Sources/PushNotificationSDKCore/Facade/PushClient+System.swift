package import Foundation
import MartletWire

/// What the system tells. All of it may be called on any thread and returns at once; completions come on the main thread.
extension PushClient {
    /// The app was started, and is configured: categories are added, and a device that may be notified is registered.
    package func didLaunch() {
        guard state.with({ takeOnce(&$0.isLaunched) }) else { return }
        if context.identity.isWipeOwed { try? forget() }
        if !consent.isOn, context.environment.storage.isReadable { events.setEnabled(false) }
        Task { [self] in
            // The configuration may name another user than the last launch's.
            forgetOtherUsers()
        }
        Task { [self] in
            // The token does not wait for a permission, nor for anything else.
            await askForToken()
            await permission()
            await context.environment.platform.addCategories(categories)
            state.with { $0.hasCategories = true }
        }
    }

    private var categories: [NotificationCategory] { [.standard] + context.configuration.categories }

    /// An app that sets its own categories later takes away those that were added: they are put back.
    private func keepCategories() async {
        guard state.with({ $0.hasCategories }) else { return }
        await context.environment.platform.keepCategories(categories)
    }

    /// The app came to the front.
    package func didBecomeActive() {
        context.identity.saveInstall()
        context.identity.saveUser()
        context.identity.saveFCMToken()
        events.didBecomeActive()
        refresh.didBecomeActive()
        Task { [self] in
            for notification in await context.environment.platform.deliveredNotifications() where isOurs(notification) {
                events.found(notification)
            }
            await permission()
            await keepCategories()
            await askForToken()
        }
        registrar.resume()
        inbox.resume()
        inboxStream.didBecomeActive()
        Task { [registrar] in
            // A registration says the same.
            await registrar.settled()
            registrar.installation.report()
        }
    }

    /// The device was unlocked for the first time since it was started: what could not be read before can be now.
    package func didBecomeReadable() {
        if context.identity.isWipeOwed { try? forget() }
        context.identity.saveUser()
        context.identity.saveFCMToken()
        forgetOtherUsers()
        tracking.didBecomeReadable()
        registrar.resume()
    }

    /// The app left the screen: what is queued is uploaded while the system lets it run.
    @MainActor
    package func didEnterBackground() {
        inboxStream.didEnterBackground()
        uploadInBackground("martlet.events") { [self] in await keepCategories() }
    }

    /// Takes background time before it returns, because the system may suspend the app right after, and uploads in it.
    @MainActor
    private func uploadInBackground(_ name: String, before: @escaping @Sendable () async -> Void = {}) {
        let platform = context.environment.platform
        let upload = Locked<Task<Void, Never>?>(nil)
        // When the time is over the request is given up, so that the task ends and the app is not ended.
        let task = platform.beginBackgroundTask(name, expired: { upload.with { $0 }?.cancel() })
        let work = Task { [self] in
            await before()
            await registrar.settled()
            // An app that is left and woken again and again asks a server that is down no more often for that.
            await events.flush(ignoringBackoff: false)
            if let task { await platform.endBackgroundTask(task) }
        }
        upload.with { $0 = work }
    }

    /// What the person allows now; the app is told where it is another answer than the last.
    @discardableResult
    package func permission() async -> NotificationPermission {
        let status = await context.environment.platform.authorizationStatus()
        let permission = NotificationPermission(status)
        let before = state.with { state in
            defer { state.permission = permission }
            return state.permission
        }
        if let before, before != permission { handlers.permission.post(permission) }
        return permission
    }

    /// How many of the calls that an app's delegate gets on the main thread were handed over.
    package var forwardedCalls: Int { state.with { $0.forwarded } }

    /// The system gave a device token. The app hears within 3 s of a registration that failed, or that has not ended; once,
    /// also where the system gives the same token twice meanwhile, as it does when it was asked twice.
    package func didRegister(token: Data) {
        state.with { $0.forwarded += 1 }
        do throws(PushNotificationError) {
            let token = try DeviceTokenText(token)
            // Apps ask the system each time that they come to the front: the same token shortens no back-off.
            guard context.identity.freshToken != token.hex else { return registrar.resume() }
            guard state.with({ $0.registering.insert(token.hex).inserted }) else { return }
            registrar.register(token, within: Self.registrationLimit) { [self] _ in
                state.with { _ = $0.registering.remove(token.hex) }
            }
        } catch {
            context.report(error)
        }
    }

    /// The system gave no device token.
    package func didFailToRegister(_ error: any Error) {
        state.with {
            $0.forwarded += 1
            $0.isRegistrationAsked = false
        }
        context.log(.error, "The system gave no device token: \(error.localizedDescription)")
        context.report(.registrationFailed(error.localizedDescription))
    }

    /// Whether a notification is one that this SDK tells of: a push, with ids or without, that is not another vendor's.
    /// The app may say that its own name no action.
    package func isOurs(_ notification: ReceivedNotification) -> Bool {
        guard notification.isRemote else { return false }
        let payload = notification.payload
        return payload.isOurs
            || handlers.refresh.isActionOptional && RefreshWish(payload, needsAction: false) != nil
    }

    /// Whether the app has set how notifications are shown while it is in front.
    package var isPresentationSet: Bool {
        presentationPolicy != nil || context.configuration.presentation != nil
    }

    /// A notification arrived while the app is in front.
    ///
    /// - Parameter completion: called on the main thread with how it is to be shown, after the app's handler; with
    ///   `nil` where it is a push of another vendor's, in which the SDK has no say.
    package func willPresent(
        _ notification: ReceivedNotification,
        completion: @escaping @MainActor @Sendable (NotificationPresentation?) -> Void
    ) {
        let isOurs = isOurs(notification)
        // An app whose own delegate forwards it beside the automatic way hands it over twice.
        let isNew = state.with { $0.presented.insert("\(notification.hashValue)") }
        let isSecondCall = isNew && notification.isRemote && isSecond(.willPresent, of: notification.payload)
        if isNew, !isSecondCall { note(notification, .inFront, isHandled: isOurs) }
        let present: @Sendable () -> Void = { [self] in
            // A local notification is the app's own, which forwards it to have the same said of it.
            let isSaid = isOurs || !notification.isRemote
            MainActor.assumeIsolated { completion(isSaid ? presentation(of: notification.payload) : nil) }
        }
        // One with an alert is told here alone.
        guard isOurs, isNew, !isSecondCall || notification.payload.showsAlert else {
            return DispatchQueue.main.async(execute: present)
        }
        removeShown(by: notification.payload)
        events.record(.delivery, notification, value: nil)
        refresh.received(notification, in: .active)
        tell(notification, then: present)
    }

    /// A person did something with a notification.
    ///
    /// - Parameter completion: called on the main thread after the app's handler.
    package func didReceive(
        _ response: PersonResponse,
        completion: @escaping @MainActor @Sendable () -> Void = {}
    ) {
        let done: @Sendable () -> Void = { MainActor.assumeIsolated { completion() } }
        let notification = response.notification
        let isOurs = isOurs(notification)
        // At a scene's cold start the system tells of a tap twice, and an app may forward it beside the automatic way.
        let isNew = state.with { $0.handled.insert("\(response.action) \(notification.shownKey)") }
        if isNew { note(notification, .init(response.action), isHandled: isOurs) }
        guard isOurs, isNew else { return DispatchQueue.main.async(execute: done) }
        switch response.action {
        case .dismiss:
            events.record(.dismiss, notification, value: nil)
            DispatchQueue.main.async(execute: done)
        case .button(let identifier):
            events.record(.open, notification, value: identifier)
            handlers.actions.post(.init(identifier: identifier, payload: notification.payload), handled: done)
        case .tap:
            events.record(.open, notification, value: nil)
            handlers.opened.post(notification.payload)
            refresh.tapped(notification)
            // Whatever was told before: the person chose this notification now.
            state.with { _ = $0.told.insert(notification.toldKey) }
            handlers.received.post(notification.payload) { [links] in
                links.open(notification, in: MainActor.assumeIsolated { response.sceneID() })
                done()
            }
        }
    }

    /// A push woke the app, in front or behind.
    ///
    /// - Parameters:
    ///   - isAutomatic: whether the app did not hand it over itself.
    ///   - completion: called on the main thread after the app's handler.
    @MainActor
    package func didReceiveRemote(
        _ payload: NotificationPayload,
        in state: ApplicationState,
        isAutomatic: Bool = false,
        completion: @escaping @MainActor @Sendable (FetchResult) -> Void
    ) {
        let now = context.environment.clock.monotonic
        let isHandedAgain = self.state.with {
            $0.forwarded += 1
            return $0.paired.isHandedAgain(payload, isAutomatic: isAutomatic, at: now)
        }
        let notification = ReceivedNotification(identifier: UUID().uuidString, payload: payload)
        let isOurs = isOurs(notification)
        // Behind there is no other call about it.
        let isSecondCall = !isHandedAgain && state != .background && isSecond(.didReceiveRemote, of: payload)
        if !isHandedAgain, !isSecondCall { note(notification, .woke, isHandled: isOurs) }
        let result: FetchResult = isOurs ? .newData : .noData
        let done: @Sendable () -> Void = { MainActor.assumeIsolated { completion(result) } }
        guard isOurs, !isHandedAgain else { return DispatchQueue.main.async(execute: done) }
        guard !payload.isOnlyRemoval else {
            return removeShown(by: payload) { DispatchQueue.main.async(execute: done) }
        }
        removeShown(by: payload)
        // With an alert the same push comes to `willPresent` or to a tap as well, which tell the app; without one it may
        // have come there first.
        guard state == .background || !payload.showsAlert && !isSecondCall else {
            return DispatchQueue.main.async(execute: done)
        }
        if payload.messageID != nil || !payload.showsAlert { events.record(.delivery, notification, value: nil) }
        refresh.received(notification, in: state)
        if state == .background { uploadInBackground("martlet.push") }
        if payload.showsAlert { DispatchQueue.main.async(execute: done) } else { tell(notification, then: done) }
    }

    /// The system opened the app by a link.
    ///
    /// - Returns: whether the SDK took it.
    package func open(_ link: SystemLink) -> Bool {
        links.open(link)
    }
}

extension PushClient {
    /// Takes away what a push says shall not be shown any more.
    private func removeShown(by payload: NotificationPayload, then done: @escaping @Sendable () -> Void = {}) {
        guard !payload.removedMessageIDs.isEmpty else { return }
        Task { [shown] in
            await shown.remove(payload.removedMessageIDs)
            done()
        }
    }

    /// Whether a call is the second about one push in front, which was listed with the first.
    private func isSecond(_ call: PairedCalls.Call, of payload: NotificationPayload) -> Bool {
        let now = context.environment.clock.monotonic
        return state.with { $0.paired.isSecond(call, of: payload, at: now) }
    }

    /// Tells the app of a notification that arrived, once.
    private func tell(_ notification: ReceivedNotification, then done: @escaping @Sendable () -> Void) {
        guard state.with({ $0.told.insert(notification.toldKey) }) else {
            return DispatchQueue.main.async(execute: done)
        }
        handlers.received.post(notification.payload, handled: done)
    }

    @MainActor
    private func presentation(of payload: NotificationPayload) -> NotificationPresentation {
        switch presentationPolicy {
        case nil: context.configuration.presentation ?? [.banner, .sound]
        case .always(let presentation)?: presentation
        case .decided(let decide)?: decide(payload)
        }
    }

    /// Asks the system for a token, once a launch, and again after it gave none. Without permission there is one too.
    private func askForToken() async {
        guard state.with({ takeOnce(&$0.isRegistrationAsked) }) else { return }
        await context.environment.platform.registerForRemoteNotifications()
    }
}
