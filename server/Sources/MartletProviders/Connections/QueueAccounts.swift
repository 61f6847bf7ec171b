import MartletCore
import Synchronization

/// What is under way, and how long answers took since the start, by queue.
final class QueueAccounts: Sendable {
    private struct Account {
        /// Of the pushes that are over.
        var answerTimes = DurationCounts()
        var pushes: [ObjectIdentifier: PushProgress] = [:]
    }

    private let accounts = Mutex<[DeliveryQueue: Account]>([:])

    /// Opens the account of a push of so many requests.
    func begin(_ count: Int, in queue: DeliveryQueue) -> PushProgress {
        let push = PushProgress(count: count)
        accounts.withLock { $0[queue, default: Account()].pushes[ObjectIdentifier(push)] = push }
        return push
    }

    /// Closes it.
    func end(_ push: PushProgress, in queue: DeliveryQueue) {
        accounts.withLock { accounts in
            accounts[queue]?.pushes[ObjectIdentifier(push)] = nil
            accounts[queue]?.answerTimes.add(push.answerTimes)
        }
    }

    /// Every queue that was ever sent to, as it is now.
    var all: [DeliveryQueue: (inFlight: Int, answerTimes: DurationCounts)] {
        accounts.withLock { accounts in
            accounts.mapValues { account in
                var (inFlight, times) = (0, account.answerTimes)
                for push in account.pushes.values {
                    inFlight += push.inFlight
                    times.add(push.answerTimes)
                }
                return (inFlight, times)
            }
        }
    }
}
