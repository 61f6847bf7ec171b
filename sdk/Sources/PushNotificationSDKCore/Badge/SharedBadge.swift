package import Foundation

/// The number on the app's icon, as app and service extension share it: one small file in the app group.
package struct SharedBadge: Sendable {
    private let file: URL

    /// The count in the container of an app group. The disk is not touched by making one.
    package init(_ container: URL) {
        file = container.appendingPathComponent("martlet-badge")
    }

    /// Counts up by one. The system runs one extension of an app at a time.
    ///
    /// - Returns: the new number.
    package func countUp() -> Int {
        let stored = (try? Data(contentsOf: file)).flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0
        // What stands in the file may be anything.
        let number = min(max(0, stored), 99_999) + 1
        set(number)
        return number
    }

    /// Sets the number; where the file cannot be written, the next count goes on from the old one.
    package func set(_ number: Int) {
        try? Data(String(number).utf8).write(to: file, options: .atomic)
    }
}
