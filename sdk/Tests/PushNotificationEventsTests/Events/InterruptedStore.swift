import Foundation
import PushNotificationSDKCore
import PushNotificationSDKTesting

/// Values in memory, and something that happens on another thread, as it were, just when they are read.
final class InterruptedStore: KeyValueStore {
    private struct State {
        var interruption: (@Sendable () -> Void)?
        var isDue = false
    }

    private let under = MemoryStore()
    private let state = Locked(State())

    /// Lets something happen between the look at whether there is a storage and the next read of something in it.
    func interrupt(_ interruption: @escaping @Sendable () -> Void) {
        state.with { $0 = State(interruption: interruption) }
    }

    func lock(_ isLocked: Bool) { under.lock(isLocked) }

    func data(for key: String) throws(StorageUnreadable) -> Data? {
        let interruption = state.with { state -> (@Sendable () -> Void)? in
            guard key != "martlet.readable" else {
                state.isDue = state.interruption != nil
                return nil
            }
            guard state.isDue else { return nil }
            defer { state = State() }
            return state.interruption
        }
        interruption?()
        return try under.data(for: key)
    }

    func set(_ data: Data, for key: String) throws(StorageUnreadable) { try under.set(data, for: key) }
    func remove(_ key: String) throws(StorageUnreadable) { try under.remove(key) }
    func keys(prefix: String) throws(StorageUnreadable) -> [String] { try under.keys(prefix: prefix) }
}
