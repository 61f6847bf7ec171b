import Foundation
import Transit
import TransitCity

/// Kills the matcher and the server in the middle of what they do, and starts them again.
struct WeekDisturbance: Sendable {
    let world: WeekWorld
    let clock: TransitClock.Simulation
    let say: @Sendable (String) -> Void

    func run() async throws {
        var numbers = SeededNumbers(seed: world.options.seed &+ 99)
        for number in 0..<world.options.kills {
            let share = (Double(number) + 0.5) / Double(world.options.kills)
            // Just after a version is published is when there is most to lose.
            let around = Int(clock.from + share * world.options.seconds * clock.speed)
            let phase = world.week.phases.map(\.from).filter { $0 >= around }.min() ?? around
            let delay = Double(numbers.below(400)) / 1_000
            try await wait(until: clock.machineTime(of: Double(phase)) + delay)
            world.matcher.kill()
            // The last time both are gone together.
            if number == world.options.kills - 1 { world.server.kill() }
            try await Task.sleep(for: .milliseconds(100))
            try world.startMatcher()
            say("The matcher was killed and started again.")
            try await Task.sleep(for: .milliseconds(numbers.below(800)))
            world.server.kill()
            try world.server.start()
            say("The server was killed and started again.")
        }
    }

    private func wait(until time: Double) async throws {
        let left = time - Date().timeIntervalSince1970
        try await Task.sleep(for: .seconds(max(0, left)))
    }
}
