import Foundation

/// Push notifications of one app: configured once when the app starts, and called from any thread.
///
/// Handlers are always called on the main thread, one call after the other. What arrives before a handler is set is kept
/// (the newest 32 of each kind) and handed over when it is set.
public class PushNotificationSDK {
    /// The version of this interface, by semantic versioning.
    public static let version = "1.0.0"

    private struct State {
        var client: PushClient?
        var handlers = Handlers()
        var prepared: PushEnvironment?
        var policy: PresentationPolicy?
        var isTrackingEnabled: Bool?
    }

    /// The one client that the specified interface stands for; everything else is an instance.
    private static let state = Locked(State())
    private static let level = Locked(PushLogLevel.warning)
    package static var handlers: Handlers { state.with { $0.handlers } }

    private init() {}

    /// Takes a notification into an app: called when one arrives while the app is in front, when one is tapped, and when
    /// one without an alert wakes the app. Once for a message.
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
        get { state.with { $0.policy } }
        set {
            let client = state.with { state in
                state.policy = newValue
                return state.client
            }
            client?.presentationPolicy = newValue
        }
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
                return state.client
            }
            client?.isTrackingEnabled = newValue
        }
    }
}

extension PushNotificationSDK {
    /// The client of the last configuration.
    package static var client: PushClient? { state.with { $0.client } }

    /// Gives the environment that the next configuration uses in place of the system's, for tests and virtual phones.
    package static func prepare(_ environment: PushEnvironment?) {
        state.with { $0.prepared = environment }
    }

    /// Ends the current client, as if the process had ended: handlers, and what waits for them, go with it.
    package static func reset() {
        let client = state.with { state in
            defer { state = State() }
            return state.client
        }
        client?.close()
        logLevel = .warning
        onDeepLink = nil
        onRefresh = nil
        timeZoneOfDevice = nil
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
        let (policy, isTrackingEnabled) = state.with { state in
            state.client = new
            return (state.policy, state.isTrackingEnabled)
        }
        new.presentationPolicy = policy
        if let isTrackingEnabled { new.presetTracking(isTrackingEnabled) }
    }

    private static let configuring = NSLock()
}
