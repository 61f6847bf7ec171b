import Foundation

/// Writes a Swift file with the bytes of texts, each by its file's name: `layout.mustache` is
/// `PackageResources.layout_mustache`, and `0001_lists.sql` is `_001_lists_sql`, as SwiftPM names what it embeds.
@main struct EmbedTextsTool {
    static func main() throws {
        let paths = CommandLine.arguments.dropFirst()
        guard let output = paths.first else { throw CocoaError(.fileNoSuchFile) }
        var source = "enum PackageResources {\n"
        for path in paths.dropFirst() {
            let text = try String(contentsOf: URL(filePath: path), encoding: .utf8)
            // A raw text of several lines has all as it is, but for the ends of lines, which it makes line feeds.
            guard !text.contains("\r"), !text.contains("\"\"\"###") else {
                throw CocoaError(.fileReadInapplicableStringEncoding, userInfo: [NSFilePathErrorKey: path])
            }
            let name = URL(filePath: path).lastPathComponent
                .map { $0.isLetter && $0.isASCII || $0.isNumber && $0.isASCII ? String($0) : "_" }.joined()
            let word = name.first?.isNumber == true ? "_" + name.dropFirst() : name
            source += "static let \(word) = [UInt8](###\"\"\"\n\(text)\n\"\"\"###.utf8)\n"
        }
        source += "}\n"
        let file = URL(filePath: output)
        // SwiftPM links this tool anew, and then runs it, whenever another product is built: what stands in the file already
        // is not written again, or all that is above it would be compiled again.
        guard (try? String(contentsOf: file, encoding: .utf8)) != source else { return }
        try source.write(to: file, atomically: true, encoding: .utf8)
    }
}
