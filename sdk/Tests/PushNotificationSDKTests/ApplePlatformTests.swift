import Foundation
import MartletWire
import PushNotificationSDKApple
import PushNotificationSDKCore
import PushNotificationSDKTesting
import SafariServices
import Testing
import UIKit
import UserNotifications

/// The adaptor alone, on phones of their own.
@MainActor @Suite(.timeLimit(.minutes(1))) struct ApplePlatformTests {
    let phone = FacadePhone()

    private func client() throws -> PushClient { PushClient(try .valid(), in: phone.environment) }

    @Test("the values of the system and of the SDK are the same", arguments: 0...4)
    func statuses(_ value: Int) async throws {
        let status = try #require(UNAuthorizationStatus(rawValue: value))
        phone.device.setPermission(NotificationPermission(status: status))
        #expect(await phone.platform.authorizationStatus().rawValue == value)
        #expect(AuthorizationOptions.badge.rawValue == UNAuthorizationOptions.badge.rawValue)
        #expect(AuthorizationOptions.sound.rawValue == UNAuthorizationOptions.sound.rawValue)
        #expect(AuthorizationOptions.alert.rawValue == UNAuthorizationOptions.alert.rawValue)
        #expect(AuthorizationOptions.provisional.rawValue == UNAuthorizationOptions.provisional.rawValue)
    }

    @Test(
        "the state of the application is the SDK's",
        arguments: [
            (UIApplication.State.active, ApplicationState.active), (.inactive, .inactive), (.background, .background),
        ]
    )
    func states(_ system: UIApplication.State, _ state: ApplicationState) async {
        phone.application.state = system
        #expect(await phone.platform.applicationState() == state)
    }

    @Test("categories are added to the app's own; one of the same name is replaced; dismissals are reported")
    func categories() async throws {
        let own = UNNotificationCategory(identifier: "OWN", actions: [], intentIdentifiers: ["i"], options: [])
        let old = UNNotificationCategory(identifier: "MISSION", actions: [], intentIdentifiers: [], options: [])
        phone.center.setNotificationCategories([own, old])
        let mission = NotificationCategory(
            "MISSION",
            actions: [.init("CONFIRM", title: "確認", options: [.foreground]), .init("LATER", title: "後で")]
        )
        await phone.platform.addCategories([.standard, mission])
        let found = Dictionary(
            phone.device.categories.map { ($0.identifier, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        #expect(Set(found.keys) == ["OWN", "MISSION", NotificationCategory.standard.identifier])
        #expect(found["OWN"]?.options == [])
        #expect(found["OWN"]?.intentIdentifiers == ["i"])
        #expect(found["MISSION"]?.options == .customDismissAction)
        #expect(found["MISSION"]?.actions.map(\.identifier) == ["CONFIRM", "LATER"])
        #expect(found["MISSION"]?.actions.first?.options == .foreground)
        #expect(found[NotificationCategory.standard.identifier]?.options == .customDismissAction)
    }

    @Test("the SDK becomes the center's delegate only where there is none")
    func centerDelegate() throws {
        let first = try client()
        #expect(phone.center.delegate != nil)
        first.close()
        let other = FacadePhone()
        let own = AlertDelegate()
        other.center.delegate = own
        _ = PushClient(try .valid(), in: other.environment)
        #expect(other.center.delegate === own)
    }

    @Test("the app's delegates have the SDK's methods as soon as the launch is over, before anything else is done")
    func launched() async throws {
        let (app, alerts) = (GameDelegate(), AlertDelegate())
        phone.application.delegate = app
        let client = try client()
        // After the SDK was configured: the delegate is another one than the SDK found.
        phone.center.delegate = alerts
        let launched = UIApplication.didFinishLaunchingNotification
        NotificationCenter.default.post(name: launched, object: UIApplication())
        phone.application.receiveToken(Data([1]))
        #expect(client.forwardedCalls == 0)
        NotificationCenter.default.post(name: launched, object: phone.application)
        phone.application.receiveToken(Data([1, 2]))
        #expect(client.forwardedCalls == 1)
        let tap = UNNotificationResponse(
            .push(ContractPush.text),
            actionIdentifier: UNNotificationDefaultActionIdentifier
        )
        phone.center.receive(tap) {}
        #expect(phone.events.recorded.entries == [.init(.open, "m1")])
        #expect(app.calls.entries == ["token 1", "token 2"] && alerts.calls.entries == ["respond"])
        client.close()
    }

    @Test("a client that came later is told, and the one before is not")
    func reattached() async throws {
        let platform = phone.platform
        var environment = phone.environment
        environment.platform = platform
        let first = PushClient(try .valid(), in: environment)
        first.close()
        let later = RecordingEvents()
        environment.makeEvents = { _ in later }
        let second = PushClient(try .valid(), in: environment)
        _ = await phone.center.arrive(ContractPush.text)
        #expect(phone.events.recorded.entries.isEmpty)
        #expect(later.recorded.entries.count == 1)
        second.close()
        #expect(await phone.center.arrive(ContractPush.text).isEmpty)
    }

    @Test("the application's life is observed, and that of another application is not")
    func lifeCycle() async throws {
        phone.device.setPermission(NotificationPermission(status: .authorized))
        let client = try client()
        _ = await phone.registrations.wait(for: 1)
        phone.device.deliver(
            NotificationRecord(identifier: "r", date: Date(), content: ContentRecord(json: ContractPush.text))
        )
        NotificationCenter.default.post(name: UIApplication.didBecomeActiveNotification, object: UIApplication())
        NotificationCenter.default.post(name: UIApplication.didBecomeActiveNotification, object: phone.application)
        #expect(await phone.events.recorded.wait(for: 1) == [.init(.delivery, "m1")])
        withExtendedLifetime(client) {}
    }

    @Test("a scene that was started by a tap counts it once, though the center tells of it too")
    func sceneColdStart() async throws {
        let client = try client()
        let response = UNNotificationResponse(
            .push(ContractPush.text),
            actionIdentifier: UNNotificationDefaultActionIdentifier
        )
        let scene = UIWindowScene.named("window 1")
        PushNotificationSceneDelegate(client: { client }).scene(
            scene,
            willConnectTo: scene.session,
            options: UIScene.ConnectionOptions(notificationResponse: response)
        )
        await phone.center.respond(UNNotificationDefaultActionIdentifier, ContractPush.text)
        #expect(phone.events.recorded.entries == [.init(.open, "m1")])
    }

    @Test("categories that the app's own call took away are back before the app is left; what it changed stays")
    func categoriesAreKept() async throws {
        func names() -> Set<String> { Set(phone.device.categories.map(\.identifier)) }
        var configuration = try SDKConfiguration.valid()
        configuration.categories = [NotificationCategory("MISSION", actions: [.init("CONFIRM", title: "確認")])]
        let client = PushClient(configuration, in: phone.environment)
        client.didLaunch()
        while names() != ["martlet_standard", "MISSION"], !Task.isCancelled { await Task.yield() }
        let own = UNNotificationCategory(identifier: "CHAT", actions: [], intentIdentifiers: [], options: [])
        let changed = UNNotificationCategory(identifier: "MISSION", actions: [], intentIdentifiers: [], options: [])
        phone.center.setNotificationCategories([own, changed])
        client.didEnterBackground()
        while !names().contains("martlet_standard"), !Task.isCancelled { await Task.yield() }
        #expect(names() == ["martlet_standard", "MISSION", "CHAT"])
        #expect(phone.device.categories.first { $0.identifier == "MISSION" }?.actions.isEmpty == true)
        phone.center.setNotificationCategories([])
        client.didBecomeActive()
        while names() != ["martlet_standard", "MISSION"], !Task.isCancelled { await Task.yield() }
    }

    @Test("a web link is shown over what is in front, and goes to the system where nothing is")
    func browser() async throws {
        let url = try #require(URL(string: "https://example.com/promo"))
        let opened = Journal<URL>()
        phone.application.system.open = { url, _ in
            opened.add(url)
            return true
        }
        #expect(await phone.platform.open(url, in: .inAppBrowser))
        #expect(opened.entries == [url])

        let role = UISceneSession.Role.windowApplication
        let session = UISceneSession(configuration: UISceneConfiguration(name: nil, sessionRole: role))
        let scene = UIWindowScene(session: session)
        let window = UIWindow(windowScene: scene)
        let root = UIViewController()
        window.rootViewController = root
        window.makeKeyAndVisible()
        phone.application.connectedScenes = [scene]
        #expect(await phone.platform.open(url, in: .inAppBrowser))
        #expect(root.presentedViewController is SFSafariViewController)
        #expect(opened.entries == [url])
        #expect(await phone.platform.open(url, in: .system))
        #expect(opened.entries == [url, url])
    }

    @Test("a web link that names a scene is shown over that one, and over another where it has no window")
    func browserInScene() async throws {
        let url = try #require(URL(string: "https://example.com/promo"))
        let scenes = ["window 1", "window 2", "window 3"].map { UIWindowScene.named($0) }
        let roots = scenes.prefix(2).map { scene in
            let window = UIWindow(windowScene: scene)
            let root = UIViewController()
            window.rootViewController = root
            window.makeKeyAndVisible()
            return root
        }
        scenes[0].activationState = .foregroundActive
        for scene in scenes { phone.application.connectedScenes.insert(scene) }
        #expect(await phone.platform.open(url, in: .inAppBrowser, of: "window 2"))
        #expect(roots[0].presentedViewController == nil)
        #expect(roots[1].presentedViewController is SFSafariViewController)
        #expect(await phone.platform.open(url, in: .inAppBrowser, of: "window 3"))
        #expect(roots[0].presentedViewController is SFSafariViewController)
    }

    @Test("a view that is in no window yet belongs to the only scene, and to none of several")
    func sceneOfView() {
        let (first, second) = (UIWindowScene.named("window 1"), UIWindowScene.named("window 2"))
        let window = UIWindow(windowScene: second)
        #expect(phone.application.sceneID(of: nil) == nil)
        phone.application.connectedScenes = [first]
        #expect(phone.application.sceneID(of: nil) == "window 1")
        phone.application.connectedScenes = [first, second]
        #expect(phone.application.sceneID(of: nil) == nil)
        #expect(phone.application.sceneID(of: window) == "window 2")
    }

    @Test("a web link of a tap that starts the app waits for the app's window, and is shown in it")
    func browserAtColdStart() async throws {
        let url = try #require(URL(string: "https://example.com/promo"))
        let opened = Journal<URL>()
        phone.application.system.open = { url, _ in
            opened.add(url)
            return true
        }
        phone.application.state = .inactive
        let platform = phone.platform
        var environment = phone.environment
        environment.platform = platform
        let client = PushClient(try .valid(), in: environment)
        await MainQueue.drain()
        let shown = Task { await platform.open(url, in: .inAppBrowser) }
        await MainQueue.drain()
        let session = UISceneSession(
            configuration: UISceneConfiguration(name: nil, sessionRole: .windowApplication)
        )
        let scene = UIWindowScene(session: session)
        let window = UIWindow(windowScene: scene)
        let root = UIViewController()
        window.rootViewController = root
        window.makeKeyAndVisible()
        phone.application.connectedScenes = [scene]
        #expect(root.presentedViewController == nil && opened.entries.isEmpty)
        phone.application.state = .active
        NotificationCenter.default.post(name: UIApplication.didBecomeActiveNotification, object: phone.application)
        #expect(await shown.value)
        #expect(root.presentedViewController is SFSafariViewController)
        #expect(opened.entries.isEmpty)
        client.close()
    }

    @Test("the app's page in the Settings app is opened")
    func settings() async {
        let opened = Journal<URL>()
        phone.application.system.open = { url, _ in
            opened.add(url)
            return true
        }
        #expect(await phone.platform.openSettings())
        #expect(opened.entries.map(\.absoluteString) == [UIApplication.openSettingsURLString])
    }

    @Test("a button that takes text is the system's, and what the person wrote comes with the notification")
    func textInput() async throws {
        let reply = NotificationCategory.Action(
            "REPLY",
            title: "Reply",
            textInput: .init(buttonTitle: "Send", placeholder: "Say something")
        )
        await phone.platform.addCategories([NotificationCategory("CHAT", actions: [reply])])
        let input = phone.device.categories.first?.actions.first?.input
        #expect(input?.buttonTitle == "Send" && input?.placeholder == "Say something")
        let handlers = Handlers()
        let told = Journal<Handlers.TappedAction>()
        handlers.actions.handler = { told.add($0) }
        let client = PushClient(try .valid(), in: phone.environment, handlers: handlers)
        let response = UNTextInputNotificationResponse(
            .push(ContractPush.text),
            actionIdentifier: "REPLY",
            userText: "hello"
        )
        phone.center.receive(response) {}
        let action = try #require(await told.wait(for: 1).first)
        #expect(action.identifier == "REPLY" && action.payload.userText == "hello")
        #expect(action.payload.json.contains(#""userText":"hello""#))
        client.close()
    }

    @Test("badge, list, state and background tasks are the system's own")
    func translations() async throws {
        let platform = phone.platform
        await platform.setBadge(4)
        #expect(phone.device.badge == 4)
        phone.application.state = .inactive
        #expect(await platform.applicationState() == .inactive)
        phone.device.deliver(
            NotificationRecord(identifier: "r1", date: Date(), content: ContentRecord(json: ContractPush.text))
        )
        #expect(await platform.deliveredNotifications().map(\.messageKey) == ["m1"])
        await platform.removeDelivered(["r1"])
        #expect(await platform.deliveredNotifications().isEmpty)
        let begun = platform.beginBackgroundTask("t", expired: {})
        let task = try #require(begun)
        #expect(phone.application.tasks.count == 1)
        await platform.endBackgroundTask(task)
        #expect(phone.application.tasks.isEmpty)
    }

    @Test("a background task whose time is over is ended before the system is answered, and once")
    func expiry() async throws {
        let platform = phone.platform
        let expired = Journal<Void>()
        let begun = platform.beginBackgroundTask("t", expired: { expired.add(()) })
        let task = try #require(begun)
        phone.application.tasks.values.first?.expire?()
        #expect(phone.application.tasks.isEmpty)
        #expect(expired.entries.count == 1)
        let following = platform.beginBackgroundTask("next", expired: {})
        let next = try #require(following)
        await platform.endBackgroundTask(task)
        #expect(phone.application.tasks.count == 1)
        await platform.endBackgroundTask(next)
        #expect(phone.application.tasks.isEmpty)
    }

    @Test("the text that the system shows stands in for keys of translations")
    func shownText() async throws {
        var content = ContentRecord(json: #"{"aps":{"alert":{"title-loc-key":"K"}}}"#)
        content.title = "Title"
        content.body = "Body"
        phone.device.deliver(NotificationRecord(identifier: "r", date: Date(), content: content))
        let payload = try #require(await phone.platform.deliveredNotifications().first?.payload)
        #expect(payload.title == "Title")
        #expect(payload.body == "Body")
    }

    @Test func theSystemsEnvironmentIsMadeWithoutTouchingAnything() {
        let environment = PushEnvironment.system()
        #expect(environment.storage is FileStore)
        #expect(environment.backedUpStorage is FileStore)
        #expect(environment.defaults is UserDefaultsStore)
        #expect(environment.transport is URLSessionTransport)
    }
}

extension ContentRecord {
    init(json: String) {
        self.init()
        userInfo = PayloadRecord(json: Data(json.utf8))
    }
}
