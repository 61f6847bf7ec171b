import Foundation

/// A path of the REST interface, its parts and parameters encoded.
struct APIPath: Sendable, ExpressibleByStringInterpolation {
    /// What goes into the request line.
    private(set) var text: String

    /// A path below `/api/v1/`; what is interpolated is encoded as one part of it.
    init(stringInterpolation: Interpolation) { text = "/api/v1/" + stringInterpolation.text }

    /// A path below `/api/v1/`.
    init(stringLiteral value: String) { text = "/api/v1/" + value }

    /// The path with parameters; those without a value are left out.
    func query(_ parameters: [(String, String?)]) -> APIPath {
        let known = parameters.compactMap { name, value in value.map { "\(name)=\(Self.encode($0))" } }
        var path = self
        if !known.isEmpty { path.text += "?" + known.joined(separator: "&") }
        return path
    }

    /// RFC 3986, section 2.3: what is not unreserved is encoded.
    private static func encode(_ text: String) -> String {
        let unreserved = CharacterSet(
            charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
        )
        return text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }

    /// Collects the parts.
    struct Interpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        /// Nothing is known of the parts yet.
        init(literalCapacity: Int, interpolationCount: Int) {}

        /// A part that is a path already.
        mutating func appendLiteral(_ literal: String) { text += literal }

        /// A part that somebody named.
        mutating func appendInterpolation(_ part: some CustomStringConvertible) {
            text += APIPath.encode(part.description)
        }
    }
}
