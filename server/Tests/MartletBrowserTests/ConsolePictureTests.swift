import Foundation
import MartletTesting
import Testing

/// Which of ``ConsolePageTests``' pictures has which of the console's pages.
@Suite("Pictures of the console's pages") struct ConsolePictureTests {
    /// A picture of each template that is a whole page.
    private static let pictures = [
        "access_keys": "access-keys", "account": "account", "app": "app", "app_findings": "app-findings",
        "app_new": "app-new", "apps": "apps", "audit": "audit", "categories": "categories", "category": "category",
        "compose": "compose", "compose_review": "compose-review", "credential_new": "credential-new",
        "error": "error", "invitation": "invitation", "kept_form": "kept-form", "key_made": "key-made",
        "keys": "keys", "notification": "notification", "notification_resend": "resend",
        "notification_missed": "missed", "notifications": "notifications", "operator_invited": "operator-invited",
        "operators": "operators", "overview": "overview", "people": "people", "person_devices": "person-devices",
        "person_erase": "erase", "person_inbox": "person-inbox", "person_preferences": "person-preferences",
        "person_timeline": "person", "person_why": "why", "phones": "phones", "sessions": "sessions",
        "sign_in": "sign-in", "subscription": "subscription", "topic": "topic", "topics": "topics",
        "problems": "problems",
    ]

    /// Why there is none of others.
    private static let withoutPicture = [
        "key_last": "one question and its button, where the last key is revoked",
        "phones_none": "a few lines, where the server knows no simulator",
        "problems_run": "it takes more than is tried again at once; ConsoleWayTests goes through it",
    ]

    @Test("every page has a picture, or a reason for having none")
    func all() throws {
        let folder = URL(filePath: Program.root + "/server/Sources/MartletConsole/Pages")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        let templates = try files.filter {
            try $0.pathExtension == "mustache" && String(contentsOf: $0, encoding: .utf8).hasPrefix("{{<layout}}")
        }
        let names = Set(templates.map { $0.deletingPathExtension().lastPathComponent })
        let known = Set(Self.pictures.keys).union(Self.withoutPicture.keys)
        #expect(names.symmetricDifference(known) == [])
        #expect(Set(Self.pictures.keys).isDisjoint(with: Self.withoutPicture.keys))
        // The first two are looked at before anybody is signed in, the last one last.
        let taken = Set(Office.pages(Office.Things()).map(\.name) + ["sign-in", "invitation", Office.lostPage.name])
        #expect(Set(Self.pictures.values).subtracting(taken) == [])
    }

    @Test("each picture has a name of its own")
    func names() {
        let names = Office.pages(Office.Things()).map(\.name)
        #expect(Set(names).count == names.count)
    }
}
