import MartletCore
import Synchronization

/// What is under way, and how long answers took since the start, by lane.
final class LaneAccounts: Sendable {
    private struct Account {
        /// Of the pushes that are over.
        var answerTimes = DurationCounts()
        var pushes: [ObjectIdentifier: PushProgress] = [:]
    }

    private let accounts = Mutex<[Lane: Account]>([:])

    /// Opens the account of a push of so many requests.
    func begin(_ count: Int, in lane: Lane) -> PushProgress {
        let push = PushProgress(count: count)
        accounts.withLock { $0[lane, default: Account()].pushes[ObjectIdentifier(push)] = push }
        return push
    }

    /// Closes it.
    func end(_ push: PushProgress, in lane: Lane) {
        accounts.withLock { accounts in
            accounts[lane]?.pushes[ObjectIdentifier(push)] = nil
            accounts[lane]?.answerTimes.add(push.answerTimes)
        }
    }

    /// Every lane that was ever sent to, as it is now.
    var all: [Lane: (inFlight: Int, answerTimes: DurationCounts)] {
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
