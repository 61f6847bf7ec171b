import Foundation
import PushNotificationSDKCore
import Testing

@testable import PushNotificationSDKUI

@Suite struct PushNotificationTextsTests {
    private static let languages = [PushNotificationTexts.english, .japanese]

    @Test("every text is there in both languages, and each says it in its own")
    func complete() {
        let english = Mirror(reflecting: PushNotificationTexts.english)
        let japanese = Mirror(reflecting: PushNotificationTexts.japanese)
        for (one, other) in zip(english.children, japanese.children) where one.label != "close" {
            guard let one = one.value as? String, let other = other.value as? String else { continue }
            #expect(!one.isEmpty)
            #expect(one.allSatisfy { $0.isASCII })
            #expect(other.contains { !$0.isASCII })
        }
        #expect(english.children.filter { $0.value is String }.count >= 20)
    }

    @Test(
        "how long ago something was is said in words up to a week",
        arguments: [
            (-5, "now", "たった今"), (59, "now", "たった今"), (60, "1 minute ago", "1分前"),
            (3_599, "59 minutes ago", "59分前"), (3_600, "1 hour ago", "1時間前"),
            (86_399, "23 hours ago", "23時間前"), (86_400, "1 day ago", "1日前"),
            (604_799, "6 days ago", "6日前"),
        ]
    )
    func times(_ seconds: Int, _ english: String, _ japanese: String) {
        let date = Date(timeIntervalSince1970: 1_772_366_400)
        let now = date.addingTimeInterval(TimeInterval(seconds))
        #expect(PushNotificationTexts.english.time(of: date, now: now) == english)
        #expect(PushNotificationTexts.japanese.time(of: date, now: now) == japanese)
    }

    @Test("what is older than a week has its date")
    func dates() {
        let date = Date(timeIntervalSince1970: 1_772_366_400)
        for texts in Self.languages {
            #expect(texts.time(of: date, now: date.addingTimeInterval(604_800)).contains("2026"))
        }
    }

    @Test("an item is heard with its state, its lines and its time, and without what it has not")
    func spoken() {
        let now = InboxItem.sample(1).publishedAt.addingTimeInterval(120)
        #expect(PushNotificationTexts.english.spoken(.sample(1), now: now) == "Unread, 1, 2 minutes ago")
        #expect(PushNotificationTexts.japanese.spoken(.sample(1, isRead: true), now: now) == "1, 2分前")
    }

    @Test(
        "what goes wrong is said to the person, and not to the developer",
        arguments: [
            PushNotificationError.offline, .refused, .loginRequired, .notConfigured,
        ]
    )
    func errors(_ error: PushNotificationError) {
        for texts in Self.languages {
            let text = texts.text(for: error)
            #expect(!text.isEmpty)
            #expect(!text.contains("("))
            #expect(text != error.errorDescription)
        }
    }
}
