import Foundation

/// A webhook URL that is subscribed: an `http` or `https` URL taken apart so strictly that no other parser can find
/// another host in it.
package struct WebhookURL: Sendable, Hashable {
    /// Whether it is `https`.
    package let isTLS: Bool
    /// Who is called.
    package let host: URLHost
    /// The whole URL with the host in its one form, without user and password.
    package let text: String
    /// `Basic …` where the URL has a user: SNS presents user and password so.
    package let authorization: String?

    /// Reads a URL of at most 2,048 bytes; `nil` for anything that is no such URL, or has more than one reading.
    package init?(_ url: String) {
        guard url.utf8.count <= 2048,
            url.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") && $0 != UInt8(ascii: "#") }),
            let mark = url.firstRange(of: "://")
        else { return nil }
        switch url[..<mark.lowerBound].lowercased() {
        case "http": isTLS = false
        case "https": isTLS = true
        default: return nil
        }
        let rest = url[mark.upperBound...]
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        let parts = authority.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count <= 2, let place = parts.last, let (host, port) = URLHost.split(place) else { return nil }
        self.host = host
        if parts.count == 2 {
            guard let user = String(parts[0]).removingPercentEncoding, !user.isEmpty else { return nil }
            authorization = "Basic \(Data(user.utf8).base64EncodedString())"
        } else {
            authorization = nil
        }
        let path = rest[authority.endIndex...]
        let scheme = isTLS ? "https" : "http"
        text = "\(scheme)://\(host.text)\(port.map { ":\($0)" } ?? "")\(path.first == "/" ? "" : "/")\(path)"
    }

    /// A URL as it may be shown, from the form in which it was given or is stored: with `****` in place of a password, as Amazon SNS lists subscriptions, or of all that
    /// stands before the host where there is no password: what is presented alone is the secret.
    package static func masked(_ stored: String) -> String {
        let url = WebhookAddress.shown(stored)
        guard let mark = url.firstRange(of: "://") else { return url }
        let authority = url[mark.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        guard let at = authority.lastIndex(of: "@") else { return url }
        guard let colon = authority[..<at].firstIndex(of: ":"), url.index(after: colon) < at else {
            return "\(url[..<mark.upperBound])****\(url[at...])"
        }
        return "\(url[...colon])****\(url[at...])"
    }
}
