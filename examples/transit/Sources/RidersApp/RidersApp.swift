import Foundation
public import MartletPhone
import Synchronization
import UIKit
import UserNotifications

/// The riders' app as its developers write it for iOS, for a virtual phone: over UIKit and UserNotifications alone,
/// without Martlet's SDK.
///
/// It asks for permission at its first launch, registers its token as its rider's device, shows alerts as banners while
/// it is in front, opens the alert that is tapped, and takes away those that are over.
public final class RidersApp: Sendable {
    /// Registers a device token in hexadecimal; returns when the backend has it or there is no hope.
    public typealias Register = @Sendable (_ token: String) async -> Void

    /// A screen that a tap has opened.
    public struct Opened: Sendable, Equatable {
        /// The alert's id.
        public var alert: String
        /// Whether the tap started the app.
        public var isColdStart: Bool

        public init(alert: String, isColdStart: Bool) {
            self.alert = alert
            self.isColdStart = isColdStart
        }
    }

    private struct Record {
        var opened: [Opened] = []
        var banners = 0
        var removed = 0
        var failures: [String] = []
    }

    private let bundleID: String
    private let register: Register
    private let record = Mutex(Record())

    /// The app of one phone.
    public init(bundleID: String, register: @escaping Register) {
        self.bundleID = bundleID
        self.register = register
    }

    /// The alerts that the rider opened.
    public var opened: [Opened] { record.withLock { $0.opened } }
    /// Alerts that came while the app was in front.
    public var banners: Int { record.withLock { $0.banners } }
    /// Pushes that took alerts away.
    public var removals: Int { record.withLock { $0.removed } }
    /// What the app's log has of registrations with APNs that failed.
    public var failures: [String] { record.withLock { $0.failures } }

    /// The app as it is installed on a phone.
    public var installed: PhoneApp {
        PhoneApp(bundleID: bundleID, hasScenes: false) { [self] process in
            PhoneApp.Objects(delegate: AppDelegate(self, center: process.center))
        }
    }

    func didOpen(_ alert: String, isColdStart: Bool) {
        record.withLock { $0.opened.append(Opened(alert: alert, isColdStart: isColdStart)) }
    }

    func didShowBanner() { record.withLock { $0.banners += 1 } }

    func didFailToRegister(_ error: any Error) {
        record.withLock { $0.failures.append("APNs registration failed: \(error)") }
    }

    func didRemove() { record.withLock { $0.removed += 1 } }

    func registerToken(_ token: String) {
        Task { [register] in await register(token) }
    }
}
