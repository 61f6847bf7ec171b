import Foundation
import MartletCore
import MartletPostgres
import MartletSQLite
import MartletStore
import MartletTesting

/// A real store and its clock: what one run after the other stands on, each with an app of its own.
final class Ground {
    /// What the store is on.
    enum Engine: String, CaseIterable {
        case sqlite, postgres
    }

    let clock = SteppingClock()
    let engine: Engine
    private(set) var store: Store
    private let place: String

    init(_ engine: Engine) async throws {
        self.engine = engine
        place =
            switch engine {
            case .sqlite: Ground.memory + "/martlet-" + UUID().uuidString
            case .postgres: try Ground.server().makeDatabase()
            }
        store = try await Ground.open(engine, place, clock)
    }

    private static func open(_ engine: Engine, _ place: String, _ clock: SteppingClock) async throws -> Store {
        switch engine {
        case .sqlite: try await SQLiteStore.open(at: place + "/martlet.sqlite", clock: clock)
        case .postgres: try await PostgresStore.open(place, clock: clock)
        }
    }

    /// Whether a restart ends all leases: the one server of a SQLite file knows that nobody else lives. On PostgreSQL
    /// they end by themselves.
    var endsLeases: Bool { engine == .sqlite }

    /// Closes the store and opens it again, as a server does that was killed.
    func restart() async throws {
        await store.close()
        store = try await Ground.open(engine, place, clock)
    }

    func close() async {
        await store.close()
        switch engine {
        case .sqlite: try? FileManager.default.removeItem(atPath: place)
        case .postgres: try? Ground.server().drop(place)
        }
    }

    /// One is enough: what differs between servers, the conformance suite shows on each.
    private static func server() throws -> PostgresServer { try PostgresServer.all.get()[0] }

    /// Linux's memory as files, where there is it: a run commits a hundred times, and waits for no disk.
    private static var memory: String {
        let manager = FileManager.default
        return manager.isWritableFile(atPath: "/dev/shm") ? "/dev/shm" : manager.temporaryDirectory.path
    }
}
