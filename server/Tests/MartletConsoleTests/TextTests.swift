import Foundation
import MartletTesting
import Testing

@testable import MartletConsole

@Suite("Texts and templates") struct TextTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Sources/MartletConsole")

    private func names(in folder: String, ending: String) throws -> Set<String> {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.appending(path: folder).path)
        return Set(files.filter { $0.hasSuffix(ending) })
    }

    private func holes(_ text: String) -> Set<String> {
        Set(text.matches(of: /\{(\w+)\}/).map { String($0.1) })
    }

    @Test("both languages have the same texts, with the same holes")
    func languages() {
        let (english, japanese) = (Texts(preferred: ["en"]).all, Texts(preferred: ["ja"]).all)
        let keys = Set(english.keys)
        #expect(keys.symmetricDifference(japanese.keys).sorted() == [])
        for (key, text) in english where !key.hasSuffix("_one") {
            #expect(holes(text) == holes(japanese[key] ?? ""), "\(key)")
        }
        #expect(english.values.allSatisfy { !$0.isEmpty } && japanese.values.allSatisfy { !$0.isEmpty })
        #expect(keys.count > 50)
    }

    @Test("every file of texts and every template is in use")
    func registered() throws {
        let templates = Set(PageLibrary.sources.map { "\($0.name).mustache" })
        #expect(try names(in: "Pages", ending: ".mustache").symmetricDifference(templates).sorted() == [])
        #expect(try names(in: "Texts", ending: ".en.json").count == Texts.sources["en"]?.count)
        let japanese = [Texts.sources["ja"]?.count, Texts.sentenceSources.count].compactMap(\.self)
        #expect(try names(in: "Texts", ending: ".ja.json").count == japanese.reduce(0, +))
    }

    @Test("every text that a template names is there, and no template has a style, a script or text without escaping")
    func named() throws {
        let texts = Texts(preferred: ["en"]).all
        for (name, bytes) in PageLibrary.sources {
            let template = String(decoding: bytes, as: UTF8.self)
            for found in template.matches(of: /\{\{t\.([\w.]+)\}\}/) {
                #expect(texts[String(found.1)] != nil, "\(name): \(found.1)")
            }
            #expect(!template.contains("style=") && !template.contains("onclick") && !template.contains("<style"))
            for script in template.matches(of: /<script[^>]*>/) { #expect(script.0.contains("src="), "\(name)") }
        }
    }

    @Test("every text that the code names is there")
    func called() throws {
        let texts = Texts(preferred: ["en"]).all
        let files = FileManager.default.enumerator(at: Self.folder, includingPropertiesForKeys: nil)
        var count = 0
        for case let file as URL in files ?? .init() where file.pathExtension == "swift" {
            let source = try String(contentsOf: file, encoding: .utf8)
            for found in source.matches(of: /texts\["([\w.]+)"[\],]/) {
                count += 1
                #expect(texts[String(found.1)] != nil, "\(file.lastPathComponent): \(found.1)")
            }
            for found in source.matches(of: /counted\("([\w.]+)"/) {
                #expect(texts[String(found.1)] != nil, "\(file.lastPathComponent): \(found.1)")
            }
        }
        #expect(count > 5)
    }

    @Test(
        "numbers are read in groups of three",
        arguments: [(0, "0"), (999, "999"), (1_000, "1,000"), (1_234_567, "1,234,567"), (-12_345, "-12,345")]
    )
    func numbers(value: Int, text: String) { #expect(Texts.number(value) == text) }

    @Test("a template's text is escaped")
    func escaped() throws {
        var page = Page(template: "error", title: "<script>", values: ["message": "\"><img src=x>&'"])
        page.values["has_field"] = false
        let call = ConsoleCall.sample
        let text = try PageLibrary().render(page, call)
        #expect(!text.contains("<img") && !text.contains("<title><script>"))
        #expect(text.contains("&quot;&gt;&lt;img src=x&gt;&amp;"))
    }
}
