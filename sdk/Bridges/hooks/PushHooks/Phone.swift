import CPushNotificationSDK
import Foundation
import MartletWire
import PushNotificationSDKApple
import PushNotificationSDKCore
import PushNotificationSDKTesting
import UIKit
import UserNotifications

/// What a game engine brings as the application's delegate.
private final class EngineDelegate: UIResponder, UIApplicationDelegate {}

/// The one phone of a bridge's test: the process's own notification center and application.
enum Phone {
    /// What the person does when the app asks whether it may notify.
    enum Person: Int32 {
        case denies = 0
        case allows = 1
        case hasDenied = 2
    }

    /// Begins with a phone on which nothing has happened yet.
    @MainActor
    static func start(_ person: Person) {
        PushNotificationSDK.reset()
        _ = PushSDK_SetOptions(nil, nil)
        let center = UNUserNotificationCenter.current()
        let application = UIApplication.shared
        center.delegate = nil
        // A new one: what was added to the last one's methods stays there.
        engine = EngineDelegate()
        application.delegate = engine
        center.device.setCategories([])
        center.device.setPermission(NotificationPermission(status: person == .hasDenied ? .denied : .notDetermined))
        center.device.setPrompt { _, answer in
            DispatchQueue.global().async { answer(person == .allows) }
        }
        opened.with { $0 = nil }
        application.system.open = { url, _ in
            opened.with { $0 = url }
            return true
        }
        let platform = ApplePlatform(
            center: center,
            application: { UIApplication.shared },
            facts: { PushNotificationSDKCore.DeviceFacts() }
        )
        let server = ScriptedTransport.registering()
        let users = UserServer()
        users.attach(to: server)
        Self.server.with { $0 = server }
        Self.users.with { $0 = users }
        var environment = PushEnvironment(platform: platform, transport: server, storage: MemoryStore())
        environment.log = { _, _ in }
        // What the bridges hand on does not depend on them.
        environment.makeEvents = { _ in NoEvents() }
        PushNotificationSDK.prepare(environment)
    }

    /// The delegate of an engine, which knows nothing of pushes.
    @MainActor private static var engine = EngineDelegate()

    private static let server = Locked<ScriptedTransport?>(nil)
    /// What the server answers about preferences and inbox.
    static let users = Locked<UserServer?>(nil)

    /// The last registration that reached the server.
    private static var lastRegistration: HTTPCall? {
        server.with({ $0 })?.calls.entries.last { $0.registration != nil }
    }

    /// The user of the last registration, as `PushHooks.h` says it.
    static var lastUser: String? {
        guard let call = lastRegistration, let request = call.registration else { return nil }
        guard let user = request.userID.value else { return "-" }
        return [user, call.headers[HeaderName.userToken]].compactMap(\.self).joined(separator: "/")
    }

    /// The installation that the last registration named.
    static var lastInstallation: String? {
        lastRegistration?.registration?.installationID.description
    }

    /// The provider and the token that the last registration named.
    static var lastToken: String? {
        lastRegistration?.registration.map {
            [$0.provider?.rawValue, $0.token].compactMap(\.self).joined(separator: " ")
        }
    }

    /// What the app had the system open last.
    static let opened = Locked<URL?>(nil)

    /// The person changes the switch in the Settings app and comes back to the app.
    @MainActor
    static func changePermission(_ isAllowed: Bool) {
        let device = UNUserNotificationCenter.current().device
        device.setPermission(NotificationPermission(status: isAllowed ? .authorized : .denied))
        let name = UIApplication.didBecomeActiveNotification
        NotificationCenter.default.post(name: name, object: UIApplication.shared)
    }

    /// A text for C, which stays until the next one.
    static func lend(_ text: String?) -> UnsafePointer<CChar>? {
        lent.with { lent in
            lent.map { free(UnsafeMutableRawPointer(bitPattern: $0)) }
            let copy = text.map { strdup($0) } ?? nil
            lent = copy.map { UInt(bitPattern: $0) }
            return copy.map { UnsafePointer($0) }
        }
    }

    private static let lent = Locked<UInt?>(nil)

    /// What the run loop of an app does, for a moment.
    static func serveMainQueue() {
        _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 0.02))
    }

    /// A notification as the system hands it over.
    static func notification(_ payload: Data) -> UNNotification {
        var content = ContentRecord()
        content.userInfo = PayloadRecord(json: payload)
        return UNNotification(NotificationRecord(identifier: UUID().uuidString, date: Date(), content: content))
    }
}
