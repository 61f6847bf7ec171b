import Foundation

/// Addresses within the console.
enum Link {
    /// What may stand in a value of a query as it is (RFC 3986, section 2.3).
    private static let plain = CharacterSet.alphanumerics.intersection(CharacterSet(charactersIn: "\0"..."\u{7F}"))
        .union(CharacterSet(charactersIn: "-._~"))

    /// A query, in the order of the names; absent values are left out.
    static func query(_ values: KeyValuePairs<String, String?>) -> String {
        values.compactMap { name, value in value.map { "\(name)=\(escaped($0))" } }.joined(separator: "&")
    }

    /// A value as a part of a path or a query.
    static func escaped(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
    }

    /// The address if it is one of the console's own, else the first page: nobody is led elsewhere.
    static func local(_ address: String) -> String {
        let isOwn = address == "/console" || address.hasPrefix("/console/") || address.hasPrefix("/console?")
        let isPlain = address.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") }
        return isOwn && isPlain ? address : "/console"
    }
}
