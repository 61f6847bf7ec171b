import Foundation
import HTTPTypes
import Hummingbird
import MartletCore
import MartletWire

/// What the console reads of a request's head.
struct RequestReader: Sendable {
    let request: Request
    /// Whether the browser came over TLS, also where a proxy ended it.
    let isSecure: Bool

    private static let sessionName = "martlet_session"
    private static let browserName = "martlet_browser"
    private static let languageName = "martlet_language"
    private static let zoneName = "martlet_zone"

    /// The session's secret, where a browser has one. Of two nobody knows which is the browser's own: another site of the
    /// same domain may have set one.
    var sessionSecret: SessionSecret? { secret(Self.sessionName) }

    /// What the browser has kept of an earlier sign-in.
    var browserSecret: SessionSecret? { secret(Self.browserName) }

    private func secret(_ name: String) -> SessionSecret? {
        let found = Set(cookies(name))
        return found.count == 1 ? found.first.flatMap { SessionSecret($0) } : nil
    }

    /// The languages that the reader wants, best first: the one of the switch, then the browser's.
    var languages: [String] {
        let chosen = [request.uri.queryParameters["lang"].map(String.init), cookies(Self.languageName).first]
        return chosen.compactMap(\.self) + accepted
    }

    /// The reader's zone: the one that was just chosen, or the browser's as the page's script said it.
    var zone: TimeZone {
        let chosen = [request.uri.queryParameters["times_in"].map(String.init), cookies(Self.zoneName).first]
        let names = chosen.compactMap { $0?.removingPercentEncoding }
        return names.lazy.compactMap(ViewerZone.named).first ?? ViewerZone.utc
    }

    /// How many languages and cookies are looked at: more than a browser sends.
    private static let most = 200

    private var accepted: [String] {
        (request.headers[.acceptLanguage] ?? "").split(separator: ",", maxSplits: Self.most).prefix(Self.most)
            .map { part -> (tag: String, weight: Double) in
                let pieces = part.split(separator: ";")
                let weight = pieces.dropFirst().first { $0.trimmingCharacters(in: .whitespaces).hasPrefix("q=") }
                    .flatMap { Double($0.trimmingCharacters(in: .whitespaces).dropFirst(2)) }
                return (pieces.first?.trimmingCharacters(in: .whitespaces).lowercased() ?? "", weight ?? 1)
            }
            .sorted { $0.weight > $1.weight }.map { String($0.tag.prefix(2)) }
    }

    /// The values of all cookies of a name; where there are too many, of none.
    private func cookies(_ name: String) -> [String] {
        let pairs = request.headers[values: .cookie].flatMap { $0.utf8.split(separator: UInt8(ascii: ";")) }
        guard pairs.count <= Self.most else { return [] }
        return pairs.compactMap { pair in
            let parts = Substring(pair).split(separator: "=", maxSplits: 1)
            guard parts.count == 2, parts[0].trimmingCharacters(in: .whitespaces) == name else { return nil }
            return parts[1].trimmingCharacters(in: .whitespaces)
        }
    }

    /// Whether its form may have files.
    var isMultipart: Bool { request.headers[.contentType]?.lowercased().hasPrefix("multipart/form-data") ?? false }

    /// A form's boundary, where it may have files.
    var boundary: String? {
        guard isMultipart, let type = request.headers[.contentType],
            let begin = type.range(of: "boundary=")?.upperBound
        else { return nil }
        return type[begin...].prefix { $0 != ";" }.trimmingCharacters(in: ["\"", " "])
    }

    /// Whether a form was sent by a page of ours, as the browser says it (Fetch Metadata; RFC 6454, section 7). A client
    /// that says neither is no browser and has nobody's cookie.
    var isFromOwnPage: Bool {
        if let site = request.headers[Self.fetchSite] { return site == "same-origin" || site == "none" }
        guard let origin = request.headers[.origin], let host = request.head.authority else { return true }
        return origin.split(separator: "/", maxSplits: 1).last.map { $0.drop { $0 == "/" } == host } ?? false
    }

    /// Whether a browser says that a page of ours sent a form: for what is answered to nobody who leaves it open.
    var isSurelyFromOwnPage: Bool {
        if let site = request.headers[Self.fetchSite] { return site == "same-origin" }
        guard let address = request.headers[.origin] ?? request.headers[.referer], let host = request.head.authority
        else { return false }
        let parts = address.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        let schemes = isSecure ? ["https:"] : ["http:", "https:"]
        return parts.count > 2 && schemes.contains(String(parts[0])) && parts[1].isEmpty && parts[2] == host
    }

    private static let fetchSite = HTTPField.Name("Sec-Fetch-Site")!  // a literal

    /// The session's cookie; `nil` ends it.
    func cookie(_ secret: SessionSecret?) -> String {
        let age = secret == nil ? 0 : OperatorSession.wholeLimit.components.seconds
        let value = "\(Self.sessionName)=\(secret?.text ?? ""); Path=/console; Max-Age=\(age); HttpOnly; SameSite=Lax"
        return isSecure ? value + "; Secure" : value
    }

    /// The cookie by which a browser is known when its session has ended: for 400 days, the most that browsers keep one.
    func browserCookie(_ secret: SessionSecret) -> String {
        let value = "\(Self.browserName)=\(secret.text); Path=/console; Max-Age=34560000; HttpOnly; SameSite=Lax"
        return isSecure ? value + "; Secure" : value
    }

    /// A cookie that changes with each send: browsers drop the pages that they keep in memory when one does, the form among
    /// them, so that going back asks for it anew.
    func sentCookie(_ id: PublicID) -> String {
        let value = "martlet_sent=\(id); Path=/console; HttpOnly; SameSite=Lax"
        return isSecure ? value + "; Secure" : value
    }

    /// The cookie of a zone that was chosen, for a year.
    func zoneCookie(_ zone: TimeZone) -> String {
        "\(Self.zoneName)=\(Link.escaped(zone.identifier)); Path=/console; Max-Age=31536000; SameSite=Lax"
    }

    /// The cookie of the language's switch, for a year.
    func languageCookie(_ language: String) -> String {
        "\(Self.languageName)=\(language); Path=/console; Max-Age=31536000; SameSite=Lax"
    }
}

extension Request {
    /// Whether it came over TLS, as a proxy that ended it says.
    var isSecure: Bool { headers[HTTPField.Name("X-Forwarded-Proto")!]?.lowercased() == "https" }  // a literal
}
