import MartletCore
import MartletStore
import MartletTesting
import MartletWire

/// What can happen next.
enum Move: CaseIterable {
    case submit, cancel, register, changeEndpoint, changeCredential, resume, retryDeadLetter, retryQuarantined
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
        case .changeCredential, .retryQuarantined, .anHourOn, .anHourBack, .restart: 1
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
        case .retryQuarantined: try await retryQuarantined()
        case .retryDeadLetter: try await retryDeadLetter()
        case .leaseAudience: try await leaseAudience(limit: 1)
        case .readAudience: try await readAudience()
        case .loseReader: try await loseReader()
        case .leaseBatch:
            try await leaseBatches(queue(random.pick([Environment.sandbox, .production])), limit: random.pick([1, 2]))
        case .work: try await work()
        case .renew: try await renew()
        case .crash: crash()
        case .stop: try await stop()
        case .expire: try await expire()
        case .tick: try await move(by: .milliseconds(Int64.random(in: 0...4_000, using: &random)))
        case .outliveLease: try await move(by: .seconds(Int64.random(in: 10...40, using: &random)))
        case .anHourOn: try await jump(by: .seconds(3_600))
        case .anHourBack: try await jump(by: .seconds(-3_600))
        case .restart: try await restart()
        }
    }

    /// Time passes.
    func move(by duration: Duration) async throws {
        note("clock \(duration)")
        try await renewOverdue()
        guard workers == .punctual else { return ground.clock.move(by: duration) }
        var left = duration
        while left > .zero {
            // A worker looks four times a second whether its renewal is due; one that is some seconds late is in time.
            let part = jobs.isEmpty ? left : min(left, .seconds(4))
            left -= part
            ground.clock.move(by: part)
            for index in jobs.indices.reversed() where jobs[index].renewAt <= now - skews[process] {
                try await renew(at: index)
            }
        }
    }

    /// In the one process every worker looks four times a second whether its renewal is due: sooner than the clock jumps
    /// again.
    private func renewOverdue() async throws {
        guard workers == .alone else { return }
        for index in jobs.indices.reversed() where jobs[index].renewAt <= now { try await renew(at: index) }
    }

    /// The clock of one process is set, or that of all.
    func jump(by duration: Duration) async throws {
        guard workers != .punctual else { return }
        try await renewOverdue()
        note("the clock is set by \(duration)")
        if workers == .astray, random.chance(50) {
            skews[process] += duration
        } else {
            ground.clock.move(by: duration)
        }
        guard workers == .alone else { return }
        // Who looks once a second sees nothing of a clock that was set back and then on again.
        unseenSetBack = duration < .zero ? unseenSetBack - duration : .zero
    }

    /// The one process sees that its clock was set back, sooner or later. A store that several share has a clock of its
    /// own, so that none of them does anything about its own one.
    func seeSetBack() async throws {
        guard unseenSetBack > .zero, random.chance(30) else { return }
        note("set back by \(unseenSetBack)")
        try await store.clockWasSetBack(by: unseenSetBack)
        reference.bringForward(by: unseenSetBack, now: now)
        unseenSetBack = .zero
    }
}
