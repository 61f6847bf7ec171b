import Foundation
import MartletWire

/// The SDK of one configured app: what the façade forwards to. Making one touches neither the disk nor the network.
///
/// A process may hold many; tests and virtual phones do.
package final class PushClient: Sendable {
    struct State {
        /// Notifications that the app was told of, and responses that were handled, in this launch.
        var told = RecentKeys()
        var handled = RecentKeys()
        /// Notifications that arrived in front in this launch.
        var presented = RecentKeys()
        var paired = PairedCalls()
        var isRegistrationAsked = false
        /// Device tokens of the system whose registration has neither ended nor failed yet.
        var registering: Set<String> = []
        /// What the person allowed when that was asked last.
        var permission: NotificationPermission?
        /// The calls of an app's delegate that were handed over.
        var forwarded = 0
        var isLaunched = false
        var hasCategories = false
        /// The number that has yet to be shown on the app's icon.
        var badge: Int?
        var isClosed = false
    }

    /// What the client's parts share.
    package let context: ClientContext
    /// The app's handlers.
    package let handlers: Handlers
    /// What records events.
    package var events: any EventSink { tracking }
    /// The same, where it is the SDK's own.
    package let recorder: EventRecorder?
    /// What opens links.
    package let links: any LinkSink
    /// What reloads.
    package let refresh: any RefreshSink

    /// What the user wants.
    let preferences: UserPreferences
    /// What the user can read later, and what tells of changes there.
    let inbox: UserInbox
    let inboxStream: InboxStream
    let shown: ShownNotifications
    /// The last answers, errors and pushes.
    let history: DiagnosticHistory

    let registrar: TokenRegistrar
    let asking: PermissionFlow
    let consent: ConsentSwitch
    let tracking: ConsentingEvents
    private let badges = JobQueue()
    let state = Locked(State())

    /// A client, to which the system's calls are handed from now on.
    ///
    /// - Parameters:
    ///   - configuration: what the app configured.
    ///   - environment: everything outside.
    ///   - handlers: the app's handlers; they may be set at any time.
    ///   - logLevel: how much is said in the log; asked for each line.
    package init(
        _ configuration: SDKConfiguration,
        in environment: PushEnvironment,
        handlers: Handlers = Handlers(),
        logLevel: @escaping @Sendable () -> PushLogLevel = { .warning }
    ) {
        let log = Log(level: logLevel, sink: environment.log)
        let identity = Identity(
            storage: environment.storage,
            clock: environment.clock,
            server: configuration.server
        )
        let history = DiagnosticHistory(environment.clock)
        var environment = environment
        environment.transport = ObservedTransport(environment.transport, history)
        let context = ClientContext(
            configuration: configuration,
            environment: environment,
            identity: identity,
            handlers: handlers,
            report: { error in
                history.add(.error(error))
                handlers.errors.post(error)
            },
            log: log
        )
        let consent = ConsentSwitch(environment.backedUpStorage, unanswered: configuration.tracksBeforeConsent)
        let events = environment.makeEvents(context)
        self.context = context
        self.history = history
        self.handlers = handlers
        self.consent = consent
        tracking = ConsentingEvents(events, consent)
        recorder = events as? EventRecorder
        links = environment.makeLinks(context, tracking)
        refresh = environment.makeRefresh(context)
        asking = PermissionFlow(environment.platform, log: log)
        let calls = UserCalls(context)
        shown = ShownNotifications(platform: environment.platform)
        preferences = UserPreferences(calls)
        inbox = UserInbox(calls, shown: shown)
        inboxStream = InboxStream(inbox)
        registrar = TokenRegistrar(
            context,
            tokens: calls.tokens,
            registered: { [tracking] in
                tracking.record(.tokenRegister, nil, value: nil)
            }
        )
        identity.assume(configuration.playerAccountId)
        environment.platform.attach(self)
    }

    /// Hands over to another client: the system's calls go there, and nothing more is sent from here.
    package func close() {
        state.with { $0.isClosed = true }
        consent.close()
        inbox.calls.close()
        inboxStream.close()
        registrar.stop()
        recorder?.close()
        context.environment.platform.detach()
    }
}

extension PushClient {
    /// Asks for permission, where nobody asked before. The completion is called once, on the main thread.
    package func requestPermission(
        _ options: AuthorizationOptions = [.alert, .sound, .badge],
        completion: @escaping @Sendable (Result<Bool, PushNotificationError>) -> Void
    ) {
        // Asked for in the first moments of a launch, the answer is a change all the same.
        let note: @Sendable (AuthorizationStatus) -> Void = { [state] status in
            state.with { $0.permission = $0.permission ?? NotificationPermission(status) }
        }
        asking.request(options, before: note) { [weak self, registrar] result in
            // The server is told what the person allows now.
            registrar.resume()
            completion(result)
            Task { await self?.permission() }
        }
    }

    /// How many milliseconds a registration that the app makes, or its delegate forwards, may take: the
    /// specification's 3 s.
    package static let registrationLimit: Int64 = 3000

    /// Registers a token with the server, unless it is registered already.
    ///
    /// - Parameter limit: after how many milliseconds the caller gets a `networkError`; the registration goes on behind it.
    /// - Throws: ``PushNotificationError``: `invalidToken`, `networkError`, `serverError`. Each but the first is also
    ///   reported to the app's handler.
    package func register(
        _ token: DeviceTokenText,
        within limit: Int64? = nil
    ) async throws(PushNotificationError) -> DeviceTokenRegistrationResponse {
        let result = await withCheckedContinuation { continuation in
            registrar.register(token, within: limit) { continuation.resume(returning: $0) }
        }
        return try result.get()
    }

    /// Returns when the registrations that were asked for so far have ended.
    package func registrationsEnded() async { await registrar.settled() }

    /// Takes Firebase's token, or goes back to the system's.
    package func set(fcmToken token: String?) {
        context.identity.set(fcmToken: token)
        settleFCMToken()
    }

    /// Writes down and registers Firebase's token that was set.
    func settleFCMToken() {
        context.identity.saveFCMToken()
        registrar.sync()
    }

    /// Somebody logged in. What was recorded before stays with whoever was logged in then.
    ///
    /// - Parameters:
    ///   - user: the customer's own id.
    ///   - token: what speaks for the user, where the app's identity is `signed`; kept in memory only.
    ///   - completion: called when the server knows, or at once when the device has no token yet; on any thread.
    package func login(
        _ user: String,
        token: String? = nil,
        completion: @escaping @Sendable (Result<Void, PushNotificationError>) -> Void = { _ in }
    ) {
        do throws(PushNotificationError) {
            try ConfigurationRules.check(userID: user, name: "the user id")
        } catch {
            return completion(.failure(error))
        }
        context.identity.set(.somebody(user, isSigned: token != nil), token: token)
        userChanged()
        registrar.sync(answer: completion)
    }

    /// The user logged out: pushes for that user do not come here any more.
    package func logout(completion: @escaping @Sendable (Result<Void, PushNotificationError>) -> Void = { _ in }) {
        context.identity.set(.nobody)
        userChanged()
        registrar.sync(answer: completion)
    }

    /// Forgets this device: nothing is kept of the install and its user but the person's consent, and the server
    /// deletes it. Another install begins, of nobody; it is registered when somebody logs in, or with the next launch.
    ///
    /// - Parameter completion: called when the server has deleted it, or at once where it was told of none; on any
    ///   thread. After a failure of the network or the server it is deleted later: when the app comes to the front, or
    ///   is launched.
    package func forgetDevice(
        completion: @escaping @Sendable (Result<Void, PushNotificationError>) -> Void = { _ in }
    ) {
        do throws(StorageUnreadable) {
            try forget()
        } catch {
            return completion(.failure(.registrationFailed("the device was not unlocked since it was started")))
        }
        registrar.forget(answer: completion)
    }

    /// Forgets what is kept. A launch after one that ended in between does it again.
    func forget() throws(StorageUnreadable) {
        let environment = context.environment
        // Afterwards nobody can tell that it was this install's.
        recorder?.takeOver()
        try context.identity.forget()
        // Whoever wrote it: events of a destination that is not configured any more are nobody's now.
        let kept = [Identity.Key.install, Identity.Key.user, ConsentSwitch.key]
        for key in try environment.storage.keys(prefix: "martlet.") where !kept.contains(key) {
            try environment.storage.remove(key)
        }
        recorder?.forget()
        refresh.forget()
        forgetOtherUsers()
        inboxStream.update()
        context.badge?.remove()
        try context.identity.didWipe()
        Task { [self] in
            // What is still listed would be counted as a delivery to the new install.
            let shown = await environment.platform.deliveredNotifications().filter(isOurs).map(\.identifier)
            if !shown.isEmpty { await environment.platform.removeDelivered(shown) }
        }
    }

    private func userChanged() {
        tellExtension()
        forgetOtherUsers()
        inboxStream.update()
    }

    /// There is somebody to ask for tokens now: what could not be done in the user's name for want of one is done.
    package func userTokensAreAvailable() {
        registrar.resume()
        inbox.resume()
        inboxStream.update()
        handlers.userChanges.post(())
    }

    /// What is kept of a user goes with the login, and whoever shows it is told.
    func forgetOtherUsers() {
        preferences.forgetOthers()
        inbox.forgetOthers()
        handlers.userChanges.post(())
    }

    /// Switches pushes to this device on or off, for the user who is logged in.
    func setPushEnabled(_ isEnabled: Bool) throws(PushNotificationError) -> UserWork<Void> {
        guard context.identity.userID != nil else { throw .loginRequired }
        return registrar.installation.setPushEnabled(isEnabled)
    }

    /// What the extension uploads itself has the user that it was told of.
    private func tellExtension() {
        if consent.isOn { recorder?.tellExtension() }
    }

    /// Whether events are recorded: the person's consent.
    package var isTrackingEnabled: Bool {
        get { consent.isOn }
        set {
            presetTracking(newValue)
            settleTracking()
        }
    }

    /// Takes a consent that was given or taken back, without touching the storage; ``settleTracking()`` follows.
    package func presetTracking(_ isEnabled: Bool) { consent.set(isEnabled) }

    /// Writes down and obeys the consent that counts when this is called, on any thread.
    package func settleTracking() { tracking.settle() }

    /// How notifications are shown while the app is in front; `nil` follows the configuration.
    package var presentationPolicy: PresentationPolicy? {
        get { handlers.presentationPolicy }
        set { handlers.presentationPolicy = newValue }
    }

    /// Sets the number on the app's icon; 0 removes it.
    package func setBadge(_ number: Int) {
        let isAsked = state.with { state in
            defer { state.badge = max(0, number) }
            return state.badge != nil
        }
        // A job that has not begun shows the newest number, and no job begins before the one before it has ended.
        if !isAsked { badges.add { [self] in await showBadge() } }
    }

    private func showBadge() async {
        let number = state.with { state in
            defer { state.badge = nil }
            return state.badge
        }
        guard let number else { return }
        let platform = context.environment.platform
        if let badge = context.badge {
            // The system ends an app that it suspends with a lock in an app group.
            let task = await platform.beginBackgroundTask("martlet.badge", expired: {})
            // The service extension counts on from here.
            badge.set(number)
            if let task { await platform.endBackgroundTask(task) }
        }
        await platform.setBadge(number)
    }
}
