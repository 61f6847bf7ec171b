import Logging
import MartletWire
import Synchronization
import Testing

@testable import MartletCore

@Suite struct AuditRecorderTests {
    private struct Trouble: Error {}

    /// A log that cannot be written to.
    private struct BrokenLog: AuditStore {
        func record(_ drafts: [AuditDraft]) async throws { throw Trouble() }
        func auditEntries(_ filter: AuditFilter, _ page: PageRequest) async throws -> Page<AuditEntry> {
            throw Trouble()
        }
    }

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
    func loud() async {
        let lines = Lines()
        let recorder = AuditRecorder(store: BrokenLog(), logger: Logger(label: "test", factory: { _ in lines }))
        let actor = AuditActor(.key, id: "k1", name: "worker")
        await recorder.record([AuditDraft("app.delete", of: AuditSubject("app", "7"), by: actor)])
        #expect(lines.text.count == 1)
        for part in ["critical", "key:k1", "app.delete", "app:7"] { #expect(lines.text.first?.contains(part) == true) }
    }
}
