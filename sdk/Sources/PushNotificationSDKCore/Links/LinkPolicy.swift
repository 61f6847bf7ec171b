package import Foundation

/// Which links of notifications may be opened: an allow-list by scheme, host and path. What no rule allows is refused
/// and reaches `PushNotificationSDK.onError`.
///
///     PushNotificationSDK.linkPolicy = LinkPolicy([
///         .web("example.com"), .web("*.example.com", path: "/shop"), .deepLink("myapp"),
///     ])
public struct LinkPolicy: Sendable, Equatable {
    /// One kind of link that may be opened.
    public struct Rule: Sendable, Equatable {
        /// Compared without case.
        public let scheme: String
        /// Compared without case: a name, `*.` and a name for everything below it, or `nil` for any and none.
        public let host: String?
        /// The beginning of the path, whole segments of it; `nil` for any.
        public let path: String?

        /// A rule from its parts.
        ///
        /// - Parameters:
        ///   - scheme: such as `https` or `myapp`. Schemes that run text or read files are refused in spite of a rule.
        ///   - host: a name in ASCII (an international one in its `xn--` form), with `:port` where it is not the
        ///     scheme's own.
        ///   - path: `/shop` allows `/shop` and `/shop/1`, not `/shopping`.
        public init(scheme: String, host: String? = nil, path: String? = nil) {
            self.scheme = scheme.lowercased()
            self.host = host?.lowercased()
            self.path = path
        }

        /// Pages of a host, over https.
        public static func web(_ host: String, path: String? = nil) -> Rule {
            Rule(scheme: "https", host: host, path: path)
        }

        /// Links into an app, by their scheme.
        public static func deepLink(_ scheme: String, host: String? = nil, path: String? = nil) -> Rule {
            Rule(scheme: scheme, host: host, path: path)
        }
    }

    /// What may be opened.
    public var rules: [Rule]

    /// A policy that allows what its rules allow, and nothing else.
    public init(_ rules: [Rule]) {
        self.rules = rules
    }

    /// Nothing is opened.
    public static let nothing = LinkPolicy([])

    /// Links with the schemes that an app declares as its own in its `Info.plist` (`CFBundleURLTypes`); no web page.
    ///
    /// It is what holds as long as an app sets no policy.
    public static func ownSchemes(_ information: [String: Any]?) -> LinkPolicy {
        let types = information?["CFBundleURLTypes"] as? [[String: Any]] ?? []
        let schemes = types.flatMap { $0["CFBundleURLSchemes"] as? [String] ?? [] }
        return LinkPolicy(schemes.filter { !LinkText.webSchemes.contains($0.lowercased()) }.map { .deepLink($0) })
    }
}

/// What is to be done with a link.
package enum LinkDecision: Sendable, Equatable {
    /// It is a page: show it in a browser.
    case web(URL)
    /// It leads into an app: hand it over.
    case deepLink(URL)
    /// It is not opened.
    case refused(LinkRefusal)
}

extension LinkPolicy {
    /// Decides about a link as it stands in a payload.
    package func decision(for text: String) -> LinkDecision {
        do throws(LinkRefusal) {
            let link = try LinkText(text)
            let ofScheme = rules.filter { $0.scheme == link.scheme }
            guard !ofScheme.isEmpty else { return .refused(.scheme) }
            let ofHost = ofScheme.filter { $0.allows(host: link.host, port: link.port, scheme: link.scheme) }
            guard !ofHost.isEmpty else { return .refused(.host) }
            guard ofHost.contains(where: { $0.allows(path: link.path) }) else { return .refused(.path) }
            return LinkText.webSchemes.contains(link.scheme) ? .web(link.url) : .deepLink(link.url)
        } catch {
            return .refused(error)
        }
    }
}

extension LinkPolicy.Rule {
    func allows(host: String, port: Int?, scheme: String) -> Bool {
        let usual = scheme == "https" ? 443 : scheme == "http" ? 80 : nil
        let written = port == nil || port == usual ? host : "\(host):\(port ?? 0)"
        // A page needs a host that a rule names: "any host" is meant for links into apps.
        guard let allowed = self.host else { return !LinkText.webSchemes.contains(scheme) }
        guard allowed.hasPrefix("*.") else { return written == allowed }
        return written.hasSuffix(allowed.dropFirst(1)) && written.utf8.count > allowed.utf8.count - 1
    }

    func allows(path: String) -> Bool {
        guard let allowed = self.path, allowed != "/" else { return true }
        let beginning = allowed.hasSuffix("/") ? String(allowed.dropLast()) : allowed
        return path == beginning || path.hasPrefix(beginning + "/")
    }
}
