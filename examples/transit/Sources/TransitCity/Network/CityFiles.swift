import Foundation
import Transit

extension City {
    /// Writes what the backend is given: `riders.jsonl` and `network.json`.
    package func write(to folder: String) throws {
        let folder = URL(fileURLWithPath: folder, isDirectory: true)
        try RiderFile.bytes(riders).write(to: folder.appendingPathComponent("riders.jsonl"), options: .atomic)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        try encoder.encode(network).write(to: folder.appendingPathComponent("network.json"), options: .atomic)
    }
}
