import Foundation
import MartletTesting
import MartletWire
import Testing

/// Every page of the console in Chromium: what it looks like, what the browser complains of, who cannot use it.
@Suite("Every page of the console in Chromium", .timeLimit(.minutes(5)), .serialized)
struct ConsolePageTests {
    /// The widths that pages are looked at: a phone's, a tablet's, a desk's.
    private static let widths = [360, 768, 1440]
    /// Where the pictures go, a file a page.
    private static let folder =
        ProcessInfo.processInfo.environment["MARTLET_SCREENSHOTS"] ?? Program.root + "/.build-screenshots"

    @Test(
        "no page is wider than its window, has an error, asks another origin, or shuts somebody out",
        .enabled(if: WebDriver.isInstalled, "no Chromium"),
        arguments: ["en", "ja"]
    )
    func looks(language: String) async throws {
        let office = try await Office()
        var options = WebDriver.Options()
        options.language = language
        let browser = try await WebDriver(options)
        try await office.welcome(browser)
        let axe = try await Office.axe()
        try FileManager.default.createDirectory(atPath: Self.folder, withIntermediateDirectories: true)
        for path in try await pages(of: office) {
            let name =
                path.isEmpty
                ? "overview"
                : path.split(separator: "?")[0].split(separator: "/").prefix(2)
                    .joined(separator: "-")
            for (width, isDark) in Self.widths.map({ ($0, false) }) + [(1440, true)] {
                try await browser.resize(width: width, height: 900)
                try await browser.prefer(dark: isDark)
                try await browser.open(office.page(path + (path.contains("?") ? "&" : "?") + "lang=\(language)"))
                let place = "\(name) \(language) \(width)\(isDark ? " dark" : "")"
                let overflow = try await browser.execute(
                    "return document.documentElement.scrollWidth - window.innerWidth"
                )
                #expect((overflow.integerValue ?? 0) <= 0, "\(place) is wider than its window")
                #expect(try await browser.count("h1") == 1, "\(place): one heading")
                let picture = "\(Self.folder)/\(place.replacing(" ", with: "-")).png"
                try await browser.screenshot().write(to: URL(filePath: picture))
                guard width != 768 else { continue }
                let problems = try await problems(axe, browser)
                #expect(problems == [], "\(place)")
            }
        }
        let complaints = try await browser.complaints()
        #expect(complaints == [])
        #expect(try await browser.origins().subtracting([office.server.address]) == [])
        try await browser.close()
    }

    /// What axe-core calls serious or critical.
    private func problems(_ axe: String, _ browser: WebDriver) async throws -> [String] {
        try await browser.execute(axe)
        let found = try await browser.executeAsync(
            """
            const done = arguments[arguments.length - 1];
            axe.run(document, { resultTypes: ['violations'] }).then((result) => done(result.violations
              .filter((violation) => ['serious', 'critical'].includes(violation.impact))
              .map((violation) => violation.id + ': ' + violation.nodes.map((node) => node.target.join(' ')).join(', '))));
            """
        )
        guard case .array(let all) = found else { return ["axe said nothing"] }
        return all.compactMap(\.stringValue)
    }

    /// Every page, with something on it.
    private func pages(of office: Office) async throws -> [String] {
        let notification = try await office.announce()
        let app = try await office.appID()
        return [
            "", "/compose", "/notifications", "/notifications/\(notification)", "/people?q=ann",
            "/people/\(app)/cleo", "/topics", "/categories", "/troubles", "/apps", "/apps/\(app)", "/operators",
            "/audit", "/account",
        ]
    }
}
