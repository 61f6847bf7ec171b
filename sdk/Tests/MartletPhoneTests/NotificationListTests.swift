import Foundation
import MartletPhone
import Testing
import UserNotifications

@Suite("What shows on a phone and what its user does with it")
@MainActor
struct NotificationListTests {
    let disk = Disk()

    func phone(_ app: DiaryApp, answerLimit: TimeInterval = 30) -> Phone {
        var settings = PhoneSettings(folder: disk.folder)
        settings.answerLimit = answerLimit
        let phone = Phone(settings, app: app.installed())
        phone.setNotifications(allowed: true)
        return phone
    }

    private func push(_ title: String, id: String, category: String = "") -> Push {
        Push(#"{"aps":{"alert":{"title":"\#(title)"},"badge":5,"category":"\#(category)"}}"#, collapseID: id)
    }

    @Test("a push with the collapse id of one that shows replaces it")
    func collapses() async {
        let phone = phone(DiaryApp())
        await phone.receive(push("1", id: "a"))
        await phone.receive(push("2", id: "b"))
        await phone.receive(push("3", id: "a"))
        #expect(phone.notifications.map(\.title) == ["2", "3"])
        #expect(phone.badge == 5)
    }

    @Test("in front the app says how it shows, on a thread that is not the main one")
    func asked() async throws {
        let app = DiaryApp([.banner])
        let phone = phone(app)
        await phone.launch()
        await phone.receive(push("1", id: "a"))
        #expect(app.diary.contains("present 1"))
        #expect(phone.notifications.isEmpty, "a banner is not in the list")
        #expect(phone.badge == 0, "the app did not let the number change")
        try await phone.tap("a")
        #expect(app.diary.last == "UNNotificationDefaultActionIdentifier a")
    }

    @Test("a push without an alert shows nothing, whatever the app in front answers")
    func numberAlone() async {
        let phone = phone(DiaryApp([.list, .badge]))
        await phone.launch()
        await phone.receive(Push(#"{"aps":{"badge":3}}"#, collapseID: "a"))
        #expect(phone.notifications.isEmpty)
        #expect(phone.badge == 3)
    }

    @Test("an app that does not answer is a fault, and nothing shows")
    func unanswered() async {
        let phone = phone(DiaryApp(nil), answerLimit: 0.01)
        await phone.launch()
        await phone.receive(push("1", id: "a"))
        #expect(phone.notifications.isEmpty)
        #expect(phone.journal.faults == ["willPresent was not answered in time"])
    }

    @Test("an explicit dismissal is told only for a category that asks for it")
    func dismissals() async throws {
        let app = DiaryApp()
        let phone = phone(app)
        await phone.launch()
        await phone.goHome()
        await phone.receive(push("1", id: "plain"))
        await phone.receive(push("2", id: "asks", category: "reply"))
        try await phone.dismiss("plain")
        #expect(!app.diary.contains { $0.hasSuffix("plain") })
        try await phone.dismiss("asks")
        #expect(app.diary.last == "UNNotificationDismissActionIdentifier asks")
        #expect(phone.state == .background)
        #expect(phone.notifications.isEmpty)
    }

    @Test("clearing the list tells nobody")
    func clears() async throws {
        let app = DiaryApp()
        let phone = phone(app)
        await phone.launch()
        await phone.goHome()
        await phone.receive(push("2", id: "a", category: "reply"))
        await phone.clear()
        #expect(phone.notifications.isEmpty)
        #expect(app.diary.last == "background")
        #expect(phone.journal.events.contains(.cleared(id: "a")))
    }

    @Test("a button runs the app in the background, or brings it to the front where it asks for that")
    func buttons() async throws {
        let app = DiaryApp()
        let phone = phone(app)
        await phone.launch()
        await phone.kill()
        await phone.receive(push("1", id: "a", category: "reply"))
        #expect(phone.notifications[0].buttons.map(\.id) == ["REPLY", "OPEN"])
        #expect(phone.notifications[0].buttons.map(\.takesText) == [true, false])
        try await phone.act("REPLY", on: "a", text: "on my way")
        #expect(app.diary.last == "REPLY a: on my way")
        #expect(phone.state == .background)
        await phone.receive(push("2", id: "b", category: "reply"))
        try await phone.act("OPEN", on: "b")
        #expect(Array(app.diary.suffix(3)) == ["foreground", "OPEN b", "active"])
        await phone.goHome()
        await phone.receive(push("3", id: "c"))
        await #expect(throws: PhoneError.self) { try await phone.act("OPEN", on: "c") }
        #expect(phone.notifications.map(\.id) == ["c"])
    }

    @Test("the user's answer comes when the user gives it")
    func prompt() async throws {
        let app = DiaryApp()
        let phone = Phone(PhoneSettings(folder: disk.folder), app: app.installed())
        phone.answerPrompt(allowing: nil)
        #expect(phone.allowsNotifications == nil)
        await phone.receive(push("1", id: "a"))
        #expect(phone.notifications.isEmpty)
        #expect(phone.journal.events == [.silent(id: "a")])
    }
}
