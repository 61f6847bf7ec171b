import MartletCore
import MartletTesting
import MartletWire

/// What can happen next.
enum Move: CaseIterable {
    case submit, cancel, register, changeEndpoint, changeCredential, resume, retryDeadLetter, retrySetAside
    case leaseAudience, readAudience, loseReader
    case leaseBatch, work, renew, crash, stop
    case expire, tick, outliveLease, anHourOn, anHourBack, restart

    /// How often it is drawn, against the others.
    private var weight: Int {
        switch self {
        case .work: 70
        case .readAudience: 20
        case .leaseBatch: 14
        case .tick: 12
        case .submit, .leaseAudience, .register: 8
        case .changeEndpoint, .outliveLease: 5
        case .renew, .stop, .expire, .resume, .retryDeadLetter: 3
        case .cancel, .crash, .loseReader: 2
        case .changeCredential, .retrySetAside, .anHourOn, .anHourBack, .restart: 1
        }
    }

    /// All moves, each as often as its weight.
    static let bag = allCases.flatMap { Array(repeating: $0, count: $0.weight) }
}

extension Run {
    func take(_ next: Move) async throws {
        switch next {
        case .submit: try await submit()
        case .cancel: try await cancel()
        case .register: try await register()
        case .changeEndpoint: try await changeEndpoint()
        case .changeCredential: try await changeCredential()
        case .resume: try await resume()
        case .retrySetAside: try await retrySetAside()
        case .retryDeadLetter: try await retryDeadLetter()
        case .leaseAudience: try await leaseAudience(limit: 1)
        case .readAudience: try await readAudience()
        case .loseReader: try await loseReader()
        case .leaseBatch: try await leaseBatches(lane(random.pick(Environment.allCases)), limit: random.pick([1, 2]))
        case .work: try await work()
        case .renew: try await renew()
        case .crash: crash()
        case .stop: try await stop()
        case .expire: try await expire()
        case .tick: move(by: .milliseconds(Int64.random(in: 0...4_000, using: &random)))
        case .outliveLease: move(by: .seconds(Int64.random(in: 10...40, using: &random)))
        case .anHourOn: move(by: .seconds(3_600))
        case .anHourBack: move(by: .seconds(-3_600))
        case .restart: try await restart()
        }
    }

    func move(by duration: Duration) {
        note("clock \(duration)")
        ground.clock.move(by: duration)
    }
}
