package import Foundation
package import PushNotificationSDKCore
import UserNotifications

/// An app's small values on a phone's disk: a file for each key, so that a killed app finds them again.
package final class FileStore: KeyValueStore {
    /// What a file is called while it is written; the names of keys have no dot.
    private static let part = "part"

    private let folder: URL
    private let gate: ProcessGate
    private let isUnlocked: @Sendable () -> Bool
    private let lock = Guarded(())

    /// - Parameters:
    ///   - folder: made with the first write.
    ///   - gate: the process that reads and writes.
    ///   - isUnlocked: whether the phone was unlocked since it was started.
    package init(folder: URL, gate: ProcessGate, isUnlocked: @escaping @Sendable () -> Bool) {
        self.folder = folder
        self.gate = gate
        self.isUnlocked = isUnlocked
    }

    package func data(for key: String) throws(StorageUnreadable) -> Data? {
        try checkReadable()
        return lock.read { _ in try? Data(contentsOf: file(key)) }
    }

    package func set(_ data: Data, for key: String) throws(StorageUnreadable) {
        try checkReadable()
        let written = lock.read { _ in
            // The gate is looked at under the lock: nothing of a killed process comes after what its successor reads.
            guard gate.isOpen else { return false }
            try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            // Renamed, so that a killed process leaves the old value or the new one.
            let part = file(key).appendingPathExtension(Self.part)
            return Self.write(data, to: part.path) && rename(part.path, file(key).path) == 0
        }
        if !written { throw StorageUnreadable() }
    }

    package func remove(_ key: String) throws(StorageUnreadable) {
        try checkReadable()
        lock.read { _ in
            if gate.isOpen { try? FileManager.default.removeItem(at: file(key)) }
        }
    }

    package func keys(prefix: String) throws(StorageUnreadable) -> [String] {
        try checkReadable()
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { !$0.hasSuffix(".\(Self.part)") }
            .compactMap(\.removingPercentEncoding)
            .filter { $0.hasPrefix(prefix) }
    }

    /// Foundation waits for the disk with each file. What a phone keeps need not outlive the machine.
    private static func write(_ data: Data, to path: String) -> Bool {
        guard let out = fopen(path, "w") else { return false }
        let count = data.withUnsafeBytes { fwrite($0.baseAddress, 1, $0.count, out) }
        return fclose(out) == 0 && count == data.count
    }

    private func checkReadable() throws(StorageUnreadable) {
        guard gate.isOpen, isUnlocked() else { throw StorageUnreadable() }
    }

    private func file(_ key: String) -> URL {
        let name = key.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? key
        return folder.appendingPathComponent(name, isDirectory: false)
    }
}
