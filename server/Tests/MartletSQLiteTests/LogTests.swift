import Foundation
import MartletCore
import MartletTesting
import MartletWire
import Testing

@testable import MartletSQL
@testable import MartletSQLite

/// The database's log and names: what is accepted stands in the log first.
@Suite struct LogTests {
    /// The folder as a server that is killed leaves it: a copy made while it runs.
    private func withKilledServer(_ body: (String) async throws -> Void) async throws {
        try await TemporaryFolder.with { folder in
            let store = try await SQLiteStore.open(at: folder.path + "/live/martlet.sqlite", clock: ManualClock())
            _ = try await store.createApp(name: "one", identity: Identity())
            try FileManager.default.copyItem(atPath: folder.path + "/live", toPath: folder.path + "/killed")
            await store.close()
            try await body(folder.path + "/killed/martlet.sqlite")
        }
    }

    @Test("after an end that was not clean a missing log refuses every start, and says what may be lost")
    func missingLog() async throws {
        try await withKilledServer { path in
            try FileManager.default.removeItem(atPath: path + "-wal")
            for role in [SQLiteStore.Role.server, .bootstrap, .server] {
                let failure = await #expect(throws: Failure.self) {
                    _ = try await SQLiteStore.open(at: path, clock: ManualClock(), role: role)
                }
                #expect(failure?.code == .conflict)
                #expect(failure?.detail.message.contains("may be lost") == true)
                #expect(failure?.detail.hint?.contains("--accept-loss") == true)
            }
            let store = try await SQLiteStore.open(at: path, clock: ManualClock(), acceptsLoss: true)
            await store.close()
            await (try SQLiteStore.open(at: path, clock: ManualClock())).close()
        }
    }

    @Test("with its log a database starts after any end, also where a command was the first to open it")
    func keptLog() async throws {
        for role in [SQLiteStore.Role.server, .bootstrap] {
            try await withKilledServer { path in
                for role in [role, .server] {
                    let store = try await SQLiteStore.open(at: path, clock: ManualClock(), role: role)
                    #expect(try await store.apps(PageRequest()).items.count == 1)
                    await store.close()
                }
            }
        }
    }

    @Test("a database that is moved away from under a server is neither read nor written")
    func movedAway() async throws {
        try await TemporaryFolder.with { folder in
            let store = try await SQLiteStore.open(at: folder.path + "/a/martlet.sqlite", clock: ManualClock())
            try FileManager.default.moveItem(atPath: folder.path + "/a", toPath: folder.path + "/b")
            let read = await #expect(throws: Failure.self) { _ = try await store.apps(PageRequest()) }
            let written = await #expect(throws: Failure.self) {
                _ = try await store.createApp(name: "one", identity: Identity())
            }
            #expect(read?.code == .overloaded && written?.code == .overloaded)
            // Put back, it is the same file.
            try FileManager.default.moveItem(atPath: folder.path + "/b", toPath: folder.path + "/a")
            _ = try await store.createApp(name: "one", identity: Identity())
            await store.close()
        }
    }

    @Test("a second server is refused that comes to the same file by a link", arguments: [true, false])
    func links(isSymbolic: Bool) async throws {
        try await TemporaryFolder.with { folder in
            let path = folder.path + "/a/martlet.sqlite"
            let store = try await SQLiteStore.open(at: path, clock: ManualClock())
            let other = folder.path + "/b/martlet.sqlite"
            let files = FileManager.default
            try files.createDirectory(atPath: folder.path + "/b", withIntermediateDirectories: true)
            if isSymbolic {
                try files.createSymbolicLink(atPath: other, withDestinationPath: path)
            } else {
                try files.linkItem(atPath: path, toPath: other)
            }
            let failure = await #expect(throws: Failure.self) {
                _ = try await SQLiteStore.open(at: other, clock: ManualClock())
            }
            #expect(failure?.code == .conflict)
            await store.close()
        }
    }
}
