package import Foundation
package import PushNotificationSDKCore
import UserNotifications

/// What a phone knows of its files beside their bytes: whether they can be read, and whether backups take them along.
package final class PhoneDisk: Sendable {
    private struct State {
        var isUnlocked = true
        var excluded: Set<String> = []
    }

    private let state = Guarded(State())

    package init() {}

    /// Whether the phone was unlocked since it was switched on: until then no file can be read or written.
    package var isUnlocked: Bool {
        get { state.read { $0.isUnlocked } }
        set { state.write { $0.isUnlocked = newValue } }
    }

    func exclude(_ folder: URL, _ isExcluded: Bool) {
        state.write { state in
            if isExcluded { state.excluded.insert(folder.path) } else { state.excluded.remove(folder.path) }
        }
    }

    /// Whether backups leave a file out: because of its own mark, or that of a folder above it.
    func isExcluded(_ file: URL) -> Bool {
        state.read { state in state.excluded.contains { file.path == $0 || file.path.hasPrefix($0 + "/") } }
    }
}

/// The files of one process on a phone's disk. All have the class "until first user authentication", which is what the
/// files of an app have unless told otherwise.
package struct PhoneFiles: FileAccess {
    let disk: PhoneDisk
    let gate: ProcessGate

    package init(disk: PhoneDisk, gate: ProcessGate) {
        self.disk = disk
        self.gate = gate
    }

    package func data(of file: URL) throws(StorageUnreadable) -> Data? {
        guard gate.isOpen else { throw StorageUnreadable() }
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        guard disk.isUnlocked, let bytes = try? Data(contentsOf: file) else { throw StorageUnreadable() }
        return bytes
    }

    package func write(_ data: Data, to file: URL) throws(StorageUnreadable) {
        let isWritten = gate.whileOpen {
            disk.isUnlocked && Self.replace(file, with: data)
        }
        guard isWritten else { throw StorageUnreadable() }
    }

    package func remove(_ file: URL) {
        _ = gate.whileOpen { (try? FileManager.default.removeItem(at: file)) != nil }
    }

    package func names(in folder: URL) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    }

    package func makeFolder(_ folder: URL, isBackedUp: Bool) {
        _ = gate.whileOpen {
            disk.exclude(folder, !isBackedUp)
            return (try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)) != nil
        }
    }

    /// Foundation waits for the disk with each file. What a phone keeps need not outlive the machine. Renamed, so that a
    /// killed process leaves the old value or the new one. Until then its name has neither the file's beginning nor its
    /// ending: whoever lists files by these would take it for a damaged one.
    private static func replace(_ file: URL, with data: Data) -> Bool {
        let part = file.deletingLastPathComponent().appendingPathComponent(".\(file.lastPathComponent).part")
        guard let out = fopen(part.path, "w") else { return false }
        let count = data.withUnsafeBytes { fwrite($0.baseAddress, 1, $0.count, out) }
        return fclose(out) == 0 && count == data.count && rename(part.path, file.path) == 0
    }
}
