import MartletCore
import MartletStore
import MartletWire

extension StoreConformance {
    /// How counts by the minute become counts by the hour, and go.
    static let countRetention: [Check] = [
        Check("minutes of whole hours are added up in parts, and every sum stays") { world in
            let (app, other) = (try await world.makeApp(), try await world.makeApp("com.example.other"))
            world.clock.advance(by: StatisticsStep.hour.start(of: world.now) + .seconds(3_600) - world.now)
            let start = world.now
            for round in 0..<14 {
                try await world.record([world.event(.open, message: "m")], round.isMultiple(of: 3) ? other : app)
                world.clock.advance(by: .seconds(11 * 60))
            }
            let spans: [(App?, StatisticsStep)] = [
                (app, .minute), (app, .hour), (other, .hour), (nil, .hour), (nil, .day),
            ]
            var before: [CountSeries] = []
            for (app, step) in spans { before.append(try await world.counts(app, since: start, step)) }
            try expect(before[3].counts.map(\.opens), is: [6, 5, 3], "opens by hour")
            // Of the second hour half is old: it stays whole.
            let bound = start + .seconds(5_400)
            var parts: [Int] = []
            while parts.last != 0 {
                parts.append(try await world.store.purge(.minuteCounts, before: bound, limit: 4))
                for (index, span) in spans.enumerated() {
                    let series = try await world.counts(span.0, since: start, span.1)
                    try expect(series, is: before[index], "\(span) after \(parts)")
                }
            }
            try expect(parts, is: [4, 2, 0], "parts")
            try expect(try await world.counts(nil, since: start, .minute).total.opens, is: 14, "minutes")
            let old = start + .seconds(1_800)
            try expect(try await world.store.purge(.pastMinuteCounts, before: old, limit: 2), is: 2, "old minutes")
            try expect(try await world.store.purge(.pastMinuteCounts, before: old, limit: 2), is: 1, "the last of them")
            try expect(try await world.store.purge(.pastMinuteCounts, before: old, limit: 2), is: 0, "none")
            try expect(try await world.counts(nil, since: start, .minute).total.opens, is: 11, "minutes that are left")
            try expect(try await world.counts(nil, since: start, .hour), is: before[3], "hours have them all")
        },
        Check("counts are added to an hour that has some, and hours go when they are old") { world in
            let app = try await world.makeApp()
            let start = StatisticsStep.hour.start(of: world.now)
            for _ in 0..<2 {
                try await world.record([world.event(.open, message: "m")], app)
                while try await world.store.purge(.minuteCounts, before: world.now + .seconds(3_600), limit: 10) > 0 {}
            }
            world.clock.advance(by: .seconds(3_600))
            try await world.record([world.event(.open, message: "m")], app)
            while try await world.store.purge(.minuteCounts, before: world.now + .seconds(3_600), limit: 10) > 0 {}
            try expect(try await world.counts(app, since: start, .hour).counts.map(\.opens), is: [2, 1], "by hour")
            let bound = start + .seconds(3_600)
            try expect(try await world.store.purge(.hourCounts, before: start, limit: 10), is: 0, "too early")
            try expect(try await world.store.purge(.hourCounts, before: bound, limit: 10), is: 1, "old hours")
            try expect(
                try await world.counts(app, since: start, .hour).counts.map(\.opens),
                is: [0, 1],
                "what is left"
            )
        },
        Check("a deleted app's counts are gone, and another's stay") { world in
            let (app, other) = (try await world.makeApp(), try await world.makeApp("com.example.other"))
            let start = world.now
            for owner in [app, other] { try await world.record([world.event(.open, message: "m")], owner) }
            while try await world.store.purge(.minuteCounts, before: world.now + .seconds(3_600), limit: 10) > 0 {}
            for owner in [app, other] { try await world.record([world.event(.open, message: "m")], owner) }
            try expect(try await world.counts(nil, since: start, .hour).total.opens, is: 4, "before")
            try expect(try await world.counts(nil, since: start, .minute).total.opens, is: 4, "before, by minute")
            try await world.store.deleteApp(app.row)
            try expect(try await world.counts(nil, since: start, .hour).total.opens, is: 2, "afterwards")
            for step in StatisticsStep.allCases {
                try expect(try await world.counts(app, since: start, step).total, is: OutcomeCounts(), "by \(step)")
            }
        },
    ]
}
