package import Logging
package import MartletCore
package import MartletStore
import MartletWire

/// Writes changes into the audit log that are not written down in the transaction that makes them.
///
/// The change stands already: that it is not in the log is no reason to answer that it failed, and is logged as loudly as
/// can be.
package struct AuditRecorder: Sendable {
    private let store: Store
    private let logger: Logger

    package init(store: Store, logger: Logger) {
        (self.store, self.logger) = (store, logger)
    }

    /// Writes changes down, in their order.
    package func record(_ drafts: [AuditDraft]) async {
        do { try await store.record(drafts) } catch {
            for draft in drafts {
                logger.critical(
                    "a change is not in the audit log",
                    metadata: [
                        "actor": "\(draft.actor.kind.rawValue):\(draft.actor.id)", "action": "\(draft.action.rawValue)",
                        "subject": "\(draft.subject.kind):\(draft.subject.id)", "error": "\(error)",
                    ]
                )
            }
        }
    }
}
