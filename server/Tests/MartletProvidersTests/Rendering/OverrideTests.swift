import MartletCore
import MartletWire
import Testing

@testable import MartletProviders

@Suite("Override for APNs")
struct OverrideTests {
    private func aps(_ content: Content, pushType: String? = nil) throws -> JSONValue? {
        try Rendering.payload(content, pushType: pushType).objectValue?["aps"]
    }

    @Test("aps is laid over the rendered one, the alert member by member, and null removes")
    func merging() throws {
        let content = Content(
            title: "T",
            body: "B",
            badge: 1,
            sound: "default",
            overrides: [
                .apns: [
                    "aps": [
                        "alert": ["body": .null, "loc-key": "K", "loc-args": ["a"]], "badge": .null,
                        "interruption-level": "time-sensitive", "relevance-score": .number(0.5),
                    ]
                ]
            ]
        )
        #expect(
            try aps(content) == [
                "alert": ["title": "T", "loc-key": "K", "loc-args": ["a"]], "sound": "default",
                "interruption-level": "time-sensitive", "relevance-score": .number(0.5), "mutable-content": 1,
            ]
        )
    }

    @Test("every key that Apple documents passes through")
    func everyKey() throws {
        let all: JSONValue = [
            "alert": [
                "title": "a", "subtitle": "b", "body": "c", "launch-image": "d", "title-loc-key": "e",
                "title-loc-args": ["f"], "subtitle-loc-key": "g", "subtitle-loc-args": ["h"], "loc-key": "i",
                "loc-args": ["j"],
            ],
            "badge": 0, "sound": ["critical": 1, "name": "n", "volume": .number(0.5)], "thread-id": "t",
            "category": "c",
            "content-available": 1, "mutable-content": 1, "target-content-id": "w", "interruption-level": "critical",
            "relevance-score": 1, "filter-criteria": "f", "stale-date": 1, "content-state": ["x": .null],
            "timestamp": 2,
            "event": "end", "dismissal-date": 3, "attributes-type": "A", "attributes": ["y": 1], "input-push-token": 1,
            "input-push-channel": "ch", "content-changed": true,
        ]
        #expect(try aps(Content(overrides: [.apns: ["aps": all]]), pushType: "alert") == all)
    }

    @Test("keys that Apple may add later go to the phone as they are")
    func unknownKeys() throws {
        let content = Content(title: "T", overrides: [.apns: ["aps": ["brand-new": ["a": 1], "alert": ["newer": 2]]]])
        #expect(
            try aps(content) == [
                "alert": ["title": "T", "newer": 2], "brand-new": ["a": 1], "mutable-content": 1,
            ]
        )
    }

    @Test(
        "a value of the wrong type is refused by its field",
        arguments: [
            (["badge": -1], "badge"), (["badge": "1"], "badge"), (["badge": .number(1.5)], "badge"),
            (["interruption-level": "loud"], "interruption-level"),
            (["relevance-score": .number(1.1)], "relevance-score"),
            (["relevance-score": .number(-0.1)], "relevance-score"), (["sound": 1], "sound"),
            (["sound": ["critical": 1]], "sound.name"), (["sound": ["name": "n"]], "sound.critical"),
            (["sound": ["critical": 1, "name": "n", "volume": 2]], "sound.volume"),
            (["sound": ["critical": 1, "name": "n", "pitch": 2]], "sound.pitch"), (["alert": 1], "alert"),
            (["alert": ["title": 1]], "alert.title"), (["alert": ["loc-args": [1]]], "alert.loc-args"),
            (["alert": ["title": ["loc-key": "k"]]], "alert.title"), (["content-available": true], "content-available"),
            (["mutable-content": 2], "mutable-content"), (["thread-id": 1], "thread-id"),
            (["category": []], "category"),
            (["stale-date": "soon"], "stale-date"), (["content-state": []], "content-state"),
            (["event": "pause"], "event"), (["attributes": "x"], "attributes"),
            (["content-changed": 1], "content-changed"),
        ] as [(JSONValue, String)]
    )
    func wrongTypes(aps: JSONValue, field: String) throws {
        let failure = try Rendering.failure(aps: aps)
        #expect(failure.code == .invalidValue)
        #expect(failure.detail.field == "overrides.apns.aps.\(field)")
    }

    @Test("unknown members, a payload beside aps and other types are refused by their field")
    func shape() throws {
        func failure(_ override: JSONValue) throws -> Failure {
            try Rendering.failure(Rendering.submission(Content(title: "T", overrides: [.apns: override])))
        }
        #expect(try failure(["headers": [:]]).code == .unknownField)
        #expect(try failure(["headers": [:]]).detail.field == "overrides.apns.headers")
        #expect(try failure(["aps": [:], "payload": [:]]).detail.field == "overrides.apns.aps")
        #expect(try failure(["payload": "text"]).detail.field == "overrides.apns.payload")
        #expect(try failure(["payload": ["aps": 1]]).detail.field == "overrides.apns.payload.aps")
        #expect(try failure([1]).detail.field == "overrides.apns")
    }

    @Test("another platform's override and null change nothing")
    func others() throws {
        let plain = try Rendering.payload(Content(title: "T"))
        #expect(try Rendering.payload(Content(title: "T", overrides: [.fcm: ["x": 1]])) == plain)
        #expect(try Rendering.payload(Content(title: "T", overrides: [.apns: .null])) == plain)
        #expect(try Rendering.payload(Content(title: "T", overrides: [.apns: [:]])) == plain)
    }
}
