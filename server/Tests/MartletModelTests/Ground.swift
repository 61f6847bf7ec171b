import Foundation
import MartletCore
import MartletSQLite

/// A real store and its clock: what one run after the other stands on, each with an app of its own.
final class Ground {
    let clock = SteppingClock()
    private(set) var store: any Store
    private let folder: String

    init() async throws {
        folder = Ground.memory + "/martlet-" + UUID().uuidString
        store = try await SQLiteStore.open(at: folder + "/martlet.sqlite", clock: clock)
    }

    /// Closes the store and opens it again, as a server does that was killed.
    func restart() async throws {
        await store.close()
        store = try await SQLiteStore.open(at: folder + "/martlet.sqlite", clock: clock)
    }

    func close() async {
        await store.close()
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Linux's memory as files, where there is it: a run commits a hundred times, and waits for no disk.
    private static var memory: String {
        let manager = FileManager.default
        return manager.isWritableFile(atPath: "/dev/shm") ? "/dev/shm" : manager.temporaryDirectory.path
    }
}
