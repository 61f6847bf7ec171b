package import Foundation

/// What could not be read or written, because the device has not been unlocked since it was started; or not be written,
/// because the disk is full.
///
/// It is not the same as a missing value: whoever reads must neither make nor delete anything on the strength of it.
package struct StorageUnreadable: Error, Equatable {
    /// Whether the disk is full: everything can be read then.
    package let isFull: Bool

    package init(isFull: Bool = false) { self.isFull = isFull }
}

/// Small values by key that outlive the process. Calls are synchronous and may come from any thread.
package protocol KeyValueStore: Sendable {
    /// The bytes under a key; `nil` when there are none or when another kind of value stands there.
    ///
    /// - Throws: ``StorageUnreadable``, which is never the same as `nil`.
    func data(for key: String) throws(StorageUnreadable) -> Data?
    /// Writes bytes under a key in place of what is there.
    ///
    /// - Throws: ``StorageUnreadable``; nothing was written.
    func set(_ data: Data, for key: String) throws(StorageUnreadable)
    /// Removes what stands under a key, if anything does.
    ///
    /// - Throws: ``StorageUnreadable``; nothing was removed.
    func remove(_ key: String) throws(StorageUnreadable)
    /// The keys that begin with a prefix, in no order. It may look at all keys: call it once a launch.
    ///
    /// - Throws: ``StorageUnreadable``.
    func keys(prefix: String) throws(StorageUnreadable) -> [String]
}

extension KeyValueStore {
    /// Whether reading works now: once it does, it does for the life of the process.
    package var isReadable: Bool {
        do throws(StorageUnreadable) {
            _ = try data(for: "martlet.readable")
            return true
        } catch {
            return false
        }
    }

    /// The text under a key; `nil` when there is none or it is not UTF-8.
    ///
    /// - Throws: ``StorageUnreadable``.
    package func string(for key: String) throws(StorageUnreadable) -> String? {
        guard let bytes = try data(for: key) else { return nil }
        return String(data: bytes, encoding: .utf8)
    }

    /// Writes text under a key.
    ///
    /// - Throws: ``StorageUnreadable``; nothing was written.
    package func set(_ text: String, for key: String) throws(StorageUnreadable) {
        try set(Data(text.utf8), for: key)
    }
}
