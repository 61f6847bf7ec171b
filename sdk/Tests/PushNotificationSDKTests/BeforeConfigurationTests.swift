import Foundation
import MartletWire
import PushNotificationSDK
import PushNotificationSDKTesting
import Testing
import UIKit
import UserNotifications

@testable import PushNotificationSDKCore

/// An app that configures the SDK later than the system calls it.
extension FacadeSuites {
    @MainActor @Suite struct BeforeConfigurationTests {
        let phone = FacadePhone()
        let told = Journal<String>()

        private func listen() {
            PushNotificationSDK.onNotificationOpened = { [told] in told.add("opened \($0.messageID ?? "-")") }
            PushNotificationSDK.onNotificationActionTapped = { [told] in told.add("\($0) \($1.messageID ?? "-")") }
        }

        private func push(_ number: Int) -> String { #"{"aps":{"alert":"x"},"message_id":"m\#(number)"}"# }

        @Test("a tap that an installed delegate is handed before the configuration is told and counted after it, once")
        func installedDelegate() async throws {
            phone.start()
            PushNotificationAppDelegate.install(in: phone.application, center: phone.center)
            await phone.center.respond(UNNotificationDefaultActionIdentifier, push(1))
            await phone.center.respond("CONFIRM", push(2))
            #expect(phone.events.recorded.entries.isEmpty)
            listen()
            try PushNotificationSDK.configure(.valid())
            #expect(await told.wait(for: 2).sorted() == ["CONFIRM m2", "opened m1"])
            await phone.center.respond(UNNotificationDefaultActionIdentifier, push(1))
            #expect(phone.events.recorded.entries == [.init(.open, "m1"), .init(.open, "m2", value: "CONFIRM")])
        }

        @Test("so is one that is forwarded by a line of the app, or that a scene was started by")
        func forwarded() async throws {
            phone.start()
            await withCheckedContinuation { continuation in
                let response = UNNotificationResponse(
                    .push(push(1)),
                    actionIdentifier: UNNotificationDefaultActionIdentifier
                )
                PushNotificationSDK.didReceive(response) { continuation.resume() }
            }
            let started = UNNotificationResponse(.push(push(2)), actionIdentifier: "LATER")
            PushNotificationSDK.willConnect(with: UIScene.ConnectionOptions(notificationResponse: started))
            try PushNotificationSDK.configure(.valid())
            listen()
            #expect(await told.wait(for: 2).sorted() == ["LATER m2", "opened m1"])
        }

        @Test("an installed delegate shows the app's own notifications as the one that configuring sets: not")
        func ownNotifications() async throws {
            phone.start()
            PushNotificationAppDelegate.install(in: phone.application, center: phone.center)
            #expect(await phone.center.arriveLocally() == [])
            try PushNotificationSDK.configure(.valid())
            #expect(await phone.center.arriveLocally() == [])
            #expect(await phone.center.arrive(push(1)) == [.banner, .sound])
            let other = FacadePhone()
            try other.configure()
            #expect(await other.center.arriveLocally() == [])
            #expect(await other.center.arrive(push(1)) == [.banner, .sound])
        }

        @Test("a link and Firebase's token that come before the configuration are taken after it")
        func linksAndTokens() async throws {
            phone.start()
            var environment = phone.environment
            environment.makeEvents = { EventRecorder($0, treasureData: nil) }
            environment.makeLinks = { LinkRouter($0, events: $1) }
            PushNotificationSDK.prepare(environment)
            PushNotificationSDK.linkPolicy = LinkPolicy([.deepLink("myapp")])
            PushNotificationSDK.onDeepLink = { [told] url, _ in told.add(url.absoluteString) }
            PushNotificationSDK.setFCMToken("f:cm")
            let scene = UIScene.ConnectionOptions(
                urlContexts: [UIOpenURLContext(url: try #require(URL(string: "myapp://scene")))]
            )
            #expect(PushNotificationSDK.open(try #require(URL(string: "myapp://first"))))
            PushNotificationSDK.willConnect(with: scene)
            try PushNotificationSDK.configure(.valid())
            #expect(await told.wait(for: 2) == ["myapp://first", "myapp://scene"])
            let client = try #require(PushNotificationSDK.client)
            await client.registrar.settled()
            let registrations = phone.transport.calls.entries.compactMap(\.registration)
            #expect(registrations.map(\.token) == ["f:cm"] && registrations.first?.provider == .fcm)
        }

        @Test("the newest link that comes before the configuration waits for a handler that is set late")
        func lateHandler() async throws {
            phone.start()
            var environment = phone.environment
            environment.makeLinks = { LinkRouter($0, events: $1) }
            PushNotificationSDK.prepare(environment)
            PushNotificationSDK.linkPolicy = LinkPolicy([.deepLink("myapp")])
            for text in ["myapp://first", "myapp://newest", "other://refused"] {
                #expect(PushNotificationSDK.open(try #require(URL(string: text))))
            }
            try PushNotificationSDK.configure(.valid())
            await MainQueue.drain()
            // One that comes now is the app's own, which has no handler for it.
            #expect(!PushNotificationSDK.open(try #require(URL(string: "myapp://later"))))
            PushNotificationSDK.onDeepLink = { [told] url, _ in told.add(url.absoluteString) }
            #expect(await told.wait(for: 1) == ["myapp://newest"])
        }

        @Test("so is a link, or a universal link, that the app's superclass is handed")
        func linkOfSuperclass() async throws {
            phone.start()
            var environment = phone.environment
            environment.makeLinks = { LinkRouter($0, events: $1) }
            PushNotificationSDK.prepare(environment)
            PushNotificationSDK.linkPolicy = LinkPolicy([.deepLink("myapp"), .web("example.com", path: "/shop")])
            PushNotificationSDK.onDeepLink = { [told] url, _ in told.add(url.absoluteString) }
            let superclass = PushNotificationAppDelegate()
            let url = try #require(URL(string: "myapp://superclass"))
            #expect(superclass.application(phone.application, open: url, options: [:]))
            let page = NSUserActivity(page: try #require(URL(string: "https://example.com/shop")))
            #expect(superclass.application(phone.application, continue: page, restorationHandler: { _ in }))
            try PushNotificationSDK.configure(.valid())
            #expect(await told.wait(for: 2) == ["myapp://superclass", "https://example.com/shop"])
            let other = NSUserActivity(page: try #require(URL(string: "https://example.com/")))
            #expect(!superclass.application(phone.application, continue: other, restorationHandler: { _ in }))
        }

        @Test("the newest 32 are kept, and none survives the process")
        func bounded() async throws {
            phone.start()
            PushNotificationAppDelegate.install(in: phone.application, center: phone.center)
            for number in 0..<40 {
                await phone.center.respond(UNNotificationDefaultActionIdentifier, push(number))
            }
            try PushNotificationSDK.configure(.valid())
            #expect(phone.events.recorded.entries.isEmpty)
            await MainQueue.drain()
            #expect(phone.events.recorded.entries == (8..<40).map { .init(.open, "m\($0)") })
            await phone.center.respond(UNNotificationDefaultActionIdentifier, push(99))
            phone.start()
            await phone.center.respond(UNNotificationDefaultActionIdentifier, push(100))
            let next = FacadePhone()
            try next.configure()
            await MainQueue.drain()
            #expect(next.events.recorded.entries.isEmpty)
        }

        @Test("a tap that is kept reloads what it says has changed as soon as the SDK is configured, once")
        func refresh() async throws {
            var environment = phone.environment
            environment.makeRefresh = { RefreshRouter($0) }
            PushNotificationSDK.reset()
            PushNotificationSDK.prepare(environment)
            PushNotificationSDK.onRefresh = { [told] in told.add("refresh \($0.deviceID)") }
            let json = #"{"aps":{"alert":"x"},"action":"refresh","device_id":"cam-1","date":"2026-03-01"}"#
            // The app is in front already, and stays there.
            PushNotificationSDK.didReceive(.init(try .push(json), .tap))
            try PushNotificationSDK.configure(.valid())
            #expect(await told.wait(for: 1) == ["refresh cam-1"])
            PushNotificationSDK.client?.didBecomeActive()
            await MainQueue.drain()
            #expect(told.entries.count == 1)
        }

        @Test("a tap with a device and a day reloads without an action where the app says so, and else does nothing")
        func refreshWithoutAction() async throws {
            var environment = phone.environment
            environment.makeRefresh = { RefreshRouter($0) }
            PushNotificationSDK.reset()
            PushNotificationSDK.prepare(environment)
            PushNotificationSDK.onRefresh = { [told] in told.add("refresh \($0.deviceID)") }
            try PushNotificationSDK.configure(.valid())
            func tap(_ device: String) throws {
                let json = #"{"aps":{"alert":"x"},"device_id":"\#(device)","date":"2026-03-01"}"#
                PushNotificationSDK.didReceive(.init(try .push(json, identifier: device), .tap))
            }
            try tap("cam-1")
            PushNotificationSDK.refreshesWithoutAction = true
            try tap("cam-2")
            #expect(await told.wait(for: 1) == ["refresh cam-2"])
        }

        @Test("a token that comes before the configuration is an error, also through the delegate")
        func tokens() async throws {
            phone.start()
            let errors = Journal<PushNotificationError>()
            PushNotificationSDK.onError = { errors.add($0) }
            let delegate = PushNotificationAppDelegate()
            delegate.application(phone.application, didRegisterForRemoteNotificationsWithDeviceToken: Data([1]))
            delegate.application(
                phone.application,
                didFailToRegisterForRemoteNotificationsWithError: CocoaError(.featureUnsupported)
            )
            #expect(await errors.wait(for: 2) == [.notConfigured, .notConfigured])
        }

        @Test("after a reset nothing that was on its way is told, and the system is answered all the same")
        func reset() async throws {
            try phone.configure()
            listen()
            PushNotificationSDK.onNotificationReceived = { [told] in told.add("received \($0.title)") }
            PushNotificationSDK.onError = { [told] in told.add("error \($0.errorCode)") }
            PushNotificationSDK.onDeepLink = { [told] url, _ in told.add("link \(url)") }
            PushNotificationSDK.onRefresh = { [told] in told.add("refresh \($0.action)") }
            let handlers = PushNotificationSDK.handlers
            let answered = Journal<Void>()
            // The main thread is held until the test waits: everything is on its way.
            PushNotificationSDK.client?.didReceive(.init(try .alert("m1"), .tap)) { answered.add(()) }
            PushNotificationSDK.client?.didReceive(.init(try .alert("m2"), .button("A"))) { answered.add(()) }
            handlers.errors.post(.invalidToken)
            handlers.links.deepLinks.post(.init(url: try #require(URL(string: "myapp://x")), payload: nil))
            PushNotificationSDK.reset()
            #expect(await answered.wait(for: 2).count == 2)
            await MainQueue.drain()
            #expect(told.entries.isEmpty)
            #expect(PushNotificationSDK.onNotificationReceived == nil && PushNotificationSDK.onDeepLink == nil)
        }
    }
}
