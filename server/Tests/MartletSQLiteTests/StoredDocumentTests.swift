import Foundation
import MartletCore
import MartletWire
import Testing

@testable import MartletSQLite
@testable import MartletStore

/// What is written by hand is read by `Codable`.
@Suite struct StoredDocumentTests {
    @Test(
        "an audience is read as it was written",
        arguments: [
            .users([]), .users(["ann", "b\"ob\\", "渡辺"]), .endpoints([PublicID(high: 1, low: 2)]),
            .tokens(["ab", "cd"], platform: .apns), .all,
        ] as [Audience]
    )
    func audience(_ audience: Audience) throws {
        let text = try storedText(audience)
        #expect(try JSONDecoder().decode(Audience.self, from: Data(text.utf8)) == audience)
    }

    @Test("content is read as it was written, with everything and with nothing")
    func content() throws {
        let full = Content(
            title: "a\nb",
            subtitle: "\u{1}",
            body: "渡辺",
            image: "https://example.com/a.png",
            deepLink: "app://x",
            badge: 7,
            sound: "default",
            actionCategory: "c",
            threadID: "t",
            data: ["n": .number(1.5), "o": ["a": [true, .null]]],
            overrides: [.apns: ["aps": ["badge": 2]], .fcm: "x"]
        )
        for content in [full, Content()] {
            let text = try storedText(content)
            #expect(try JSONDecoder().decode(Content.self, from: Data(text.utf8)) == content)
        }
    }

    @Test(
        "an inbox item is read as it was written",
        arguments: [
            InboxDraft(), InboxDraft(key: "a\"b"), InboxDraft(expiresAt: Timestamp(milliseconds: 7)),
            InboxDraft(key: "k", expiresAt: Timestamp(milliseconds: 7), content: Content(title: "渡辺", badge: 2)),
        ]
    )
    func inbox(_ inbox: InboxDraft) throws {
        let text = try storedText(inbox)
        #expect(try JSONDecoder().decode(InboxDraft.self, from: Data(text.utf8)) == inbox)
    }

    @Test("header fields are read as they were written")
    func headers() throws {
        for headers in [[:], ["apns-priority": "10", "a": "b\"c"]] {
            let text = storedText(headers)
            #expect(try JSONDecoder().decode([String: String].self, from: Data(text.utf8)) == headers)
        }
    }
}
