import Foundation
import MartletPhone
import PushNotificationSDKTesting
import Testing
import UserNotifications

/// What a service extension does in these tests.
private final class ScriptedExtension: UNNotificationServiceExtension {
    enum Script: Sendable { case attach(URL), title(String), hang, late, twice }

    private let script: Script
    /// Told when there is something pending.
    private let begun: Journal<Void>
    /// The content and the handler for it. The time expires on another thread than the one that handed them over.
    private let pending = Guarded<(content: UNNotificationContent, handler: (UNNotificationContent) -> Void)?>(nil)

    init(_ script: Script, _ begun: Journal<Void>) {
        self.script = script
        self.begun = begun
        super.init()
    }

    override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        guard let content = request.content.mutableCopy() as? UNMutableNotificationContent else { return }
        pending.write { $0 = (content, contentHandler) }
        begun.add(())
        switch script {
        case .hang, .late: return
        case .title(let title): content.title = title
        case .twice: contentHandler(content)
        case .attach(let url):
            if let file = try? UNNotificationAttachment(identifier: "image", url: url) { content.attachments = [file] }
        }
        contentHandler(content)
    }

    override func serviceExtensionTimeWillExpire() {
        guard case .late = script else { return }
        pending.read { pending in
            guard let pending, let late = pending.content.mutableCopy() as? UNMutableNotificationContent else { return }
            late.title = MainQueue.isCurrent ? "on main" : "late"
            pending.handler(late)
        }
    }
}

@Suite("The service extension runs by itself and has a deadline", .timeLimit(.minutes(1)))
@MainActor
struct ExtensionTests {
    let disk = Disk()

    /// - Parameters:
    ///   - isTimed: whether the extension's time is over, which it is as soon as the extension has begun.
    ///   - isEnded: whether its last chance is over too, at once.
    private func phone(_ script: ScriptedExtension.Script, isTimed: Bool = false, isEnded: Bool = false) -> Phone {
        let begun = Journal<Void>()
        var settings = PhoneSettings(folder: disk.folder)
        let limit = settings.extensionLimit
        settings.extensionTimer = { seconds, over in
            guard seconds == limit ? isTimed : isEnded else { return }
            Task {
                _ = await begun.wait(for: 1)
                over()
            }
        }
        let app = DiaryApp().installed { _ in ScriptedExtension(script, begun) }
        let phone = Phone(settings, app: app)
        phone.setNotifications(allowed: true)
        return phone
    }

    private let rich = Push(
        #"{"aps":{"alert":{"title":"original"},"mutable-content":1},"message_id":"m"}"#,
        collapseID: "a"
    )

    @Test("what it hands over shows, although the app is not running")
    func changes() async {
        let phone = phone(.title("changed"))
        await phone.receive(rich)
        #expect(phone.notifications.map(\.title) == ["changed"])
        #expect(phone.journal.events == [.extensionRan(id: "a", expired: false), .shown(id: "a")])
        #expect(phone.state == .notRunning)
    }

    @Test("an attachment moves into the system's store")
    func attaches() async throws {
        try FileManager.default.createDirectory(at: disk.folder, withIntermediateDirectories: true)
        let file = disk.folder.appendingPathComponent("picture.png")
        try Data([1]).write(to: file)
        let phone = phone(.attach(file))
        await phone.receive(rich)
        let attachment = try #require(phone.notifications.first?.attachments.first)
        #expect(attachment != file)
        #expect(FileManager.default.fileExists(atPath: attachment.path))
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test("when its time is over it has a last chance, on another thread")
    func lastChance() async {
        let phone = phone(.late, isTimed: true)
        await phone.receive(rich)
        #expect(phone.notifications.map(\.title) == ["late"])
        #expect(phone.journal.events.contains(.extensionRan(id: "a", expired: true)))
        #expect(phone.journal.faults.isEmpty)
    }

    @Test("one that hands nothing over is a fault, and the original shows")
    func nothing() async {
        let phone = phone(.hang, isTimed: true, isEnded: true)
        await phone.receive(rich)
        #expect(phone.notifications.map(\.title) == ["original"])
        #expect(phone.journal.faults == ["the extension handed nothing over for a"])
    }

    @Test("one that hands over twice is a fault")
    func twice() async {
        let phone = phone(.twice)
        await phone.receive(rich)
        await phone.journal.first { if case .fault = $0 { true } else { false } }
        #expect(phone.journal.faults == ["the content handler of a was called twice"])
        #expect(phone.notifications.count == 1)
    }
}
