package import Foundation

/// Everything outside that a client needs: a client made on the same storage is the same install, started again.
package struct PushEnvironment: Sendable {
    /// The system.
    package var platform: any Platform
    /// The way to the server.
    package var transport: any HTTPTransport
    /// What outlives the process, and stays on the device.
    package var storage: any KeyValueStore
    /// What outlives the process, and travels with backups: the person's own word; without one it stands with the rest.
    package var backedUpStorage: any KeyValueStore {
        get { ownBackedUpStorage ?? storage }
        set { ownBackedUpStorage = newValue }
    }
    private var ownBackedUpStorage: (any KeyValueStore)?
    /// The app's `UserDefaults`.
    package var defaults: any KeyValueStore
    /// The files in the folder of an app group.
    package var files: any FileAccess = SystemFiles()
    /// The time.
    package var clock: any SDKClock
    /// The phone's time zone.
    package var timeZone: @Sendable () -> TimeZone
    /// A number from 0 up to 1, for jitter.
    package var random: @Sendable () -> Double
    /// Where lines of the log go.
    package var log: Log.Sink
    /// The folder of an app group, by its identifier; `nil` when the app is not in it.
    package var container: @Sendable (String) -> URL?
    /// The app's bundle id, by which the apps of a group are told apart; without one nothing is shared with an
    /// extension.
    package var bundleID: String?
    /// Makes what records and uploads events.
    package var makeEvents: @Sendable (ClientContext) -> any EventSink
    /// Makes what opens the links of tapped notifications.
    package var makeLinks: @Sendable (ClientContext, any EventSink) -> any LinkSink
    /// Makes what reloads what a push says has changed.
    package var makeRefresh: @Sendable (ClientContext) -> any RefreshSink

    /// An environment from its parts; the rest is the system's own.
    package init(
        platform: any Platform,
        transport: any HTTPTransport,
        storage: any KeyValueStore,
        clock: any SDKClock = SystemClock()
    ) {
        self.platform = platform
        self.transport = transport
        self.storage = storage
        defaults = storage
        self.clock = clock
        self.timeZone = { .current }
        self.random = { Double.random(in: 0..<1) }
        self.log = Log.systemSink
        self.container = { _ in nil }
        self.makeEvents = { EventRecorder($0, information: Bundle.main.infoDictionary) }
        self.makeLinks = { LinkRouter($0, events: $1) }
        self.makeRefresh = { RefreshRouter($0) }
    }
}

/// What the parts of one client share.
package struct ClientContext: Sendable {
    /// What the app configured.
    package let configuration: SDKConfiguration
    /// The seams.
    package let environment: PushEnvironment
    /// Who this install is, and who its user is.
    package let identity: Identity
    /// The app's handlers.
    package let handlers: Handlers
    /// Where errors go that no caller waits for; the app's handler is called on the main thread.
    package let report: @Sendable (PushNotificationError) -> Void
    package let log: Log

    package init(
        configuration: SDKConfiguration,
        environment: PushEnvironment,
        identity: Identity,
        handlers: Handlers,
        report: @escaping @Sendable (PushNotificationError) -> Void,
        log: Log
    ) {
        self.configuration = configuration
        self.environment = environment
        self.identity = identity
        self.handlers = handlers
        self.report = report
        self.log = log
    }
}

extension ClientContext {
    /// What app and service extension share; `nil` without an app group.
    var spool: EventSpool? {
        shared.map { EventSpool(container: $0.container, app: $0.app, files: environment.files) }
    }

    /// The number on the app's icon, as the service extension counts it up; `nil` without an app group.
    var badge: SharedBadge? {
        shared.map { SharedBadge($0.container, app: $0.app, files: environment.files) }
    }

    private var shared: (container: URL, app: String)? {
        guard let app = environment.bundleID, let container = configuration.appGroup.flatMap(environment.container)
        else { return nil }
        return (container, app)
    }
}
