package import Foundation

/// Values in `UserDefaults`, which is where apps that copied the events queue of the vendor's sample keep theirs.
///
/// Before the first unlock after a start of the device, `UserDefaults` answers every read with nothing, and goes on to do
/// so for as long as the process lives. A marker file of the same protection class tells the two apart: it can be seen but
/// not read then. `UserDefaults` are part of every backup.
package final class UserDefaultsStore: KeyValueStore {
    private nonisolated(unsafe) let defaults: UserDefaults  // Apple: thread-safe
    private let marker: ProtectedMarker?
    private let wasUnreadable = Locked(false)

    /// A store; nothing is read or written by making one.
    ///
    /// - Parameters:
    ///   - defaults: the app's own, or a suite.
    ///   - marker: what tells an empty store from one that cannot be read yet; `nil` takes every read at its word.
    package init(_ defaults: UserDefaults, marker: ProtectedMarker?) {
        self.defaults = defaults
        self.marker = marker
    }

    package func data(for key: String) throws(StorageUnreadable) -> Data? {
        try check()
        let value = defaults.object(forKey: key)
        return value as? Data ?? (value as? String).map { Data($0.utf8) }
    }

    package func set(_ data: Data, for key: String) throws(StorageUnreadable) {
        try check()
        if let text = Self.text(data) { defaults.set(text, forKey: key) } else { defaults.set(data, forKey: key) }
    }

    package func remove(_ key: String) throws(StorageUnreadable) {
        try check()
        defaults.removeObject(forKey: key)
    }

    package func keys(prefix: String) throws(StorageUnreadable) -> [String] {
        try check()
        return defaults.dictionaryRepresentation().keys.filter { $0.hasPrefix(prefix) }
    }

    /// Bytes that are plain text are kept as such: where Foundation is not Apple's, it copies data byte by byte.
    private static func text(_ data: Data) -> String? {
        // Over its memory: the iterator of data takes as long as all the rest of a write.
        let isPlain = data.withUnsafeBytes { bytes in
            bytes.allSatisfy { $0 >= 0x20 || $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\t") }
        }
        return isPlain ? String(data: data, encoding: .utf8) : nil
    }

    private func check() throws(StorageUnreadable) {
        guard let marker else { return }
        let isUnreadable = wasUnreadable.with { wasUnreadable in
            wasUnreadable = wasUnreadable || !marker.isReadable
            return wasUnreadable
        }
        if isUnreadable { throw StorageUnreadable() }
    }
}
