import Foundation
import MartletCore
import MartletWire

/// The parts of a form with files as browsers send it: `multipart/form-data` (RFC 7578 over RFC 2046, section 5.1). The
/// whole body is there already, and bounded.
enum MultipartBody {
    /// One field or file.
    struct Part: Sendable, Hashable {
        var name: String
        /// The file's name on the sender's machine; `nil` for a field.
        var file: String?
        var content: ArraySlice<UInt8>
    }

    /// The most parts of one form.
    private static let limit = 200
    /// The most characters of a boundary (RFC 2046, section 5.1.1).
    private static let boundaryLimit = 70

    /// Reads a body.
    ///
    /// - Throws: `Failure` with ``ErrorCode/malformedRequest``, and with ``ErrorCode/bodyTooLarge`` for too many parts.
    static func parts(of body: [UInt8], boundary: String) throws(Failure) -> [Part] {
        let delimiter = Array("--\(boundary)".utf8)
        guard (1...boundaryLimit).contains(boundary.utf8.count), body.starts(with: delimiter) else { throw malformed }
        let separator = [13, 10] + delimiter
        var parts: [Part] = []
        var rest = body[delimiter.count...]
        while !rest.starts(with: Array("--".utf8)) {
            guard parts.count < limit else {
                throw Failure(.bodyTooLarge, "The form has more than \(limit) parts.")
            }
            guard rest.starts(with: [13, 10]) else { throw malformed }
            rest = rest.dropFirst(2)
            guard let end = range(of: separator, in: rest) else { throw malformed }
            parts.append(try part(of: rest[..<end.lowerBound]))
            rest = rest[end.upperBound...]
        }
        return parts
    }

    /// Where bytes that begin with CR LF stand first. A file is long: it is looked at as memory.
    private static func range(of wanted: [UInt8], in bytes: ArraySlice<UInt8>) -> Range<Int>? {
        let found = bytes.withUnsafeBufferPointer { all -> Int? in
            var index = 0
            while index + wanted.count <= all.count {
                if all[index] == 13, all[index + 1] == 10, wanted.indices.allSatisfy({ all[index + $0] == wanted[$0] })
                {
                    return index
                }
                index += 1
            }
            return nil
        }
        return found.map { bytes.startIndex + $0..<bytes.startIndex + $0 + wanted.count }
    }

    private static func part(of bytes: ArraySlice<UInt8>) throws(Failure) -> Part {
        guard let end = range(of: [13, 10, 13, 10], in: bytes) else { throw malformed }
        let head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
        let lines = head.split(separator: "\r\n")
        guard let line = lines.first(where: { $0.lowercased().hasPrefix("content-disposition:") }),
            let name = value("name", in: line)
        else { throw malformed }
        return Part(name: name, file: value("filename", in: line), content: bytes[end.upperBound...])
    }

    /// A parameter in quotation marks, in which browsers write `%22` for one (HTML Living Standard, "Multipart form data").
    private static func value(_ name: String, in line: Substring) -> String? {
        guard let begin = line.range(of: "; \(name)=\"")?.upperBound,
            let end = line[begin...].firstIndex(of: "\"")
        else { return nil }
        return String(line[begin..<end]).replacing("%22", with: "\"")
    }

    private static let malformed = Failure(
        .malformedRequest,
        "The form cannot be read.",
        hint: "Load the page again and send it anew."
    )
}
