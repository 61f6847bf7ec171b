/// Whether a tap may lead to an address: one of the web, or one that an app opens by a scheme of its own. A pure value.
enum LinkCheck {
    /// Schemes of what a browser or a system does itself, and no app is opened by.
    private static let refused: Set<String> = [
        "javascript", "vbscript", "data", "file", "blob", "about", "filesystem", "view-source", "jar", "ws", "wss",
    ]

    static func isTappable(_ link: String) -> Bool {
        guard
            !link.unicodeScalars.contains(where: { $0.properties.isWhitespace || $0.value < 0x20 || $0.value == 0x7F }),
            let colon = link.firstIndex(of: ":")
        else { return false }
        let (scheme, rest) = (link[..<colon].lowercased(), link[link.index(after: colon)...])
        // RFC 3986, section 3.1.
        guard let first = scheme.utf8.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first),
            scheme.utf8.allSatisfy({ $0 < 0x80 }),
            scheme.allSatisfy({ $0.isLetter || $0.isNumber || "+-.".contains($0) }), !refused.contains(scheme)
        else { return false }
        let isOfWeb = scheme == "http" || scheme == "https"
        return isOfWeb ? rest.hasPrefix("//") && rest.count > 2 : !rest.isEmpty
    }
}
