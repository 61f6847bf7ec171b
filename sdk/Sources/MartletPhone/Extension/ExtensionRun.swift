import Foundation
import UserNotifications

/// One run of an app's service extension: a process of its own, a deadline on another thread, and one answer.
struct ExtensionRun {
    /// What came of it.
    struct Result: Sendable {
        /// What shows: the extension's content, or the original.
        var content: ContentRecord
        /// Whether its time ran out before it answered.
        var expired: Bool
    }

    let make: @Sendable (ExtensionProcess) -> UNNotificationServiceExtension
    let process: ExtensionProcess
    let journal: PhoneJournal

    func content(of record: NotificationRecord) async -> Result {
        // The system has made the process's folder before it starts it.
        try? FileManager.default.createDirectory(at: process.folder, withIntermediateDirectories: true)
        let done = Deadline<ContentRecord> { [journal] in
            journal.add(.fault("the content handler of \(record.identifier) was called twice"))
        }
        let queue = DispatchQueue(label: "martlet.phone.extension")
        let holder = Guarded<UNNotificationServiceExtension?>(nil)
        let last = Deadline<ContentRecord> {}
        queue.async { [make, process] in
            let principal = make(process)
            holder.write { $0 = principal }
            let request = UNNotificationRequest(
                identifier: record.identifier,
                content: UNNotificationContent(record.content),
                trigger: UNPushNotificationTrigger()
            )
            principal.didReceive(request) { content in
                let taken = content.taken
                done.answer(taken)
                last.answer(taken)
            }
        }
        let settings = process.settings
        var content = await done.wait(seconds: settings.extensionLimit, after: settings.extensionTimer)
        let expired = content == nil
        if expired {
            // A thread of its own: `didReceive` may still hold its queue.
            Thread.detachNewThread { holder.read { $0 }?.serviceExtensionTimeWillExpire() }
            content = await last.wait(seconds: settings.extensionGrace, after: settings.extensionTimer)
            if content == nil { journal.add(.fault("the extension handed nothing over for \(record.identifier)")) }
        }
        process.gate.close()
        holder.write { $0 = nil }
        return Result(content: keep(content ?? record.content, of: record.identifier), expired: expired)
    }

    /// Moves the attachments into the system's store, where the extension's process no longer reaches them.
    private func keep(_ content: ContentRecord, of identifier: String) -> ContentRecord {
        var content = content
        let store = process.settings.folder.appendingPathComponent("attachments/\(UUID().uuidString)")
        content.attachments = content.attachments.compactMap { attachment in
            let target = store.appendingPathComponent(attachment.url.lastPathComponent)
            do {
                try FileManager.default.createDirectory(at: store, withIntermediateDirectories: true)
                try FileManager.default.moveItem(at: attachment.url, to: target)
            } catch {
                journal.add(.fault("an attachment of \(identifier) could not be moved into the store"))
                return nil
            }
            var kept = attachment
            kept.url = target
            return kept
        }
        return content
    }
}
