import Foundation

/// The lines of a file or of standard input, of which only a few are in memory at a time.
struct FileLines {
    /// One line, without its line break.
    struct Line {
        /// Which one it is, from 1.
        var number: Int
        /// Its bytes, or its beginning where it is longer than the limit.
        var bytes: [UInt8]
        /// Whether it is longer.
        var isTooLong: Bool
    }

    private static let chunkSize = 64 << 10

    /// How many bytes there are; 0 where that is not known.
    let size: Int
    /// How many bytes were read.
    private(set) var done = 0

    private let name: String
    private let handle: FileHandle
    private let limit: Int
    private var chunk: ArraySlice<UInt8> = []
    private var number = 0

    /// Opens a file; `-` is standard input.
    ///
    /// - Parameter limit: the most bytes of a line.
    /// - Throws: `CommandFailure` when it cannot be read.
    init(_ path: String, limit: Int) throws {
        self.limit = limit
        if path == "-" {
            (name, handle, size) = ("Standard input", .standardInput, 0)
            return
        }
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue else {
            throw CommandFailure("There is no file \(path).")
        }
        guard let handle = FileHandle(forReadingAtPath: path) else {
            throw CommandFailure("The file \(path) cannot be read by this user.")
        }
        (name, self.handle) = ("The file \(path)", handle)
        size = (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber)?.intValue ?? 0
    }

    /// The next line that is not empty; `nil` at the end.
    ///
    /// - Throws: `CommandFailure` when the file cannot be read on.
    mutating func next() throws -> Line? {
        while let line = try nextLine() {
            if !line.bytes.isEmpty { return line }
        }
        return nil
    }

    private mutating func nextLine() throws -> Line? {
        var bytes: [UInt8] = []
        var isTooLong = false
        var isEnded = false
        while !isEnded {
            if chunk.isEmpty { try readChunk() }
            guard !chunk.isEmpty else { break }
            let end = chunk.firstIndex(of: UInt8(ascii: "\n"))
            let part = chunk[..<(end ?? chunk.endIndex)]
            let kept = part.prefix(limit - bytes.count)
            bytes += kept
            isTooLong = isTooLong || kept.count < part.count
            isEnded = end != nil
            done += part.count + (isEnded ? 1 : 0)
            chunk = chunk[(part.endIndex + (isEnded ? 1 : 0))...]
        }
        guard isEnded || !bytes.isEmpty else { return nil }
        number += 1
        if !isTooLong, bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        if number == 1 { bytes = try InputFile.utf8(bytes, from: name) }
        return Line(number: number, bytes: bytes, isTooLong: isTooLong)
    }

    private mutating func readChunk() throws {
        do { chunk = ArraySlice(try handle.read(upToCount: Self.chunkSize) ?? Data()) } catch {
            throw CommandFailure("\(name) cannot be read on after line \(number).", status: .failed)
        }
    }
}
