import Foundation
import MartletCore
import MartletPhone
import MartletTesting
import MartletWire
import PushNotificationSDK
import Testing

@Suite(
    "A worker's news reaches the dashboard",
    .serialized,
    .timeLimit(.minutes(3)),
    .enabled(if: SNSBackend.isInstalled, "python3 has no boto3")
)
@MainActor
struct RefreshLoopTests {
    private nonisolated static let device = "device-living-room"

    /// The zone of the observed device, where the app knows it, and that of the phone.
    struct Zones: CustomTestStringConvertible {
        var device: String?
        var phone: String
        var testDescription: String { "\(device ?? "unknown"), seen from \(phone)" }
    }

    /// What the app keeps of each device's days, under `<device id>_<yyyy-MM-dd>`: the number of the load that it is from.
    @MainActor
    private final class Cache {
        private(set) var days: [String: Int] = [:]
        private var loads = 0

        func reload(_ request: RefreshRequest) {
            days.removeValue(forKey: request.cacheKey)
            load(request.deviceID, request.today)
        }

        /// Loads what is not there.
        func load(_ device: String, _ day: String) {
            guard days["\(device)_\(day)"] == nil else { return }
            loads += 1
            days["\(device)_\(day)"] = loads
        }
    }

    /// The last minute of 8 March 2026 somewhere, the day on which the clocks of Los Angeles went forward.
    private nonisolated static func lastMinute(in zone: String) throws -> (TimeZone, Timestamp) {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: zone))
        let parts = DateComponents(year: 2026, month: 3, day: 8, hour: 23, minute: 59)
        let date = try #require(calendar.date(from: parts))
        return (calendar.timeZone, Timestamp(milliseconds: Int64(date.timeIntervalSince1970) * 1000))
    }

    private nonisolated static let places = [
        Zones(device: "Asia/Tokyo", phone: "Asia/Tokyo"),
        Zones(device: "America/Los_Angeles", phone: "America/Los_Angeles"),
        Zones(device: "Asia/Tokyo", phone: "America/Los_Angeles"),
        Zones(device: "America/Los_Angeles", phone: "Asia/Tokyo"),
        Zones(device: nil, phone: "America/Los_Angeles"),
    ]

    @Test(
        "in front the cached day of the observed device is dropped and loaded, before midnight there and after; behind, only once in front",
        arguments: places
    )
    func reloads(zones: Zones) async throws {
        let loop = try await Loop(settings: SNSBackend.settings, connects: false)
        let backend = try await SNSBackend(loop)
        try await loop.admit(app: SNSBackend.application)
        let (zone, beforeMidnight) = try Self.lastMinute(in: zones.device ?? zones.phone)
        let clock = ManualClock(beforeMidnight)
        let cache = Cache()
        for day in ["2026-03-07", "2026-03-08", "2026-03-09", "2026-03-10"] { cache.load(Self.device, day) }
        cache.load("another-device", "2026-03-08")
        var days = cache.days
        let isKnown = zones.device != nil
        let (app, phone) = try loop.phone(of: nil, clock: clock, timeZone: zones.phone) {
            $0.timeZoneOfDevice = { isKnown && $0 == Self.device ? zone : nil }
            $0.reload = { request in MainActor.assumeIsolated { cache.reload(request) } }
        }
        await phone.launch()
        _ = try await loop.registered(phone, app)
        try await backend.register(token: try #require(phone.token?.hexadecimalText), device: Self.device)

        // In front: at once, at 23:59 and at 00:01 there.
        try await backend.announce(device: "another-device", date: "2026-03-08")
        try await backend.announce(device: Self.device, date: "2026-03-08")
        try await Eventually.is("today is reloaded") { app.refreshes.count == 1 }
        days["\(Self.device)_2026-03-08"] = 6
        #expect(cache.days == days)
        clock.advance(by: .seconds(120))
        try await backend.announce(device: Self.device, date: "2026-03-08")
        try await Eventually.is("the new day is reloaded") { app.refreshes.count == 2 }
        days["\(Self.device)_2026-03-09"] = 7
        #expect(cache.days == days)
        #expect(app.refreshes.map(\.cacheKey) == ["\(Self.device)_2026-03-08", "\(Self.device)_2026-03-09"])
        #expect(app.refreshes.allSatisfy { $0.action == "refresh_dashboard" && $0.deviceID == Self.device })
        #expect(app.refreshes.map(\.date) == ["2026-03-08", "2026-03-08"])

        // Behind: the system shows alert and badge, and a day later the app comes to the front.
        await phone.goHome()
        await phone.clear()
        try await backend.announce(device: Self.device, date: "2026-03-09")
        let shown = try await loop.shown(phone)
        #expect(shown.title == "データ更新完了" && shown.body == "新しい分析結果が利用可能です")
        #expect(phone.badge == 1)
        #expect(cache.days == days)
        clock.advance(by: .seconds(86_400))
        await phone.launch()
        try await Eventually.is("it is reloaded in front") { app.refreshes.count == 3 }
        days["\(Self.device)_2026-03-10"] = 8
        #expect(cache.days == days)
        // An app that is killed before it has looked at what was shown counts it never.
        try await threeAreCounted(app, loop)

        // Killed, and started by the tap.
        await phone.goHome()
        await phone.kill()
        await phone.clear()
        try await backend.announce(device: Self.device, date: "2026-03-10")
        try await phone.tap(try await loop.shown(phone).id)
        try await Eventually.is("it is reloaded after the tap") { app.refreshes.count == 4 }
        days["\(Self.device)_2026-03-10"] = 9
        #expect(cache.days == days)
        #expect(app.callsOffMain == 0)
        // Each push is counted for its notification, and the last one is the only one that was tapped.
        #expect(try await loop.event(.open, of: app).messageID != nil)
        let rows = try await loop.ask(
            "SELECT type, count(DISTINCT message_id) FROM mobile.push_events WHERE type IN ('delivery', 'open') GROUP BY type"
        )
        #expect(rows == [["delivery", 3], ["open", 1]])
        #expect(app.refreshes.count == 4)
        try await loop.end()
    }

    /// Waits until the server has the deliveries of three notifications.
    private func threeAreCounted(_ app: SDKApp, _ loop: Loop) async throws {
        try await Eventually.is("what was shown behind is counted") {
            await app.flush()
            let sql = "SELECT count(DISTINCT message_id) FROM mobile.push_events WHERE type = 'delivery'"
            return try await loop.ask(sql) == [[3]]
        }
    }
}
