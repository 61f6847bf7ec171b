import MartletCore
import MartletStore
import MartletWire

extension StoreConformance {
    /// How events are kept, known again, counted, joined to users, queried and forgotten.
    static let events: [Check] = eventRecords + eventUsers + eventRetention + eventQueries + eventQueryLimits

    private static let eventRecords: [Check] = [
        Check("an event is kept whole, and known again for as long as its key says") { world in
            let app = try await world.makeApp()
            var event = world.event(.linkOpen, message: "m")
            event.campaignID = "c"
            event.value = "https://example.com"
            event.fcmToken = "f:1"
            event.apnsToken = "ab"
            event.user = "ann"
            event.installation = world.makeID()
            event.deviceModel = "iPhone16,1"
            event.osVersion = "19.1"
            event.appVersion = "3.2"
            try expect(try await world.record([event], app), is: 1, "the first time")
            try expect(try await world.record([event, event], app), is: 0, "again")
            let kept = try await world.readAll(pagesOf: 1) { try await world.store.events(EventFilter(), $0) }
            try expect(kept.count, is: 1, "events")
            event.key = nil
            try expect(kept.first?.draft, is: event, "the event")
            try expect(kept.first?.app, is: app.row, "its app")
            try expect(kept.first?.receivedAt, is: world.now, "time of receipt")
            let other = try await world.makeApp("com.example.other")
            event.key = EventDraft.Key(id: try unwrap(event.eventID, "id"), memory: .seconds(3_600))
            try expect(try await world.record([event], other), is: 1, "the same id in another app")
            world.clock.advance(by: .seconds(3_600))
            try expect(try await world.record([event], other), is: 1, "when its key is forgotten")
            try expect(try await world.record([event], app), is: 0, "while its key is known")
        },
        Check("events are counted by message and type, each once") { world in
            let app = try await world.makeApp()
            let other = try await world.makeApp("com.example.other")
            let open = world.event(.open, message: "a")
            let batch = [
                open, world.event(.delivery, message: "a"), world.event(.delivery, message: "a"),
                world.event(.open, message: "b"), open, world.event(.tokenRegister, message: nil),
            ]
            try await world.record(batch, app)
            try await world.record([world.event(.open, message: "a"), open], app)
            try await world.record([world.event(.dismiss, message: "a")], other)
            let counts = try await world.store.eventCounts(app.row, messages: ["a", "b", "a", "none"])
            let expected = ["a": EventCounts([.open: 2, .delivery: 2]), "b": EventCounts([.open: 1])]
            try expect(counts, is: expected, "counts")
        },
        Check("events are listed in the order of receipt, by each filter, and from the newest few on") { world in
            let app = try await world.makeApp()
            let other = try await world.makeApp("com.example.other")
            for index in 0..<6 {
                var event = world.event(index.isMultiple(of: 2) ? .open : .delivery, message: "m\(index / 3)")
                event.user = index < 2 ? "ann" : nil
                try await world.record([event], app)
                world.clock.advance(by: .seconds(60))
            }
            try await world.record([world.event(.open, message: "m0")], other)
            let all = try await world.readAll(pagesOf: 2) { try await world.store.events(EventFilter(), $0) }
            try expect(all.map(\.row), is: all.map(\.row).sorted(), "order")
            let start = all[0].time.time
            let filters: [(EventFilter, [Int])] = [
                (EventFilter(), [0, 1, 2, 3, 4, 5, 6]), (EventFilter(app: other.row), [6]),
                (world.filter(app) { $0.type = .open }, [0, 2, 4]),
                (world.filter(app) { $0.messageID = "m1" }, [3, 4, 5]),
                (world.filter(app) { $0.user = "ann" }, [0, 1]),
                (world.filter(app) { $0.since = start + .seconds(240) }, [4, 5]),
                (world.filter(app) { $0.until = start + .seconds(60) }, [0]),
            ]
            for (filter, places) in filters {
                let found = try await world.readAll(pagesOf: 3) { try await world.store.events(filter, $0) }
                try expect(found.map(\.row), is: places.map { all[$0].row }, "\(filter)")
                var last = filter
                last.newest = 1
                let newest = try await world.store.events(last, PageRequest()).items
                try expect(newest.map(\.row), is: places.suffix(1).map { all[$0].row }, "newest of \(filter)")
            }
            for (newest, count) in [(100, 7), (7, 7), (3, 3), (0, 0)] {
                var filter = EventFilter()
                filter.newest = newest
                let found = try await world.readAll(pagesOf: 2) { try await world.store.events(filter, $0) }
                try expect(found.map(\.row), is: all.suffix(count).map(\.row), "the newest \(newest)")
            }
        },
    ]

    private static let eventRetention: [Check] = [
        Check("old events, keys, counts and subjects are forgotten, each by its own time") { world in
            let app = try await world.makeApp()
            let phone = world.makeID()
            try await world.record([world.event(.open, message: "a", of: phone)], app)
            world.clock.advance(by: .seconds(10 * 86_400))
            let late = world.event(.open, message: "b")
            try await world.record([late], app)
            let before = world.now - .seconds(86_400)
            for table in [RetentionTable.events, .eventCounts, .eventSubjects] {
                var count = 0
                while case let part = try await world.store.purge(table, before: before, limit: 1), part > 0 {
                    count += part
                }
                try expect(count, is: 1, "rows of \(table)")
            }
            let left = try await world.store.events(EventFilter(), PageRequest()).items
            try expect(left.map(\.draft.messageID), is: ["b"], "events")
            let counts = try await world.store.eventCounts(app.row, messages: ["a", "b"])
            try expect(Set(counts.keys), is: ["b"], "counts")
            try expect(try await world.store.purge(.eventKeys, before: world.now, limit: 10), is: 0, "keys in use")
            try expect(try await world.record([late], app), is: 0, "an event whose row may be gone")
            world.clock.advance(by: EventDraft.Key.eventMemory)
            try expect(try await world.store.purge(.eventKeys, before: world.now, limit: 10), is: 1, "keys that ended")
        },
        Check("a deleted app's events are gone, and another's stay") { world in
            let app = try await world.makeApp()
            let other = try await world.makeApp("com.example.other")
            for owner in [app, other] {
                try await world.record([world.event(.open, message: "a", of: world.makeID())], owner)
            }
            try await world.store.deleteApp(app.row)
            let left = try await world.store.events(EventFilter(), PageRequest()).items
            try expect(left.map(\.app), is: [other.row], "events")
            try expect(try await world.store.eventCounts(app.row, messages: ["a"]), is: [:], "counts")
            try await expectRefusal(.notFound, "an event of the deleted app") {
                try await world.record([world.event(.open, message: "a")], app)
            }
        },
        Check("what a phone's clock cannot mean is given the time of receipt, and kept beside it") { world in
            let app = try await world.makeApp()
            var event = world.event(.open, message: "a")
            event.clientTime = Timestamp(milliseconds: 5)
            try await world.record([event], app)
            let kept = try await world.store.events(EventFilter(), PageRequest()).items
            let time = EventTime(time: world.now, refused: Timestamp(milliseconds: 5))
            try expect(kept.first?.time, is: time, "its time")
        },
    ]
}

extension World {
    /// An event with an id of its own, by default of nobody.
    func event(_ type: EventType, message: String?, of installation: PublicID? = nil) -> EventDraft {
        var event = EventDraft(type: type, platform: .ios, clientTime: now)
        let id = makeID()
        event.eventID = id
        event.key = EventDraft.Key(id: id, memory: EventDraft.Key.eventMemory)
        event.messageID = message
        event.installation = installation
        return event
    }

    /// Records events as an app reports them.
    @discardableResult
    func record(_ events: [EventDraft], _ app: App, users: EventBatch.UserRule = .asserted) async throws -> Int {
        try await store.record(
            EventBatch(app: app.row, events: events, users: users, retention: .seconds(90 * 86_400))
        )
    }

    /// A filter for an app's events.
    func filter(_ app: App, _ change: (inout EventFilter) -> Void) -> EventFilter {
        var filter = EventFilter(app: app.row)
        change(&filter)
        return filter
    }
}
