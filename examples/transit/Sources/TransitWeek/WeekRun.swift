import Foundation
import MartletPhone
import RidersApp
import Transit
import TransitCity

/// Plays the week and audits it.
package struct WeekRun: Sendable {
    private let options: WeekOptions
    private let say: @Sendable (String) -> Void
    /// Seconds of the machine's clock that a version may take; windows that close earlier excuse.
    private static let slack = 4.0

    package init(_ options: WeekOptions, say: @escaping @Sendable (String) -> Void) {
        self.options = options
        self.say = say
    }

    @MainActor
    package func play() async throws -> WeekResult {
        let world = WeekWorld(options)
        do {
            let result = try await play(in: world)
            await world.end()
            return result
        } catch {
            await world.end()
            throw error
        }
    }

    @MainActor
    private func play(in world: WeekWorld) async throws -> WeekResult {
        try await world.startMartlet()
        let phones = try RiderPhones(world)
        try await phones.begin(world)
        say("\(phones.phones.count) phones of \(world.city.riders.count) riders are registered at \(world.serverURL).")
        try await fail(phones, in: world)
        try await world.startWeek()
        guard let clock = world.clock else { throw WeekFailure("There is no clock.") }
        say("The week runs: \(options.days) days in \(Int(options.seconds)) seconds, \(options.alerts) alerts.")
        async let disturbance: Void = WeekDisturbance(world: world, clock: clock, say: say).run()
        try await visit(phones, clock: clock, in: world)
        try await disturbance
        try await settle(world)
        let result = try await audit(phones, clock: clock, in: world)
        await phones.end()
        return result
    }

    /// APNs is busy for two phones once, and one rider has deleted the app and installed it again.
    @MainActor
    private func fail(_ phones: RiderPhones, in world: WeekWorld) async throws {
        for index in [2, 3] where index < phones.phones.count {
            guard let token = phones.phones[index].phone.token else { continue }
            let hex = token.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            let reason = index == 2 ? "TooManyRequests" : "ServiceUnavailable"
            let rule: [String: Any] = [
                "when": ["token": hex], "skip": 1, "times": 1, "then": ["do": "respond", "reason": reason],
            ]
            try await world.control("POST", "rules", rule)
        }
        if phones.phones.count > 5 {
            await phones.phones[5].phone.reinstall()
            try await phones.phones[5].begin()
            await phones.phones[5].phone.goHome()
        }
    }

    /// Riders look at their phones now and then.
    @MainActor
    private func visit(_ phones: RiderPhones, clock: TransitClock.Simulation, in world: WeekWorld) async throws {
        for share in [0.2, 0.4, 0.6, 0.8] {
            let time = clock.began + options.seconds * share - Date().timeIntervalSince1970
            try await Task.sleep(for: .seconds(max(0, time)))
            await phones.tap(3)
        }
        let left = clock.machineTime(of: Double(world.week.end)) - Date().timeIntervalSince1970
        try await Task.sleep(for: .seconds(max(0, left)))
    }

    /// Waits until Martlet has nothing under way and nothing comes any more. What a killed server had begun goes on when
    /// its lease is over.
    private func settle(_ world: WeekWorld) async throws {
        let deadline = ContinuousClock.now + .seconds(30)
        var (last, since) = (-1, ContinuousClock.now)
        while ContinuousClock.now < deadline, ContinuousClock.now - since < .seconds(2) {
            let list = try await world.admin("GET", "notifications?app=\(world.bundleID)&limit=1000")
            let isSending = (list["data"] as? [[String: Any]] ?? []).contains { $0["status"] as? String == "sending" }
            let count = try await world.control("GET", "received/count")["total"] as? Int ?? 0
            if count != last || isSending { (last, since) = (count, .now) }
            try await Task.sleep(for: .milliseconds(200))
        }
    }

    @MainActor
    private func audit(
        _ phones: RiderPhones,
        clock: TransitClock.Simulation,
        in world: WeekWorld
    ) async throws -> WeekResult {
        let published = PublishedVersions(world.week, slack: Int(Self.slack * clock.speed))
        var audit = WeekAudit()
        audit.versions = published.versions.count
        for phone in phones.phones {
            audit.add(phone.pushes, of: phone.rider.id, published)
            // Every alert of the week is over by now.
            audit.leftShowing += phone.phone.notifications.count
        }
        let opened = phones.phones.flatMap(\.app.opened)
        let received = try await received(world)
        return WeekResult(
            audit: audit,
            wire: WireTimes(received, published: published, clock: clock),
            steps: Step.allCases.map { step in (step.rawValue, world.week.phases.count { $0.step == step }) },
            kills: (world.matcher.kills, world.server.kills),
            taps: (opened.count, opened.count(where: \.isColdStart)),
            banners: phones.phones.reduce(0) { $0 + $1.app.banners },
            feedProblems: Self.problems(world.matcher.output)
        )
    }

    private func received(_ world: WeekWorld) async throws -> [[String: Any]] {
        var all: [[String: Any]] = []
        var after = 0
        while all.count < 200_000 {
            let page = try await world.control("GET", "received?after=\(after)&limit=10000")
            guard let some = page["received"] as? [[String: Any]], !some.isEmpty, let next = page["next"] as? Int else {
                break
            }
            all += some
            after = next
        }
        return all
    }

    private static func problems(_ log: String) -> [String] {
        let lines = log.split(separator: "\n").map(String.init)
        return lines.filter { $0.contains(" The feed") || $0.contains(": 10000 alerts") }.prefix(30).map { $0 }
    }
}
