import MartletCore
import MartletWire
import Testing

@testable import MartletProviders

@Suite("Push types")
struct PushTypeTests {
    /// What `providers.md` and Apple's page say of a type, and content that it accepts.
    struct Row: Sendable {
        var type: APNsPushType
        var suffix: String
        var priorities: [Int]
        var defaultPriority: Int
        var limit: Int
        var content: Content
    }

    static let liveActivity: JSONValue = ["aps": ["event": "update", "timestamp": 1, "content-state": ["a": 1]]]
    static let shown = Content(title: "T")
    static let data = Content(data: ["k": "v"])
    static let mdm = Content(overrides: [.apns: ["payload": ["mdm": "magic"]]])

    static let rows = [
        Row(type: .alert, suffix: "", priorities: [1, 5, 10], defaultPriority: 10, limit: 4_096, content: shown),
        Row(type: .background, suffix: "", priorities: [5], defaultPriority: 5, limit: 4_096, content: data),
        Row(type: .voip, suffix: ".voip", priorities: [10], defaultPriority: 10, limit: 5_120, content: data),
        Row(
            type: .complication,
            suffix: ".complication",
            priorities: [1, 5, 10],
            defaultPriority: 10,
            limit: 4_096,
            content: data
        ),
        Row(
            type: .fileprovider,
            suffix: ".pushkit.fileprovider",
            priorities: [1, 5, 10],
            defaultPriority: 10,
            limit: 4_096,
            content: data
        ),
        Row(type: .mdm, suffix: "", priorities: [1, 5, 10], defaultPriority: 10, limit: 4_096, content: mdm),
        Row(
            type: .liveactivity,
            suffix: ".push-type.liveactivity",
            priorities: [5, 10],
            defaultPriority: 10,
            limit: 4_096,
            content: Content(overrides: [.apns: liveActivity])
        ),
        Row(type: .pushtotalk, suffix: ".voip-ptt", priorities: [10], defaultPriority: 10, limit: 4_096, content: data),
        Row(
            type: .location,
            suffix: ".location-query",
            priorities: [5, 10],
            defaultPriority: 10,
            limit: 4_096,
            content: Content()
        ),
        Row(
            type: .widgets,
            suffix: ".push-type.widgets",
            priorities: [1, 5, 10],
            defaultPriority: 5,
            limit: 4_096,
            content: Content()
        ),
        Row(
            type: .controls,
            suffix: ".push-type.controls",
            priorities: [1, 5, 10],
            defaultPriority: 5,
            limit: 4_096,
            content: Content()
        ),
    ]

    @Test("the table has every type once")
    func everyTypeHasARow() {
        #expect(Self.rows.map(\.type) == APNsPushType.allCases)
        #expect(APNsPushRules.table.count == APNsPushType.allCases.count)
    }

    @Test("a type has its suffix, default priority and limit", arguments: rows)
    func rules(row: Row) throws {
        let submission = Rendering.submission(row.content, pushType: row.type.rawValue)

        let headers = try Rendering.message(submission).headers

        #expect(headers["apns-push-type"] == row.type.rawValue)
        #expect(headers["topic-suffix"] == row.suffix)
        #expect(headers["apns-priority"] == String(row.defaultPriority))
        #expect(headers["apns-topic"] == nil)
        #expect(row.type.rules.payloadLimit == row.limit)
    }

    @Test("a type takes its priorities and refuses the others", arguments: rows)
    func priorities(row: Row) throws {
        for priority in Priority.allCases {
            let submission = Rendering.submission(row.content, pushType: row.type.rawValue, priority: priority)
            if row.priorities.contains(priority.rawValue) {
                let message = try Rendering.message(submission)
                #expect(message.headers["apns-priority"] == String(priority.rawValue))
            } else {
                let failure = try Rendering.failure(submission)
                #expect(failure.code == .invalidValue)
                #expect(failure.detail.field == "priority")
            }
        }
    }

    @Test("an unknown type is refused, and the known ones are named")
    func unknownType() throws {
        let failure = try Rendering.failure(Rendering.submission(Self.shown, pushType: "carrierpigeon"))
        #expect(failure.detail.field == "push_type")
        #expect(failure.detail.hint?.contains("liveactivity") == true)
    }

    @Test("a push with something shown is an alert, one with data only is a background push")
    func impliedType() throws {
        let contents: [(Content, String)] = [
            (Content(title: "T"), "alert"), (Content(badge: 0), "alert"), (Content(sound: "default"), "alert"),
            (Content(data: ["k": 1]), "background"), (Content(deepLink: "app://x"), "background"),
            (Content(overrides: [.apns: ["aps": ["alert": "x"]]]), "alert"),
            (Content(overrides: [.apns: ["aps": ["content-available": 1]]]), "background"),
            (Content(overrides: [.apns: ["payload": ["aps": ["alert": "x"]]]]), "alert"),
            (Content(overrides: [.apns: ["payload": ["aps": ["content-available": 1]]]]), "background"),
            (Content(overrides: [.apns: ["payload": [:]]]), "alert"),
        ]
        for (content, type) in contents {
            #expect(try Rendering.message(Rendering.submission(content)).headers["apns-push-type"] == type)
        }
    }

    @Test("a notification that says nothing is refused")
    func emptyContent() throws {
        let failure = try Rendering.failure(Rendering.submission(Content()))
        #expect(failure.detail.field == "content")
        let onlyThread = try Rendering.failure(Rendering.submission(Content(threadID: "t")))
        #expect(onlyThread.detail.field == "content")
    }

    @Test("what says something to another platform alone is not sent, and stops nothing")
    func otherPlatform() throws {
        let content = Content(overrides: [.fcm: ["message": ["notification": ["title": "w"]]]])
        #expect(try Rendering.message(Rendering.submission(content)).refusal == "nothing_to_show")
    }

    @Test("silent types refuse what would be shown", arguments: [APNsPushType.background, .widgets, .controls])
    func silentTypes(type: APNsPushType) throws {
        let failure = try Rendering.failure(Rendering.submission(Self.shown, pushType: type.rawValue))
        #expect(failure.detail.field == "push_type")
    }

    @Test("an alert that shows nothing is refused")
    func silentAlert() throws {
        let failure = try Rendering.failure(Rendering.submission(Self.data, pushType: "alert"))
        #expect(failure.detail.field == "push_type")
    }

    @Test("background, widgets and controls get what Apple asks for in their aps")
    func requiredMembers() throws {
        #expect(
            try Rendering.payload(Self.data, pushType: "background").objectValue?["aps"] == ["content-available": 1]
        )
        for type in ["widgets", "controls"] {
            let payload = try Rendering.payload(Content(), pushType: type)
            #expect(payload.objectValue?["aps"] == ["content-changed": true])
        }
    }

    @Test("a raw background payload without content-available is refused")
    func rawBackground() throws {
        let content = Content(overrides: [.apns: ["payload": ["k": 1]]])
        let failure = try Rendering.failure(Rendering.submission(content, pushType: "background"))
        #expect(failure.detail.field == "overrides.apns.payload.aps.content-available")
    }

    @Test("location needs a key, mdm a certificate")
    func authentication() throws {
        let location = Rendering.submission(Content(), pushType: "location")
        #expect(try Rendering.failure(location, credentials: [Rendering.certificate]).detail.field == "push_type")
        #expect(throws: Never.self) { try Rendering.message(location, credentials: [Rendering.token]) }
        let mdm = Rendering.submission(Self.mdm, pushType: "mdm")
        #expect(try Rendering.failure(mdm, credentials: [Rendering.token]).detail.field == "push_type")
        #expect(throws: Never.self) { try Rendering.message(mdm, credentials: [Rendering.certificate]) }
    }

    @Test("an app without credential is told so")
    func missingCredential() throws {
        let failure = try Rendering.failure(Rendering.submission(Self.shown), credentials: [])
        #expect(failure.code == .missingCredential)
    }

    @Test("an mdm payload is the PushMagic alone")
    func mdmPayload() throws {
        #expect(try Rendering.payload(Self.mdm, pushType: "mdm") == ["mdm": "magic"])
        #expect(try Rendering.payload(Content(data: ["mdm": "magic"]), pushType: "mdm") == ["mdm": "magic"])
        let failure = try Rendering.failure(Rendering.submission(Self.shown, pushType: "mdm"))
        #expect(failure.detail.field == "data.mdm")
    }

    @Test(
        "a Live Activity has what its event needs",
        arguments: [
            (["timestamp": 1, "content-state": [:]], "event"),
            (["event": "update", "content-state": [:]], "timestamp"),
            (["event": "update", "timestamp": 1_772_366_400_000, "content-state": [:]], "timestamp"),
            (["event": "update", "timestamp": 1], "content-state"),
            (["event": "start", "timestamp": 1, "content-state": [:]], "attributes-type"),
            (["event": "start", "timestamp": 1, "content-state": [:], "attributes-type": "A"], "attributes"),
        ] as [(JSONValue, String)]
    )
    func incompleteLiveActivity(aps: JSONValue, missing: String) throws {
        let content = Content(overrides: [.apns: ["aps": aps]])
        let failure = try Rendering.failure(Rendering.submission(content, pushType: "liveactivity"))
        #expect(failure.detail.field == "overrides.apns.aps.\(missing)")
    }

    @Test("a Live Activity may end without content and start with all of Apple's keys")
    func liveActivityEvents() throws {
        let end: JSONValue = ["event": "end", "timestamp": 1, "dismissal-date": 2]
        let start: JSONValue = [
            "event": "start", "timestamp": 1, "content-state": ["score": .null], "attributes-type": "Game",
            "attributes": ["home": "A"], "input-push-token": 1, "relevance-score": 75, "stale-date": 9,
            "alert": ["title": ["loc-key": "%@ scored", "loc-args": ["A"]], "body": "b", "sound": "chime.aiff"],
        ]
        for aps in [end, start] {
            let content = Content(overrides: [.apns: ["aps": aps]])
            #expect(try Rendering.payload(content, pushType: "liveactivity").objectValue?["aps"] == aps)
        }
    }
}
