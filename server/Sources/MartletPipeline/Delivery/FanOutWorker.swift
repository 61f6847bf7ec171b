import Logging
import MartletCore
import MartletStore
import MartletWire

/// Carries one leased notification from audience to batches.
struct FanOutWorker: Sendable {
    let store: Store
    let providers: [Platform: any Provider]
    let clock: any WallClock
    let wakeUps: WakeUps
    let metrics: DeliveryMetrics
    let logger: Logger

    /// Reads the audience part by part, gates each, and writes its batches, until the end, a lost lease, a cancelled
    /// notification, or this worker's own end; then the lease is given back for others.
    func work(_ fanOut: FanOut) async {
        var position = fanOut
        do {
            let gate = try await gate(for: fanOut)
            while !Task.isCancelled {
                let page = try await store.audience(of: position, limit: MemberList.limit)
                let gated = gate.decide(page)
                let next = try await store.commit(gated, of: position)
                metrics.count(gated.suppressions, of: fanOut.notification.app)
                wakeUps.notify(.batches)
                guard let next else { return }
                position = next
            }
        } catch {
            logger.error(
                "a fan-out stopped and will be resumed",
                metadata: ["notification": "\(fanOut.notification.id)", "error": "\(error)"]
            )
            // What it is itself at fault for would fail again at once: it waits for its lease's end, which counts.
            guard FanOutWorker.isNotItsFault(error) else { return await nack(position) }
            // A store in trouble is not asked again at once.
            try? await clock.sleep(for: .seconds(1))
        }
        await release(position)
    }

    /// Whether an error says nothing of the fan-out: a store whose disk is full, which another process holds or which
    /// closes refuses a write so, and a worker ends. What a read or a failing disk throws counts, as it cannot be told
    /// from what the data is at fault for.
    static func isNotItsFault(_ error: any Error) -> Bool {
        error is CancellationError || (error as? Failure)?.code == .overloaded
    }

    private func nack(_ last: FanOut) async {
        do {
            try await store.endLease(.nackFanOut(last))
        } catch {
            logger.error(
                "a fan-out's lease could not be ended",
                metadata: ["notification": "\(last.notification.id)", "error": "\(error)"]
            )
        }
    }

    /// Gives the lease back; where the store fails, tries again for as long as the lease lasts.
    private func release(_ last: FanOut) async {
        let start = clock.now()
        // A clock that was set back ends the tries too.
        let tries = start..<start + Lease.duration
        let store = store
        // Not cancelled with this task: a lease that is given back spares the next process the wait for its end.
        while await Task(operation: { (try? await store.endLease(.releaseFanOut(last))) == nil }).value {
            guard tries.contains(clock.now()), !Task.isCancelled else { return }
            try? await clock.sleep(for: .seconds(1))
        }
    }

    private func gate(for fanOut: FanOut) async throws -> Gate {
        let app = fanOut.notification.app
        let credentials = try await store.credentials(app)
        var device = DeviceGate(app: app, credentials: credentials, providers: providers)
        device.alerts = fanOut.alerts
        return Gate(person: PersonGate(fanOut), device: device)
    }
}
