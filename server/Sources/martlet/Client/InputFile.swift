import Foundation
import MartletWire

/// What the caller hands over in files or on standard input.
enum InputFile {
    /// Credentials and requests are small; what is larger is not one. The server takes 10 MB at most.
    private static let limit = 10 << 20

    /// The bytes of a file; `-` is standard input.
    ///
    /// - Throws: `CommandFailure` when it cannot be read or is too large.
    static func data(_ path: String) throws -> Data {
        if path == "-" {
            let data = (try? FileHandle.standardInput.read(upToCount: limit + 1)) ?? Data()
            guard data.count <= limit else { throw CommandFailure("Standard input has more than 10 MB.") }
            return data
        }
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue else {
            throw CommandFailure("There is no file \(path).")
        }
        let size = (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber)?.intValue ?? 0
        guard size <= limit else { throw CommandFailure("The file \(path) has more than 10 MB.") }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw CommandFailure("The file \(path) cannot be read by this user.")
        }
        return data
    }

    /// The text of a file without the line ends around it; `-` is standard input.
    static func text(_ path: String) throws -> String {
        String(decoding: try utf8(data(path), from: name(path)), as: UTF8.self)
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// The bytes of a text without the mark of the byte order, which some editors and spreadsheets write before it.
    ///
    /// - Parameter name: what a sentence calls the text.
    /// - Throws: `CommandFailure` when that mark is one of UTF-16.
    static func utf8(_ text: some Collection<UInt8>, from name: String) throws -> [UInt8] {
        if text.starts(with: [0xFF, 0xFE]) || text.starts(with: [0xFE, 0xFF]) {
            throw CommandFailure("\(name) is UTF-16.", hint: "Save it as UTF-8, then try again.")
        }
        return Array(text.starts(with: [0xEF, 0xBB, 0xBF]) ? text.dropFirst(3) : text.dropFirst(0))
    }

    /// The value in a JSON file; `-` is standard input.
    static func json(_ path: String) throws -> JSONValue { try json(data(path), from: name(path)) }

    /// What a sentence calls a file.
    static func name(_ path: String) -> String { path == "-" ? "Standard input" : path }

    /// The value of a JSON text, read as strictly as the server reads.
    ///
    /// - Parameter name: what a sentence calls the text.
    /// - Throws: `CommandFailure` that says where it is broken.
    static func json(_ text: Data, from name: String) throws -> JSONValue {
        let bytes = try utf8(text, from: name)
        do throws(JSONReader.SyntaxError) { return try JSONReader.read(bytes) } catch {
            let line = error.line > 1 ? "in line \(error.line), " : ""
            throw CommandFailure("\(name) is not JSON. \(error.reason), \(line)at byte \(error.position).")
        }
    }
}
