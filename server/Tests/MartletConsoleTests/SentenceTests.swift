import Foundation
import HTTPTypes
import MartletTesting
import MartletWire
import Testing

@testable import MartletConsole
@testable import MartletCore

@Suite("Sentences of the code in another language") struct SentenceTests {
    /// What pages and forms of the console come to, and so whose failures are to be translated.
    private static let reached = [
        "MartletCore/Failure.swift", "MartletCore/Access/KeyMaking.swift", "MartletCore/Access/AccessPermission.swift",
        "MartletCore/Access/KeyExpiry.swift",
        "MartletCore/Addresses/KeySetURL.swift", "MartletCore/Apps", "MartletCore/Endpoints/DeviceToken.swift",
        "MartletCore/Inbox", "MartletCore/Notifications", "MartletCore/Operators", "MartletCore/Preferences",
        "MartletCore/Problems",
        "MartletCore/Seams", "MartletCore/Topics", "MartletCore/Users",
        "MartletPipeline/Access/Store+KeyMaking.swift", "MartletPipeline/Apps", "MartletPipeline/Inbox",
        "MartletPipeline/Notifications", "MartletPipeline/Operators", "MartletPipeline/Problems",
        "MartletPipeline/Users",
        "MartletStore/Apps", "MartletStore/Endpoints", "MartletStore/Engine/CommitQueue.swift",
        "MartletStore/Engine/CommitReport.swift", "MartletStore/Events", "MartletStore/FailedWork",
        "MartletStore/FanOut",
        "MartletStore/Inbox", "MartletStore/Notifications", "MartletStore/Operators", "MartletStore/Preferences",
        "MartletStore/Topics", "MartletStore/Users", "MartletStore/Webhooks",
        "MartletSQLite/Connection/LongRead.swift", "MartletPostgres/Connection", "MartletProviders", "MartletConsole",
    ]

    /// What pages show all sentences of: why a notification came, what the doctor found, what a provider's refusal asks for.
    private static let shown = [
        "MartletCore/Apps", "MartletCore/Problems", "MartletCore/Users", "MartletPipeline/Apps",
        "MartletPipeline/Problems",
        "MartletPipeline/Users", "MartletProviders", "MartletStore/Users", "MartletWebhooks",
    ]

    /// Where the sentences of the catalogue stand, and the reasons within them.
    private static let modules = [
        "MartletCore", "MartletPipeline", "MartletStore", "MartletSQLite", "MartletPostgres", "MartletProviders",
        "MartletTransport",
        "MartletWebhooks", "MartletHTTP/Routing", "MartletConsole",
    ]

    /// What makes failures, and the functions of their own that some files make them with.
    private static let calls: Set = ["Failure", "invalid", "notFound", "refuse", "refusal", "unfit", "missing"]

    private static func literals(_ places: [String]) throws -> [(file: String, literal: SwiftLiterals.Literal)] {
        try places.flatMap { place in
            try SourceFiles.all(in: place).flatMap { file in
                SwiftLiterals.all(in: try String(contentsOf: file, encoding: .utf8), calls: calls)
                    .map { (file.lastPathComponent, $0) }
            }
        }
    }

    /// What is said of a thing that there is not.
    private static func absent(_ noun: String) -> String { "There is no such \(noun)." }

    private static func catalogue() throws -> [String: String] {
        let file = try #require(Texts.sentenceSources["ja"])
        return try JSONDecoder().decode([String: String].self, from: Data(file))
    }

    @Test("there is a translation of every sentence that a page can be told")
    func complete() throws {
        let known = try Self.catalogue()
        var count = 0
        for (file, literal) in try Self.literals(Self.reached) where literal.call != nil {
            let text = literal.call == "notFound" ? Self.absent(literal.text) : literal.text
            guard text.contains(" ") else { continue }
            count += 1
            #expect(known[text] != nil, "\(file): \(text)")
        }
        #expect(count > 300)
    }

    /// A capital letter or something that is filled in at its beginning, a full stop at its end.
    private static func isSentence(_ text: String) -> Bool {
        guard let first = text.first, text.contains(" "), text.hasSuffix("."), !text.contains("\n") else {
            return false
        }
        return first.isUppercase || ["{", "'", "\""].contains(first)
    }

    @Test("there is a translation of every sentence that a page shows beside failures")
    func shown() throws {
        let known = try Self.catalogue()
        var count = 0
        for (file, literal) in try Self.literals(Self.shown) where Self.isSentence(literal.text) {
            count += 1
            #expect(known[literal.text] != nil, "\(file): \(literal.text)")
        }
        #expect(count > 250)
    }

    @Test("no sentence is translated that nobody says any more")
    func current() throws {
        let said = Set(try Self.literals(Self.modules).map(\.literal.text))
        for sentence in try Self.catalogue().keys {
            let isSaid = said.contains(sentence) || said.contains { Self.absent($0) == sentence }
            #expect(isSaid, "\(sentence)")
        }
    }

    /// English endings of many, and what only a caller of the API needs, have no place in a translation.
    @Test("a translation has no place that its sentence has not, and leaves out few")
    func places() throws {
        var short = 0
        for (sentence, translation) in try Self.catalogue() {
            let (own, other) = (Self.numbers(in: sentence), Self.numbers(in: translation))
            #expect(other.isSubset(of: own), "\(sentence)")
            #expect(own == Set(1..<(own.count + 1)), "\(sentence)")
            if other != own { short += 1 }
            #expect(
                !translation.isEmpty && own.isEmpty == (SentencePattern(sentence, translation) == nil),
                "\(sentence)"
            )
        }
        #expect(short <= 7)
    }

    private static func numbers(in text: String) -> Set<Int> {
        Set(
            SentencePattern.parts(of: text).compactMap { part in
                switch part {
                case .text: nil
                case .place(let number), .word(let number), .reason(let number): number
                }
            }
        )
    }

    @Test("every code has a sentence for what is not translated")
    func codes() throws {
        let texts = Texts(preferred: ["ja"])
        let sources = SourceFiles.package.deletingLastPathComponent().appending(path: "sdk/Sources")
        let folders = ["MartletWireBase", "MartletWire"].map { sources.appending(path: $0) }
        let files = folders.compactMap { FileManager.default.enumerator(at: $0, includingPropertiesForKeys: nil) }
        var count = 0
        for case let file as URL in files.joined() where file.pathExtension == "swift" {
            let source = try String(contentsOf: file, encoding: .utf8)
            for code in source.matches(of: /ErrorCode\(rawValue: "(\w+)"\)/) {
                count += 1
                #expect(texts.optional("failures.code.\(code.output.1)") != nil, "\(code.output.1)")
            }
        }
        #expect(count > 18)
    }

    @Test("what pages say themselves in failures ends as Japanese sentences do, and so is told apart")
    func own() throws {
        let japanese = Texts(preferred: ["ja"]).all
        var count = 0
        for (file, literal) in try Self.literals(["MartletConsole"]) where literal.call != nil {
            guard let text = japanese[literal.text] else { continue }
            count += 1
            #expect(text.hasSuffix("。"), "\(file): \(literal.text)")
        }
        #expect(count > 30)
    }
}

@Suite("A catalogue of sentences") struct SentenceCatalogueTests {
    private let catalogue = SentenceCatalogue([
        "It is empty.": "空です。", "There is an app '{1}' already.": "アプリ「{1}」はあります。",
        "It has {1} bytes; the most is {2}.": "上限 {2}、現在 {1}。", "It is not {1}.": "{=1}ではありません。",
        "one of {1}": "次の値 ({1}) ", "a text": "文字列", "{1} is {2}.": "{1} は{=2}です。",
        "Try again in {1} minute{2}.": "{1} 分後に。", "It failed{1}.": "失敗{?1}。", " ({1})": " ({?1})",
        "Write {\"all\": true}.": "{\"all\": true} と書きます。",
    ])

    @Test(
        "has a sentence as it stands, or with what is filled in",
        arguments: [
            ("It is empty.", "空です。"), ("There is an app 'shop' already.", "アプリ「shop」はあります。"),
            ("There is an app '{1}' already.", "アプリ「{1}」はあります。"),
            ("There is an app '' already.", "アプリ「」はあります。"),
            ("It has 12 bytes; the most is 9.", "上限 9、現在 12。"), ("It is not a text.", "文字列ではありません。"),
            ("It is not one of a, b.", "次の値 (a, b) ではありません。"), ("sound is a text.", "sound は文字列です。"),
            ("Try again in 1 minute.", "1 分後に。"), ("Try again in 2 minutes.", "2 分後に。"),
            ("Write {\"all\": true}.", "{\"all\": true} と書きます。"),
            ("It failed.", "失敗。"), ("It failed (E 7).", "失敗 (E 7)。"), ("It failed (it is empty).", "失敗 (空です)。"),
        ]
    )
    func known(sentence: String, translation: String) { #expect(catalogue.translation(of: sentence) == translation) }

    @Test(
        "has nothing of another, of a part, or of a word that it does not know",
        arguments: [
            "", "It is full.", "It is empty. Yes.", "There is an app 'shop", "It is not so.", "sky is blue.",
            "It has 12 bytes; the most is 9", String(repeating: "a", count: 5_000) + " is a text.",
            String(repeating: "It is not ", count: 400) + "a text.",
        ]
    )
    func unknown(sentence: String) { #expect(catalogue.translation(of: sentence) == nil) }

    @Test("a name that looks like a sentence or a place stays a name")
    func names() {
        let text = catalogue.translation(of: "There is an app 'It is empty. {2} {=1} <b>' already.")
        #expect(text == "アプリ「It is empty. {2} {=1} <b>」はあります。")
    }

    @Test("a pattern without places, or with others in its translation, is none")
    func wrong() {
        #expect(SentencePattern("It is empty.", "空です。") == nil)
        #expect(SentencePattern("It is {1}.", "{2}です。") == nil && SentencePattern("It is {1}.", "{0}です。") == nil)
    }

    @Test("literals of a source are read with their places, in their calls")
    func literals() {
        let source = ##"""
            // "no"
            throw Failure(.a, "One \(b ? "x" : ")") of" + " two.", hint: #"Say "\#(x)""#)
            let x = "other \u{41}"
            throw .invalid(field, """
                First \
                line,
                second.
                """)
            """##
        let found = SwiftLiterals.all(in: source, calls: ["Failure", "invalid"])
        let expected = [
            SwiftLiterals.Literal(text: "One {1} of two.", call: "Failure"),
            SwiftLiterals.Literal(text: "Say \"{1}\"", call: "Failure"),
            SwiftLiterals.Literal(text: "other A", call: nil),
            SwiftLiterals.Literal(text: "First line,\nsecond.", call: "invalid"),
        ]
        #expect(found == expected)
    }
}

@Suite("Failures on pages") struct FailurePageTests {
    private let japanese = Texts(preferred: ["ja"])

    @Test("English pages have a failure as it is thrown")
    func english() {
        let failure = Failure(.conflict, "It is so.", hint: "Do that.")
        let words = FailureWords(failure, Texts(preferred: ["en"]))
        #expect(words.message == "It is so." && words.hint == "Do that." && words.english.isEmpty)
    }

    @Test("Japanese pages have its translation, and what they say themselves as it is")
    func translated() {
        let words = FailureWords(.notFound("app"), japanese)
        #expect(words.message == "そのアプリはありません。" && words.hint == nil && words.english.isEmpty)
        let own = FailureWords(.invalid("app", japanese["compose.app_missing"]), japanese)
        #expect(own.message == japanese["compose.app_missing"] && own.english.isEmpty)
    }

    @Test("what has no translation stands in English beside a sentence for its code")
    func untranslated() throws {
        let failure = Failure(.conflict, "The <b>moon</b> is full.", hint: "Wait for 'お知らせ'.", field: "moon")
        let words = FailureWords(failure, japanese)
        #expect(words.message == japanese["failures.code.conflict"] && words.hint == nil)
        #expect(words.english == ["The <b>moon</b> is full.", "Wait for 'お知らせ'."])
        var values: PageValues = [:]
        values.show(failure, japanese)
        #expect(values["error_moon"] as? String == words.message)
        let shown = try PageLibrary().part("form_problem", values, japanese)
        #expect(shown.contains(words.message))
        #expect(shown.contains("<p lang=\"en\">The &lt;b&gt;moon&lt;/b&gt; is full.</p>"))
        let refused = try PageLibrary().part("refusal", .refusal(failure, japanese), japanese)
        #expect(refused.contains("<p lang=\"en\">Wait for &#39;お知らせ&#39;.</p>"))
    }

    @Test("a form that is refused is in the reader's language, with what was filled in")
    func forms() async throws {
        try await Harness.run { harness in
            var admin = try await harness.visitor(.admin)
            for (language, text) in [
                ("ja", "カテゴリ「news」はすでにあります。"), ("en", "There is a category &#39;news&#39; already."),
            ] {
                admin.headers = [.acceptLanguage: language]
                let form: KeyValuePairs = ["app": harness.app.id.description, "key": "news"]
                _ = try await admin.post("/categories", form)
                let again = try await admin.post("/categories", form)
                #expect(again.status == 409 && again.text.contains(text), "\(again.text)")
                #expect(!again.text.contains("lang=\"en\">There"))
            }
            var stranger = harness.stranger
            stranger.headers = [.acceptLanguage: "ja"]
            let wrong = try await stranger.post("/sign-in", ["name": "admin", "password": "no"])
            #expect(wrong.status == 401 && wrong.text.contains("名前またはパスワードが違います。"))
            let gone = try await admin.get("/apps/x?lang=ja")
            #expect(gone.status == 404 && gone.text.contains("そのアプリはありません。"))
        }
    }
}
