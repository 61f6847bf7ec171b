public import PushNotificationSDKCore

extension LinkPolicy.Rule {
    /// Whether the SDK opens anything by this rule. It does not where the scheme is one that no rule can allow, a page
    /// has no host, or what should be a name is none: such a rule is a slip of the pen, and nothing else says so.
    public var opensAnything: Bool {
        let name = host.map { $0.hasPrefix("*.") ? "www" + $0.dropFirst() : $0 } ?? ""
        switch LinkPolicy([self]).decision(for: "\(scheme)://\(name)\(path ?? "/")") {
        case .web, .deepLink: return true
        case .refused: return false
        }
    }
}
