import Foundation

/// What a server said to one request.
public struct RawAnswer: Sendable {
    /// The status; 0 when it said nothing that is HTTP.
    public var status: Int
    /// The head, with the names of its fields in small letters.
    private var fields: [String: String] = [:]
    /// The body.
    public var body: String

    /// Reads an answer; one without a head has status 0.
    public init(_ text: String) {
        let parts = text.components(separatedBy: "\r\n\r\n")
        var lines = parts[0].components(separatedBy: "\r\n")
        let words = lines.removeFirst().split(separator: " ")
        status = words.count > 1 && words[0].hasPrefix("HTTP/1.") ? Int(words[1]) ?? 0 : 0
        body = parts.dropFirst().joined(separator: "\r\n\r\n")
        for line in lines {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            fields[line[..<colon].lowercased()] = value
        }
    }

    /// A field of the head.
    public subscript(name: String) -> String? { fields[name] }
}
