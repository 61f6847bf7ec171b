package import Foundation

/// A file that says whether protected data can be read. Its presence can be seen before the first unlock, its bytes
/// cannot: a file of an app has the class "until first user authentication" unless told otherwise, as the file behind
/// `UserDefaults` has.
package final class ProtectedMarker: Sendable {
    private let file: URL
    private let found = Locked(false)

    /// A marker; the disk is not touched by making one.
    ///
    /// - Parameter file: where it is kept. The folder is made when it is missing.
    package init(file: URL) {
        self.file = file
    }

    /// Whether protected data can be read. It asks the disk until the answer is yes, which then stands for the life of
    /// the process, as the class promises. On a new install, or where a marker cannot be written, it is yes.
    package var isReadable: Bool {
        found.with { found in
            if !found { found = read() }
            return found
        }
    }

    private func read() -> Bool {
        let files = FileManager.default
        if files.fileExists(atPath: file.path) { return (try? Data(contentsOf: file)) != nil }
        // A restored device has the defaults but no marker: the next start will.
        try? files.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try? Data("1".utf8).write(to: file)
        return true
    }
}
