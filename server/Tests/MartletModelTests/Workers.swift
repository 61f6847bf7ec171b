import MartletTesting
import MartletWire

/// Who works on one store, and how their clocks go.
enum Workers: CaseIterable {
    /// One process, whose clock jumps: all that the embedded store admits.
    case alone
    /// Two processes whose clocks go evenly and differ by a few seconds; their workers renew their leases in time.
    case punctual
    /// Two processes whose clocks differ by up to hours and jump, each by itself; their workers may be late.
    case astray

    /// How far the clock of each process is off.
    func skews(using random: inout SeededRandom) -> [Duration] {
        switch self {
        case .alone: [.zero]
        case .punctual: [.zero, .seconds(random.pick([-5, 0, 5]))]
        case .astray: [.zero, .seconds(random.pick([-3_600, -40, 0, 40, 3_600]))]
        }
    }
}
