import Foundation
import PushNotificationSDKCore
import UIKit

/// Tells a client when its application comes to the front and leaves it.
final class LifeCycle: Sendable {
    private let tokens = Locked<[any NSObjectProtocol]>([])
    private let application: UIApplication
    private let client: @Sendable () -> PushClient?

    @MainActor
    init(of application: UIApplication, _ client: PushClient) {
        self.application = application
        self.client = { [weak client] in client }
        let client = self.client
        observe(UIApplication.didBecomeActiveNotification) { client()?.didBecomeActive() }
        observe(UIApplication.didEnterBackgroundNotification) { client()?.didEnterBackground() }
        observe(UIApplication.protectedDataDidBecomeAvailableNotification) { client()?.didBecomeReadable() }
    }

    deinit { for token in tokens.with({ $0 }) { NotificationCenter.default.removeObserver(token) } }

    /// The launch itself, and what happened before it was observed.
    @MainActor
    func begin() {
        client()?.didLaunch()
        if application.applicationState == .active { client()?.didBecomeActive() }
    }

    @MainActor
    private func observe(_ name: NSNotification.Name, _ react: @escaping @Sendable () -> Void) {
        let center = NotificationCenter.default
        let token = center.addObserver(forName: name, object: application, queue: nil) { _ in react() }
        tokens.with { $0.append(token) }
    }
}
