import Foundation
import Testing
import UserNotifications

@Suite("The stand-ins of contents, categories and attachments")
struct ContentTests {
    @Test("a copy that can be changed leaves the original alone")
    func mutableCopies() throws {
        let original = UNMutableNotificationContent()
        original.title = "Line 4"
        original.userInfo = ["message_id": "m1", "count": 3]
        let copy = try #require(original.mutableCopy() as? UNMutableNotificationContent)
        copy.title = "Line 5"
        copy.badge = 2
        #expect(original.title == "Line 4")
        #expect(original.badge == nil)
        let fixed = try #require(copy.copy() as? UNNotificationContent)
        #expect(!(fixed is UNMutableNotificationContent))
        #expect(fixed.title == "Line 5")
        #expect(fixed.userInfo["message_id"] as? String == "m1")
    }

    @Test("a request does not see what is changed in its content afterwards")
    func requestsCopy() {
        let content = UNMutableNotificationContent()
        content.body = "before"
        let request = UNNotificationRequest(identifier: "r", content: content, trigger: nil)
        content.body = "after"
        #expect(request.content.body == "before")
    }

    @Test("a payload reaches an app as Foundation's objects, with numbers that bridge")
    func payloadObjects() throws {
        let payload = PayloadRecord(json: Data(#"{"flag":true,"one":1,"text":"x","deep":{"list":[1,null]}}"#.utf8))
        var record = ContentRecord()
        record.userInfo = payload
        let info = UNNotificationContent(record).userInfo
        #expect(info["flag"] is NSNumber)
        #expect(info["one"] as? Int == 1)
        #expect((info["deep"] as? [String: Any])?["list"] as? [AnyHashable] == [1, NSNull()])
    }

    @Test("categories are replaced as a whole and come back equal")
    func categories() async {
        let center = UNUserNotificationCenter(device: NotificationDevice())
        let reply = UNTextInputNotificationAction(
            identifier: "REPLY",
            title: "Reply",
            textInputButtonTitle: "Send",
            textInputPlaceholder: "…"
        )
        let first = UNNotificationCategory(identifier: "a", actions: [reply], intentIdentifiers: [])
        let second = UNNotificationCategory(
            identifier: "b",
            actions: [UNNotificationAction(identifier: "OPEN", title: "Open", options: .foreground)],
            intentIdentifiers: [],
            options: .customDismissAction
        )
        center.setNotificationCategories([first])
        center.setNotificationCategories([first, second])
        let categories = await center.notificationCategories()
        #expect(categories == [first, second])
        let kept = categories.first { $0.identifier == "a" }?.actions.first
        #expect((kept as? UNTextInputNotificationAction)?.textInputButtonTitle == "Send")
        #expect(categories.first { $0.identifier == "b" }?.options == .customDismissAction)
    }

    /// A file that an attachment is made of, and what becomes of it.
    struct File: Sendable, CustomTestStringConvertible {
        var name: String
        var bytes: Int
        var hint: String?
        var error: UNError.Code?

        var testDescription: String { "\(name), \(bytes) bytes" }
    }

    static let files = [
        File(name: "a.png", bytes: 1),
        File(name: "a.JPG", bytes: 10 << 20),
        File(name: "a.jpg", bytes: 10 << 20 + 1, error: .attachmentInvalidFileSize),
        File(name: "a.mp3", bytes: 5 << 20),
        File(name: "a.mp3", bytes: 5 << 20 + 1, error: .attachmentInvalidFileSize),
        File(name: "a.mp4", bytes: 50 << 20),
        File(name: "a.mp4", bytes: 50 << 20 + 1, error: .attachmentInvalidFileSize),
        File(name: "a.png", bytes: 0, error: .attachmentInvalidFileSize),
        File(name: "a.html", bytes: 9, error: .attachmentUnrecognizedType),
        File(name: "a", bytes: 9, error: .attachmentUnrecognizedType),
        File(name: "a.tmp", bytes: 9, hint: "public.png"),
        File(name: "a.png", bytes: 9, hint: "public.html", error: .attachmentUnrecognizedType),
    ]

    @Test("an attachment is of a type that notifications show, and within its size", arguments: files)
    func attachmentLimits(_ file: File) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("martlet-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = folder.appendingPathComponent(file.name)
        #expect(FileManager.default.createFile(atPath: url.path, contents: nil))
        let handle = try FileHandle(forWritingTo: url)
        try handle.truncate(atOffset: UInt64(file.bytes))
        try handle.close()
        let options = file.hint.map { [UNNotificationAttachmentOptionsTypeHintKey: $0] }
        if let code = file.error {
            #expect(throws: UNError(code)) { try UNNotificationAttachment(identifier: "i", url: url, options: options) }
        } else {
            let attachment = try UNNotificationAttachment(identifier: "", url: url, options: options)
            #expect(!attachment.identifier.isEmpty)
        }
    }

    @Test("an attachment of a file that is not there is refused")
    func missingFile() {
        #expect(throws: UNError(.attachmentInvalidURL)) {
            try UNNotificationAttachment(identifier: "i", url: URL(fileURLWithPath: "/nowhere/a.png"))
        }
        #expect(throws: UNError(.attachmentInvalidURL)) {
            try UNNotificationAttachment(identifier: "i", url: URL(string: "https://cdn.example.com/a.png")!)
        }
    }

    @Test("a number below zero is no badge, and zero empties the list")
    func badges() async throws {
        let device = NotificationDevice()
        let center = UNUserNotificationCenter(device: device)
        device.deliver(NotificationRecord(identifier: "n", date: Date(), content: ContentRecord()))
        try await center.setBadgeCount(3)
        #expect(device.badge == 3)
        #expect(await center.deliveredNotifications().map(\.request.identifier) == ["n"])
        await #expect(throws: UNError(.badgeInputInvalid)) { try await center.setBadgeCount(-1) }
        try await center.setBadgeCount(0)
        #expect(device.delivered.isEmpty)
    }

    @Test("a notification with the id of another replaces it; ids that are not there are passed over")
    func deliveredList() async {
        let device = NotificationDevice()
        let center = UNUserNotificationCenter(device: device)
        for (identifier, title) in [("a", "1"), ("b", "2"), ("a", "3")] {
            var content = ContentRecord()
            content.title = title
            device.deliver(NotificationRecord(identifier: identifier, date: Date(), content: content))
        }
        #expect(await center.deliveredNotifications().map(\.request.content.title) == ["2", "3"])
        center.removeDeliveredNotifications(withIdentifiers: ["b", "x"])
        #expect(device.delivered.map(\.identifier) == ["a"])
        center.removeAllDeliveredNotifications()
        #expect(device.delivered.isEmpty)
    }
}
