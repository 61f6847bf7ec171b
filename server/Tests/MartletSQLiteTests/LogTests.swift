import Foundation
import MartletCore
import MartletTesting
import MartletWire
import Testing

@testable import MartletSQLite
@testable import MartletStore

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

    @Test(
        "after an end that was not clean a log that is missing or cut off refuses every start, and why is said",
        arguments: [nil, 0, 31, 100] as [Int?]
    )
    func missingLog(length: Int?) async throws {
        try await withKilledServer { path in
            if let length {
                #expect(truncate(path + "-wal", off_t(length)) == 0)
            } else {
                try FileManager.default.removeItem(atPath: path + "-wal")
            }
            for role in [SQLiteStore.Role.server, .bootstrap, .server] {
                let failure = await #expect(throws: Failure.self) {
                    _ = try await SQLiteStore.open(at: path, clock: ManualClock(), role: role)
                }
                #expect(failure?.code == .conflict)
                #expect(failure?.detail.message.contains("may be lost") == true)
                #expect(failure?.detail.hint?.contains("--accept-loss") == true)
                #expect(failure?.detail.hint?.contains("sqlite3") == true)
            }
            let store = try await SQLiteStore.open(at: path, clock: ManualClock(), acceptsLoss: true)
            // As it is killed before it writes anything.
            let folder = URL(filePath: path).deletingLastPathComponent().path
            try FileManager.default.copyItem(atPath: folder, toPath: folder + "-again")
            await store.close()
            for path in [path, folder + "-again/martlet.sqlite"] {
                await (try SQLiteStore.open(at: path, clock: ManualClock())).close()
            }
        }
    }

    @Test("a server that ends after a command beside it has closed, and before it writes again, lacks nothing")
    func endAfterCommand() async throws {
        try await TemporaryFolder.with { folder in
            let path = folder.path + "/live/martlet.sqlite"
            let server = try await SQLiteStore.open(at: path, clock: ManualClock())
            let command = try await SQLiteStore.open(at: path, clock: ManualClock(), role: .bootstrap)
            _ = try await command.createApp(name: "one", identity: Identity())
            await command.close()
            try FileManager.default.copyItem(atPath: folder.path + "/live", toPath: folder.path + "/killed")
            await server.close()
            let after = try await SQLiteStore.open(at: folder.path + "/killed/martlet.sqlite", clock: ManualClock())
            #expect(try await after.apps(PageRequest()).items.count == 1)
            await after.close()
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

    @Test("a log that is moved away from under a server stops reads and writes until it is back")
    func movedLog() async throws {
        try await TemporaryFolder.with { folder in
            let (files, log) = (FileManager.default, folder.database + "-wal")
            var store = try await SQLiteStore.open(at: folder.database, clock: ManualClock())
            try files.moveItem(atPath: log, toPath: folder.path + "/away")
            for isReplaced in [false, true] {
                if isReplaced { #expect(files.createFile(atPath: log, contents: nil)) }
                let read = await #expect(throws: Failure.self) { _ = try await store.apps(PageRequest()) }
                let written = await #expect(throws: Failure.self) {
                    _ = try await store.createApp(name: "none", identity: Identity())
                }
                #expect(read?.code == .overloaded && written?.code == .overloaded)
                #expect(read?.detail.message.contains("log") == true)
            }
            try files.removeItem(atPath: log)
            try files.moveItem(atPath: folder.path + "/away", toPath: log)
            _ = try await store.createApp(name: "one", identity: Identity())
            await store.close()
            store = try await SQLiteStore.open(at: folder.database, clock: ManualClock())
            #expect(try await store.apps(PageRequest()).items.count == 1)
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
            // A command comes to the same log by a symbolic link, and by another hard link to a log of its own.
            let commands = [(path, true), (other, isSymbolic)]
            for (path, isServed) in commands {
                let command = try? await SQLiteStore.open(at: path, clock: ManualClock(), role: .bootstrap)
                #expect((command != nil) == isServed, "\(path)")
                await command?.close()
            }
            #expect(!files.fileExists(atPath: other + "-wal"))
            await store.close()
        }
    }
}
