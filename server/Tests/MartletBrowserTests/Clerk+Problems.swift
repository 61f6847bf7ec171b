import MartletTesting
import MartletWire
import Testing

/// What was given up, tried again.
extension Clerk {
    func triesLettersAgain() async throws {
        let sent = try await office.giveUp(riders: Self.riders)
        try await office.stage.simulator.call("DELETE", "/rules")
        try await go(to: "Problems")
        try await sees("Deliveries that were given up", in: "#letters")
        try await press("Try again", in: "//section[@aria-labelledby='letters']//tbody/tr[1]")
        try await sees("It is tried again.")
        try await office.endSessions()
        try await pressesAgain("Try all again")
        try await goesOn()
        try await sees("202 were tried again.", in: "[data-step=said]")
        try await follow("Back to Problems")
        try await sees("There are no problems.")
        try await Eventually.is("all of it was accepted", within: 60) {
            try await office.count("accepted", of: sent) == Self.riders + 3
        }
    }

    /// With ann, bob and cleo more than are tried again at once, and one that is tried by itself.
    private static let riders = 200

    /// Nothing is done of what is pressed where nobody is signed in any more, and nothing is lost.
    private func pressesAgain(_ words: String) async throws {
        try await press(words)
        try await sees("Nothing was done yet, and nothing that you wrote is lost.")
        try await signsInElsewhere()
        try await press("Go on")
        try await sees("You are signed in again, as admin: press once more.")
        // By mouse, the server does not answer for a moment when the others' turn comes.
        let silence = way == .mouse ? try await browser.leaveUnanswered() : nil
        try await press("Go on")
        try await browser.until("were tried again.", in: "[data-step=said]")
        if let silence {
            try await sees("The server did not answer, and it stopped here.", in: "[data-step=said]")
            try await browser.answer(silence)
        }
    }

    /// The part that is left goes on by itself where scripts run and the server answers.
    private func goesOn() async throws {
        if way == .keyboard { return }
        try await sees("200 were tried again. 2 are left.", in: "[data-step=said]")
        try await press("Go on")
    }

    /// Follows the page's link to sign in in another tab, and is back on the page.
    func signsInElsewhere() async throws {
        let here = try await browser.tab
        try await follow("Sign in in another tab")
        try await Eventually.is("there is another tab", within: 20) { try await browser.tabs.count == 2 }
        guard let other = try await browser.tabs.first(where: { $0 != here }) else { return }
        try await browser.go(toTab: other)
        try await sees("Sign in", in: "h1")
        try await fill("name", "admin")
        try await fill("password", Office.password)
        try await press("Sign in")
        try await sees("Overview", in: "h1")
        try await browser.closeTab(backTo: here)
    }
}

extension Office {
    /// Sends to everybody, and to so many more, what Apple has too much of, so that all of it is given up.
    ///
    /// - Returns: the notification's id.
    func giveUp(riders: Int) async throws -> String {
        let devices = (0..<riders).map { number -> JSONValue in
            let token = String(repeating: "0", count: 60) + String(1_000 + number)
            return [
                "app": .string(Self.app), "user_id": .string("rider-\(number)"), "token": .string(token),
                "environment": "production",
            ]
        }
        let batch: JSONValue = ["devices": .array(devices)]
        try await server.call("POST", "/devices/batch", String(decoding: try batch.json(), as: UTF8.self))
        try await stage.simulator.script(#"{"then": {"do": "respond", "reason": "TooManyRequests"}}"#)
        let body = #"{"app": "shop", "audience": {"all": true}, "title": "Hats", "retry": {"max_attempts": 1}}"#
        // cleo wants no offers, and this is none: she gets it too.
        let sent = try await server.call("POST", "/notifications", body)?.objectValue
        let id = sent?["id"]?.stringValue ?? ""
        try await untilDone(id)
        return id
    }

    /// How many deliveries of a notification are so.
    func count(_ state: String, of id: String) async throws -> Int {
        let counts = try await server.call("GET", "/notifications/\(id)")?.objectValue?["counts"]?.objectValue
        return counts?[state]?.integerValue.map { Int($0) } ?? 0
    }

    /// Signs everybody out.
    func endSessions() async throws {
        for session in try await list("/operators/sessions") {
            guard let id = session.objectValue?["id"]?.stringValue else { continue }
            try await server.call("DELETE", "/operators/sessions/\(id)")
        }
    }
}
