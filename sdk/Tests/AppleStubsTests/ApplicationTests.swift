import Foundation
import SafariServices
import Testing
import UIKit
import UserNotifications

@Suite("The stand-ins of UIKit")
@MainActor
struct ApplicationTests {
    final class Delegate: UIResponder, UIApplicationDelegate {
        var token: Data?

        func application(
            _ application: UIApplication,
            didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
        ) {
            token = deviceToken
        }
    }

    @Test("the phone behind an app gives it its token")
    func registers() {
        let application = UIApplication()
        let delegate = Delegate()
        application.delegate = delegate
        application.system.register = { application in
            application.delegate?.application(
                application,
                didRegisterForRemoteNotificationsWithDeviceToken: Data([1, 2])
            )
        }
        #expect(!application.isRegisteredForRemoteNotifications)
        application.registerForRemoteNotifications()
        #expect(application.isRegisteredForRemoteNotifications)
        #expect(delegate.token == Data([1, 2]))
    }

    @Test("a background task counts until it is ended; its number is never that of no task")
    func backgroundTasks() {
        let application = UIApplication()
        let first = application.beginBackgroundTask(withName: "upload")
        let second = application.beginBackgroundTask()
        #expect(first != .invalid && second != .invalid && first != second)
        application.endBackgroundTask(first)
        application.endBackgroundTask(.invalid)
        #expect(application.tasks.keys.sorted { $0.rawValue < $1.rawValue } == [second])
        #expect(application.mostTasks == 2)
    }

    @Test("what a delegate does not implement is answered as the system answers")
    func defaults() {
        let application = UIApplication()
        let delegate: any UIApplicationDelegate = Delegate()
        let result = Guarded<UIBackgroundFetchResult?>(nil)
        delegate.application(application, didReceiveRemoteNotification: [:]) { answer in result.write { $0 = answer } }
        #expect(result.read { $0 } == .noData)
        #expect(delegate.application(application, didFinishLaunchingWithOptions: nil))
        #expect(!delegate.application(application, open: URL(fileURLWithPath: "/"), options: [:]))
    }

    @Test("a controller that presents takes no second one")
    func presenting() throws {
        let root = UIViewController()
        let page = SFSafariViewController(url: try #require(URL(string: "https://example.com")))
        root.present(page, animated: true)
        root.present(UIViewController(), animated: true)
        #expect(root.presentedViewController === page)
        page.dismiss(animated: true)
        #expect(root.presentedViewController == nil)
    }

    @Test("opening a URL says afterwards whether something took it")
    func opens() async throws {
        let application = UIApplication()
        var opened: [URL] = []
        application.system.open = { url, _ in
            opened.append(url)
            return url.scheme == "https"
        }
        #expect(await application.open(try #require(URL(string: "https://example.com"))))
        #expect(await !application.open(try #require(URL(string: "myapp://x"))))
        #expect(opened.count == 2)
    }
}
