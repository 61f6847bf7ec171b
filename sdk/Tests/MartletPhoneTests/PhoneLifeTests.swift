import Foundation
import MartletPhone
import PushNotificationSDKTesting
import Testing
import UserNotifications

@Suite("The life of an app on a phone", .timeLimit(.minutes(1)))
@MainActor
struct PhoneLifeTests {
    let disk = Disk()
    let app = DiaryApp()

    func phone(hasScenes: Bool = false, link: any APNsLink = NoAPNs()) async -> Phone {
        let phone = Phone(PhoneSettings(folder: disk.folder), app: app.installed(hasScenes: hasScenes), link: link)
        phone.setNotifications(allowed: true)
        return phone
    }

    @Test("the icon starts the app, which gets its token and comes to the front")
    func icon() async {
        let phone = await phone()
        await phone.launch()
        #expect(await app.tokens.wait(for: 1) == ["32 bytes"])
        await phone.goHome()
        await phone.launch()
        #expect(phone.state == .foreground)
        #expect(app.diary == ["launched inactive", "active", "background", "foreground", "active"])
        #expect(phone.token?.count == 32)
        #expect(phone.journal.faults.isEmpty)
    }

    @Test("a tap starts a killed app with its payload, then is told once, then the app is active")
    func coldTap() async throws {
        let phone = await phone()
        await phone.receive(Push(#"{"aps":{"alert":"x"},"n":"42"}"#, collapseID: "a"))
        #expect(phone.notifications.map(\.id) == ["a"])
        #expect(phone.state == .notRunning)
        try await phone.tap("a")
        #expect(
            app.diary == ["launched inactive for 42", "UNNotificationDefaultActionIdentifier a", "active"]
        )
        #expect(phone.notifications.isEmpty)
        await #expect(throws: PhoneError.self) { try await phone.tap("a") }
    }

    @Test("an app with scenes finds the tap in the scene's connection options, and is told of the same tap")
    func coldTapWithScenes() async throws {
        let phone = await phone(hasScenes: true)
        await phone.receive(Push(#"{"aps":{"alert":"x"},"n":"42"}"#, collapseID: "a"))
        try await phone.tap("a")
        #expect(
            app.diary == [
                "launched inactive", "scene for a", "scene foreground", "UNNotificationDefaultActionIdentifier a",
                "scene active",
            ]
        )
    }

    @Test("a link starts the app with it, and reaches it when it runs", arguments: [false, true])
    func links(hasScenes: Bool) async throws {
        let phone = await phone(hasScenes: hasScenes)
        await phone.open(try #require(URL(string: "myapp://first")))
        await phone.open(try #require(URL(string: "myapp://second")))
        let told = app.diary.filter { $0.contains("myapp") }
        #expect(
            told
                == (hasScenes
                    ? ["scene for myapp://first", "scene open myapp://second"]
                    : ["launched inactive for myapp://first", "open myapp://first", "open myapp://second"])
        )
    }

    @Test(
        "a page of the app's own site comes to a scene, or to the app, as an activity, whether it starts the app or not",
        arguments: [false, true]
    )
    func universalLinks(hasScenes: Bool) async throws {
        let phone = await phone(hasScenes: hasScenes)
        await phone.open(try #require(URL(string: "https://example.com/first")))
        await phone.open(try #require(URL(string: "https://example.com/second")))
        #expect(
            app.diary.filter { $0.contains("https") }
                == (hasScenes
                    ? ["scene for https://example.com/first", "scene continue https://example.com/second"]
                    : ["continue https://example.com/first", "continue https://example.com/second"])
        )
    }

    @Test(
        "of an app with two windows both are connected at a cold start, and one is told what for",
        arguments: [true, false]
    )
    func coldStartWithTwoWindows(byTap: Bool) async throws {
        let phone = await phone(hasScenes: true)
        await phone.launch()
        let first = try #require(phone.windows.first)
        let second = await phone.openWindow()
        #expect(Array(app.diary.suffix(3)) == ["scene", "scene foreground", "scene active"])
        await phone.kill()
        let before = app.diary.count
        if byTap {
            await phone.receive(Push(#"{"aps":{"alert":"x"}}"#, collapseID: "a"))
            try await phone.tap("a", in: first)
        } else {
            await phone.open(try #require(URL(string: "myapp://a")), in: first)
        }
        let told = app.diary.dropFirst(before).filter { $0.hasPrefix("scene") }
        #expect(
            told == [
                "scene", "scene for \(byTap ? "a" : "myapp://a")", "scene foreground", "scene foreground",
                "scene active", "scene active",
            ]
        )
        #expect(phone.windows == [second, first])
        #expect(phone.journal.faults.isEmpty)
    }

    @Test("a silent push starts a killed app in the background, and not one that was swiped away")
    func silentStart() async {
        let phone = await phone(hasScenes: true)
        let silent = Push(#"{"aps":{"content-available":1},"n":"7"}"#, collapseID: "s")
        await phone.receive(silent)
        #expect(app.diary == ["launched background for 7", "told 7 in background"])
        #expect(phone.state == .background)
        await phone.launch()
        #expect(app.diary.filter { $0.hasPrefix("scene") } == ["scene", "scene foreground", "scene active"])
        await phone.swipeAway()
        let before = app.diary
        await phone.receive(silent)
        #expect(app.diary == before)
        #expect(phone.state == .swipedAway)
    }

    @Test("a killed app's process is gone and hears nothing more")
    func killed() async {
        let phone = await phone()
        await phone.launch()
        await phone.kill()
        #expect(app.diary.last == "end")
        #expect(phone.state == .notRunning)
        await phone.launch()
        #expect(app.diary.filter { $0.hasPrefix("launched") }.count == 2)
    }

    @Test("an app that is installed anew has no permission, no notifications, and another token")
    func reinstalled() async {
        let phone = await phone()
        await phone.launch()
        await phone.journal.first { if case .token = $0 { true } else { false } }
        let first = phone.token
        await phone.goHome()
        await phone.receive(Push(#"{"aps":{"alert":"x","badge":2}}"#))
        await phone.reinstall()
        #expect(phone.notifications.isEmpty && phone.badge == 0)
        #expect(phone.allowsNotifications == nil && phone.token == nil)
        await phone.launch()
        await phone.journal.first { if case .token(let token) = $0 { token != first?.hexadecimalText } else { false } }
        #expect(phone.token != nil && phone.token != first)
    }

    @Test("a phone without a network gets its token when the network is back")
    func tokenLater() async {
        let phone = await phone()
        phone.network.turn(on: false)
        await phone.launch()
        #expect(phone.token == nil)
        phone.network.turn(on: true)
        #expect(await phone.journal.first { if case .token = $0 { true } else { false } } != nil)
    }
}

extension Data {
    var hexadecimalText: String { map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
}
