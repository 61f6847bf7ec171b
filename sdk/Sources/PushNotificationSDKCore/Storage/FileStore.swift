package import Foundation

/// Values in files of the SDK's own, one for each key. They can be read after the first unlock, by every process that is
/// there then, and do not travel to another device unless said otherwise.
package final class FileStore: KeyValueStore {
    private let folder: URL
    private let files: any FileAccess
    private let marker: ProtectedMarker

    /// A store; nothing is read or written by making one.
    ///
    /// - Parameters:
    ///   - folder: made with the first write.
    ///   - isBackedUp: whether backups take the values along.
    package init(folder: URL, files: any FileAccess = SystemFiles(), isBackedUp: Bool = false) {
        self.folder = folder
        self.files = files
        marker = ProtectedMarker(
            file: folder.appendingPathComponent("unlocked"),
            files: files,
            isBackedUp: isBackedUp
        )
    }

    package func data(for key: String) throws(StorageUnreadable) -> Data? {
        try check()
        return try files.data(of: file(key))
    }

    package func set(_ data: Data, for key: String) throws(StorageUnreadable) {
        try check()
        try files.write(data, to: file(key))
    }

    package func remove(_ key: String) throws(StorageUnreadable) {
        try check()
        files.remove(file(key))
    }

    package func keys(prefix: String) throws(StorageUnreadable) -> [String] {
        try check()
        return files.names(in: folder).compactMap(\.removingPercentEncoding).filter { $0.hasPrefix(prefix) }
    }

    /// Names can be listed before the first unlock: an empty list says nothing then.
    private func check() throws(StorageUnreadable) {
        guard marker.isReadable else { throw StorageUnreadable() }
    }

    /// Keys have points, which are encoded: what a file system calls its own temporary files is no key.
    private func file(_ key: String) -> URL {
        let name = key.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? key
        return folder.appendingPathComponent(name, isDirectory: false)
    }
}
