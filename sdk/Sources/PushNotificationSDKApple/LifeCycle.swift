import Foundation
import PushNotificationSDKCore
import UIKit

/// Tells a client when its application comes to the front and leaves it.
final class LifeCycle: Sendable {
    private let observers = Locked<[Observer]>([])
    private let application: UIApplication
    private let client: @Sendable () -> PushClient?
    private let prepare: @MainActor @Sendable (_ isActive: Bool) -> Void

    /// - Parameter prepare: called before the client is told that the app was launched or is in front.
    @MainActor
    init(
        of application: UIApplication,
        _ client: PushClient,
        prepare: @escaping @MainActor @Sendable (_ isActive: Bool) -> Void
    ) {
        self.application = application
        self.client = { [weak client] in client }
        self.prepare = prepare
        let client = self.client
        observe(UIApplication.didBecomeActiveNotification) {
            MainActor.assumeIsolated { prepare(true) }
            client()?.didBecomeActive()
        }
        observe(UIApplication.didEnterBackgroundNotification) {
            // UIKit posts it on the main thread.
            MainActor.assumeIsolated { client()?.didEnterBackground() }
        }
        observe(UIApplication.protectedDataDidBecomeAvailableNotification) { client()?.didBecomeReadable() }
    }

    /// The launch itself, and what happened before it was observed.
    @MainActor
    func begin() {
        let isActive = application.applicationState == .active
        prepare(isActive)
        client()?.didLaunch()
        if isActive { client()?.didBecomeActive() }
    }

    @MainActor
    private func observe(_ name: NSNotification.Name, _ react: @escaping @Sendable () -> Void) {
        let application = ObjectIdentifier(application)
        let observer = Observer(name) { if $0 == application { react() } }
        observers.with { $0.append(observer) }
    }
}

/// Hears of one notification of the process for as long as it lives.
final class Observer: Sendable {
    private nonisolated(unsafe) let token: any NSObjectProtocol  // only handed back

    /// - Parameter react: called with what posted it, where it was posted.
    init(_ name: NSNotification.Name, _ react: @escaping @Sendable (ObjectIdentifier?) -> Void) {
        token = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { notification in
            react(notification.object.map { ObjectIdentifier($0 as AnyObject) })
        }
    }

    deinit { NotificationCenter.default.removeObserver(token) }
}

/// Whether code runs on the main queue. The thread does not tell on Linux, where the queue may be served by any.
enum MainQueue {
    private static let key = DispatchSpecificKey<Bool>()
    private static let marked: Void = DispatchQueue.main.setSpecific(key: key, value: true)

    static var isCurrent: Bool {
        _ = marked
        return DispatchQueue.getSpecific(key: key) == true
    }
}
