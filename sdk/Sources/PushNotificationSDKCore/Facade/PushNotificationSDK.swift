import Foundation

/// Push notifications of one app: configured once when the app starts, and called from any thread.
///
/// Handlers are always called on the main thread, one call after the other. What arrives before a handler is set is kept
/// (the newest 32 of each kind; of links the newest, see ``onDeepLink``) and handed over when it is set.
public class PushNotificationSDK {
    /// The version of this interface, by semantic versioning.
    public static let version = "1.0.0"

    private struct State {
        var client: PushClient?
        var handlers = Handlers()
        var prepared: PushEnvironment?
        var isTrackingEnabled: Bool?
        var early = Early()
    }

    /// What came before there was a client, oldest first.
    private struct Early {
        /// What a person did.
        var responses: [PersonResponse] = []
        /// Links that the system handed over.
        var links: [SystemLink] = []
        /// Firebase's token, where the app gave it or took it away.
        var fcmToken: String??

        var isEmpty: Bool { responses.isEmpty && links.isEmpty && fcmToken == nil }
    }

    /// The most of those that are kept: as many as a handler's mailbox keeps. A cold start brings one.
    private static let earlyBound = 32

    /// The one client that the specified interface stands for; everything else is an instance.
    private static let state = Locked(State())
    private static let level = Locked(PushLogLevel.warning)
    package static var handlers: Handlers { state.with { $0.handlers } }

    private init() {}

    /// Takes a notification into an app: called when one arrives while the app is in front and when one without an alert
    /// wakes the app, once for each; and each time that one is tapped. It hears of no push of another vendor's.
    public static var onNotificationReceived: ((NotificationPayload) -> Void)? {
        get { handlers.received.handler }
        set { handlers.received.handler = newValue }
    }

    /// Called when a notification itself is tapped, in front or behind; beside ``onNotificationReceived``, which cannot
    /// tell an arrival from a tap.
    public static var onNotificationOpened: ((NotificationPayload) -> Void)? {
        get { handlers.opened.handler }
        set { handlers.opened.handler = newValue }
    }

    /// Called with a button's identifier when it is tapped.
    public static var onNotificationActionTapped: ((String, NotificationPayload) -> Void)? {
        get {
            handlers.actions.handler.map { handler in
                { handler(Handlers.TappedAction(identifier: $0, payload: $1)) }
            }
        }
        set { handlers.actions.handler = newValue.map { handler in { handler($0.identifier, $0.payload) } } }
    }

    /// Called with errors that no caller waits for.
    public static var onError: ((PushNotificationError) -> Void)? {
        get { handlers.errors.handler }
        set { handlers.errors.handler = newValue }
    }

    /// The former name of ``onNotificationReceived``.
    @available(*, deprecated, renamed: "onNotificationReceived")
    public static var notificationHandler: ((NotificationPayload) -> Void)? {
        get { onNotificationReceived }
        set { onNotificationReceived = newValue }
    }

    /// How much the SDK says in the log: what may not work as expected, where nothing is set.
    public static var logLevel: PushLogLevel {
        get { level.with { $0 } }
        set { level.with { $0 = newValue } }
    }

    /// How notifications are shown while the app is in front; `nil` follows ``SDKConfiguration/presentation``.
    public static var presentationPolicy: PresentationPolicy? {
        get { handlers.presentationPolicy }
        set { handlers.presentationPolicy = newValue }
    }

    /// Whether events are recorded and uploaded: the person's consent, on until it is taken back. The answer outlives the
    /// app's launches. Taking it back discards what was recorded and not uploaded yet.
    public static var isTrackingEnabled: Bool {
        get {
            let (client, wanted) = state.with { ($0.client, $0.isTrackingEnabled) }
            return client?.isTrackingEnabled ?? wanted ?? true
        }
        set {
            let client = state.with { state in
                state.isTrackingEnabled = newValue
                state.client?.presetTracking(newValue)
                return state.client
            }
            client?.settleTracking()
        }
    }
}

extension PushNotificationSDK {
    /// The client of the last configuration.
    package static var client: PushClient? { state.with { $0.client } }

    /// Gives the environment that the next configuration uses in place of the system's, for tests and virtual phones.
    package static func prepare(_ environment: PushEnvironment?) {
        state.replace(\.prepared, with: environment)
    }

    /// Ends the current client, as if the process had ended: handlers, and what waits for them, go with it.
    package static func reset() {
        let old = state.replace(\.self, with: State())
        old.client?.close()
        old.handlers.forget()
        logLevel = .warning
        serverTrustHandler = nil
    }

    /// Takes what a person did with a notification; before there is a client it is kept for the first one.
    ///
    /// - Parameter completion: called on the main thread after the app's handler, or at once where there is no client.
    package static func didReceive(
        _ response: PersonResponse,
        completion: @escaping @MainActor @Sendable () -> Void = {}
    ) {
        let client = state.with { state in
            guard state.client == nil else { return state.client }
            state.early.responses = (state.early.responses + [response]).suffix(earlyBound)
            return nil
        }
        guard let client else { return DispatchQueue.main.async { MainActor.assumeIsolated { completion() } } }
        client.didReceive(response, completion: completion)
    }

    /// Takes a link that the system opened the app by; before there is a client it is kept for the first one.
    ///
    /// - Returns: whether the SDK took it, or keeps it.
    package static func didOpen(_ link: SystemLink) -> Bool {
        let client = state.with { state in
            guard state.client == nil else { return state.client }
            state.early.links = (state.early.links + [link]).suffix(earlyBound)
            return nil
        }
        return client?.open(link) ?? true
    }

    /// Takes Firebase's token; before there is a client it is kept for the first one.
    static func set(fcmToken token: String?) {
        let client = state.with { state in
            if state.client == nil { state.early.fcmToken = .some(token) }
            return state.client
        }
        client?.set(fcmToken: token)
    }

    /// Configures the SDK. The same configuration again changes nothing; another one takes the place of the first.
    ///
    /// - Parameter environment: makes the system's, where none was prepared.
    package static func configure(
        _ configuration: SDKConfiguration,
        in environment: () -> PushEnvironment
    ) throws(PushNotificationError) {
        try ConfigurationRules.check(configuration)
        // One caller at a time makes a client; the lock itself is not held while the platform is called.
        configuring.lock()
        defer { configuring.unlock() }
        let (old, prepared) = state.with { ($0.client, $0.prepared) }
        if let old, old.context.configuration == configuration { return }
        old?.close()
        let new = PushClient(
            configuration,
            in: prepared ?? old?.context.environment ?? environment(),
            handlers: handlers,
            logLevel: { logLevel }
        )
        let (isTrackingAnswered, early) = state.with { state in
            state.client = new
            // Under the lock, so that an answer that comes now is not overtaken by an older one.
            if let isTrackingEnabled = state.isTrackingEnabled { new.presetTracking(isTrackingEnabled) }
            if let fcmToken = state.early.fcmToken { new.context.identity.set(fcmToken: fcmToken) }
            defer { state.early = Early() }
            return (state.isTrackingEnabled != nil, state.early)
        }
        // Configuring does not touch the disk.
        if isTrackingAnswered { Task { new.settleTracking() } }
        guard !early.isEmpty else { return }
        // Events and a token are written to the disk, which configuring does not touch.
        DispatchQueue.main.async {
            if early.fcmToken != nil { new.settleFCMToken() }
            for response in early.responses { new.didReceive(response) }
            for var link in early.links {
                link.waits = true
                _ = new.open(link)
            }
        }
    }

    private static let configuring = NSLock()
}
