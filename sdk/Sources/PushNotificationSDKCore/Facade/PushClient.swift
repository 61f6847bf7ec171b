import Foundation
import MartletWire

/// The SDK of one configured app: what the façade forwards to. Making one touches neither the disk nor the network.
///
/// A process may hold many; tests and virtual phones do.
package final class PushClient: Sendable {
    struct State {
        var policy: PresentationPolicy?
        /// Messages that the app was told of, and responses that were handled, in this launch.
        var told = RecentKeys()
        var handled = RecentKeys()
        var isRegistrationAsked = false
        var isLaunched = false
        var hasCategories = false
        var isClosed = false
    }

    /// What the client's parts share.
    package let context: ClientContext
    /// The app's handlers.
    package let handlers: Handlers
    /// What records events.
    package let events: any EventSink
    /// The same, where it is the SDK's own.
    package let recorder: EventRecorder?
    /// What opens links.
    package let links: any LinkSink
    /// What reloads.
    package let refresh: any RefreshSink

    let registrar: TokenRegistrar
    let permission: PermissionFlow
    let consent: ConsentSwitch
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
        let identity = Identity(storage: environment.storage, clock: environment.clock)
        let context = ClientContext(
            configuration: configuration,
            environment: environment,
            identity: identity,
            handlers: handlers,
            report: { handlers.errors.post($0) },
            log: log
        )
        let consent = ConsentSwitch(environment.storage)
        let events = environment.makeEvents(context)
        self.context = context
        self.handlers = handlers
        self.consent = consent
        self.events = ConsentingEvents(events, consent)
        recorder = events as? EventRecorder
        links = environment.makeLinks(context, self.events)
        refresh = environment.makeRefresh(context)
        permission = PermissionFlow(environment.platform, log: log)
        registrar = TokenRegistrar(
            context,
            registered: { [events = self.events] in
                events.record(.tokenRegister, nil, value: nil)
            }
        )
        identity.assume(configuration.playerAccountId)
        environment.platform.attach(self)
    }

    /// Hands over to another client: the system's calls go there, and nothing more is sent from here.
    package func close() {
        state.with { $0.isClosed = true }
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
        permission.request(options, completion: completion)
    }

    /// Registers a token with the server, unless it is registered already.
    ///
    /// - Throws: ``PushNotificationError``: `invalidToken`, `networkError`, `serverError`. Each but the first is also
    ///   reported to the app's handler.
    package func register(
        _ token: DeviceTokenText
    ) async throws(PushNotificationError) -> DeviceTokenRegistrationResponse {
        let result = await withCheckedContinuation { continuation in
            registrar.register(token) { continuation.resume(returning: $0) }
        }
        return try result.get()
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
        registrar.sync(answer: completion)
    }

    /// The user logged out: pushes for that user do not come here any more.
    package func logout(completion: @escaping @Sendable (Result<Void, PushNotificationError>) -> Void = { _ in }) {
        context.identity.set(.nobody)
        registrar.sync(answer: completion)
    }

    /// Whether events are recorded: the person's consent.
    package var isTrackingEnabled: Bool {
        get { consent.isOn }
        set {
            let wasTakenBack = consent.isTakenBack
            consent.isOn = newValue
            // What was seen in between is discarded before anything is recorded again.
            if newValue, wasTakenBack { events.setEnabled(false) }
            events.setEnabled(newValue)
        }
    }

    /// Takes a consent that was given or taken back before there was a client; it is stored off the caller's thread.
    package func presetTracking(_ isEnabled: Bool) {
        consent.preset(isEnabled)
        Task { isTrackingEnabled = isEnabled }
    }

    /// How notifications are shown while the app is in front; `nil` follows the configuration.
    package var presentationPolicy: PresentationPolicy? {
        get { state.with { $0.policy } }
        set { state.with { $0.policy = newValue } }
    }

    /// Sets the number on the app's icon; 0 removes it.
    package func setBadge(_ number: Int) {
        // The service extension counts on from here.
        context.configuration.appGroup.flatMap(context.environment.container).map {
            SharedBadge($0).set(max(0, number))
        }
        Task { await context.environment.platform.setBadge(max(0, number)) }
    }
}
