import Foundation
import MartletPhone
import RidersApp
import Transit
import TransitCity

/// All riders' phones: one each, and a second one for every sixth rider.
@MainActor
final class RiderPhones {
    let phones: [RiderPhone]

    init(_ world: WeekWorld) throws {
        guard let control = URL(string: world.controlURL) else { throw WeekFailure("There is no simulated APNs.") }
        var phones: [RiderPhone] = []
        for (index, rider) in world.city.riders.enumerated() {
            for _ in 0..<(index % 6 == 0 ? 2 : 1) {
                // One session for some phones, since each has a request under way nearly always.
                phones.append(
                    try RiderPhone(rider, number: phones.count, in: world, link: SimulatedAPNsLink(control: control))
                )
            }
        }
        self.phones = phones
    }

    /// Every app is opened, allowed to notify, registered, and left: some stay in front, some are killed by the system.
    func begin(_ world: WeekWorld) async throws {
        for phone in phones { try await phone.begin() }
        let deadline = ContinuousClock.now + .seconds(30)
        while try await registered(world) < phones.count {
            guard ContinuousClock.now < deadline else { throw WeekFailure("Not every phone was registered.") }
            try await Task.sleep(for: .milliseconds(50))
        }
        for (index, phone) in phones.enumerated() where index % 4 != 0 {
            await phone.phone.goHome()
            if index % 4 == 1 { await phone.phone.kill() }
        }
    }

    private func registered(_ world: WeekWorld) async throws -> Int {
        let list = try await world.admin("GET", "devices?app=\(world.bundleID)&limit=1000")
        return (list["data"] as? [Any])?.count ?? 0
    }

    /// Riders tap the newest alert that shows: one whose app runs, one whose app was killed.
    func tap(_ count: Int) async {
        var left = count
        for phone in phones where left > 0 {
            guard let newest = phone.phone.notifications.last else { continue }
            if (try? await phone.phone.tap(newest.id)) != nil { left -= 1 }
            await phone.phone.goHome()
            if left % 2 == 0 { await phone.phone.kill() }
        }
    }

    func end() async {
        for phone in phones { await phone.phone.shutDown() }
    }
}
