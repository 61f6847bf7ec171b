import Foundation
import MartletWire
import Testing

@testable import MartletHTTP

@Suite("The reference")
struct ReferenceTests {
    @Test("docs/reference.md is what the table of routes says")
    func sameText() async throws {
        let root = URL(filePath: #filePath).appending(path: "../../../..").standardized
        let file = root.appending(path: "docs/reference.md")
        try await Harness.run { server in
            let page = ReferencePage(routes: server.api.routes).text
            if ProcessInfo.processInfo.environment["MARTLET_REFERENCE"] == "write" {
                try page.write(to: file, atomically: true, encoding: .utf8)
            }
            let stored = try String(contentsOf: file, encoding: .utf8)
            let lines = zip(page.split(separator: "\n"), stored.split(separator: "\n"))
            let first = lines.first { $0 != $1 }.map { "'\($0)' is there as '\($1)'" } ?? "one of them is longer"
            let isSame = stored == page
            #expect(isSame, "The routes or their documents changed: write the page with 'make reference'. \(first)")
        }
    }

    @Test("what overrides may have is said of every platform")
    func overrides() async throws {
        try await Harness.run { server in
            let lines = ReferencePage(routes: server.api.routes).text.split(separator: "\n")
                .filter { $0.hasPrefix("| `overrides` |") }
            #expect(!lines.isEmpty)
            for platform in PlatformName.allCases {
                #expect(lines.allSatisfy { $0.contains("\"\(platform.rawValue)\": {…}") }, "\(platform.rawValue)")
            }
        }
    }

    @Test("every link within it leads to a heading")
    func links() async throws {
        try await Harness.run { server in
            let page = ReferencePage(routes: server.api.routes).text
            let headings = page.split(separator: "\n").filter { $0.hasPrefix("#") }.map { line in
                line.drop { $0 == "#" || $0 == " " }.lowercased().replacing(" ", with: "-")
                    .filter { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
            }
            #expect(headings.count == Set(headings).count)
            for link in page.matches(of: /\]\(#([^)]*)\)/) { #expect(headings.contains(String(link.1)), "\(link.1)") }
        }
    }
}
