import MartletCore
import MartletTesting
import Testing

@testable import MartletSQLite
@testable import MartletStore

/// Which keys are looked at where it is counted how many of them are somebody.
@Suite struct CountedKeysTests {
    @Test("all of a few are looked at", arguments: [7...7, 1...CountedKeys.limit] as [ClosedRange<Int64>])
    func few(_ keys: ClosedRange<Int64>) {
        #expect(CountedKeys.parts(of: keys) == [keys])
    }

    @Test(
        "of more, equal parts lie evenly among them, and no key is in two",
        arguments: [1...CountedKeys.limit + 1, 5...1_000_004, -9...4_000_000_000] as [ClosedRange<Int64>]
    )
    func many(_ keys: ClosedRange<Int64>) {
        let parts = CountedKeys.parts(of: keys)
        #expect(parts.count == 512 && parts.allSatisfy { $0.count == 512 })
        #expect(parts.first?.lowerBound == keys.lowerBound && keys.contains(parts.last?.upperBound ?? .min))
        let gaps = zip(parts, parts.dropFirst()).map { $1.lowerBound - $0.lowerBound }
        #expect(gaps.allSatisfy { $0 >= 512 && abs($0 - Int64(keys.count) / 512) <= 1 })
        // What is behind the last part is no more than between two.
        #expect(keys.upperBound - (parts.last?.lowerBound ?? 0) <= (gaps.max() ?? 0))
    }

    @Test("of many people whose keys are another app's too, and thicker at one end, the number is near what there is")
    func uneven() async throws {
        let ground = try await PeopleGround()
        let other = try await ground.store.createApp(name: "two", identity: Identity()).row
        // Of the first third every second is another app's, then every fifth.
        let owner = "CASE WHEN i % CASE WHEN i < 100000 THEN 2 ELSE 5 END = 0 THEN \(other.rawValue) ELSE ?1 END"
        try await ground.makeUsers(300_000, of: owner)
        for app in [ground.app.row, other] {
            let count = try await ground.store.read { transaction in
                try transaction.prepare("SELECT count(*) AS count FROM users WHERE app_id = ?").bind(app)
                    .one { $0.count("count") }
            }
            let found = try await ground.store.size(of: AudienceQuery(app: app, audience: .all), within: .seconds(20))
            let error = Double((found.users?.count ?? 0) - count) / Double(count)
            #expect(abs(error) < 0.01, "\(found), and there are \(count)")
        }
        await ground.store.close()
    }

    @Test("of many people who are all one app's it is exact")
    func even() async throws {
        let ground = try await PeopleGround()
        try await ground.makeUsers(300_000)
        let query = AudienceQuery(app: ground.app.row, audience: .all)
        let found = try await ground.store.size(of: query, within: .seconds(20))
        #expect(found.users?.count == 300_000 && found.devices == nil)
        await ground.store.close()
    }
}
