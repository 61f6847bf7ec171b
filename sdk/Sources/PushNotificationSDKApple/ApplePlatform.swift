package import Foundation
package import PushNotificationSDKCore
package import UIKit
package import UserNotifications

// tvOS has no browser.
#if canImport(SafariServices)
    import SafariServices
#endif

/// The system as the SDK sees it: UserNotifications, UIKit and SafariServices, translated.
package final class ApplePlatform: Platform {
    private nonisolated(unsafe) let center: UNUserNotificationCenter  // documented as usable from any thread
    private let application: @MainActor @Sendable () -> UIApplication
    private let facts: @MainActor @Sendable () -> PushNotificationSDKCore.DeviceFacts
    private let hub: NotificationHub
    private let observers = Locked<LifeCycle?>(nil)
    private let launch = Locked<Observer?>(nil)
    private let tasks = Locked<Set<Int>>([])
    /// Whether a delegate of each kind had the SDK's methods, as far as that was seen.
    private let added = Locked((application: false, center: false))
    /// Who waits for the app to be in front; `nil` while nothing tells.
    private let waiting = Locked<[CheckedContinuation<Void, Never>]?>(nil)

    /// A platform over one notification center and one application. Making one calls neither.
    ///
    /// - Parameters:
    ///   - application: asked for on the main thread, when it is first needed.
    ///   - facts: what the device says about itself.
    package init(
        center: UNUserNotificationCenter,
        application: @escaping @MainActor @Sendable () -> UIApplication,
        facts: @escaping @MainActor @Sendable () -> PushNotificationSDKCore.DeviceFacts
    ) {
        self.center = center
        self.application = application
        self.facts = facts
        hub = NotificationHub()
    }

    package func attach(_ client: PushClient) {
        hub.client = client
        waiting.with { $0 = $0 ?? [] }
        if center.delegate == nil { center.delegate = hub }
        let forwards = client.context.configuration.automaticForwarding
        if forwards, MainQueue.isCurrent { MainActor.assumeIsolated { forwardWhenLaunched() } }
        DispatchQueue.main.async { [self, weak client] in
            guard let client, hub.client === client else { return }
            let lifeCycle = LifeCycle(of: application(), client) { [weak self] isActive in
                if forwards { self?.forward() } else { self?.lookAtDelegates() }
                if isActive { self?.resumeWaiting(waits: true) }
            }
            launch.with { $0 = nil }
            observers.with { $0 = lifeCycle }
            lifeCycle.begin()
        }
    }

    package func detach() {
        hub.client = nil
        observers.with { $0 = nil }
        launch.with { $0 = nil }
        resumeWaiting(waits: false)
    }

    package func authorizationStatus() async -> AuthorizationStatus {
        await withCheckedContinuation { continuation in
            center.getNotificationSettings {
                continuation.resume(returning: AuthorizationStatus($0.authorizationStatus))
            }
        }
    }

    package func requestAuthorization(_ options: AuthorizationOptions) async throws -> Bool {
        try await withCheckedThrowingContinuation { continuation in
            center.requestAuthorization(options: UNAuthorizationOptions(rawValue: options.rawValue)) { granted, error in
                if let error { continuation.resume(throwing: error) } else { continuation.resume(returning: granted) }
            }
        }
    }

    package func registerForRemoteNotifications() async {
        await MainActor.run { application().registerForRemoteNotifications() }
    }

    package func setBadge(_ number: Int) async {
        if #available(iOS 16, tvOS 16, *) {
            center.setBadgeCount(number, withCompletionHandler: nil)
        } else {
            await MainActor.run { application().applicationIconBadgeNumber = number }
        }
    }

    package func open(_ url: URL, in target: LinkTarget, of sceneID: String? = nil) async -> Bool {
        switch target {
        case .inAppBrowser:
            await untilActive()
            if await MainActor.run(body: { present(url, over: sceneID) }) { return true }
            return await openOutside(url)
        case .system: return await openOutside(url)
        }
    }

    package func openSettings() async -> Bool {
        guard let url = await MainActor.run(body: { URL(string: UIApplication.openSettingsURLString) }) else {
            return false
        }
        return await openOutside(url)
    }

    package func applicationState() async -> ApplicationState {
        await MainActor.run { ApplicationState(application().applicationState) }
    }

    package func deviceFacts() async -> PushNotificationSDKCore.DeviceFacts {
        await MainActor.run { facts() }
    }

    package func forwarding() async -> DelegateForwarding {
        await MainActor.run { lookAtDelegates() }
    }

    @MainActor
    package func beginBackgroundTask(
        _ name: String,
        expired: @escaping @Sendable () -> Void
    ) -> PushNotificationSDKCore.BackgroundTask? {
        let application = application()
        let begun = Locked(UIBackgroundTaskIdentifier.invalid)
        let task = application.beginBackgroundTask(withName: name) { [self] in
            // The system ends an app that has not said that it is done when this returns.
            end(begun.with { $0 }, of: application)
            expired()
        }
        begun.with { $0 = task }
        guard task != .invalid else { return nil }
        tasks.with { _ = $0.insert(task.rawValue) }
        return PushNotificationSDKCore.BackgroundTask(rawValue: task.rawValue)
    }

    package func endBackgroundTask(_ task: PushNotificationSDKCore.BackgroundTask) async {
        await MainActor.run { [self] in
            end(UIBackgroundTaskIdentifier(rawValue: task.rawValue), of: application())
        }
    }
}

extension ApplePlatform {
    /// The system calls an app's delegates as soon as the launch has ended, and by then they are set. An application may not
    /// be there yet: an app in SwiftUI configures the SDK before.
    @MainActor
    private func forwardWhenLaunched() {
        let observer = Observer(UIApplication.didFinishLaunchingNotification) { [weak self] posted in
            MainActor.assumeIsolated {
                guard let self, posted == ObjectIdentifier(self.application()) else { return }
                self.forward()
            }
        }
        launch.with { $0 = observer }
    }

    @MainActor
    private func forward() {
        let sdk = PushNotificationAppDelegate(client: { [hub] in hub.client })
        AutomaticForwarding(to: sdk).begin(in: application(), center)
        lookAtDelegates()
    }

    /// Who hears the system's calls now. Another SDK, and the app, may have changed it since.
    @MainActor
    @discardableResult
    private func lookAtDelegates() -> DelegateForwarding {
        let application = application()
        let ofApplication = application.delegate.map { DelegateMethods.areAdded(to: $0, of: application) } ?? false
        let ofCenter = center.delegate.map { DelegateMethods.areAdded(to: $0, of: center) } ?? false
        let before = added.with { added in
            defer { added = (added.application || ofApplication, added.center || ofCenter) }
            return added
        }
        return DelegateForwarding(
            application: .init(
                isOfSDK: application.delegate.map { $0 is PushNotificationAppDelegate },
                hasMethods: ofApplication,
                hadMethods: before.application
            ),
            center: .init(
                isOfSDK: center.delegate.map { $0 is NotificationHub || $0 is PushNotificationAppDelegate },
                hasMethods: ofCenter,
                hadMethods: before.center
            )
        )
    }

    @MainActor
    private func end(_ task: UIBackgroundTaskIdentifier, of application: UIApplication) {
        if tasks.with({ $0.remove(task.rawValue) }) != nil { application.endBackgroundTask(task) }
    }

    @MainActor
    private func openOutside(_ url: URL) async -> Bool {
        await application().open(url, options: [:])
    }

    /// A tap is told of before the app it starts, or brings back, has its windows in front.
    @MainActor
    private func untilActive() async {
        guard application().applicationState != .active else { return }
        // Still on the main thread, where the application becomes active: it does not in between.
        await withCheckedContinuation { continuation in
            let isLate = waiting.with { waiting in
                waiting?.append(continuation)
                return waiting == nil
            }
            if isLate { continuation.resume() }
        }
    }

    /// - Parameter waits: whether who comes later waits for the next time.
    private func resumeWaiting(waits: Bool) {
        let resumed = waiting.with { waiting in
            defer { waiting = waits ? [] : nil }
            return waiting ?? []
        }
        for continuation in resumed { continuation.resume() }
    }

    /// Shows a browser over the scene of that session, or over what is in front where that one has no window.
    ///
    /// - Returns: whether there is anything in front, and a browser.
    @MainActor
    private func present(_ url: URL, over sceneID: String?) -> Bool {
        #if canImport(SafariServices)
            let scenes = application().connectedScenes.compactMap { $0 as? UIWindowScene }
            let inFront = scenes.filter { $0.activationState == .foregroundActive }
            let named = scenes.first { $0.session.persistentIdentifier == sceneID }?.windows ?? []
            let windows = named.isEmpty ? (inFront + scenes).flatMap(\.windows) : named
            guard var front = (windows.first { $0.isKeyWindow } ?? windows.first)?.rootViewController else {
                return false
            }
            while let presented = front.presentedViewController { front = presented }
            front.present(SFSafariViewController(url: url), animated: true, completion: nil)
            return true
        #else
            return false
        #endif
    }
}

// On tvOS a notification is a number on the icon: there is no list of them, and nothing to tap.
#if os(tvOS)
    extension ApplePlatform {
        package func deliveredNotifications() async -> [ReceivedNotification] { [] }

        package func removeDelivered(_ identifiers: [String]) async {}

        package func addCategories(_ categories: [NotificationCategory]) async {}

        package func keepCategories(_ categories: [NotificationCategory]) async {}
    }
#else
    extension ApplePlatform {
        package func deliveredNotifications() async -> [ReceivedNotification] {
            await withCheckedContinuation { continuation in
                center.getDeliveredNotifications { continuation.resume(returning: $0.map(ReceivedNotification.init)) }
            }
        }

        package func removeDelivered(_ identifiers: [String]) async {
            center.removeDeliveredNotifications(withIdentifiers: identifiers)
        }

        package func addCategories(_ categories: [NotificationCategory]) async {
            let identifiers = Set(categories.map(\.identifier))
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                center.getNotificationCategories { [self] registered in
                    let others = registered.filter { !identifiers.contains($0.identifier) }
                    center.setNotificationCategories(others.union(categories.map(UNNotificationCategory.init)))
                    continuation.resume()
                }
            }
        }

        package func keepCategories(_ categories: [NotificationCategory]) async {
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                center.getNotificationCategories { [self] registered in
                    let missing = categories.filter { mine in
                        !registered.contains { $0.identifier == mine.identifier }
                    }
                    if !missing.isEmpty {
                        center.setNotificationCategories(registered.union(missing.map(UNNotificationCategory.init)))
                    }
                    continuation.resume()
                }
            }
        }
    }
#endif
