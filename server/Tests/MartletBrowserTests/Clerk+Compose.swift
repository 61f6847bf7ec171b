import Foundation
import MartletTesting
import MartletWire
import Testing

/// The main paths of the page on which announcements are written, beside that of ``ConsolePathTests``.
extension Clerk {
    private var hasScripts: Bool { way != .withoutScripts }

    func sendsToList() async throws {
        try await go(to: "Compose")
        try await fill("title", "For two")
        try await pick("People I name", "audience")
        switch way {
        case .mouse: try await attachesWithoutServer()
        case .keyboard: try await attachesBesidePage()
        case .withoutScripts: try await attach(office.list(), "list")
        }
        if way != .keyboard { try await press("Check the list") }
        try await sees("2 people 1 line names somebody again.", in: "[data-compose-list]")
        try await sees("1 line names nobody.", in: "[data-compose-list]")
        #expect(try await browser.value(of: "[name=users]") == "ann\nbob")
        // Nothing goes on before it is said what becomes of that line.
        try await tick("Leave these lines out", "skip_bad")
        if way == .keyboard { try await sees("2 people get it", in: "[data-compose-count]") }
        #expect(try await browser.value(of: "[name=title]") == "For two")
        try await press("Review")
        try await sees("Check and send", in: "h1")
        try await sees("2 people by name")
        try await press("Send to 2 people now")
        try await sees("It is sent.")
        let id = try await sentID()
        try await office.untilDone(id)
        #expect(try await office.count("accepted", of: id) == 2)
    }

    /// The list is there at once, and what it says: nothing else of the page changes.
    private func attachesBesidePage() async throws {
        try await browser.execute(Self.watchForBar)
        try await attach(office.list(), "list")
        try await sees("1 line of the file names nobody: 5.", in: "[data-compose-count]")
        #expect(try await browser.execute("return window.hadBar === true") == true)
    }

    /// The server is gone when the list is chosen: nothing is lost, and once it is back one press more does it.
    private func attachesWithoutServer() async throws {
        try await office.restart {
            try await attach(office.list(), "list")
            try await sees("The list did not arrive: the server does not answer.", in: "[data-list-limit]")
        }
        #expect(try await browser.value(of: "[name=title]") == "For two")
    }

    /// Says whether there ever was a bar for the file that is on its way: it is there for no longer than that takes.
    private static let watchForBar = """
        const place = document.querySelector('[data-list-limit]');
        new MutationObserver(() => { if (place.querySelector('progress')) window.hadBar = true; })
          .observe(place, { childList: true });
        """

    /// The notification that the address leads to.
    private func sentID() async throws -> String {
        let part = try await browser.url.split(separator: "/").last?.prefix { $0 != "?" }
        return String(part ?? "")
    }

    func testsAndSchedules() async throws {
        try await go(to: "Compose")
        try await fill("title", "Winter sale")
        try await fill("test_to", "ann")
        let before = try await office.stage.simulator.receivedCount()
        try await press("Send the test")
        try await sees("The provider took the test.")
        #expect(try await office.stage.simulator.receivedCount() == before + 1)
        #expect(try await browser.value(of: "[name=title]") == "Winter sale")
        try await pick("Later", "when")
        let day = String(Office.tomorrow.prefix(10))
        if way == .keyboard { try await browser.tab(to: "[name=at]") }
        try await browser.set("\(day)T09:00", in: "[name=at]")
        try await choose("Asia/Tokyo", "zone")
        try await press("Review")
        try await sees("Check and send", in: "h1")
        try await sees("\(day) 09:00 Asia/Tokyo")
        try await press("Schedule for 3 people")
        try await sees("It is scheduled for")
        let sent = try await office.server.call("GET", "/notifications/\(sentID())")?.objectValue
        #expect(sent?["status"] == "scheduled")
        #expect(sent?["send_at"]?.stringValue?.hasPrefix("\(day)T00:00:00") == true)
        #expect(try await office.stage.simulator.receivedCount() == before + 1)
    }

    /// The session ends while something is written: nothing of it is lost.
    func losesSession() async throws {
        try await go(to: "Compose")
        try await fill("title", "Kept")
        if hasScripts { try await sees("3 people get it", in: "[data-compose-count]") }
        try await office.endSessions()
        if hasScripts {
            try await goesOnWriting()
        } else {
            try await press("Review")
            try await sees("Nothing was done yet, and nothing that you wrote is lost.")
            try await signsInElsewhere()
            try await press("Go on")
            try await sees("You are signed in again, as admin: press once more.")
            try await press("Go on")
        }
        try await sees("Check and send", in: "h1")
        try await sees("Kept", in: "aside")
    }

    /// The page says it itself, and goes on by itself with the session of another tab.
    private func goesOnWriting() async throws {
        try await fill("body", "Nothing")
        try await sees("You are signed out. Sign in in another tab, then go on here")
        try await signsInElsewhere()
        try await fill("body", "Nothing is lost")
        try await Eventually.is("it is not said any more", within: 20) {
            try await browser.count("[data-said-signed-out]") == 0
        }
        try await press("Review")
        try await sees("Nothing is lost", in: "aside")
    }
}

extension Office {
    /// A list of people as a file that somebody has.
    func list() throws -> String {
        let path = stage.folder.file("people.csv")
        try "user_id,name\nann,Ann\nbob,Bob\nann,Ann again\n,nobody\n".write(
            toFile: path,
            atomically: true,
            encoding: .utf8
        )
        return path
    }
}
