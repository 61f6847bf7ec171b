import Foundation
import MartletPhone
import MartletWire
import PushNotificationSDK

/// A phone and the person who has it: does what they do, and tells what happens.
@MainActor
final class PhoneSession {
    /// The phone's number, from 1.
    let number: Int
    private(set) var user: String?
    let app: SDKApp
    let phone: Phone
    /// What of the app is open on the screen; `nil` for nothing that orders are about.
    var view: PhoneScreen.View?
    /// The app's own switch for pushes to this device, as its user left it.
    var isDeviceOn = true
    /// Whether the list that is open is being read again.
    var isReading = false
    /// Whether the app has Firebase's SDK.
    private let hasFirebase: Bool
    /// Whom the app's configuration names.
    private let owner: String?
    private let tell: @MainActor (SessionEvent) -> Void
    private var isLocked = false
    private var isAsking = false
    /// Whether the device was forgotten since the app was started.
    private var isForgotten = false
    /// What shows or showed, by its id, so that what leaves the screen can be named.
    private var known: [String: ShownNotification] = [:]
    private var waits = EventWaits()
    private var listener: Task<Void, Never>?

    /// Seconds in which a phone that is switched on gets its token, or none.
    private static let tokenTime: TimeInterval = 10
    /// Seconds in which events that wait are uploaded before the phone is switched off.
    private static let uploadTime: Duration = .seconds(5)

    init(
        _ number: Int,
        _ user: String?,
        app: SDKApp,
        phone: Phone,
        hasFirebase: Bool,
        tell: @escaping @MainActor (SessionEvent) -> Void
    ) {
        self.number = number
        self.user = user
        owner = user
        self.app = app
        self.phone = phone
        self.hasFirebase = hasFirebase
        self.tell = tell
        let events = phone.journal.follow()
        listener = Task { [weak self] in
            for await event in events { self?.note(event) }
        }
    }

    /// What shows.
    var screen: PhoneScreen {
        PhoneScreen(
            phone: number,
            user: user,
            app: phone.state.rawValue,
            isLocked: isLocked,
            isOnline: phone.network.isOn,
            isAsking: isAsking,
            allowed: phone.allowsNotifications,
            badge: phone.badge,
            page: phone.state == .foreground ? phone.page?.absoluteString : nil,
            notifications: newest.map(PhoneScreen.Entry.init),
            view: phone.state == .foreground ? view : nil,
            notices: app.notices.map(PhoneScreen.Notices.init),
            settings: app.preferences?.cached.map { PhoneScreen.Settings($0, isDeviceOn: isDeviceOn) }
        )
    }

    /// What the server gave the running app to prove itself with.
    var secret: String? { app.installationSecret }

    private var newest: [ShownNotification] { phone.notifications.reversed() }

    // MARK: Life

    /// The app is installed and opened for the first time; when it has its token the phone is locked.
    ///
    /// - Parameter allows: the user's answer to the system's prompt; `nil` lets it show.
    func begin(allows: Bool?) async {
        phone.answerPrompt(allowing: allows)
        await phone.launch()
        guard allows != nil else { return }
        await phone.journal.first(within: Self.tokenTime) { [hasFirebase] event in
            switch event {
            case .token: !hasFirebase
            case .firebaseToken, .noToken, .answered(allows: false): true
            default: false
            }
        }
        await phone.goHome()
        isLocked = true
    }

    /// What waits is uploaded, the token is given up, and the phone is switched off.
    func end() async {
        await withTaskGroup(of: Void.self) { tasks in
            tasks.addTask { [app] in await app.flush() }
            tasks.addTask { try? await Task.sleep(for: Self.uploadTime) }
            await tasks.next()
            tasks.cancelAll()
        }
        // Nothing is kept of the app, so its token would be one of an app that is gone.
        await phone.reinstall()
        await switchOff()
    }

    /// The phone is switched off with the app on it.
    func switchOff() async {
        await phone.shutDown()
        listener?.cancel()
    }

    // MARK: The hand

    /// Does what the order says.
    ///
    /// - Throws: `PhoneOrder.Wrong` when that cannot be done.
    func perform(_ order: PhoneOrder) async throws(PhoneOrder.Wrong) {
        switch order {
        case .tap(let position):
            let entry = try entry(position)
            try await touch { () async throws(PhoneError) in try await phone.tap(entry.id) }
            isLocked = false
        case .press(let button, let position, let text):
            let entry = try entry(position)
            guard entry.buttons.contains(where: { $0.id == button }) else { throw Self.noButton(button, of: entry) }
            try await touch { () async throws(PhoneError) in try await phone.act(button, on: entry.id, text: text) }
        case .dismiss(let position):
            let entry = try entry(position)
            try await touch { () async throws(PhoneError) in try await phone.dismiss(entry.id) }
        case .wait(let what, let seconds):
            guard await waits.wait(for: what, seconds: seconds) else {
                throw PhoneOrder.Wrong(
                    message: "'\(what.rawValue)' did not happen on phone \(number) within \(seconds) s.",
                    hint: "'wait \(what.rawValue) 120' waits longer."
                )
            }
        case .login(let name, let token):
            try checkRunning()
            app.login(name, token: token)
            (user, view) = (name, nil)
        case .logout:
            try checkRunning()
            app.logout()
            (user, view) = (nil, nil)
        case .forget:
            try checkRunning()
            app.forgetDevice()
            (user, view, isDeviceOn, isForgotten) = (nil, nil, true, true)
        case .firebase(let isUsed):
            guard hasFirebase else {
                throw PhoneOrder.Wrong(
                    message: "The app on phone \(number) has no Firebase.",
                    hint: "'martlet phone --fcm' gives it."
                )
            }
            try checkRunning()
            app.setFirebase(isUsed: isUsed)
        case .notices, .read, .readAll, .archive, .settings, .change, .device: try await use(order)
        default: await move(order)
        }
    }

    func move(_ order: PhoneOrder) async {
        switch order {
        case .clear: await phone.clear()
        case .open:
            isLocked = false
            await phone.launch()
        case .home: await phone.goHome()
        case .lock:
            await phone.goHome()
            isLocked = true
        case .unlock: isLocked = false
        case .kill:
            view = nil
            await phone.kill()
        case .swipe:
            view = nil
            await phone.swipeAway()
        case .back: view = nil
        case .allow(let allows):
            if isAsking { return phone.answerPrompt(allowing: allows) }
            // The system's Settings are another app.
            await phone.goHome()
            phone.setNotifications(allowed: allows)
        case .online(let isOn): phone.network.turn(on: isOn)
        case .follow(let url):
            isLocked = false
            await phone.open(url)
        case .report: await app.flush()
        case .rotate: await phone.rotateToken()
        case .reinstall:
            await phone.reinstall()
            known = [:]
            (user, view, isDeviceOn) = (owner, nil, true)
            app.setFirebase(isUsed: true)
        // These are not the phone's: `Phones` has done them.
        case .tap, .press, .dismiss, .wait, .login, .logout, .forget, .select, .show, .help, .quit: break
        case .notices, .read, .readAll, .archive, .settings, .change, .device, .firebase: break
        }
    }

    func checkRunning() throws(PhoneOrder.Wrong) {
        guard phone.state == .foreground || phone.state == .background else {
            throw PhoneOrder.Wrong(message: "The app does not run on phone \(number).", hint: "'open' starts it.")
        }
    }

    private func entry(_ position: Int) throws(PhoneOrder.Wrong) -> ShownNotification {
        let shown = newest
        guard shown.indices.contains(position - 1) else {
            throw PhoneOrder.Wrong(
                message: "There is no notification \(position) on phone \(number).",
                hint: shown.isEmpty ? "'wait shown' waits for one." : "There are \(shown.count); 1 is the newest."
            )
        }
        return shown[position - 1]
    }

    private static func noButton(_ id: String, of entry: ShownNotification) -> PhoneOrder.Wrong {
        let ids = entry.buttons.map(\.id).joined(separator: ", ")
        return PhoneOrder.Wrong(
            message: "The notification has no button '\(id.prefix(40))'.",
            hint: ids.isEmpty ? "Buttons come from --category and a push with that category." : "It has: \(ids)"
        )
    }

    private func touch(_ action: () async throws(PhoneError) -> Void) async throws(PhoneOrder.Wrong) {
        do throws(PhoneError) {
            try await action()
        } catch {
            throw PhoneOrder.Wrong(message: "\(error)", hint: "It may be gone: 'show' prints what shows.")
        }
    }

    // MARK: What happens

    private func note(_ event: PhoneEvent) {
        if case .asked = event { isAsking = true }
        if case .answered = event { isAsking = false }
        // The next launch is a first one: whom the app's configuration names is its user.
        if case .started = event, isForgotten { (user, isForgotten) = (owner, false) }
        guard var told = SessionEvent(event, on: number) else { return }
        if case .handled(.inbox(let update)) = event, !update.itemIDs.isEmpty, view == .notices { readAgain() }
        if let id = told.id {
            if let shown = phone.notifications.first(where: { $0.id == id }) { known[id] = shown }
            if let shown = known[id] { told.describe(shown) }
            if [.tapped, .button, .dismissed, .cleared, .removed].contains(told.what) { known[id] = nil }
        }
        say(told)
    }

    /// Tells what happened, and whoever waits for it.
    func say(_ event: SessionEvent) {
        var event = event
        event.user = user
        tell(event)
        waits.note(event.what)
    }
}
