import Logging
import MartletCore
import MartletStore

/// Does the regular duties, each in bounded parts, one after the other.
struct Maintenance: Sendable {
    let store: Store
    let clock: any WallClock
    let wakeUps: WakeUps
    /// The process whose workers have their batches, as ``Lease/process``.
    let process: Int64
    let retention: Retention
    let metrics: DeliveryMetrics
    let logger: Logger

    /// How many rows one part of a duty touches: small enough that writers between two parts do not wait long.
    static let partSize = 1_000

    /// How often waiting batches are looked through for those whose time ran out.
    static let expiryInterval: Duration = .seconds(5)

    /// How often old rows are looked for.
    static let cleanUpInterval: Duration = .seconds(3_600)

    /// Does the duties when they are due, until it is cancelled.
    func run() async {
        var cleanUpAt = clock.now()
        while !Task.isCancelled {
            await perform("expire") {
                let ended = try await store.expire(limit: 10, process: process)
                for batch in ended.batches { metrics.count(batch) }
                return ended.batches.count + ended.fanOuts
            }
            if Maintenance.isTimeToCleanUp(planned: cleanUpAt, now: clock.now()) {
                await cleanUp()
                cleanUpAt = clock.now() + Maintenance.cleanUpInterval
            }
            do { try await clock.sleep(for: Maintenance.expiryInterval) } catch { return }
        }
    }

    /// Whether the clean-up that was planned for a moment is due. After a clock that was ahead it would be planned for long
    /// after: it never is for later than an interval.
    static func isTimeToCleanUp(planned: Timestamp, now: Timestamp) -> Bool {
        now >= planned || planned - now > cleanUpInterval
    }

    /// Forgets what is older than its retention.
    func cleanUp() async {
        let now = clock.now()
        for table in RetentionTable.allCases {
            await perform("purge \(table.rawValue)") {
                try await store.purge(table, before: now - retention.duration(table), limit: Maintenance.partSize)
            }
        }
    }

    private func perform(_ duty: String, part: () async throws -> Int) async {
        var done = 0
        do {
            while !Task.isCancelled {
                let count = try await part()
                guard count > 0 else { break }
                done += count
            }
            guard done > 0 else { return }
            logger.info("a duty ran", metadata: ["duty": "\(duty)", "rows": "\(done)"])
        } catch is CancellationError {
            return
        } catch {
            logger.error("a duty failed and is tried again", metadata: ["duty": "\(duty)", "error": "\(error)"])
        }
    }
}
