import Foundation
import MartletTesting
import MartletWire
import Testing

/// What people come to the console for, by mouse, by keyboard alone, and without the page's script.
@Suite("Ways through the console in Chromium", .timeLimit(.minutes(3)), .serialized)
struct ConsolePathTests {
    @Test(
        "somebody opens the printed link, sends to everybody in five clicks, and finds in three why one did not get it",
        .enabled(if: WebDriver.isInstalled, "no Chromium"),
        arguments: [true, false]
    )
    func mouse(hasScripts: Bool) async throws {
        let office = try await Office()
        var options = WebDriver.Options()
        options.hasScripts = hasScripts
        let browser = try await WebDriver(options)
        try await office.welcome(browser)

        await browser.resetClicks()
        try await browser.click(saying: "Compose", in: "nav")
        try await browser.write("Socks", into: "[name=title]")
        try await browser.write("Half the price until Sunday", into: "[name=body]")
        try await browser.select("Offers", in: "[name=category]")
        try await browser.click("button[name=do][value=review]:not([hidden])")
        try await browser.until("3")
        try await browser.click("form[action='/console/compose/send'] button:not(.quiet)")
        try await browser.until("It is sent.")
        #expect(await browser.clicks <= 5)
        let sent = try await browser.url
        #expect(sent.contains("/console/notifications/"))
        try await settled(office)

        await browser.resetClicks()
        try await browser.click(saying: "People", in: "nav")
        try await browser.write("cleo", into: "[name=q]")
        if !hasScripts { try await browser.press([.enter]) }
        await browser.resetClicks()
        try await browser.click(saying: "cleo", in: "table")
        try await browser.click("a[href*='why']")
        try await browser.until("switched pushes of category")
        #expect(await browser.clicks <= 3)
        try await browser.close()
    }

    @Test("the same goes by keyboard alone", .enabled(if: WebDriver.isInstalled, "no Chromium"))
    func keyboard() async throws {
        let office = try await Office()
        let browser = try await WebDriver()
        try await browser.open(office.invitation)
        for field in ["password", "again"] {
            try await browser.tab(to: "[name=\(field)]")
            try await browser.type(Office.password)
        }
        try await browser.press([.enter])
        try await browser.until("Overview", in: "h1")
        try await browser.tab(to: "a[href='/console/compose']")
        try await browser.press([.enter])
        try await browser.until("Compose", in: "h1")
        try await browser.tab(to: "[name=title]")
        try await browser.type("Socks")
        try await browser.tab(to: "[name=body]")
        try await browser.type("Half the price")
        try await browser.tab(to: "button[name=do][value=review]")
        try await browser.press([.enter])
        try await browser.tab(to: "form[action='/console/compose/send'] button:not(.quiet)")
        try await browser.press([.enter])
        try await browser.until("It is sent.")
        #expect(try await office.count() == 1)
        try await browser.close()
    }

    @Test("a send is made once, however often it is pressed", .enabled(if: WebDriver.isInstalled, "no Chromium"))
    func once() async throws {
        let office = try await Office()
        let browser = try await WebDriver()
        try await office.welcome(browser)
        try await browser.click(saying: "Compose", in: "nav")
        try await browser.write("Once", into: "[name=title]")
        try await browser.click("button[name=do][value=review]:not([hidden])")
        try await browser.until("3")
        // As often as an impatient person presses it, and as a page that is loaded again sends it.
        let answers = try await browser.executeAsync(
            """
            const done = arguments[arguments.length - 1];
            const form = document.querySelector("form[action='/console/compose/send']");
            const send = () => fetch(form.action, { method: 'POST', body: new FormData(form) }).then((answer) => answer.url);
            Promise.all([send(), send(), send()]).then(done);
            """
        )
        guard case .array(let places) = answers else { throw ProgramProcess.Failure(description: "\(answers)") }
        #expect(Set(places.compactMap { $0.stringValue?.prefix { $0 != "?" } }).count == 1)
        try await browser.click("form[action='/console/compose/send'] button:not(.quiet)")
        try await browser.until("It is sent.")
        #expect(try await office.count() == 1)
        let sent = try await browser.url.prefix { $0 != "?" }
        // To the review, which is sent by now.
        try await browser.execute("history.back()")
        try await Eventually.is("it leads to what was sent", within: 20) {
            guard try await browser.url.hasPrefix(sent) else { return false }
            return try await browser.text(of: "h1").contains("Once")
        }
        #expect(try await browser.count("form[action='/console/compose/send']") == 0)
        // The same once more is asked about.
        try await browser.click(saying: "Compose", in: "nav")
        try await browser.write("Once", into: "[name=title]")
        try await browser.click("button[name=do][value=review]:not([hidden])")
        try await browser.until("You sent this")
        try await browser.click("[name=repeat]")
        try await browser.click("form[action='/console/compose/send'] button:not(.quiet)")
        try await browser.until("It is sent.")
        #expect(try await office.count() == 2)
        try await browser.close()
    }

    private func settled(_ office: Office) async throws {
        try await Eventually.is("the send has ended", within: 60) {
            guard case .array(let all)? = try await office.server.call("GET", "/notifications?app=shop") else {
                return false
            }
            return all.count == 1 && all.allSatisfy { $0.objectValue?["status"] == "done" }
        }
    }
}

extension Office {
    /// How many notifications there are.
    fileprivate func count() async throws -> Int {
        guard case .array(let all)? = try await server.call("GET", "/notifications?app=shop") else { return -1 }
        return all.count
    }
}
