package import Foundation
import MartletWireBase

/// Events that the service extension saw: one file each in a folder that only its app and it use. The extension writes,
/// the app reads and deletes; nothing is ever changed in place, so neither waits for the other.
package struct EventSpool: Sendable {
    /// As many files as the queue holds events; the extension removes the oldest beyond.
    package static let bound = EventStore.bound
    private static let ending = "event"
    private static let uploadedEnding = "uploaded"
    private static let refusalEnding = "refusal"
    private static let contextName = "context"
    private static let accessName = "access"

    private let folder: URL
    /// What earlier versions used: one folder for all apps of a group.
    private let earlier: URL
    private let files: any FileAccess

    /// A spool in the container of an app group. The disk is not touched by making one.
    ///
    /// - Parameter app: the app's bundle id: a group may have several apps, and each has its own installation.
    package init(container: URL, app: String, files: any FileAccess = SystemFiles()) {
        self.files = files
        earlier = container.appendingPathComponent("martlet-events", isDirectory: true)
        folder = earlier.appendingPathComponent(app, isDirectory: true)
    }

    // MARK: - The extension's side

    /// Writes an event, whole or not at all. The same event twice is one file.
    ///
    /// - Throws: ``StorageUnreadable``, as before the first unlock.
    package func write(_ event: PushEvent) throws(StorageUnreadable) {
        try write(event.line, to: Self.name(of: event, Self.ending))
    }

    /// Remembers that an event that was written before is at the app's server: the app counts it and does not send it.
    package func setUploaded(_ event: PushEvent) {
        guard (try? write(event.line, to: Self.name(of: event, Self.uploadedEnding))) != nil else { return }
        files.remove(folder.appendingPathComponent(Self.name(of: event, Self.ending)))
    }

    /// Writes why an attachment was not shown, for the app's error handler.
    ///
    /// - Throws: ``StorageUnreadable``.
    package func write(refusal: AttachmentRefusal, time: Int64) throws(StorageUnreadable) {
        try write(Data(refusal.reason.utf8), to: Self.name(time, UUID(), Self.refusalEnding))
    }

    /// Who the app said this install is; nothing when it said nothing yet.
    package func context() -> EventContext { event(Self.contextName, in: folder)?.context ?? EventContext() }

    /// What the app lets the extension upload with; nothing before the installation is registered, and without consent.
    package func access() -> ExtensionAccess? {
        guard let bytes = try? files.data(of: folder.appendingPathComponent(Self.accessName)) else { return nil }
        return try? JSONDecoder().decode(ExtensionAccess.self, from: bytes)
    }

    // MARK: - The app's side

    /// Tells the extension who this install is.
    ///
    /// - Throws: ``StorageUnreadable``.
    package func write(_ context: EventContext) throws(StorageUnreadable) {
        let event = PushEvent(id: UUID(), type: .delivery, time: 0, context: context)
        files.makeFolder(folder, isBackedUp: false)
        try files.write(event.line, to: folder.appendingPathComponent(Self.contextName))
    }

    /// Lets the extension upload.
    ///
    /// - Throws: ``StorageUnreadable``.
    package func write(_ access: ExtensionAccess) throws(StorageUnreadable) {
        guard let bytes = try? JSONEncoder().encode(access) else { return }
        files.makeFolder(folder, isBackedUp: false)
        try files.write(bytes, to: folder.appendingPathComponent(Self.accessName))
    }

    /// Lets the extension upload no more: the person took the consent back.
    package func withdraw() {
        files.remove(folder.appendingPathComponent(Self.accessName))
    }

    /// Takes everything away, also what the extension was told.
    package func removeAll() {
        for name in files.names(in: folder) { files.remove(folder.appendingPathComponent(name)) }
    }

    /// Takes over what an earlier version left for an installation, where it is surely its own.
    ///
    /// The extension of each app of a group wrote under the installation whose app told it last. So events are taken
    /// over only where nothing speaks of another app. Else nobody can say whose they are, and they go with the context:
    /// without it no app would find them.
    package func takeOver(of installationID: String) {
        guard event(Self.contextName, in: earlier)?.context.installationID == installationID else { return }
        let left = names(in: earlier).filter { $0 != folder.lastPathComponent }
        let known = left + [Self.contextName, Self.accessName, folder.lastPathComponent]
        let isAlone =
            Set(files.names(in: earlier)).isSubset(of: known)
            && left.allSatisfy { name in
                name.hasSuffix(Self.refusalEnding)
                    || event(name, in: earlier)?.context.installationID == installationID
            }
        if !isAlone { for name in left { files.remove(earlier.appendingPathComponent(name)) } }
        // The context goes last: after a crash in between it still says whose the rest is.
        for name in (isAlone ? left : []) + [Self.accessName, Self.contextName] {
            guard takeOver(name) else { return }
        }
    }

    /// Takes away what an earlier version left that names an installation, also where another app was there last.
    package func removeEarlier(of installationID: String) {
        for name in names(in: earlier) where event(name, in: earlier)?.context.installationID == installationID {
            files.remove(earlier.appendingPathComponent(name))
        }
    }

    /// Hands over all events, oldest first, and deletes their files afterwards. After a crash in between they are handed
    /// over again, with the same ids.
    ///
    /// - Parameters:
    ///   - take: takes the events; when it throws, all files stay.
    ///   - refused: takes why an attachment was not shown.
    /// - Returns: how many files held no event; they are deleted too.
    /// - Throws: what `take` throws.
    package func drain(_ take: ([SpooledEvent]) throws -> Void, refused: (String) -> Void = { _ in }) rethrows -> Int {
        var events: [SpooledEvent] = []
        var read: [URL] = []
        var damaged = 0
        for name in names(in: folder) {
            let file = folder.appendingPathComponent(name)
            // A file that cannot be read now may be readable after the first unlock: it stays.
            guard let bytes = try? files.data(of: file) else { continue }
            read.append(file)
            if name.hasSuffix(Self.refusalEnding) {
                refused(String(decoding: bytes.prefix(200), as: UTF8.self))
            } else if let event = PushEvent(line: bytes) {
                events.append(SpooledEvent(event: event, isUploaded: name.hasSuffix(Self.uploadedEnding)))
            } else {
                damaged += 1
            }
        }
        if !events.isEmpty { try take(events) }
        for file in read { files.remove(file) }
        return damaged
    }

    private func write(_ bytes: Data, to name: String) throws(StorageUnreadable) {
        files.makeFolder(folder, isBackedUp: false)
        for surplus in names(in: folder).dropLast(Self.bound - 1) {
            files.remove(folder.appendingPathComponent(surplus))
        }
        try files.write(bytes, to: folder.appendingPathComponent(name))
    }

    /// - Returns: whether the file is not in the earlier folder any more.
    private func takeOver(_ name: String) -> Bool {
        let file = earlier.appendingPathComponent(name)
        do throws(StorageUnreadable) {
            guard let bytes = try files.data(of: file) else { return true }
            files.makeFolder(folder, isBackedUp: false)
            try files.write(bytes, to: folder.appendingPathComponent(name))
        } catch {
            return false
        }
        files.remove(file)
        return true
    }

    private func event(_ name: String, in folder: URL) -> PushEvent? {
        (try? files.data(of: folder.appendingPathComponent(name))).flatMap { PushEvent(line: $0) }
    }

    private static func name(of event: PushEvent, _ ending: String) -> String { name(event.time, event.id, ending) }

    /// The time goes first, so that the names are in order; 13 digits of milliseconds last until the year 2286.
    private static func name(_ time: Int64, _ id: UUID, _ ending: String) -> String {
        let digits = String(max(0, time))
        return String(repeating: "0", count: max(0, 13 - digits.count)) + digits + "-\(id.uuidString).\(ending)"
    }

    private func names(in folder: URL) -> [String] {
        files.names(in: folder)
            .filter { name in
                [Self.ending, Self.uploadedEnding, Self.refusalEnding].contains { name.hasSuffix(".\($0)") }
            }
            .sorted()
    }
}

/// An event that the service extension saw.
package struct SpooledEvent: Sendable, Equatable {
    package var event: PushEvent
    /// Whether the extension uploaded it.
    package var isUploaded: Bool
}

/// What the service extension uploads with, beside the key that its app's developer gives it in code.
package struct ExtensionAccess: Sendable, Equatable, Codable {
    /// The server that issued the secret, as ``SDKConfiguration/server`` has it.
    package var server: String
    /// The installation's secret.
    package var installationSecret: String

    package init(server: String, installationSecret: String) {
        self.server = server
        self.installationSecret = installationSecret
    }
}
