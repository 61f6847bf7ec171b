import Foundation

/// The package's own Swift sources, which tests read to see that a list has all that the code says.
enum SourceFiles {
    /// The package's folder.
    static let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// A file, or all those of a folder below `Sources`.
    static func all(in place: String) -> [URL] {
        let root = package.appending(path: "Sources/\(place)")
        guard !place.hasSuffix(".swift") else { return [root] }
        let below = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
        return below?.compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" } ?? []
    }
}
