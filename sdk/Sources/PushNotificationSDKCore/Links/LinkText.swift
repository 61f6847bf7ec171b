import Foundation

/// A link taken apart by its bytes, so that what is allowed does not depend on how lenient a system's `URL` is.
struct LinkText: Equatable {
    /// Links of campaigns are short; longer ones are refused.
    static let longest = 2048

    /// In lower case.
    let scheme: String
    /// In lower case; empty where the link has none.
    let host: String
    let port: Int?
    /// From the first slash on, as it stands, `/` where there is none.
    let path: String
    /// What is opened: the text with everything beyond ASCII percent-encoded.
    let url: URL

    init(_ text: String) throws(LinkRefusal) {
        guard !text.isEmpty, text.utf8.count <= Self.longest, text.utf8.allSatisfy(Self.isAllowed) else {
            throw .malformed
        }
        // From here on there is nothing but ASCII, where a character is a byte.
        let text = Self.encoded(text)
        guard let colon = text.firstIndex(of: ":") else { throw .malformed }
        let scheme = text[..<colon].lowercased()
        guard Self.isScheme(scheme) else { throw .malformed }
        guard !Self.neverOpened.contains(scheme) else { throw .scheme }
        var rest = text[text.index(after: colon)...]
        var authority: Substring = ""
        if rest.hasPrefix("//") {
            rest = rest.dropFirst(2)
            let end = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
            authority = rest[..<end]
            rest = rest[end...]
        } else if Self.webSchemes.contains(scheme) {
            throw .malformed
        }
        (host, port) = try Self.host(of: authority)
        guard !host.isEmpty || !Self.webSchemes.contains(scheme) else { throw .malformed }
        path = try Self.path(of: rest)
        self.scheme = scheme
        url = try Self.url(of: text, scheme: scheme, host: host)
    }

    /// Schemes that show a page, and nothing else.
    static let webSchemes: Set<String> = ["http", "https"]

    /// Schemes that run text as a program, or read the device's own files: no rule allows them.
    private static let neverOpened: Set<String> = [
        "about", "blob", "content", "data", "file", "filesystem", "javascript", "vbscript", "view-source",
    ]

    /// No control character, no blank, and nothing that RFC 3986 leaves out and a browser may turn into something
    /// else. Bytes from 0x80 on belong to text that is encoded before it is opened.
    private static func isAllowed(_ byte: UInt8) -> Bool {
        byte > 0x20 && byte != 0x7F && !"\"<>\\^`{|}".utf8.contains(byte)
    }

    /// RFC 3986, section 3.1.
    private static func isScheme(_ text: String) -> Bool {
        guard let first = text.utf8.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first) else { return false }
        return text.utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "+-.".utf8.contains(byte)
        }
    }

    /// A name is letters, digits, hyphens and dots, no label of it empty: so there is no final dot, no percent sign, no
    /// letter of another script. What stands before an `@` is a name and a password, and never belongs in a link.
    private static func host(of authority: Substring) throws(LinkRefusal) -> (String, Int?) {
        guard !authority.contains("@") else { throw .credentials }
        var name = authority
        var port: Int?
        if let colon = authority.firstIndex(of: ":") {
            let digits = authority[authority.index(after: colon)...]
            guard let number = UInt16(digits), number > 0, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
                throw .host
            }
            port = Int(number)
            name = authority[..<colon]
        }
        let host = name.lowercased()
        guard host.isEmpty || host.split(separator: ".", omittingEmptySubsequences: false).allSatisfy(isLabel) else {
            throw .host
        }
        return (host, port)
    }

    private static func isLabel(_ label: Substring) -> Bool {
        (1...63).contains(label.utf8.count)
            && label.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "-_".utf8.contains(byte)
            }
    }

    /// A rule speaks of the path as it stands; so a path that a server could read as another one is refused.
    private static func path(of rest: Substring) throws(LinkRefusal) -> String {
        let path = rest.prefix { !"?#".contains($0) }
        let lowered = path.lowercased()
        guard !lowered.contains("%2f"), !lowered.contains("%5c"), !lowered.contains("%00") else { throw .path }
        let segments = lowered.replacingOccurrences(of: "%2e", with: ".").split(separator: "/")
        guard !segments.contains(where: { $0 == "." || $0 == ".." }) else { throw .path }
        return path.isEmpty ? "/" : String(path)
    }

    private static func encoded(_ text: String) -> String {
        var ascii = ""
        for byte in text.utf8 {
            if byte < 0x80 {
                ascii.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                ascii += "%" + String(byte, radix: 16, uppercase: true)
            }
        }
        return ascii
    }

    private static func url(of text: String, scheme: String, host: String) throws(LinkRefusal) -> URL {
        // The system has to read the link as it was read here.
        guard let url = URL(string: text), url.scheme?.lowercased() == scheme, url.user == nil,
            (url.host ?? "").lowercased() == host
        else { throw .malformed }
        return url
    }
}
