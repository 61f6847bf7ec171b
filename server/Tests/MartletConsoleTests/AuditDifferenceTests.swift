import Foundation
import MartletWire
import Testing

@testable import MartletConsole
@testable import MartletCore

@Suite("Words of the audit log") struct AuditWordTests {
    /// Texts of the code that look like an action and are none: fields of requests, and a name of a file.
    private static let others: Set = ["subscription.endpoint", "subscription.keys", "user.js"]

    @Test("every action that the code writes down is one to choose, and no other")
    func complete() throws {
        let kinds = Set(AuditWords.kinds + ["preferences"]).joined(separator: "|")
        let action = try Regex(#""((?:\#(kinds))\.[a-z_]+)""#, as: (Substring, Substring).self)
        var found: Set<String> = []
        for module in [
            "MartletConsole", "MartletCore", "MartletHTTP", "MartletPipeline", "MartletSNS", "MartletStore", "martlet",
        ] {
            for file in SourceFiles.all(in: module) where file.lastPathComponent != "AuditWords.swift" {
                let source = try String(contentsOf: file, encoding: .utf8)
                found.formUnion(source.matches(of: action).map { String($0.output.1) })
            }
        }
        // Those of failed work are put together from its kind.
        for kind in FailedWorkKind.allCases {
            found.formUnion(["retry", "retry_many"].map { "\(kind.subject).\($0)" })
        }
        // As are those of virtual phones, from what they report.
        found.formUnion([EventType.open, .dismiss].map { "phone.\($0.rawValue)" })
        #expect(found.subtracting(Self.others) == Set(AuditWords.actions))
    }

    @Test("every action and kind to choose among has words in both languages", arguments: Texts.languages)
    func words(language: String) {
        let words = AuditWords(Texts(preferred: [language]))
        for code in AuditWords.actions + AuditWords.kinds {
            #expect(language == "en" || words.words(of: code) != code, "\(code)")
            #expect(!words.words(of: code).contains("."), "\(code)")
        }
        #expect(words.words(of: "moon.full") == "moon.full" && words.words(of: "app.fly") == "app.fly")
        let choices = words.choices(of: ["app.update"], chosen: "moon.full")
        #expect(choices.map { $0["choice_selected"] as? Bool } == [false, true])
    }
}

@Suite("What the audit log shows") struct AuditDifferenceTests {
    @Test("only what differs is shown, by its path")
    func differing() {
        let difference = AuditDifference(
            before: ["name": "a", "identity": ["mode": "asserted", "issuer": "x"], "tags": ["one", "two"]],
            after: ["name": "a", "identity": ["mode": "signed"], "tags": ["one"], "badge": true]
        )
        #expect(
            difference.changes == [
                .init(path: "badge", before: nil, after: "true"),
                .init(path: "identity.issuer", before: "x", after: nil),
                .init(path: "identity.mode", before: "asserted", after: "signed"),
                .init(path: "tags[1]", before: "two", after: nil),
            ]
        )
    }

    @Test("of what was made or is gone everything is shown, and of nothing nothing")
    func sides() {
        #expect(AuditDifference(before: nil, after: ["a": 1]).changes == [.init(path: "a", before: nil, after: "1")])
        #expect(AuditDifference(before: "x", after: nil).changes == [.init(path: "", before: "x", after: nil)])
        #expect(AuditDifference(before: nil, after: nil).changes.isEmpty)
        #expect(AuditDifference(before: ["a": [:]], after: ["a": [:]]).changes.isEmpty)
    }

    @Test("a long list and a long text are cut")
    func bounds() {
        let many = JSONValue.object(
            Dictionary(uniqueKeysWithValues: (0..<100).map { ("k\($0)", .integer(Int64($0))) })
        )
        #expect(AuditDifference(before: nil, after: many).changes.count == AuditDifference.limit)
        let long = AuditDifference(before: nil, after: .string(String(repeating: "x", count: 1_000)))
        #expect(long.changes.first?.after?.count == AuditDifference.textLimit + 1)
    }

    @Test("the page's address says who, what and of what is asked for")
    func query() throws {
        let query = AuditQuery(try FormValues(urlEncoded: "actor=operator%3Aab%3Ac&action=app.update&subject=app&id=1"))
        let filter = query.filter(app: RowID(7))
        #expect(filter.actor == AuditFilter.Actor(.operator, id: "ab:c"))
        #expect(filter.action?.rawValue == "app.update" && filter.subject == AuditSubject("app", "1"))
        #expect(filter.app == RowID(7) && query.isFiltered)
        let half = AuditQuery(try FormValues(urlEncoded: "subject=app&actor=nobody"))
        #expect(half.filter(app: nil) == AuditFilter() && half.isFiltered)
        let system = AuditQuery(try FormValues(urlEncoded: "actor=\(AuditQuery.word(of: .system))"))
        #expect(system.filter(app: nil).actor == AuditFilter.Actor(.system, id: ""))
    }

    @Test(
        "a browser is called as people call it",
        arguments: [
            ("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox, Linux"),
            ("Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0", "Edge, Windows"),
            ("Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) Version/26.0 Safari/604.1", "Safari, iPhone"),
            ("curl/8", nil),
        ] as [(String, String?)]
    )
    func browsers(agent: String, name: String?) { #expect(BrowserName.of(agent) == name) }
}
