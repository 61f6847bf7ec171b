import Foundation
import MartletTesting
import MartletWire
import Testing

/// The main path of each page of what is sent, by mouse, by keyboard alone, and without scripts.
@Suite(
    "The main path of what is sent, in Chromium",
    .timeLimit(.minutes(8)),
    .serialized,
    .enabled(if: WebDriver.isInstalled)
)
struct ConsoleWayTests {
    @Test("a paused queue is tried again, and goes on with another credential", arguments: Way.allCases)
    func queues(way: Way) async throws {
        let clerk = try await Clerk(way)
        try await clerk.watchesSend()
        try await clerk.triesAgain()
        try await clerk.replacesCredential()
        // By mouse a file is looked at that is not enough.
        let look = Refusal(path: "/credentials/look", status: 422)
        try await clerk.finish(after: way == .mouse ? [look] : [])
    }

    @Test(
        "what was given up is tried again, one and all of it, also where nobody is signed in when it is pressed",
        arguments: Way.allCases
    )
    func letters(way: Way) async throws {
        let clerk = try await Clerk(way)
        try await clerk.triesLettersAgain()
        let retry = "/console/problems/letters/retry"
        try await clerk.finish(after: [Refusal(path: retry, status: 401), Refusal(path: retry, status: 403)])
    }

    @Test("a send goes again to who missed it, is cancelled, taken back, tapped", arguments: Way.allCases)
    func sends(way: Way) async throws {
        let clerk = try await Clerk(way)
        try await clerk.sendsAgain()
        try await clerk.cancels()
        try await clerk.tapsAndTakesBack()
        try await clerk.finish()
    }
}

/// The same of what is composed and kept: a suite of its own, so that a browser of each works.
@Suite(
    "The main path of what is kept, in Chromium",
    .timeLimit(.minutes(8)),
    .serialized,
    .enabled(if: WebDriver.isInstalled)
)
struct ConsoleKeepingTests {
    @Test(
        "a send goes to a list, is tested first, waits for its time, is kept without a session",
        arguments: Way.allCases
    )
    func composes(way: Way) async throws {
        let clerk = try await Clerk(way)
        try await clerk.sendsToList()
        try await clerk.testsAndSchedules()
        try await clerk.losesSession()
        // What is asked beside the page where scripts run, and the page itself where they do not.
        let place = way == .withoutScripts ? "/console/compose" : "/console/compose/"
        var refusals = [401, 403].map { Refusal(path: place, status: $0) }
        // By mouse the server is stopped for a while.
        if way == .mouse { refusals.append(Refusal(silentPath: place)) }
        try await clerk.finish(after: refusals)
    }

    @Test(
        "topics and categories are made, changed and put away, and a person is looked at and erased",
        arguments: Way.allCases
    )
    func people(way: Way) async throws {
        let clerk = try await Clerk(way)
        try await clerk.keepsTopic()
        try await clerk.keepsCategory()
        try await clerk.looksAtPeople()
        try await clerk.finish(
            after: [
                // Another name than the topic's was typed, and another id than the person's.
                Refusal(path: "/delete", status: 422), Refusal(path: "/erase", status: 422),
            ]
        )
    }

    @Test("an app, keys and operators are made and changed, and the audit log has it", arguments: Way.allCases)
    func keys(way: Way) async throws {
        let clerk = try await Clerk(way)
        try await clerk.makesApp()
        try await clerk.makesKeys()
        try await clerk.invites()
        try await clerk.readsAuditLog()
        try await clerk.changesPassword()
        try await clerk.finish()
    }
}

extension Clerk {
    // MARK: Queues

    /// The page of a send shows what becomes of it while it is looked at: without scripts, when it is opened again.
    fileprivate func watchesSend() async throws {
        let waiting = try await office.pause()
        try await office.stage.simulator.call("DELETE", "/rules")
        try await go(to: "Notifications")
        try await follow("Gloves")
        try await sees("Gloves", in: "h1")
        let part = "[data-part=progress]"
        try await sees("0 of 1 deliveries were accepted by providers", in: part)
        #expect(try await browser.count("form[action$='/cancel']") == 1)
        try await browser.execute("window.isSamePage = true")
        try await office.server.call("DELETE", "/apps/shop/pauses/apns/production")
        try await office.untilDone(waiting)
        if way == .withoutScripts { try await browser.open(browser.url) }
        try await sees("1 of 1 deliveries were accepted by providers", in: part)
        try await sees("done", in: "\(part) .word")
        // What may be done is another thing now.
        try await Eventually.is("nothing can be cancelled", within: 20) {
            try await browser.count("form[action$='/cancel']") == 0
        }
        let isSamePage = try await browser.execute("return window.isSamePage === true") == true
        #expect(isSamePage == (way != .withoutScripts))
    }

    fileprivate func triesAgain() async throws {
        let waiting = try await office.pause()
        try await office.stage.simulator.call("DELETE", "/rules")
        try await go(to: "Problems")
        try await sees("Apple refuses the credential")
        try await press("Try again now")
        try await sees("The queue goes on.")
        try await office.untilDone(waiting)
        #expect(try await office.list("/apps/shop/pauses") == [])
    }

    /// The app has the key under an id that Apple does not know.
    fileprivate func replacesCredential() async throws {
        try await office.stage.setCredential(office.server, keyID: "OTHERKEY00")
        let waiting = try await office.gloves()
        try await go(to: "Overview")
        try await sees("paused")
        try await follow("Replace the credential shop")
        try await sees("replace the credential of", in: "h1")
        // The file says which key it is, for both environments; the certificates to trust are those that are stored.
        try await attach(try office.keyFile())
        if way == .mouse { try await choosesOtherFile() }
        if way == .withoutScripts { try await press("See what it is") }
        try await sees("Nothing is stored yet.")
        try await sees("APNs accepts the credential.", in: "[data-look]")
        try await press("Store")
        try await sees("The credential was stored.")
        try await sees("APNs accepts the credential.")
        let stored = try await office.list("/apps/shop/credentials").compactMap(\.objectValue)
        #expect(stored.map { $0["key_id"] } == [.string(DeliveryStage.keyID), .string(DeliveryStage.keyID)])
        try await office.untilDone(waiting)
        #expect(try await office.list("/apps/shop/pauses") == [])
    }

    /// A file whose name has no key id gets nothing of that of the file before.
    private func choosesOtherFile() async throws {
        try await sees("Nothing is stored yet.")
        try await attach(try office.keyFile(named: "other-name.p8"))
        try await sees("The key's id is missing", in: "[data-look]")
        #expect(try await browser.value(of: "[name=key_id]") == "")
        try await attach(try office.keyFile())
    }

    // MARK: Sends

    fileprivate func sendsAgain() async throws {
        _ = try await office.refused()
        try await office.stage.simulator.call("DELETE", "/rules")
        try await go(to: "Notifications")
        try await follow("Hats")
        try await sees("Hats", in: "h1")
        try await follow("Who did not get it and why")
        try await sees("bob", in: "table")
        try await sees("The message was too long for the provider.", in: "table")
        try await follow("Hats")
        try await sees("Hats", in: "h1")
        try await follow("Send again to those who missed it")
        try await sees("Send again to those who missed it", in: "h1")
        try await tick("too long", "reason")
        try await press("Count")
        try await sees("1 device would get it")
        try await press("Send to 1 device")
        try await sees("It is sent.")
        let id = try await browser.url.split(separator: "/").last?.prefix { $0 != "?" } ?? ""
        try await office.untilDone(String(id))
        let sent = try await office.server.call("GET", "/notifications/\(id)")?.objectValue
        #expect(sent?["counts"]?.objectValue?["accepted"] == 1)
    }

    fileprivate func cancels() async throws {
        let later = try await office.send(
            #""audience": {"all": true}, "title": "Winter sale", "send_at": "\#(Office.tomorrow)""#
        )
        try await go(to: "Notifications")
        try await follow("Winter sale")
        try await sees("Winter sale", in: "h1")
        try await press("Cancel the send")
        try await sees("It is cancelled.")
        #expect(try await office.status(later) == "cancelled")
    }

    fileprivate func tapsAndTakesBack() async throws {
        let socks = try await office.announce()
        try await go(to: "Phones")
        try await press("Tap Socks")
        try await sees("The phone reported the tap.")
        try await sees("opened", in: "[aria-labelledby=events]")
        let events = try await office.list("/events?app=shop&message_id=\(socks)").compactMap(\.objectValue)
        #expect(events.map { $0["type"] } == ["open"])
        #expect(try await office.inbox(of: "ann") == ["Socks", "Hats"])
        try await go(to: "Notifications")
        try await follow("Socks")
        try await sees("Socks", in: "h1")
        try await press("Take it back…")
        try await press("Take it back for good")
        try await sees("It is taken back.")
        #expect(try await office.inbox(of: "ann") == ["Hats"])
    }
}

extension Office {
    /// What stands in somebody's inbox, newest first.
    func inbox(of user: String) async throws -> [String] {
        try await list("/users/\(user)/inbox?app=shop").compactMap { $0.objectValue?["title"]?.stringValue }
    }

    /// The certificate that the simulator's is signed with.
    func trust() throws -> String { try String(contentsOfFile: stage.simulator.ca, encoding: .utf8) }

    /// The signing key as a file that somebody has, with Apple's name unless another is given.
    func keyFile(named name: String = "AuthKey_\(DeliveryStage.keyID).p8") throws -> String {
        let path = stage.folder.file(name)
        try stage.signingKey().write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }
}
