package import Foundation

/// The SDK's own files. A seam, because where tests run every file can always be read.
///
/// Files have the protection class "until first user authentication": before the first unlock after a start of the device
/// they can be seen and listed, and neither read nor written.
package protocol FileAccess: Sendable {
    /// The bytes of a file; `nil` when there is none.
    ///
    /// - Throws: ``StorageUnreadable`` when there is one that cannot be read.
    func data(of file: URL) throws(StorageUnreadable) -> Data?
    /// Writes a file, whole or not at all. Its folder must be there.
    ///
    /// - Throws: ``StorageUnreadable``; nothing was written.
    func write(_ data: Data, to file: URL) throws(StorageUnreadable)
    /// Removes a file, if there is one.
    func remove(_ file: URL)
    /// The names in a folder, in no order; none where there is no folder.
    func names(in folder: URL) -> [String]
    /// Makes a folder where there is none, and says whether backups take it along.
    func makeFolder(_ folder: URL, isBackedUp: Bool)
}

/// The system's files.
package struct SystemFiles: FileAccess {
    /// Writes bytes, and marks a folder. A test puts others in their place: Linux keeps neither protection classes nor
    /// the mark of what backups leave out.
    package var put: @Sendable (Data, URL, Data.WritingOptions) throws -> Void = { try $0.write(to: $1, options: $2) }
    package var mark: @Sendable (URL, URLResourceValues) throws -> Void = { folder, values in
        var folder = folder
        try folder.setResourceValues(values)
    }

    /// The system's files.
    package init() {}

    package func data(of file: URL) throws(StorageUnreadable) -> Data? {
        do {
            return try Data(contentsOf: file)
        } catch {
            if FileManager.default.fileExists(atPath: file.path) { throw StorageUnreadable() }
            return nil
        }
    }

    package func write(_ data: Data, to file: URL) throws(StorageUnreadable) {
        do {
            // Said for each file: an app may have another class as its default.
            try put(data, file, [.atomic, .completeFileProtectionUntilFirstUserAuthentication])
        } catch {
            // Folders can be made before the first unlock: where there is none there was no room for it.
            let hasFolder = FileManager.default.fileExists(atPath: file.deletingLastPathComponent().path)
            throw StorageUnreadable(isFull: !hasFolder || (error as? CocoaError)?.code == .fileWriteOutOfSpace)
        }
    }

    package func remove(_ file: URL) { try? FileManager.default.removeItem(at: file) }

    package func names(in folder: URL) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    }

    package func makeFolder(_ folder: URL, isBackedUp: Bool) {
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        guard !isBackedUp else { return }
        // Of the folder and not of its files: what replaces a file loses the mark.
        var values = URLResourceValues()
        values.isExcludedFromBackup = true
        try? mark(folder, values)
    }
}
