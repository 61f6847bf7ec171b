import Foundation

/// A folder of one test's own that is gone after it.
struct TemporaryFolder: Sendable {
    let path: String

    var database: String { path + "/martlet.sqlite" }

    static func with(_ body: (TemporaryFolder) async throws -> Void) async throws {
        let path = FileManager.default.temporaryDirectory.path + "/martlet-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: path) }
        try await body(TemporaryFolder(path: path))
    }
}
