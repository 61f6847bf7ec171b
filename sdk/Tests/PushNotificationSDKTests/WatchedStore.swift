import Foundation
import PushNotificationSDKCore
import PushNotificationSDKTesting

/// A storage at which something else happens in the middle of a read or a write.
final class WatchedStore: KeyValueStore {
    private struct Watches {
        var read: (@Sendable (String) -> Void)?
        var write: (@Sendable (String, Data) -> Void)?
    }

    let base = MemoryStore()
    private let watches = Locked(Watches())

    /// Runs something once, between the next read and its answer.
    func atNextRead(_ body: (@Sendable (String) -> Void)?) { watches.with { $0.read = body } }

    /// Runs something once, before the next write takes place.
    func atNextWrite(_ body: (@Sendable (String, Data) -> Void)?) { watches.with { $0.write = body } }

    func data(for key: String) throws(StorageUnreadable) -> Data? {
        let data = try base.data(for: key)
        let body = watches.with { watches in
            defer { watches.read = nil }
            return watches.read
        }
        body?(key)
        return data
    }

    func set(_ data: Data, for key: String) throws(StorageUnreadable) {
        let body = watches.with { watches in
            defer { watches.write = nil }
            return watches.write
        }
        body?(key, data)
        try base.set(data, for: key)
    }

    func remove(_ key: String) throws(StorageUnreadable) { try base.remove(key) }
    func keys(prefix: String) throws(StorageUnreadable) -> [String] { try base.keys(prefix: prefix) }
}
