import Foundation
import Synchronization
import Testing
import Transit

/// What an agency does with an alert, and what riders are told for it.
@Suite struct VersionTests {
    private func told(_ scene: Scene) -> [String] {
        scene.martlet.accepted.map { "\($0.purpose.rawValue) \($0.version): \($0.riders.joined(separator: ","))" }
    }

    @Test("created: the riders of the line are told once, and an unchanged feed tells nobody")
    func created() async throws {
        let scene = Scene()
        let backend = try await scene.backend()
        for _ in 0..<3 {
            try await scene.feed([Scene.alert()], to: backend)
            try await scene.send(backend)
        }
        #expect(told(scene) == ["tell 1: amira,ben"])
    }

    private typealias Change = (String, @Sendable (inout ServiceAlert) -> Void, Bool)
    private static let changes: [Change] = [
        ("text", { $0.header.translations[0].text = "Other" }, true),
        ("details", { $0.details = TranslatedText([.init("More", language: "en")]) }, true),
        ("severity down", { $0.severity = .info }, true),
        ("effect", { $0.effect = .noService }, true),
        ("period", { $0.periods = [ActivePeriod(start: 1_774_800_000, end: 1_775_800_000)] }, true),
        ("entity", { $0.entities.append(InformedEntity(route: "T4", direction: 0)) }, true),
        ("translation", { $0.header.translations.append(.init("迂回", language: "ja")) }, false),
        ("the same entity twice", { $0.entities += $0.entities }, false),
        ("nothing", { _ in }, false),
    ]

    @Test("what makes a version", arguments: changes.indices)
    func versions(_ index: Int) async throws {
        let (what, change, isVersion) = Self.changes[index]
        let scene = Scene()
        let backend = try await scene.backend()
        var alert = Scene.alert()
        try await scene.feed([alert], to: backend)
        try await scene.send(backend)
        change(&alert)
        try await scene.feed([alert], to: backend)
        try await scene.send(backend)
        #expect(told(scene).count == (isVersion ? 2 : 1), "\(what)")
    }

    @Test("updated: the same collapse id and another dedup key, and no sound")
    func updated() async throws {
        let scene = Scene()
        let backend = try await scene.backend()
        for text in ["Signal failure", "Signal repaired"] {
            try await scene.feed([Scene.alert(text)], to: backend)
            try await scene.send(backend)
        }
        let sent = scene.martlet.accepted
        #expect(told(scene) == ["tell 1: amira,ben", "tell 2: amira,ben"])
        #expect(Set(sent.map { $0.body("collapse_id") }) == ["alert-a-1"])
        #expect(sent.map { $0.body("dedup", "key") } == ["alert-a-1-v1", "alert-a-1-v2"])
        #expect(sent.map { $0.body("dedup", "cooldown_seconds") } == ["1800", "1800"])
        #expect(sent.map { $0.body("sound") } == ["default", nil])
        #expect(Set(sent.map(\.key)).count == 2)
    }

    @Test("escalated: it sounds again, is transactional, and reaches those who wanted severe alerts only")
    func escalated() async throws {
        let scene = Scene()
        let backend = try await scene.backend()
        for severity in [Severity.warning, .severe] {
            try await scene.feed([Scene.alert(severity: severity)], to: backend)
            try await scene.send(backend)
        }
        let sent = scene.martlet.accepted
        #expect(told(scene) == ["tell 1: amira,ben", "tell 2: amira,ben,chiara"])
        #expect(sent.map { $0.body("class") } == ["default", "transactional"])
        #expect(sent.map { $0.body("sound") } == ["default", "default"])
        #expect(sent[1].body("overrides", "apns", "aps", "interruption-level") == "time-sensitive")
    }

    @Test("translated: nobody is told, and the next version comes in the rider's language")
    func translated() async throws {
        let scene = Scene()
        let backend = try await scene.backend()
        var alert = Scene.alert()
        try await scene.feed([alert], to: backend)
        alert.header.translations.append(.init("信号故障", language: "ja"))
        try await scene.feed([alert], to: backend)
        try await scene.send(backend)
        #expect(told(scene) == ["tell 1: amira,ben"])
        alert.severity = .info
        try await scene.feed([alert], to: backend)
        try await scene.send(backend)
        #expect(Set(told(scene)) == ["tell 1: amira,ben", "tell 2: amira", "tell 2: ben"])
        let japanese = try #require(scene.martlet.accepted.first { $0.riders == ["ben"] })
        #expect(japanese.body("body") == "信号故障" && japanese.body("title") == "運行情報")
    }

    @Test("ended: what is under way is cancelled and what shows is taken away, once")
    func ended() async throws {
        let scene = Scene()
        let backend = try await scene.backend()
        let alert = Scene.alert(periods: [ActivePeriod(start: 1_774_800_000, end: 1_774_800_100)])
        try await scene.feed([alert], to: backend)
        try await scene.send(backend)
        for _ in 0..<3 {
            try await scene.feed([alert], to: backend)
            try await scene.send(backend)
        }
        #expect(told(scene) == ["tell 1: amira,ben", "end 1: amira,ben"])
        let end = try #require(scene.martlet.accepted.last)
        #expect(end.body("data", "alert_action") == "remove" && end.body("push_type") == "background")
        #expect(end.body("data", "notification_id") == end.body("collapse_id"))
        #expect(scene.martlet.record.withLock { $0.cancelled.count } == 1)
    }

    @Test("an alert whose time is over ends without a new feed")
    func endedByTime() async throws {
        let scene = Scene()
        let backend = try await scene.backend()
        try await scene.feed([Scene.alert(periods: [ActivePeriod(end: 1_774_800_500)])], to: backend)
        try await scene.send(backend)
        try await backend.tick()
        #expect(await backend.next == nil)
        scene.time.withLock { $0 = 1_774_800_500 }
        try await backend.tick()
        try await scene.send(backend)
        #expect(told(scene) == ["tell 1: amira,ben", "end 1: amira,ben"])
    }

    @Test("withdrawn: two feeds without it; one is not believed")
    func withdrawn() async throws {
        let scene = Scene()
        let backend = try await scene.backend()
        let other = Scene.alert("Other", id: "a-2", route: "T8")
        try await scene.feed([Scene.alert(), other], to: backend)
        try await scene.feed([other], to: backend)
        try await scene.feed([Scene.alert(), other], to: backend)
        try await scene.send(backend)
        #expect(told(scene) == ["tell 1: amira,ben", "tell 1: deniz"])
        try await scene.feed([other], to: backend)
        try await scene.feed([other], to: backend)
        try await scene.send(backend)
        #expect(told(scene).last == "end 1: amira,ben")
    }

    @Test("an alert that comes back after it was taken away is a new version")
    func back() async throws {
        let scene = Scene()
        let backend = try await scene.backend()
        let other = Scene.alert("Other", id: "a-2", route: "T8")
        for alerts in [[Scene.alert(), other], [other], [other], [other], [Scene.alert(), other]] {
            try await scene.feed(alerts, to: backend)
            try await scene.send(backend)
        }
        #expect(told(scene) == ["tell 1: amira,ben", "tell 1: deniz", "end 1: amira,ben", "tell 2: amira,ben"])
    }

    @Test("a version that leaves riders out takes the alert away from them, and the others keep it")
    func narrowed() async throws {
        let scene = Scene()
        let backend = try await scene.backend()
        var alert = Scene.alert()
        alert.entities.append(InformedEntity(route: "T8"))
        try await scene.feed([alert], to: backend)
        alert.entities = [InformedEntity(route: "T8")]
        try await scene.send(backend)
        try await scene.feed([alert], to: backend)
        try await scene.send(backend)
        #expect(told(scene) == ["tell 1: amira,ben,deniz", "tell 2: deniz", "remove 2: amira,ben"])
        #expect(scene.martlet.record.withLock { $0.cancelled.isEmpty })
    }

    @Test("while Martlet does not answer, what is out of date is not sent any more")
    func superseded() async throws {
        let scene = Scene()
        let backend = try await scene.backend()
        scene.martlet.answer(.again(after: nil, "down"))
        try await scene.feed([Scene.alert("One")], to: backend)
        try await scene.send(backend)
        try await scene.feed([Scene.alert("Two")], to: backend)
        scene.martlet.answer(nil)
        try await scene.send(backend)
        #expect(told(scene) == ["tell 2: amira,ben"])
    }

    @Test("what Martlet refuses for good is in the log, and not sent again and again")
    func refused() async throws {
        let scene = Scene()
        let backend = try await scene.backend()
        scene.martlet.answer(.refused("422 invalid_value: no"))
        for _ in 0..<3 {
            try await scene.feed([Scene.alert()], to: backend)
            try await scene.send(backend)
        }
        #expect(scene.martlet.record.withLock { $0.requests.count } == 1)
        #expect(scene.lines.withLock { $0.contains { $0.contains("refused for good: 422 invalid_value") } })
    }

    @Test("a large audience is asked for in parts of 1,000, each with a key of its own")
    func parts() async throws {
        let scene = Scene()
        let backend = try await scene.backend()
        try await backend.set((0..<2_500).map { Rider(id: "r\($0)", favourites: [Favourite(route: "T4")]) })
        try await scene.feed([Scene.alert()], to: backend)
        try await scene.send(backend)
        let sent = scene.martlet.accepted
        #expect(sent.map(\.riders.count) == [1_000, 1_000, 500])
        #expect(Set(sent.map(\.key)).count == 3 && Set(sent.flatMap(\.riders)).count == 2_500)
    }

    @Test("severe alerts are asked for before the others")
    func order() async throws {
        let scene = Scene()
        let backend = try await scene.backend()
        let alerts = [
            Scene.alert(id: "a-1"), Scene.alert(id: "a-2", severity: .severe), Scene.alert(id: "a-3", severity: .info),
        ]
        try await scene.feed(alerts, to: backend)
        try await scene.send(backend)
        #expect(scene.martlet.accepted.map(\.alert) == ["a-2", "a-1", "a-3"])
    }
}
