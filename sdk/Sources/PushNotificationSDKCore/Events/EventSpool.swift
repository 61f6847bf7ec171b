package import Foundation
import MartletWire

/// Events that the service extension saw: one file each in the folder that app and extension share. The extension
/// writes, the app reads and deletes; nothing is ever changed in place, so neither waits for the other.
package struct EventSpool: Sendable {
    /// As many files as the queue holds events; the extension removes the oldest beyond.
    package static let bound = SegmentedEventStore.bound
    private static let ending = "event"
    private static let refusalEnding = "refusal"
    private static let contextName = "context"

    private let folder: URL

    /// A spool in the container of an app group. The disk is not touched by making one.
    package init(container: URL) {
        folder = container.appendingPathComponent("martlet-events", isDirectory: true)
    }

    // MARK: - The extension's side

    /// Writes an event, whole or not at all. The same event twice is one file.
    ///
    /// - Throws: the file system's error, as before the first unlock.
    package func write(_ event: PushEvent) throws {
        try write(event.line, time: event.time, name: "\(event.id.uuidString).\(Self.ending)")
    }

    /// Writes why an attachment was not shown, for the app's error handler.
    ///
    /// - Throws: the file system's error.
    package func write(refusal: AttachmentRefusal, time: Int64) throws {
        try write(Data(refusal.reason.utf8), time: time, name: "\(UUID().uuidString).\(Self.refusalEnding)")
    }

    /// Who the app said this install is; nothing when it said nothing yet.
    package func context() -> EventContext {
        guard let bytes = try? Data(contentsOf: folder.appendingPathComponent(Self.contextName)),
            let event = PushEvent(line: bytes)
        else { return EventContext() }
        return event.context
    }

    // MARK: - The app's side

    /// Tells the extension who this install is. Tokens are left out: the app adds what it has.
    ///
    /// - Throws: the file system's error.
    package func write(_ context: EventContext) throws {
        var context = context
        context.apnsToken = nil
        context.fcmToken = nil
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let event = PushEvent(id: UUID(), type: .delivery, time: 0, context: context)
        try event.line.write(to: folder.appendingPathComponent(Self.contextName), options: .atomic)
    }

    /// Hands over all events, oldest first, and deletes their files afterwards. After a crash in between they are handed
    /// over again, with the same ids.
    ///
    /// - Parameters:
    ///   - take: takes the events; when it throws, all files stay.
    ///   - refused: takes why an attachment was not shown.
    /// - Returns: how many files held no event; they are deleted too.
    /// - Throws: what `take` throws.
    package func drain(_ take: ([PushEvent]) throws -> Void, refused: (String) -> Void = { _ in }) rethrows -> Int {
        var events: [PushEvent] = []
        var read: [URL] = []
        var damaged = 0
        for name in (try? names()) ?? [] {
            let file = folder.appendingPathComponent(name)
            // A file that cannot be read now may be readable after the first unlock: it stays.
            guard let bytes = try? Data(contentsOf: file) else { continue }
            read.append(file)
            if name.hasSuffix(Self.refusalEnding) {
                refused(String(decoding: bytes.prefix(200), as: UTF8.self))
            } else if let event = PushEvent(line: bytes) {
                events.append(event)
            } else {
                damaged += 1
            }
        }
        if !events.isEmpty { try take(events) }
        for file in read { try? FileManager.default.removeItem(at: file) }
        return damaged
    }

    private func write(_ bytes: Data, time: Int64, name: String) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for surplus in try names().dropLast(Self.bound - 1) {
            try FileManager.default.removeItem(at: folder.appendingPathComponent(surplus))
        }
        // The time goes first, so that the names are in order; 13 digits of milliseconds last until the year 2286.
        let digits = String(max(0, time))
        let prefix = String(repeating: "0", count: max(0, 13 - digits.count)) + digits
        try bytes.write(to: folder.appendingPathComponent("\(prefix)-\(name)"), options: .atomic)
    }

    private func names() throws -> [String] {
        guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".\(Self.ending)") || $0.hasSuffix(".\(Self.refusalEnding)") }
            .sorted()
    }
}
