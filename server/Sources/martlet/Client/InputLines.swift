import Foundation

/// The lines of a file or of standard input, read a part at a time.
struct InputLines {
    /// How many bytes the file has; 0 where that is not known.
    let size: Int
    /// How many bytes of it are behind the last line that was given.
    private(set) var position = 0
    /// The number of that line, from 1.
    private(set) var number = 0

    private let name: String
    private let file: FileHandle
    private var bytes: [UInt8] = []
    private var start = 0
    private var isAtEnd = false

    /// The longest line: what the server takes in one request.
    private static let lineLimit = 1 << 20
    private static let partSize = 64 * 1024

    /// Opens a file; `-` is standard input.
    ///
    /// - Throws: `CommandFailure` when it cannot be read.
    init(_ path: String) throws {
        guard path != "-" else {
            (name, file, size) = ("Standard input", .standardInput, 0)
            return
        }
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue else {
            throw CommandFailure("There is no file \(path).")
        }
        guard let opened = FileHandle(forReadingAtPath: path) else {
            throw CommandFailure("The file \(path) cannot be read by this user.")
        }
        (name, file) = ("The file \(path)", opened)
        size = (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber)?.intValue ?? 0
    }

    /// The next line without its end; `nil` after the last.
    ///
    /// - Throws: `CommandFailure` for a line over the limit, and when the file cannot be read on.
    mutating func next() throws -> Data? {
        var searched = start
        while true {
            if let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) { return line(to: end, next: end + 1) }
            guard !isAtEnd else { return start < bytes.count ? line(to: bytes.count, next: bytes.count) : nil }
            bytes.removeFirst(start)
            start = 0
            searched = bytes.count
            guard searched <= Self.lineLimit else {
                throw CommandFailure(
                    "Line \(number + 1) has more than 1 MiB.",
                    hint: "Write one notification on a line."
                )
            }
            try readPart()
        }
    }

    private mutating func readPart() throws {
        do {
            let part = try file.read(upToCount: Self.partSize) ?? Data()
            isAtEnd = part.isEmpty
            bytes += part
        } catch {
            throw CommandFailure("\(name) cannot be read on after line \(number).", status: .failed)
        }
    }

    private mutating func line(to end: Int, next: Int) -> Data {
        let line = Data(bytes[start..<end])
        position += next - start
        start = next
        number += 1
        return line
    }
}
