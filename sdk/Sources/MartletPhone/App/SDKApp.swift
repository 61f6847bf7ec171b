public import Foundation
import PushNotificationSDKApple
public import PushNotificationSDKCore
import PushNotificationServiceExtension
package import UIKit
import UserNotifications

/// An app that has integrated the SDK, with what its handlers were told. It is for one phone.
public final class SDKApp: Sendable {
    /// What the app's developer wrote.
    public struct Setup: Sendable {
        /// The bundle id.
        public var bundleID: String
        /// What `configure` is called with.
        public var configuration: SDKConfiguration
        /// Whether the app has scenes.
        public var hasScenes = true
        /// Whether its notification center's delegate forwards what it is told; otherwise a tap reaches the SDK only where
        /// it starts a scene.
        public var forwardsTaps = true
        /// Whether it calls the SDK's static interface, as apps do; a process has one, so one phone at a time. Otherwise it
        /// has a client of its own.
        public var isStatic = false
        /// Makes the delegate of an app that configures the SDK's static interface itself; `nil` for a delegate of ours.
        package var makeDelegate: (@MainActor @Sendable (AppProcess) -> any UIApplicationDelegate)?
        /// Makes the delegate of that app's scenes; without scenes it is not asked.
        package var makeSceneDelegate: (@MainActor @Sendable (AppProcess) -> any UISceneDelegate)?
        /// Whether it asks for permission when it starts.
        public var asksAtLaunch = true
        /// Whether it brought a service extension.
        public var hasExtension = true
        /// Whether that extension uploads its deliveries itself.
        public var extensionUploads = true
        /// The links that it lets the SDK open; `nil` for those of its own schemes.
        public var links: LinkPolicy?
        /// Where the SDK's log goes; `nil` for the system's.
        public var log: (@Sendable (String) -> Void)?
        /// The zone of an observed device, by its id; without an answer it is the phone's own.
        public var timeZoneOfDevice: @Sendable (String) -> TimeZone? = { _ in nil }
        /// Gives what speaks for a user, as the app's own backend does. With it the app listens to its inbox; `nil` for an
        /// app without user tokens.
        public var userToken: (@Sendable (_ user: String) -> String?)?
        /// What the app does where the SDK asks for a token that speaks for a user: it may answer later, or never.
        /// `nil` for an app that gives what ``userToken`` says.
        public var onUserTokenNeeded:
            (@Sendable (_ user: String, _ reply: @escaping @Sendable (String?) -> Void) -> Void)?
        /// Loads anew what the SDK says has changed; called on the main thread.
        public var reload: @Sendable (RefreshRequest) -> Void = { _ in }
        /// The time, as the app sees it.
        package var clock: any SDKClock = SystemClock()
        /// What carries requests below the phone's network; `nil` for URLSession.
        package var transport: (any HTTPTransport)?
        /// The most events that wait; `nil` for the SDK's own bound.
        package var eventBound: Int?
        /// The chance in the SDK's delays, from 0 up to 1.
        public var random: @Sendable () -> Double = { Double.random(in: 0..<1) }

        /// An app with the SDK configured.
        public init(bundleID: String, configuration: SDKConfiguration) {
            self.bundleID = bundleID
            self.configuration = configuration
        }

        /// Lets the app have another time than this machine's.
        public mutating func set(_ clock: AppClock) { self.clock = clock }
    }

    /// A button that was tapped.
    public struct TappedAction: Sendable, Equatable {
        /// The action's id.
        public var identifier: String
        /// The message id of its notification.
        public var messageID: String?
    }

    private struct Told {
        var client: PushClient?
        var received: [NotificationPayload] = []
        var actions: [TappedAction] = []
        var errors: [PushNotificationError] = []
        var deepLinks: [URL] = []
        var linkScenes: [String?] = []
        var refreshes: [RefreshRequest] = []
        var updates: [InboxUpdate] = []
        /// What Firebase's SDK gave this process.
        var firebaseToken: String?
        /// Whether the app hands it to our SDK.
        var usesFirebase = true
        /// What was given for users at their logins.
        var tokens: [String: String] = [:]
        var answers: [Result<Bool, PushNotificationError>] = []
        var offMain = 0
    }

    private let setup: Setup
    private let told = Guarded(Told())

    /// An app that a developer has built.
    public init(_ setup: Setup) {
        var setup = setup
        // App and extension share a folder by this name; which one it is does not matter on a phone of one app.
        if setup.configuration.appGroup == nil { setup.configuration.appGroup = AppServiceExtension.group }
        // What came in front stays in the list, where a person finds it later.
        if setup.configuration.presentation == nil { setup.configuration.presentation = .all }
        self.setup = setup
    }

    /// The app as it is installed on a phone.
    public var installed: PhoneApp {
        var app = PhoneApp(bundleID: setup.bundleID, hasScenes: setup.hasScenes) { [self] process in start(process) }
        if setup.hasExtension { app.makeExtension = { [self] process in serviceExtension(process) } }
        return app
    }

    // MARK: What the app was told

    /// What `onNotificationReceived` was called with.
    public var received: [NotificationPayload] { told.read { $0.received } }
    /// What `onNotificationActionTapped` was called with.
    public var actions: [TappedAction] { told.read { $0.actions } }
    /// What `onError` was called with.
    public var errors: [PushNotificationError] { told.read { $0.errors } }
    /// Links into the app.
    public var deepLinks: [URL] { told.read { $0.deepLinks } }
    /// The windows that these came to, by their sessions; `nil` where none was named.
    public var linkScenes: [String?] { told.read { $0.linkScenes } }
    /// What the app was to reload.
    public var refreshes: [RefreshRequest] { told.read { $0.refreshes } }
    /// What `inbox.onUpdate` was called with.
    public var inboxUpdates: [InboxUpdate] { told.read { $0.updates } }
    /// What the requests for permission ended with.
    public var answers: [Result<Bool, PushNotificationError>] { told.read { $0.answers } }
    /// Calls of handlers that were not on the main queue.
    public var callsOffMain: Int { told.read { $0.offMain } }

    /// The secret that the server gave this install, for who looks for it where it must not be; `nil` while the app
    /// does not run.
    public var installationSecret: String? { (try? client?.context.identity.secret()) ?? nil }

    /// Events that wait to be uploaded; 0 while the app does not run.
    public var waitingEvents: Int { client?.recorder?.tallies.first?.waiting ?? 0 }
    /// Events that newer ones took the place of, since the install; 0 while the app does not run.
    public var droppedEvents: Int { client?.recorder?.tallies.first?.dropped ?? 0 }

    /// The inbox of the user who is logged in; `nil` while the app does not run.
    public var inbox: PushNotificationSDK.Inbox? { client.map(PushNotificationSDK.Inbox.init(of:)) }
    /// What the user who is logged in wants; `nil` while the app does not run.
    public var preferences: PushNotificationSDK.Preferences? { client.map(PushNotificationSDK.Preferences.init(of:)) }

    /// The running process's client.
    package var client: PushClient? { told.read { $0.client } }

    // MARK: What the app does

    /// Asks for permission.
    public func askPermission() {
        guard !setup.isStatic else {
            return PushNotificationSDK.requestNotificationPermission { [self] answer in
                note { $0.answers.append(answer) }
            }
        }
        client?.requestPermission { [self] answer in note { $0.answers.append(answer) } }
    }

    /// A user logs in to the app.
    ///
    /// - Parameter token: what speaks for the user; `nil` for what the app's backend gives. The app's next process has
    ///   it too, unless ``Setup/onUserTokenNeeded`` is there to be asked.
    public func login(_ user: String, token: String? = nil) {
        if let token, setup.onUserTokenNeeded == nil { told.write { $0.tokens[user] = token } }
        client?.login(user, token: token ?? userToken(of: user))
    }

    private func userToken(of user: String) -> String? {
        told.read { $0.tokens[user] } ?? setup.userToken?(user)
    }

    /// The user logs out.
    public func logout() {
        client?.logout()
    }

    /// The user has the app forget this device.
    public func forgetDevice() {
        client?.forgetDevice()
    }

    /// The app has the server send it a test, as its debug view does: the notification's id, or why there is none.
    public func sendTest() async -> Result<String, PushNotificationError> {
        guard let client else { return .failure(.notConfigured) }
        do throws(PushNotificationError) {
            return .success(try await client.sendTest())
        } catch {
            return .failure(error)
        }
    }

    /// What the app's debug view shows; `nil` while the app does not run.
    public func diagnostics() async -> PushNotificationDiagnostics? { await client?.diagnostics() }

    /// Whether the app has pushes come through Firebase, where it has Firebase's SDK: it hands over that SDK's token, or
    /// says that it does so no more.
    public func setFirebase(isUsed: Bool) {
        let token = told.write { told in
            told.usesFirebase = isUsed
            return told.firebaseToken
        }
        if !isUsed { set(fcmToken: nil) } else if let token { set(fcmToken: token) }
    }

    private func took(firebaseToken token: String) {
        let isUsed = told.write { told in
            told.firebaseToken = token
            return told.usesFirebase
        }
        if isUsed { set(fcmToken: token) }
    }

    private func set(fcmToken: String?) {
        if setup.isStatic { PushNotificationSDK.setFCMToken(fcmToken) } else { client?.set(fcmToken: fcmToken) }
    }

    /// Uploads what is queued, once.
    public func flush() async {
        if setup.isStatic {
            await PushNotificationSDK.uploadEvents()
        } else {
            await client?.events.flush(ignoringBackoff: true)
        }
    }

    /// Ends when the registrations have ended that the running process has begun or is about to begin, also where
    /// the process ends before. An attempt waits for the next one by the app's clock.
    public func registrationsUnderWay() -> Task<Void, Never> {
        guard let client else { return Task {} }
        return Task { await client.registrationsEnded() }
    }

    private func note(_ change: (inout Told) -> Void) {
        told.write { told in
            if !MainQueue.isCurrent { told.offMain += 1 }
            change(&told)
        }
    }

    /// What the app's handlers do: they write down what they were called with.
    private func heard(_ call: HandlerCall, _ journal: PhoneJournal) {
        note { told in
            switch call {
            case .received(let payload): told.received.append(payload)
            case .action(let identifier, let messageID):
                told.actions.append(TappedAction(identifier: identifier, messageID: messageID))
            case .error(let error): told.errors.append(error)
            case .deepLink(let url): told.deepLinks.append(url)
            case .refresh(let request): told.refreshes.append(request)
            case .inbox(let update): told.updates.append(update)
            }
        }
        journal.add(.handled(call))
    }

    private func heardLink(_ url: URL, in scene: String?, _ journal: PhoneJournal) {
        told.write { $0.linkScenes.append(scene) }
        heard(.deepLink(url), journal)
    }

    // MARK: The process

    @MainActor
    private func start(_ process: AppProcess) -> PhoneApp.Objects {
        if let makeDelegate = setup.makeDelegate { return foreignObjects(makeDelegate(process), process) }
        let own = setup.isStatic ? nil : ownClient(process)
        if setup.isStatic { configure(process) }
        told.write { $0.client = own ?? PushNotificationSDK.client }
        // The SDK keeps the user and no token: an app logs in with each of its processes.
        if let user = client?.context.identity.userID, userToken(of: user) != nil { login(user) }
        if setup.asksAtLaunch { askPermission() }
        let delegate =
            own.map { client in PushNotificationAppDelegate(client: { [weak client] in client }) }
            ?? PushNotificationAppDelegate()
        // Of the static interface the SDK itself is the center's delegate by now.
        if own != nil { process.center.delegate = delegate }
        let silent = setup.forwardsTaps ? nil : SilentDelegate()
        if let silent { process.center.delegate = silent }
        var objects = PhoneApp.Objects(delegate: delegate)
        if setup.hasScenes {
            objects.makeSceneDelegate = {
                guard let own else { return PushNotificationSceneDelegate() }
                return PushNotificationSceneDelegate(client: { [weak own] in own })
            }
        }
        objects.didReceiveFirebaseToken = { [self] in took(firebaseToken: $0) }
        objects.end = { [told] in
            if let own { own.close() } else { PushNotificationSDK.reset() }
            withExtendedLifetime(silent) {}
            told.write {
                $0.client = nil
                $0.firebaseToken = nil
            }
        }
        return objects
    }

    /// The objects of an app whose developer does everything; the phone is what its `configure` finds.
    @MainActor
    private func foreignObjects(_ delegate: any UIApplicationDelegate, _ process: AppProcess) -> PhoneApp.Objects {
        PushNotificationSDK.reset()
        PushNotificationSDK.prepare(environment(process))
        var objects = PhoneApp.Objects(delegate: delegate, end: { PushNotificationSDK.reset() })
        if setup.hasScenes, let make = setup.makeSceneDelegate { objects.makeSceneDelegate = { make(process) } }
        return objects
    }

    @MainActor
    private func ownClient(_ process: AppProcess) -> PushClient {
        PushClient(setup.configuration, in: environment(process), handlers: handlers(process.journal))
    }

    /// What an app's developer writes.
    @MainActor
    private func configure(_ process: AppProcess) {
        let journal = process.journal
        PushNotificationSDK.prepare(environment(process))
        PushNotificationSDK.onNotificationReceived = { [self] in heard(.received($0), journal) }
        PushNotificationSDK.onNotificationActionTapped = { [self] in
            heard(.action($0, messageID: $1.messageID), journal)
        }
        PushNotificationSDK.onError = { [self] in heard(.error($0), journal) }
        PushNotificationSDK.onDeepLinkInScene = { [self] in heardLink($0.url, in: $0.sceneID, journal) }
        PushNotificationSDK.timeZoneOfDevice = setup.timeZoneOfDevice
        PushNotificationSDK.onRefresh = { [self] in refresh($0, journal) }
        if setup.userToken != nil {
            PushNotificationSDK.inbox.onUpdate = { [self] in heard(.inbox($0), journal) }
            PushNotificationSDK.onUserTokenNeeded = { [self] user, reply in reply(userToken(of: user)) }
        }
        if let ask = setup.onUserTokenNeeded { PushNotificationSDK.onUserTokenNeeded = ask }
        if let links = setup.links { PushNotificationSDK.linkPolicy = links }
        do throws(PushNotificationError) {
            try PushNotificationSDK.configure(setup.configuration)
        } catch {
            heard(.error(error), journal)
        }
    }

    private func refresh(_ request: RefreshRequest, _ journal: PhoneJournal) {
        setup.reload(request)
        heard(.refresh(request), journal)
    }

    @MainActor
    private func environment(_ process: AppProcess) -> PushEnvironment {
        let settings = process.settings
        let bundleID = setup.bundleID
        let application = process.application
        let platform = ApplePlatform(
            center: process.center,
            application: { application },
            facts: {
                var facts = DeviceFacts()
                facts.model = settings.model
                facts.osVersion = settings.systemVersion
                facts.appVersion = "1.0"
                facts.locale = settings.locale
                facts.timeZone = settings.timeZone
                facts.bundleID = bundleID
                return facts
            }
        )
        var environment = PushEnvironment(
            platform: platform,
            transport: PhoneTransport(
                process.network,
                gate: process.gate,
                under: setup.transport ?? URLSessionTransport(),
                journal: process.journal
            ),
            storage: FileStore(folder: support(process, "martlet"), files: process.files),
            clock: setup.clock
        )
        environment.backedUpStorage = FileStore(
            folder: support(process, "martlet-consent"),
            files: process.files,
            isBackedUp: true
        )
        let marker = ProtectedMarker(
            file: support(process, "martlet").appendingPathComponent("unlocked"),
            files: process.files
        )
        environment.defaults = UserDefaultsStore(process.defaults, marker: marker)
        environment.files = process.files
        environment.random = setup.random
        environment.timeZone = { TimeZone(identifier: settings.timeZone) ?? .current }
        if let log = setup.log { environment.log = { log($1) } }
        let group = process.group
        environment.container = { _ in group }
        environment.bundleID = bundleID
        if let bound = setup.eventBound {
            environment.makeEvents = { EventRecorder($0, treasureData: nil, bound: bound) }
        }
        return environment
    }

    /// Where an app keeps what its user does not see.
    @MainActor
    private func support(_ process: AppProcess, _ name: String) -> URL {
        process.folder.appendingPathComponent("Library/Application Support/\(name)", isDirectory: true)
    }

    private func serviceExtension(_ process: ExtensionProcess) -> UNNotificationServiceExtension {
        let service = AppServiceExtension()
        service.server = setup.extensionUploads ? setup.configuration : nil
        let network = process.network
        service.environment.container = { _ in process.group }
        service.environment.bundleID = "\(setup.bundleID).notifications"
        service.environment.clock = setup.clock
        service.environment.files = process.files
        let transport = PhoneTransport(
            network,
            gate: process.gate,
            under: setup.transport ?? URLSessionTransport(),
            journal: process.journal
        )
        service.environment.transport = { _ in transport }
        service.environment.folder = process.folder
        let notifications = process.notifications
        service.environment.removeShown = { messages in
            notifications.removeByApp { record in
                NotificationPayload(userInfo: record.content.userInfo.object).messageID.map(messages.contains) ?? false
            }
        }
        // A host that is not there is one that nobody listens at: port 1 of this machine.
        let nowhere = URL(fileURLWithPath: "/")
        service.environment.rewrite = { (try? network.route($0)) ?? URL(string: "http://127.0.0.1:1") ?? nowhere }
        return service
    }

    private func handlers(_ journal: PhoneJournal) -> Handlers {
        let handlers = Handlers()
        handlers.received.handler = { [self] in heard(.received($0), journal) }
        handlers.actions.handler = { [self] in
            heard(.action($0.identifier, messageID: $0.payload.messageID), journal)
        }
        handlers.errors.handler = { [self] in heard(.error($0), journal) }
        handlers.links.deepLinks.handler = { [self] in heardLink($0.url, in: $0.sceneID, journal) }
        handlers.refresh.zone = setup.timeZoneOfDevice
        handlers.refresh.handler = { [self] in refresh($0, journal) }
        if let links = setup.links { handlers.links.policy = links }
        if setup.userToken != nil {
            handlers.inbox.handler = { [self] in heard(.inbox($0.update), journal) }
            handlers.userTokens.handler = { [self] in $0.reply(userToken(of: $0.user)) }
        }
        if let ask = setup.onUserTokenNeeded { handlers.userTokens.handler = { ask($0.user, $0.reply) } }
        return handlers
    }
}

/// The app's service extension, as its developer wrote it.
private final class AppServiceExtension: PushNotificationServiceExtension {
    static let group = "group.martlet.phone"
    /// What the developer wrote.
    nonisolated(unsafe) var server: SDKConfiguration?  // set once, before the system calls

    override var appGroup: String? { Self.group }
    override var configuration: SDKConfiguration? { server }
}
