public import Foundation
import SafariServices
public import UIKit
public import UserNotifications

/// A running app: the objects that the system makes for it, and what the app made of them.
@MainActor
public final class AppProcess {
    /// Why a process starts.
    enum Reason {
        /// The user tapped the icon.
        case icon
        /// The user acted on a notification.
        case response(Response)
        /// A URL was opened.
        case url(URL)
        /// A push with `content-available`, or an action that needs no app in front.
        case background([AnyHashable: Any]?)
    }

    /// What the user did with a notification, as the system keeps it.
    struct Response: Sendable {
        var notification: NotificationRecord
        var action: String
        var text: String?
    }

    /// The app's end of its notifications.
    public let center: UNUserNotificationCenter
    /// The app's end of the system.
    public let application = UIApplication()
    /// The app's view of the phone.
    package let device: UIDevice
    /// Closed when the process ends.
    package let gate = ProcessGate()
    /// The app's own folder.
    public let folder: URL
    /// The folder that the app and its extension share.
    package let group: URL
    /// The phone's network.
    package let network: PhoneNetwork
    /// What kind of phone it is.
    public let settings: PhoneSettings
    /// What it reads and writes by.
    package let files: PhoneFiles
    /// The app's `UserDefaults`.
    package let defaults: PhoneDefaults
    /// Calls of the system that the app has not answered: it is not suspended meanwhile.
    private var calls = 0

    private let app: PhoneApp
    let journal: PhoneJournal
    private var objects: PhoneApp.Objects?
    /// The sessions of the windows on the screen, the one that was used last behind the others.
    var windows: [String]
    /// Those of them that have a scene in this process.
    private var scenes: [UIWindowScene] = []
    /// Delegates of notifications are called here: the system does not promise the main thread.
    private let callbacks = DispatchQueue(label: "martlet.phone.callbacks")

    init(_ app: PhoneApp, on parts: PhoneParts, disk: PhoneDisk, system: ApplicationSystem, journal: PhoneJournal) {
        self.app = app
        self.journal = journal
        center = UNUserNotificationCenter(device: parts.notifications)
        application.system = system
        var facts = UIDevice.Facts()
        facts.model = parts.settings.model
        facts.systemVersion = parts.settings.systemVersion
        device = UIDevice(facts)
        windows = parts.windows
        folder = parts.appFolder
        group = parts.groupFolder
        network = parts.network
        settings = parts.settings
        files = PhoneFiles(disk: disk, gate: gate)
        defaults = PhoneDefaults(
            file: folder.appendingPathComponent("Library/Preferences/defaults.json"),
            disk: disk,
            gate: gate
        )
        application.system.tasksEnded = { [weak self] in self?.suspendIfIdle() }
    }

    // MARK: The app's life

    /// Starts the process.
    func start(_ reason: Reason) async {
        let isInFront = if case .background = reason { false } else { true }
        application.state = isInFront ? .inactive : .background
        let objects = app.start(self)
        self.objects = objects
        application.delegate = objects.delegate
        let options = launchOptions(reason)
        _ = objects.delegate.application(application, willFinishLaunchingWithOptions: options)
        _ = objects.delegate.application(application, didFinishLaunchingWithOptions: options)
        post(UIApplication.didFinishLaunchingNotification)
        guard isInFront else { return }
        connectScenes(reason)
        if case .url(let url) = reason, !app.hasScenes { follow(url) }
        if app.hasScenes {
            post(UIApplication.willEnterForegroundNotification)
            for scene in scenes { scene.delegate?.sceneWillEnterForeground(scene) }
        }
        if case .response(let response) = reason { await respond(response) }
        becomeActive()
    }

    private func launchOptions(_ reason: Reason) -> [UIApplication.LaunchOptionsKey: Any]? {
        switch reason {
        // An app with scenes finds these in the scene's connection options.
        case .response(let response) where !app.hasScenes:
            [.remoteNotification: response.notification.content.userInfo.object]
        case .url(let url) where !app.hasScenes && NSUserActivity(following: url) == nil: [.url: url]
        case .background(let payload?): [.remoteNotification: payload]
        default: nil
        }
    }

    /// The scene of a window, where it is connected.
    func scene(of window: String) -> UIWindowScene? {
        scenes.first { $0.session.persistentIdentifier == window }
    }

    /// The scene that links and taps are for.
    private var target: UIWindowScene? { windows.last.flatMap { scene(of: $0) } }

    /// Gives the windows without a scene one. What brought the app to the front is told to the one that was used last.
    private func connectScenes(_ reason: Reason?) {
        guard app.hasScenes, let make = objects?.makeSceneDelegate else { return }
        for window in windows where scene(of: window) == nil {
            connect(window, connectionOptions(window == windows.last ? reason : nil), make)
        }
    }

    private func connectionOptions(_ reason: Reason?) -> UIScene.ConnectionOptions {
        switch reason {
        case .url(let url):
            if let activity = NSUserActivity(following: url) { return .init(userActivities: [activity]) }
            return .init(urlContexts: [UIOpenURLContext(url: url)])
        case .response(let record): return .init(notificationResponse: UNNotificationResponse.make(record))
        default: return .init()
        }
    }

    private func connect(
        _ window: String,
        _ options: UIScene.ConnectionOptions,
        _ make: @MainActor () -> any UISceneDelegate
    ) {
        let session = UISceneSession(
            configuration: UISceneConfiguration(name: nil, sessionRole: .windowApplication),
            persistentIdentifier: window
        )
        _ = objects?.delegate.application(application, configurationForConnecting: session, options: options)
        let scene = UIWindowScene(session: session)
        let delegate = make()
        scene.delegate = delegate
        scene.activationState = .foregroundInactive
        scenes.append(scene)
        application.connectedScenes.insert(scene)
        let content = UIWindow(windowScene: scene)
        content.rootViewController = RootViewController(journal)
        content.makeKeyAndVisible()
        delegate.scene(scene, willConnectTo: session, options: options)
    }

    /// A window was opened while the app is in front.
    func showWindows() {
        let known = Set(scenes.map(ObjectIdentifier.init))
        connectScenes(nil)
        for scene in scenes where !known.contains(ObjectIdentifier(scene)) {
            scene.delegate?.sceneWillEnterForeground(scene)
            scene.activationState = .foregroundActive
            scene.delegate?.sceneDidBecomeActive(scene)
        }
    }

    private func becomeActive() {
        application.state = .active
        for scene in scenes { scene.activationState = .foregroundActive }
        for scene in scenes { scene.delegate?.sceneDidBecomeActive(scene) }
        if !app.hasScenes { objects?.delegate.applicationDidBecomeActive(application) }
        post(UIApplication.didBecomeActiveNotification)
    }

    /// The app comes to the front; what brought it there is told in between, as the system does.
    func enterForeground(_ response: Response? = nil) async {
        gate.resume()
        connectScenes(response.map { .response($0) })
        application.state = .inactive
        for scene in scenes { scene.delegate?.sceneWillEnterForeground(scene) }
        if !app.hasScenes { objects?.delegate.applicationWillEnterForeground(application) }
        post(UIApplication.willEnterForegroundNotification)
        if let response { await respond(response) }
        becomeActive()
    }

    /// The app leaves the front.
    func enterBackground() {
        application.state = .inactive
        for scene in scenes { scene.activationState = .foregroundInactive }
        for scene in scenes { scene.delegate?.sceneWillResignActive(scene) }
        if !app.hasScenes { objects?.delegate.applicationWillResignActive(application) }
        post(UIApplication.willResignActiveNotification)
        application.state = .background
        for scene in scenes { scene.activationState = .background }
        for scene in scenes { scene.delegate?.sceneDidEnterBackground(scene) }
        if !app.hasScenes { objects?.delegate.applicationDidEnterBackground(application) }
        post(UIApplication.didEnterBackgroundNotification)
    }

    /// The process is gone. Nothing is told: neither iOS nor a swipe tells a suspended app.
    func end() {
        gate.close()
        objects?.end()
        application.delegate = nil
        center.delegate = nil
        objects = nil
        scenes = []
    }

    /// The user unlocked the phone for the first time since it was switched on.
    func becomeReadable() { post(UIApplication.protectedDataDidBecomeAvailableNotification) }

    // MARK: Background time

    /// Lets the system suspend the app, where the phone's settings say so and nothing that it was asked for is left.
    func suspendIfIdle() {
        guard settings.suspends, application.state == .background, calls == 0, application.tasks.isEmpty else { return }
        gate.suspend()
    }

    /// Tells the app that the time of its background tasks is over.
    ///
    /// - Returns: the names of those that it did not end.
    func expireTasks() -> [String] {
        for task in application.tasks.values { task.expire?() }
        return application.tasks.values.map { $0.name ?? "" }
    }

    private func post(_ name: NSNotification.Name) {
        NotificationCenter.default.post(name: name, object: application)
    }

    // MARK: What the app is told

    func open(_ url: URL) {
        if let target, let activity = NSUserActivity(following: url) {
            target.delegate?.scene(target, continue: activity)
        } else if let target {
            target.delegate?.scene(target, openURLContexts: [UIOpenURLContext(url: url)])
        } else {
            follow(url)
        }
    }

    /// An app without scenes is opened by a link.
    private func follow(_ url: URL) {
        if let activity = NSUserActivity(following: url) {
            _ = application.receiveActivity(activity)
        } else {
            _ = application.receiveLink(url)
        }
    }

    func registered(_ token: Data) {
        application.receiveToken(token)
    }

    func received(firebaseToken token: String) {
        objects?.didReceiveFirebaseToken?(token)
    }

    func failedToRegister(_ error: any Error) {
        application.receiveFailure(error)
    }

    /// - Returns: how the app wants it shown; nothing when it did not say in time.
    func willPresent(_ record: NotificationRecord) async -> UNNotificationPresentationOptions {
        let answer = await call("willPresent", as: UNNotificationPresentationOptions.self) { center, done in
            center.present(UNNotification(record)) { done.answer($0) }
        }
        return answer ?? []
    }

    func respond(_ response: Response) async {
        begin()
        defer { endCall() }
        let target = target
        _ = await call("didReceive", as: Bool.self) { center, done in
            let told = UNNotificationResponse.make(response)
            told.target = target
            center.receive(told) { done.answer(true) }
        }
    }

    /// A push with `content-available`.
    func receive(_ payload: PayloadRecord) async {
        begin()
        defer { endCall() }
        let done = deadline("didReceiveRemoteNotification", as: UIBackgroundFetchResult.self)
        application.receiveRemote(payload.object) { done.answer($0) }
        if await done.wait(seconds: settings.answerLimit) == nil, gate.isOpen {
            journal.add(.fault("didReceiveRemoteNotification was not answered in time"))
        }
    }

    /// The system calls the app, which runs for it.
    private func begin() {
        calls += 1
        gate.resume()
    }

    private func endCall() {
        calls -= 1
        suspendIfIdle()
    }

    private func deadline<Answer: Sendable>(_ name: String, as type: Answer.Type) -> Deadline<Answer> {
        Deadline { [journal] in journal.add(.fault("\(name) was answered twice")) }
    }

    /// Calls the delegate of notifications on a thread that is not the main one.
    private func call<Answer: Sendable>(
        _ name: String,
        as type: Answer.Type,
        _ body: @escaping @Sendable (UNUserNotificationCenter, Deadline<Answer>) -> Void
    ) async -> Answer? {
        guard center.delegate != nil else { return nil }
        let done = deadline(name, as: type)
        nonisolated(unsafe) let center = center  // documented as usable from any thread
        callbacks.async { body(center, done) }
        let answer = await done.wait(seconds: settings.answerLimit)
        if answer == nil, gate.isOpen { journal.add(.fault("\(name) was not answered in time")) }
        return answer
    }
}

extension NSUserActivity {
    /// A universal link; `nil` for a link of another kind. The phone asks no site whose pages are the app's.
    fileprivate convenience init?(following url: URL) {
        guard url.scheme?.lowercased() == "https" else { return nil }
        self.init(activityType: NSUserActivityTypeBrowsingWeb)
        webpageURL = url
    }
}

extension UNNotificationResponse {
    static func make(_ response: AppProcess.Response) -> UNNotificationResponse {
        let notification = UNNotification(response.notification)
        guard let text = response.text else {
            return UNNotificationResponse(notification, actionIdentifier: response.action)
        }
        return UNTextInputNotificationResponse(notification, actionIdentifier: response.action, userText: text)
    }
}

/// What fills the app's window; pages of the web are presented over it.
private final class RootViewController: UIViewController {
    private let journal: PhoneJournal

    init(_ journal: PhoneJournal) {
        self.journal = journal
        super.init()
    }

    override func present(_ controller: UIViewController, animated flag: Bool, completion: (() -> Void)? = nil) {
        super.present(controller, animated: flag, completion: completion)
        if let page = controller as? SFSafariViewController { journal.add(.browsed(page.url)) }
    }
}
