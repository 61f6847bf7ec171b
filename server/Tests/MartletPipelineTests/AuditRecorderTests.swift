import Logging
import MartletCore
import MartletSQLite
import MartletStore
import MartletTesting
import MartletWire
import Synchronization
import Testing

@testable import MartletPipeline

@Suite struct AuditRecorderTests {
    /// What was logged.
    private struct Lines: LogHandler {
        private final class All: Sendable { let lines = Mutex<[String]>([]) }

        private let all = All()
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            all.lines.withLock { $0.append("\(event.level) \(event.message) \(event.metadata ?? [:])") }
        }

        var text: [String] { all.lines.withLock { $0 } }
    }

    @Test("a change that cannot be written down is logged as critical, with who made it")
    func loud() async throws {
        let lines = Lines()
        let store = try await SQLiteStore.inMemory(clock: ManualClock())
        await store.close()
        let recorder = AuditRecorder(store: store, logger: Logger(label: "test", factory: { _ in lines }))
        let actor = AuditActor(.key, id: "k1", name: "worker")
        await recorder.record([AuditDraft("app.delete", of: AuditSubject("app", "7"), by: actor)])
        #expect(lines.text.count == 1)
        for part in ["critical", "key:k1", "app.delete", "app:7"] { #expect(lines.text.first?.contains(part) == true) }
    }
}
