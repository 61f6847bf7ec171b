import Foundation

/// What went wrong with the state's file.
package struct StateFileError: Error, Sendable, CustomStringConvertible {
    package var description: String
}

/// The backend's state on the disk: one file to whose end lines are added.
///
/// A line counts when it is whole. The process can end at any byte: a torn end is cut off when the file is opened. A
/// broken line that whole lines follow is no torn end, and the file is refused.
package final class StateFile {
    /// Compacted when it is larger, and much larger than what it says.
    package var compactionSize = 4 * 1024 * 1024
    /// The largest file that is opened.
    private static let limit = 512 * 1024 * 1024

    package private(set) var ledger = Ledger()
    /// Bytes of a torn end that were cut off at the opening.
    package private(set) var tornBytes = 0
    private let path: String
    private var handle: FileHandle
    private var size = 0
    private var compactedSize = 0

    /// - Parameter epoch: for a new file.
    package init(path: String, epoch: @autoclosure () -> String = StateFile.randomEpoch()) throws {
        self.path = path
        if !FileManager.default.fileExists(atPath: path) {
            try Self.replace(path, with: try JournalLine.bytes(.began(epoch: epoch())))
        }
        guard let handle = FileHandle(forUpdatingAtPath: path) else {
            throw StateFileError(description: "The state \(path) cannot be opened.")
        }
        self.handle = handle
        try lock()
        try load()
    }

    /// Adds lines and returns when they are on the disk.
    package func append(_ records: [StateRecord]) throws {
        guard !records.isEmpty else { return }
        var bytes = Data()
        for record in records { bytes += try JournalLine.bytes(record) }
        try handle.write(contentsOf: bytes)
        try handle.synchronize()
        size += bytes.count
        for record in records { ledger.apply(record) }
        if size > compactionSize, size > 4 * compactedSize { try compact() }
    }

    /// Eight random digits.
    package static func randomEpoch() -> String {
        let digits = String(UInt32.random(in: .min ... .max), radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }

    private func load() throws {
        let bytes = try handle.readToEnd() ?? Data()
        guard bytes.count <= Self.limit else { throw StateFileError(description: "The state \(path) is too large.") }
        var start = bytes.startIndex
        while start < bytes.endIndex {
            let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n"))
            guard let end, let record = JournalLine.record(bytes[start..<end]) else { break }
            ledger.apply(record)
            start = end + 1
        }
        try cutOff(bytes[start...])
        size = bytes.count - tornBytes
        compactedSize = size
        guard !ledger.epoch.isEmpty else { throw StateFileError(description: "The state \(path) has no beginning.") }
    }

    /// A write ends in the middle when the process or the machine does; nothing can come after that.
    private func cutOff(_ rest: Data) throws {
        guard !rest.isEmpty else { return }
        let lines = rest.split(separator: UInt8(ascii: "\n"))
        guard !lines.dropFirst().contains(where: { JournalLine.record($0) != nil }) else {
            throw StateFileError(description: "The state \(path) is damaged in the middle; restore it or remove it.")
        }
        tornBytes = rest.count
        try handle.truncate(atOffset: UInt64(rest.startIndex))
        try handle.synchronize()
        try handle.seekToEnd()
    }

    private func compact() throws {
        var bytes = Data()
        for record in ledger.compacted { bytes += try JournalLine.bytes(record) }
        try Self.replace(path, with: bytes)
        guard let new = FileHandle(forUpdatingAtPath: path) else {
            throw StateFileError(description: "The state \(path) cannot be opened again.")
        }
        try new.seekToEnd()
        try? handle.close()
        handle = new
        try lock()
        size = bytes.count
        compactedSize = size
    }

    /// Two backends with one state would tell everybody twice.
    private func lock() throws {
        guard flock(handle.fileDescriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw StateFileError(description: "The state \(path) is in use by another process.")
        }
    }

    /// Writes a file that is there whole or not at all.
    private static func replace(_ path: String, with bytes: Data) throws {
        let new = path + ".new"
        guard FileManager.default.createFile(atPath: new, contents: nil),
            let handle = FileHandle(forWritingAtPath: new)
        else { throw StateFileError(description: "The state \(new) cannot be written.") }
        try handle.write(contentsOf: bytes)
        try handle.synchronize()
        try handle.close()
        guard rename(new, path) == 0 else { throw StateFileError(description: "The state \(path) cannot be replaced.") }
        let folder = open(URL(fileURLWithPath: path).deletingLastPathComponent().path, O_RDONLY)
        guard folder >= 0 else { return }
        fsync(folder)
        close(folder)
    }
}
