package import Foundation
package import PushNotificationSDKCore

/// Values in memory, for tests and for virtual phones: "killed and started again" is a new client on the same store.
package final class MemoryStore: KeyValueStore {
    private struct State {
        var values: [String: Data] = [:]
        var isLocked = false
        var writesUntilCrash: Int?
    }

    private let state = Locked(State())

    /// An empty store.
    package init() {}

    package func data(for key: String) throws(StorageUnreadable) -> Data? {
        try value { $0.values[key] }
    }

    package func set(_ data: Data, for key: String) throws(StorageUnreadable) {
        try write { $0.values[key] = data }
    }

    package func remove(_ key: String) throws(StorageUnreadable) {
        try write { $0.values[key] = nil }
    }

    package func keys(prefix: String) throws(StorageUnreadable) -> [String] {
        try value { $0.values.keys.filter { $0.hasPrefix(prefix) } }
    }

    /// Puts the store in the state of a device that has not been unlocked since it was started, or takes it out of it.
    package func lock(_ isLocked: Bool) {
        state.with { $0.isLocked = isLocked }
    }

    /// Lets so many more writes through and none after them, as if the process had died there; `nil` lets all through.
    package func crash(afterWrites count: Int?) {
        state.with { $0.writesUntilCrash = count }
    }

    /// Everything that is stored.
    package var values: [String: Data] { state.with { $0.values } }

    private func value<Value>(_ body: (State) -> Value) throws(StorageUnreadable) -> Value {
        guard let value = state.with({ $0.isLocked ? nil : .some(body($0)) }) else { throw StorageUnreadable() }
        return value
    }

    private func write(_ body: (inout State) -> Void) throws(StorageUnreadable) {
        let isLocked = state.with { state in
            guard !state.isLocked else { return true }
            if let left = state.writesUntilCrash {
                guard left > 0 else { return false }
                state.writesUntilCrash = left - 1
            }
            body(&state)
            return false
        }
        if isLocked { throw StorageUnreadable() }
    }
}
