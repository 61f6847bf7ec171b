package import Foundation

/// A file that says whether protected data can be read: its presence can be seen before the first unlock, its bytes
/// cannot.
package final class ProtectedMarker: Sendable {
    private let file: URL
    private let files: any FileAccess
    private let isBackedUp: Bool
    private let found = Locked(false)

    /// A marker; the disk is not touched by making one.
    ///
    /// - Parameters:
    ///   - file: where it is kept. The folder is made when it is missing.
    ///   - isBackedUp: whether backups take the folder along.
    package init(file: URL, files: any FileAccess = SystemFiles(), isBackedUp: Bool = false) {
        self.file = file
        self.files = files
        self.isBackedUp = isBackedUp
    }

    /// Whether protected data can be read. It asks the disk until the answer is yes, which then stands for the life of
    /// the process, as the class promises. Where there is no marker yet it is made, which fails before the first unlock.
    package var isReadable: Bool {
        found.with { found -> Bool in
            if found { return true }
            do throws(StorageUnreadable) {
                try read()
                found = true
                return true
            } catch {
                // A full disk has no room for the marker, and hides nothing.
                return error.isFull
            }
        }
    }

    private func read() throws(StorageUnreadable) {
        if try files.data(of: file) != nil { return }
        files.makeFolder(file.deletingLastPathComponent(), isBackedUp: isBackedUp)
        try files.write(Data("1".utf8), to: file)
    }
}
