import Mustache

/// How pages escape texts: scalar by scalar. The template library's own way goes by what a reader takes for one character,
/// and a quotation mark or a bracket that a mark of another script is joined to is none of its five.
struct PageText: MustacheContentType {
    /// What templates are told to escape by.
    private static let name = "PAGE"

    func escapeText(_ text: String) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "<"): bytes += "&lt;".utf8
            case UInt8(ascii: ">"): bytes += "&gt;".utf8
            case UInt8(ascii: "&"): bytes += "&amp;".utf8
            case UInt8(ascii: "\""): bytes += "&quot;".utf8
            case UInt8(ascii: "'"): bytes += "&#39;".utf8
            default: bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A template that escapes so. Each partial has to say it: what was said outside does not hold in it.
    static func template(_ bytes: [UInt8]) -> String {
        MustacheContentTypes.register(PageText(), named: name)
        return "{{% CONTENT_TYPE: \(name)}}\n" + String(decoding: bytes, as: UTF8.self)
    }
}
