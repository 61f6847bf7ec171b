package import Foundation
import UserNotifications

/// An app's `UserDefaults` on a phone: what is stored is read when the process starts, and never again. A process that
/// starts before the first unlock reads nothing for as long as it lives, and what it writes is lost.
package final class PhoneDefaults: UserDefaults {
    private let file: URL
    private let gate: ProcessGate
    private let isLoaded: Bool
    private let values: Guarded<[String: Data]>

    package init(file: URL, disk: PhoneDisk, gate: ProcessGate) {
        self.file = file
        self.gate = gate
        isLoaded = disk.isUnlocked
        let stored = isLoaded ? try? Data(contentsOf: file) : nil
        values = Guarded(stored.flatMap { try? JSONDecoder().decode([String: Data].self, from: $0) } ?? [:])
        // A suite of its own, which stays empty.
        super.init(suiteName: "martlet.phone.\(UUID().uuidString)")!
    }

    package override func object(forKey key: String) -> Any? { values.read { $0[key] } }

    package override func set(_ value: Any?, forKey key: String) {
        let bytes = value as? Data ?? (value as? String).map { Data($0.utf8) }
        change { $0[key] = bytes }
    }

    package override func removeObject(forKey key: String) { change { $0[key] = nil } }

    package override func dictionaryRepresentation() -> [String: Any] { values.read { $0 } }

    private func change(_ body: @Sendable (inout [String: Data]) -> Void) {
        values.write { values in
            body(&values)
            guard isLoaded, let bytes = try? JSONEncoder().encode(values) else { return }
            _ = gate.whileOpen {
                try? FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(),
                    withIntermediateDirectories: true
                )
                return (try? bytes.write(to: file)) != nil
            }
        }
    }
}
