import Foundation
import MartletPhone
import PushNotificationSDKTesting
import UIKit
import UserNotifications

/// An app that writes down, in order, what the system tells it.
final class DiaryApp: Sendable {
    let lines = Guarded<[String]>([])
    /// What it was told of tokens: that comes at any time.
    let tokens = Journal<String>()
    /// What the app answers to `willPresent`; `nil` never answers.
    let presentation: UNNotificationPresentationOptions?

    init(_ presentation: UNNotificationPresentationOptions? = [.banner, .list]) {
        self.presentation = presentation
    }

    func write(_ line: String) { lines.write { $0.append(line) } }

    var diary: [String] { lines.read { $0 } }

    func installed(
        hasScenes: Bool = false,
        extension make: (@Sendable (ExtensionProcess) -> UNNotificationServiceExtension)? = nil
    ) -> PhoneApp {
        PhoneApp(
            bundleID: "com.example.diary",
            hasScenes: hasScenes,
            start: { [self] process in
                let hand = DiaryDelegate(self)
                process.center.delegate = hand
                process.center.setNotificationCategories([
                    UNNotificationCategory(
                        identifier: "reply",
                        actions: [
                            UNTextInputNotificationAction(
                                identifier: "REPLY",
                                title: "Reply",
                                textInputButtonTitle: "Send",
                                textInputPlaceholder: ""
                            ),
                            UNNotificationAction(identifier: "OPEN", title: "Open", options: .foreground),
                        ],
                        intentIdentifiers: [],
                        options: .customDismissAction
                    )
                ])
                return PhoneApp.Objects(
                    delegate: hand,
                    makeSceneDelegate: { DiarySceneDelegate(self) },
                    end: { self.write("end") }
                )
            },
            makeExtension: make
        )
    }
}

private final class DiaryDelegate: UIResponder, UIApplicationDelegate, UNUserNotificationCenterDelegate {
    private let diary: DiaryApp

    init(_ diary: DiaryApp) {
        self.diary = diary
        super.init()
    }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        let payload = launchOptions?[.remoteNotification] as? [AnyHashable: Any]
        let name = payload?["n"] as? String ?? (launchOptions?[.url] as? URL)?.absoluteString
        diary.write("launched \(application.applicationState)\(name.map { " for \($0)" } ?? "")")
        application.registerForRemoteNotifications()
        return true
    }

    func application(
        _ application: UIApplication,
        didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) {
        diary.tokens.add("\(deviceToken.count) bytes")
    }

    func application(
        _ application: UIApplication,
        didFailToRegisterForRemoteNotificationsWithError error: any Error
    ) {
        diary.tokens.add("none")
    }

    func application(
        _ application: UIApplication,
        didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        diary.write("told \(userInfo["n"] ?? "") in \(application.applicationState)")
        completionHandler(.newData)
    }

    func application(
        _ app: UIApplication,
        open url: URL,
        options: [UIApplication.OpenURLOptionsKey: Any]
    ) -> Bool {
        diary.write("open \(url)")
        return true
    }

    func application(
        _ application: UIApplication,
        continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
    ) -> Bool {
        diary.write("continue \(userActivity.webpageURL?.absoluteString ?? userActivity.activityType)")
        return true
    }

    func applicationDidBecomeActive(_ application: UIApplication) { diary.write("active") }
    func applicationDidEnterBackground(_ application: UIApplication) { diary.write("background") }
    func applicationWillEnterForeground(_ application: UIApplication) { diary.write("foreground") }

    nonisolated func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    ) {
        diary.write("present \(notification.request.content.title)\(MainQueue.isCurrent ? " on main" : "")")
        if let presentation = diary.presentation { completionHandler(presentation) }
    }

    nonisolated func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        let action = response.actionIdentifier.split(separator: ".").last ?? ""
        let text = (response as? UNTextInputNotificationResponse)?.userText
        diary.write("\(action) \(response.notification.request.identifier)\(text.map { ": \($0)" } ?? "")")
        completionHandler()
    }
}

private final class DiarySceneDelegate: UIResponder, UIWindowSceneDelegate {
    private let diary: DiaryApp

    init(_ diary: DiaryApp) {
        self.diary = diary
        super.init()
    }

    func scene(
        _ scene: UIScene,
        willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) {
        let response = connectionOptions.notificationResponse?.notification.request.identifier
        let page = connectionOptions.userActivities.first?.webpageURL
        let url = (connectionOptions.urlContexts.first?.url ?? page)?.absoluteString
        diary.write("scene\((response ?? url).map { " for \($0)" } ?? "")")
    }

    func sceneDidBecomeActive(_ scene: UIScene) { diary.write("scene active") }
    func sceneWillEnterForeground(_ scene: UIScene) { diary.write("scene foreground") }
    func sceneDidEnterBackground(_ scene: UIScene) { diary.write("scene background") }
    func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>) {
        diary.write("scene open \(URLContexts.map(\.url.absoluteString).joined())")
    }
    func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {
        diary.write("scene continue \(userActivity.webpageURL?.absoluteString ?? userActivity.activityType)")
    }
}

/// A folder that goes away with the test.
final class Disk: Sendable {
    let folder = memory.appendingPathComponent("martlet-phone-\(UUID().uuidString)")

    /// Linux's folder in memory, where there is one: no phone of a test waits for a disk.
    private static let memory =
        FileManager.default.isWritableFile(atPath: "/dev/shm")
        ? URL(fileURLWithPath: "/dev/shm") : FileManager.default.temporaryDirectory

    deinit { try? FileManager.default.removeItem(at: folder) }
}
