import Foundation
import PushNotificationSDKApple
import PushNotificationSDKCore
import PushNotificationSDKTesting
import Testing
import UIKit
import UserNotifications

/// Suites that use the specified static interface, of which a process has one: they run one after the other.
@Suite(.serialized, .timeLimit(.minutes(1))) enum FacadeSuites {}

/// A phone whose system calls back on other threads, as Apple's does.
@MainActor
final class FacadePhone {
    let center: UNUserNotificationCenter
    let application = UIApplication()
    nonisolated let device = NotificationDevice()
    nonisolated let transport: ScriptedTransport
    nonisolated let storage = MemoryStore()
    nonisolated let clock = ManualClock()
    nonisolated let events = RecordingEvents()
    /// How often the application asked for a token.
    nonisolated let registrations = Journal<Void>()

    init(transport: ScriptedTransport = .registering(), allows: Bool = true) {
        self.transport = transport
        center = UNUserNotificationCenter(device: device)
        device.setPrompt { _, answer in DispatchQueue.global().async { answer(allows) } }
        application.system.notifications = device
        application.system.register = { [registrations] _ in registrations.add(()) }
    }

    var platform: ApplePlatform {
        let application = application
        return ApplePlatform(
            center: center,
            application: { application },
            facts: { PushNotificationSDKCore.DeviceFacts() }
        )
    }

    var environment: PushEnvironment {
        var environment = PushEnvironment(platform: platform, transport: transport, storage: storage, clock: clock)
        environment.random = { 0.5 }
        environment.log = { _, _ in }
        environment.makeEvents = { [events] _ in events }
        environment.makeLinks = { _, _ in NoLinks() }
        environment.makeRefresh = { _ in NoRefresh() }
        return environment
    }

    /// Makes this the phone that the next `configure` finds, as in a process that was just started.
    func start() {
        PushNotificationSDK.reset()
        PushNotificationSDK.prepare(environment)
    }

    /// Configures the SDK on this phone.
    func configure(_ configuration: SDKConfiguration? = nil) throws {
        start()
        try PushNotificationSDK.configure(try configuration ?? .valid())
    }
}

extension UNNotification {
    /// A push as the notification center hands it over.
    static func push(
        _ json: String,
        identifier: String = "request-1",
        date: Date = Date(timeIntervalSince1970: 1_772_366_400)
    ) -> UNNotification {
        var content = ContentRecord()
        content.userInfo = PayloadRecord(json: Data(json.utf8))
        return UNNotification(NotificationRecord(identifier: identifier, date: date, content: content))
    }

    /// A notification of the app's own.
    static func local() -> UNNotification {
        let content = UNMutableNotificationContent()
        content.body = "Your own"
        let request = UNNotificationRequest(identifier: "own", content: content, trigger: nil)
        return UNNotification(date: Date(timeIntervalSince1970: 1_772_366_400), request: request)
    }
}

/// What the system does, on a thread of its own.
extension UNUserNotificationCenter {
    /// A notification arrives in front.
    ///
    /// - Returns: how it is to be shown.
    @MainActor
    func arrive(_ json: String, identifier: String = "request-1") async -> UNNotificationPresentationOptions {
        nonisolated(unsafe) let center = self  // one call of the system, which is usable from any thread
        return await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                center.present(.push(json, identifier: identifier)) { continuation.resume(returning: $0) }
            }
        }
    }

    /// A notification of the app's own arrives in front.
    ///
    /// - Returns: how it is to be shown.
    @MainActor
    func arriveLocally() async -> UNNotificationPresentationOptions {
        nonisolated(unsafe) let center = self  // one call of the system, which is usable from any thread
        return await withCheckedContinuation { continuation in
            Thread.detachNewThread { center.present(.local()) { continuation.resume(returning: $0) } }
        }
    }

    /// A person does something with a notification.
    @MainActor
    func respond(_ action: String, _ json: String, identifier: String = "request-1") async {
        nonisolated(unsafe) let center = self  // one call of the system, which is usable from any thread
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let response = UNNotificationResponse(.push(json, identifier: identifier), actionIdentifier: action)
                center.receive(response) { continuation.resume() }
            }
        }
    }
}
