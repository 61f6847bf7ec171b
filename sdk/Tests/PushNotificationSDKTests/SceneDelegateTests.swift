import Foundation
import MartletWire
import PushNotificationSDK
import PushNotificationSDKTesting
import Testing
import UIKit
import UserNotifications

@testable import PushNotificationSDKCore

/// What scenes are told of, in an app that calls the static interface.
extension FacadeSuites {
    @MainActor @Suite struct SceneDelegateTests {
        let phone = FacadePhone()
        let links = Journal<String>()
        let errors = Journal<PushNotificationError>()
        let scene = UIWindowScene.named("window 1")

        private func listen() {
            phone.start()
            var environment = phone.environment
            environment.makeLinks = { LinkRouter($0, events: $1) }
            PushNotificationSDK.prepare(environment)
            PushNotificationSDK.linkPolicy = LinkPolicy([.deepLink("myapp"), .web("example.com", path: "/shop")])
            PushNotificationSDK.onError = { [errors] in errors.add($0) }
            PushNotificationSDK.onDeepLinkInScene = { [links] in links.add("\($0.url) in \($0.sceneID ?? "-")") }
        }

        private func options(_ texts: String...) throws -> UIScene.ConnectionOptions {
            let urls = try texts.map { try #require(URL(string: $0)) }
            let pages = urls.filter { $0.scheme == "https" }
            return UIScene.ConnectionOptions(
                urlContexts: Set(urls.filter { !pages.contains($0) }.map { UIOpenURLContext(url: $0) }),
                userActivities: Set(pages.map { NSUserActivity(page: $0) })
            )
        }

        private func tap(_ id: String) -> UNNotificationResponse {
            UNNotificationResponse(
                .push(#"{"aps":{"alert":"x"},"message_id":"\#(id)","deeplink":"myapp://\#(id)"}"#, identifier: id),
                actionIdentifier: UNNotificationDefaultActionIdentifier
            )
        }

        @Test("the superclass hands over what starts a scene, a link and a universal link, and names the scene")
        func started() async throws {
            listen()
            try PushNotificationSDK.configure(.valid())
            let delegate = SortingSceneDelegate()
            delegate.scene(scene, willConnectTo: scene.session, options: try options("myapp://a"))
            #expect(await links.wait(for: 1) == ["myapp://a in window 1"])
            delegate.scene(scene, willConnectTo: scene.session, options: try options("https://example.com/shop/1"))
            #expect(await links.wait(for: 2).last == "https://example.com/shop/1 in window 1")
            let tapped = UIScene.ConnectionOptions(notificationResponse: tap("m1"))
            delegate.scene(scene, willConnectTo: scene.session, options: tapped)
            #expect(await links.wait(for: 3).last == "myapp://m1 in window 1")
            #expect(phone.events.recorded.entries.contains(.init(.open, "m1")))
            #expect(delegate.others.isEmpty && errors.entries.isEmpty)
        }

        @Test("so it does with what comes before the configuration, of which nothing is others'")
        func beforeConfiguration() async throws {
            listen()
            let delegate = SortingSceneDelegate()
            delegate.scene(scene, willConnectTo: scene.session, options: try options("myapp://a"))
            delegate.scene(
                scene,
                willConnectTo: scene.session,
                options: UIScene.ConnectionOptions(notificationResponse: tap("m1"))
            )
            delegate.scene(scene, continue: NSUserActivity(page: try #require(URL(string: "https://other.example/"))))
            try PushNotificationSDK.configure(.valid())
            #expect(await Set(links.wait(for: 2)) == ["myapp://a in window 1", "myapp://m1 in window 1"])
            #expect(delegate.others.isEmpty && errors.entries.isEmpty)
        }

        @Test("it hands over links that come to a scene that is there")
        func opened() async throws {
            listen()
            try PushNotificationSDK.configure(.valid())
            let delegate = SortingSceneDelegate()
            delegate.scene(scene, openURLContexts: try options("myapp://a").urlContexts)
            let page = NSUserActivity(page: try #require(URL(string: "https://example.com/shop")))
            delegate.scene(scene, continue: page)
            #expect(await links.wait(for: 2) == ["myapp://a in window 1", "https://example.com/shop in window 1"])
        }

        @Test("links of others, other pages and other activities are the app's, and are no error")
        func others() async throws {
            listen()
            try PushNotificationSDK.configure(.valid())
            let delegate = SortingSceneDelegate()
            delegate.scene(scene, willConnectTo: scene.session, options: try options("login://start"))
            delegate.scene(scene, openURLContexts: try options("login://done").urlContexts)
            delegate.scene(scene, continue: NSUserActivity(page: try #require(URL(string: "https://example.com/"))))
            delegate.scene(scene, continue: NSUserActivity(activityType: "com.example.edit"))
            delegate.scene(scene, openURLContexts: try options("myapp://a").urlContexts)
            #expect(await links.wait(for: 1) == ["myapp://a in window 1"])
            #expect(delegate.others == ["login://start", "login://done", "https://example.com/"])
            #expect(errors.entries.isEmpty)
        }

        @Test("a link that starts a scene waits for a handler, where the app has said which links it takes")
        func lateHandler() async throws {
            listen()
            PushNotificationSDK.onDeepLinkInScene = nil
            try PushNotificationSDK.configure(.valid())
            let delegate = SortingSceneDelegate()
            delegate.scene(scene, willConnectTo: scene.session, options: try options("login://start"))
            delegate.scene(scene, willConnectTo: scene.session, options: try options("myapp://a"))
            await MainQueue.drain()
            PushNotificationSDK.onDeepLinkInScene = { [links] in links.add("\($0.url) in \($0.sceneID ?? "-")") }
            #expect(await links.wait(for: 1) == ["myapp://a in window 1"])
            #expect(delegate.others == ["login://start"])
        }

        @Test("without a handler and a policy every link is the app's")
        func withoutHandler() throws {
            phone.start()
            var environment = phone.environment
            environment.makeLinks = { LinkRouter($0, events: $1) }
            PushNotificationSDK.prepare(environment)
            try PushNotificationSDK.configure(.valid())
            let delegate = SortingSceneDelegate()
            delegate.scene(scene, openURLContexts: try options("myapp://a").urlContexts)
            #expect(delegate.others == ["myapp://a"])
        }

        @Test("an app's own delegate hands over the same, a line for each method, and names the scene or none")
        func lines() async throws {
            listen()
            try PushNotificationSDK.configure(.valid())
            PushNotificationSDK.willConnect(with: try options("https://example.com/shop/1"), in: scene)
            #expect(await links.wait(for: 1) == ["https://example.com/shop/1 in window 1"])
            PushNotificationSDK.open(try options("myapp://a").urlContexts, in: scene)
            PushNotificationSDK.open(try options("myapp://b").urlContexts)
            #expect(PushNotificationSDK.open(try #require(URL(string: "myapp://c")), in: scene))
            let page = NSUserActivity(page: try #require(URL(string: "https://example.com/shop/2")))
            #expect(PushNotificationSDK.continue(page, in: scene))
            #expect(!PushNotificationSDK.continue(NSUserActivity(activityType: "com.example.edit"), in: scene))
            #expect(
                await links.wait(for: 5) == [
                    "https://example.com/shop/1 in window 1", "myapp://a in window 1", "myapp://b in -",
                    "myapp://c in window 1", "https://example.com/shop/2 in window 1",
                ]
            )
            PushNotificationSDK.open(try options("login://done").urlContexts, in: scene)
            #expect(await errors.wait(for: 1) == [.linkRefused(LinkRefusal.scheme.reason)])
        }

        @Test("a tap that the notification center tells of names the scene that the system chose")
        func targetScene() async throws {
            listen()
            try PushNotificationSDK.configure(.valid())
            let response = tap("m1")
            response.target = scene
            PushNotificationSDK.didReceive(response) {}
            #expect(await links.wait(for: 1) == ["myapp://m1 in window 1"])
        }

        @Test("the app finds the scene that a link names, as long as it is there")
        func found() async throws {
            listen()
            try PushNotificationSDK.configure(.valid())
            var stream = PushNotificationSDK.deepLinks.makeAsyncIterator()
            PushNotificationSDK.open(try options("myapp://a").urlContexts, in: scene)
            let link = try #require(await stream.next())
            #expect(link.scene(in: phone.application) == nil)
            phone.application.connectedScenes = [UIWindowScene.named("window 2"), scene]
            #expect(link.scene(in: phone.application) === scene)
        }

        @Test("the handlers with and without a scene are one: the one that is set last is called")
        func oneHandler() async throws {
            listen()
            try PushNotificationSDK.configure(.valid())
            let url = try #require(URL(string: "myapp://a"))
            PushNotificationSDK.onDeepLink?(url, nil)
            PushNotificationSDK.onDeepLink = { [links] url, _ in links.add("\(url)") }
            #expect(PushNotificationSDK.open(url, in: scene))
            #expect(await links.wait(for: 2) == ["myapp://a in -", "myapp://a"])
            PushNotificationSDK.onDeepLink = nil
            #expect(PushNotificationSDK.onDeepLinkInScene == nil)
        }
    }
}

/// A scene delegate of an app's, which is told what is not the SDK's.
private final class SortingSceneDelegate: PushNotificationSceneDelegate {
    private(set) var others: [String] = []

    override func scene(_ scene: UIScene, openOther url: URL) {
        others.append(url.absoluteString)
    }
}

extension NSUserActivity {
    /// What a scene is told of when somebody follows a universal link.
    convenience init(page url: URL) {
        self.init(activityType: NSUserActivityTypeBrowsingWeb)
        webpageURL = url
    }
}

extension UIWindowScene {
    /// A scene whose session has that name.
    static func named(_ name: String) -> UIWindowScene {
        UIWindowScene(
            session: UISceneSession(
                configuration: UISceneConfiguration(name: nil, sessionRole: .windowApplication),
                persistentIdentifier: name
            )
        )
    }
}
