package import Foundation

/// The number on the app's icon, as app and service extension share it: one small file of the app's in the app group,
/// which one of them changes at a time.
package struct SharedBadge: Sendable {
    private let container: URL
    private let file: URL
    private let files: any FileAccess

    /// The count in the container of an app group. The disk is not touched by making one.
    ///
    /// - Parameter app: the app's bundle id: a group may have several apps, and each has its own icon.
    package init(_ container: URL, app: String, files: any FileAccess = SystemFiles()) {
        self.container = container
        file = container.appendingPathComponent("martlet-badge-\(app)")
        self.files = files
    }

    /// Counts up by one.
    ///
    /// - Returns: the new number; `nil` before the first unlock, when the old one cannot be read.
    package func countUp() -> Int? {
        inTurn { () -> Int? in
            do throws(StorageUnreadable) {
                let stored = try files.data(of: file).flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0
                // What stands in the file may be anything.
                let number = min(max(0, stored), 99_999) + 1
                write(number)
                return number
            } catch {
                return nil
            }
        }
    }

    /// Forgets the number: the next count begins at one.
    package func remove() {
        inTurn { files.remove(file) }
    }

    /// Sets the number; where the file cannot be written, the next count goes on from the old one.
    package func set(_ number: Int) {
        inTurn { write(number) }
    }

    private func write(_ number: Int) { try? files.write(Data(String(number).utf8), to: file) }

    /// Runs a closure while nobody else, of any process, runs one; without the lock where the folder cannot be opened.
    private func inTurn<Result>(_ body: () -> Result) -> Result {
        let descriptor = open(container.path, O_RDONLY)
        guard descriptor >= 0 else { return body() }
        // The lock ends with the descriptor, and so with the process.
        defer { close(descriptor) }
        while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
        return body()
    }
}
