import Foundation
import MartletCore
import MartletWire

/// The values of a form or of a query, by name. Of a name that comes several times all are kept.
struct FormValues: Sendable {
    private var values: [String: [String]] = [:]
    /// Uploaded files, by name.
    private(set) var files: [String: FormFile] = [:]

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

    private mutating func add(_ name: String, _ value: String) throws(Failure) {
        values[name, default: []].append(value)
        guard values.values.reduce(0, { $0 + $1.count }) <= Self.limit else {
            throw Failure(.bodyTooLarge, "The form has more than \(Self.limit) values.")
        }
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
        for pair in text.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            try add(Self.decoded(parts[0]), parts.count > 1 ? Self.decoded(parts[1]) : "")
        }
    }

    private static func decoded(_ text: some StringProtocol) -> String {
        let spaced = String(text.map { $0 == "+" ? " " : $0 })
        return spaced.removingPercentEncoding ?? spaced
    }

    /// Reads a form that may have files.
    init(multipart body: [UInt8], boundary: String) throws(Failure) {
        for part in try MultipartBody.parts(of: body, boundary: boundary) {
            if let file = part.file {
                if !file.isEmpty { files[part.name] = FormFile(name: file, bytes: Array(part.content)) }
            } else {
                try add(part.name, String(decoding: part.content, as: UTF8.self))
            }
        }
    }
}
