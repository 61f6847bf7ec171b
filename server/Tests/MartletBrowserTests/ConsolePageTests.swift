import Foundation
import MartletTesting
import MartletWire
import Testing

/// Every page of the console in Chromium: what it looks like, what the browser complains of, who cannot use it.
@Suite("Every page of the console in Chromium", .timeLimit(.minutes(8)), .serialized)
struct ConsolePageTests {
    /// The widths that pages are looked at.
    private static let phone = 360, tablet = 768, desk = 1440
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
        let axe = try await Office.axe()
        try FileManager.default.createDirectory(atPath: Self.folder, withIntermediateDirectories: true)
        for (name, address) in [("sign-in", office.page("/sign-in")), ("invitation", office.invitation)] {
            try await browser.open(address + "?lang=\(language)")
            try await look(at: name, in: language, browser, axe)
        }
        try await office.welcome(browser)
        #expect(try await browser.complaints() == [])
        for page in try await office.pages() {
            try await browser.resize(width: Self.desk, height: 900)
            try await browser.open(office.page(page.path + (page.path.contains("?") ? "&" : "?") + "lang=\(language)"))
            try await untilLoaded(browser)
            let moved = try await shifts(browser)
            #expect(moved == [], "\(page.name)-\(language) moves while it is loaded")
            try await page.then(browser)
            try await untilLoaded(browser)
            try await look(at: page.name, in: language, browser, axe)
            let complaints = try await browser.complaints().filter { said in
                !page.refusals.contains { $0.isTold(by: said) }
            }
            #expect(complaints == [], "\(page.name)-\(language)")
        }
        try await browser.open(office.page(Office.lostPage.path + "?lang=\(language)"))
        try await look(at: Office.lostPage.name, in: language, browser, axe)
        // The browser says of the page itself that it is not there.
        let lost = try await browser.complaints()
        #expect(lost.count == 1 && lost.allSatisfy { $0.contains("status of 404") }, "\(lost)")
        #expect(try await browser.origins().subtracting([office.server.address]) == [])
        try await browser.close()
    }

    /// Looks at the page that is open: in English at each width, and dark at the widest, since what is dark has other
    /// colours and nothing else; in Japanese, which has other lengths of words, at the narrowest and the widest.
    private func look(at name: String, in language: String, _ browser: WebDriver, _ axe: String) async throws {
        let light = language == "en" ? [Self.phone, Self.tablet, Self.desk] : [Self.phone, Self.desk]
        for isDark in language == "en" ? [false, true] : [false] {
            try await browser.prefer(dark: isDark)
            for width in isDark ? [Self.desk] : light {
                try await browser.resize(width: width, height: 900)
                let place = "\(name)-\(language)-\(width)\(isDark ? "-dark" : "")"
                let overflow = try await browser.execute(
                    "return document.documentElement.scrollWidth - window.innerWidth"
                )
                #expect((overflow.integerValue ?? 0) <= 0, "\(place) is wider than its window")
                #expect(try await browser.count("h1") == 1, "\(place): one heading")
                let picture = "\(Self.folder)/\(place).png"
                try await browser.screenshot().write(to: URL(filePath: picture))
                // A tablet has the phone's or the desk's arrangement.
                guard width != Self.tablet else { continue }
                let problems = try await problems(axe, browser)
                #expect(problems == [], "\(place)")
            }
        }
        try await browser.prefer(dark: false)
    }

    /// Returns when the page is there with all that its script asks for at once.
    private func untilLoaded(_ browser: WebDriver) async throws {
        try await Eventually.is("the page is there with all that belongs to it", within: 30) {
            try await browser.execute(
                """
                const count = document.querySelector('[data-compose-count]');
                return document.readyState === 'complete' && !document.querySelector('[aria-busy=true]')
                  && (!count || count.childElementCount > 0);
                """
            ) == true
        }
    }

    /// How far things moved while the page was loaded, and which, where that is more than Web Vitals calls good: 0.1.
    private func shifts(_ browser: WebDriver) async throws -> [String] {
        let found = try await browser.executeAsync(
            """
            const done = arguments[arguments.length - 1];
            const entries = [];
            const observer = new PerformanceObserver((list) => entries.push(...list.getEntries()));
            observer.observe({ type: 'layout-shift', buffered: true });
            requestAnimationFrame(() => requestAnimationFrame(() => {
              const moves = [...entries, ...observer.takeRecords()].filter((entry) => !entry.hadRecentInput);
              const sum = moves.reduce((all, entry) => all + entry.value, 0);
              const moved = moves.flatMap((entry) => entry.sources).map((source) => source.node?.nodeName + ' '
                + (source.node?.id || source.node?.className || '') + ' from ' + source.previousRect.y + ' to '
                + source.currentRect.y);
              done(sum < 0.1 ? [] : [sum.toFixed(3) + ': ' + moved.join(', ')]);
            }));
            """
        )
        guard case .array(let all) = found else { return ["nothing is known of what moved"] }
        return all.compactMap(\.stringValue)
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
}
