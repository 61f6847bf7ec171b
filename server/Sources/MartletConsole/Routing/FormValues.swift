import Foundation
import MartletCore
import MartletWire

/// The values of a form or of a query, by name. Of a name that comes several times all are kept.
struct FormValues: Sendable {
    private var values: [String: [String]] = [:]
    /// Uploaded files, by name.
    private(set) var files: [String: FormFile] = [:]
    private var count = 0

    /// The most values of one form: a bound on what a browser may send.
    private static let limit = 2_000

    init() {}

    init(_ values: [String: String]) { self.values = values.mapValues { [$0] } }

    /// The one of that name, without spaces around it; `nil` where it is absent or empty.
    subscript(_ name: String) -> String? {
        let text = values[name]?.first?.trimmingCharacters(in: .whitespacesAndNewlines)
        return text?.isEmpty ?? true ? nil : text
    }

    /// All of that name.
    func all(_ name: String) -> [String] { values[name] ?? [] }

    /// As it was sent, with its spaces.
    func raw(_ name: String) -> String { values[name]?.first ?? "" }

    /// Whether a box of that name was checked.
    func isOn(_ name: String) -> Bool { self[name] != nil }

    /// All names and values, but for those of these names.
    func pairs(without names: Set<String>) -> [(name: String, value: String)] {
        values.filter { !names.contains($0.key) }.sorted { $0.key < $1.key }
            .flatMap { name, all in all.map { (name, $0) } }
    }

    /// The same with another value of that name; `nil` takes it away.
    func with(_ name: String, _ value: String?) -> FormValues {
        var form = self
        form.values[name] = value.map { [$0] }
        return form
    }

    private mutating func add(_ name: String, _ value: String) throws(Failure) {
        count += 1
        guard count <= Self.limit else {
            throw Failure(.bodyTooLarge, "The form has more than \(Self.limit) values.")
        }
        values[name, default: []].append(value)
    }
}

/// A file that was chosen in a form.
struct FormFile: Sendable {
    /// Its name on the operator's machine.
    var name: String
    var bytes: [UInt8]

    var text: String { String(decoding: bytes, as: UTF8.self) }
}

extension FormValues {
    /// Reads a query, or a form as browsers send it (URL Standard, section 5).
    init(urlEncoded text: some StringProtocol) throws(Failure) {
        try self.init(urlEncoded: Array(text.utf8))
    }

    /// The same of bytes. It goes over them once: a list of people is long.
    init(urlEncoded bytes: [UInt8]) throws(Failure) {
        for pair in bytes.split(separator: UInt8(ascii: "&")) {
            let name = pair.prefix { $0 != UInt8(ascii: "=") }
            try add(Self.decoded(name), Self.decoded(pair.dropFirst(name.count + 1)))
        }
    }

    private static func decoded(_ bytes: ArraySlice<UInt8>) -> String {
        var found: [UInt8] = []
        found.reserveCapacity(bytes.count)
        var rest = bytes
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let value = hexadecimal(rest.prefix(2)) {
                found.append(value)
                rest = rest.dropFirst(2)
            } else {
                found.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        return text(found)
    }

    private static func hexadecimal(_ digits: ArraySlice<UInt8>) -> UInt8? {
        let values = digits.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
        return values.count == 2 ? UInt8(values[0] * 16 + values[1]) : nil
    }

    /// A text without the one character that no database takes.
    private static func text(_ bytes: some Collection<UInt8>) -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        return bytes.contains(0) ? text.replacing("\0", with: "") : text
    }

    /// Reads a form that may have files.
    init(multipart body: [UInt8], boundary: String) throws(Failure) {
        for part in try MultipartBody.parts(of: body, boundary: boundary) {
            if let file = part.file {
                if !file.isEmpty { files[part.name] = FormFile(name: file, bytes: Array(part.content)) }
            } else {
                try add(part.name, Self.text(part.content))
            }
        }
    }
}
