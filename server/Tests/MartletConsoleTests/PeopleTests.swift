import Foundation
import MartletPipeline
import MartletStore
import MartletTesting
import MartletWire
import Testing

@testable import MartletConsole
@testable import MartletCore

@Suite("The pages about people")
struct PeopleTests {
    // MARK: Search

    @Test("a person is found by id and by token, in one app or all")
    func search() async throws {
        try await PeopleScene.run { scene in
            try await scene.device(of: "ann/1 ä")
            let link = #"<a href="\#(scene.address(of: "ann/1 ä"))">ann/1 ä</a>"#
            for query in ["q=ann", "q=\(PeopleScene.token)", "q=ann&app=\(scene.app.id)"] {
                let found = try await scene.get("/console/people?\(query)")
                #expect(found.status == 200 && found.text.contains(link), "\(query): \(found.text)")
                let isByToken = query.contains(PeopleScene.token)
                #expect(found.text.contains(#"<th scope="col">Device</th>"#) == isByToken, "\(query)")
            }
            let nobody = try await scene.get("/console/people?q=bob")
            #expect(nobody.text.contains("Nobody was found.") && nobody.text.contains("POST /api/v1/tokens"))
            #expect(try await scene.get(scene.address(of: "ann/1 ä")).status == 200)
            #expect(try await scene.get(scene.address(of: "bob")).status == 404)
        }
    }

    @Test("without a search the first people are listed, and who is not found is explained without a command")
    func listing() async throws {
        try await PeopleScene.run { scene in
            let empty = try await scene.get("/console/people")
            #expect(empty.text.contains("Nobody is known yet.") && !empty.text.contains("Nobody was found."))
            try await scene.device(of: "bob", token: String(repeating: "0b", count: 32))
            try await scene.device(of: "ann")
            let listed = try await scene.get("/console/people").text
            let places = [">ann</a>", ">bob</a>"].compactMap { listed.range(of: $0)?.lowerBound }
            #expect(places.count == 2 && places == places.sorted() && listed.contains("The first people"))
            let other = try await scene.store.createApp(name: "other", identity: Identity())
            #expect(!(try await scene.get("/console/people?app=\(other.id)").text.contains(">ann</a>")))
            let nobody = try await scene.get("/console/people?q=Ann").text
            #expect(
                nobody.contains("upper and lower case count") && nobody.contains("<details><summary>For developers")
            )
        }
    }

    @Test("what a user id says is text on every page, not markup")
    func markup() async throws {
        try await PeopleScene.run { scene in
            let user = "<script>alert('x')</script>\"&"
            try await scene.device(of: user)
            let pages = [
                "/console/people?q=\(Link.escaped(user))", scene.address(of: user),
                scene.address(of: user) + "/devices", scene.address(of: user) + "/preferences",
                scene.address(of: user) + "/inbox", scene.address(of: user) + "/erase",
            ]
            for page in pages {
                let answer = try await scene.get(page)
                #expect(answer.status == 200 && !answer.text.contains("<script>"), "\(page)")
                #expect(answer.text.contains("&lt;script&gt;"), "\(page)")
            }
        }
    }

    // MARK: Devices

    @Test("viewers see a token's beginning, senders the whole")
    func maskedTokens() async throws {
        try await PeopleScene.run { scene in
            try await scene.device(of: "ann")
            let path = scene.address(of: "ann") + "/devices"
            let viewed = try await scene.get(path, as: .viewer)
            #expect(viewed.text.contains("aabbccdd…") && !viewed.text.contains(PeopleScene.token))
            #expect(try await scene.get(path, as: .sender).text.contains(PeopleScene.token))
        }
    }

    @Test("an admin switches a device off and on, and removes it; each is in the audit log")
    func switches() async throws {
        try await PeopleScene.run { scene in
            let device = try await scene.device(of: "ann")
            let path = "\(scene.address(of: "ann"))/devices/\(device.id)"
            #expect(try await scene.post(path + "/switch", as: .sender, ["on": "no"]).status == 403)
            let off = try await scene.post(path + "/switch", ["on": "no"])
            #expect(off.status == 303 && off.location?.hasSuffix("/devices?done=device_off") == true)
            #expect(try await scene.store.endpoint(scene.app.row, .id(device.id))?.isEnabled == false)
            _ = try await scene.post(path + "/switch", ["on": "yes"])
            #expect(try await scene.store.endpoint(scene.app.row, .id(device.id))?.isEnabled == true)
            #expect(try await scene.post(path + "/remove").status == 303)
            #expect(try await scene.post(path + "/remove").status == 404)
            #expect(
                try await scene.audited().map(\.action.rawValue) == ["device.delete", "device.update", "device.update"]
            )
        }
    }

    @Test("another person's device is not theirs to change")
    func othersDevices() async throws {
        try await PeopleScene.run { scene in
            let device = try await scene.device(of: "ann")
            try await scene.device(of: "bob", token: String(PeopleScene.token.reversed()))
            let path = "\(scene.address(of: "bob"))/devices/\(device.id)"
            for action in ["test", "switch", "remove"] {
                #expect(try await scene.post("\(path)/\(action)").status == 404, "\(action)")
            }
        }
    }

    @Test("a test that the person does not want says so at once")
    func unwantedTest() async throws {
        try await PeopleScene.run { scene in
            let device = try await scene.device(of: "ann")
            let off = PreferencesDraft(user: "ann", master: ChannelPatch(enabled: .value(false)))
            _ = try await scene.store.changePreferences([off], of: scene.app.row, actor: "user")
            let path = "\(scene.address(of: "ann"))/devices"
            #expect(try await scene.post("\(path)/\(device.id)/test", as: .viewer).status == 403)
            let sent = try await scene.post("\(path)/\(device.id)/test", as: .sender)
            let location = try #require(sent.location)
            #expect(location.hasPrefix("\(path)?tested="))
            let shown = try await scene.get(location, as: .sender)
            #expect(shown.text.contains("No push was sent: the person has switched it off."), "\(shown.text)")
            #expect(try await scene.audited().map(\.action.rawValue) == ["notification.send"])
        }
    }

    @Test("a test that nobody answers says so after two seconds")
    func unansweredTest() async throws {
        try await PeopleScene.run { scene in
            let device = try await scene.device(of: "ann")
            let path = "\(scene.address(of: "ann"))/devices"
            async let sending = scene.post("\(path)/\(device.id)/test", as: .sender)
            await scene.clock.untilAsleep()
            scene.clock.advance(by: TestPush.timeout)
            let location = try #require(try await sending.location)
            #expect(try await scene.get(location).text.contains("No answer came within 2 seconds."))
        }
    }

    // MARK: Preferences

    @Test("an admin changes preferences for a person; on an old revision nothing changes and the input stays")
    func preferences() async throws {
        try await PeopleScene.run { scene in
            try await scene.device(of: "ann")
            let category = try await scene.category("comment", names: ["en": "Comments"])
            let path = scene.address(of: "ann") + "/preferences"
            let before = try await scene.get(path)
            #expect(before.text.contains("Comments") && before.text.contains("nothing is chosen"))
            let fields: KeyValuePairs<String, String> = ["revision": "0", "choice:comment:push": "off"]
            #expect(try await scene.post(path, as: .admin, fields).status == 303)
            let stored = try await scene.store.preferences(of: "ann", scene.app.row)
            #expect(stored.categories == [category.row: ChannelChoice(push: false)])
            #expect(try await scene.get(path).text.contains("their own choice"))
            let late = try await scene.post(path, ["revision": "0", "choice::enabled": "off"])
            #expect(late.status == 409 && late.text.contains(#"<option value="off" selected>"#), "\(late.text)")
            #expect(try await scene.store.preferences(of: "ann", scene.app.row) == stored)
            #expect(try await scene.audited().map(\.action.rawValue) == ["preferences.update"])
        }
    }

    @Test("nobody but an admin switches on what a person switched off; the others see how it stands")
    func othersPreferences() async throws {
        try await PeopleScene.run { scene in
            try await scene.device(of: "ann")
            let off = PreferencesDraft(user: "ann", master: ChannelPatch(push: .value(false)))
            _ = try await scene.store.changePreferences([off], of: scene.app.row, actor: "user")
            let stored = try await scene.store.preferences(of: "ann", scene.app.row)
            let path = scene.address(of: "ann") + "/preferences"
            for role in [OperatorRole.viewer, .sender] {
                let fields: KeyValuePairs = ["revision": "\(stored.revision)", "choice::push": "on"]
                #expect(try await scene.post(path, as: role, fields).status == 403, "\(role)")
                let page = try await scene.get(path, as: role).text
                #expect(page.contains("Pushes: <strong>off</strong>"), "\(role): \(page)")
                #expect(!page.contains("<select") && !page.contains("name=\"revision\""), "\(role)")
            }
            #expect(try await scene.store.preferences(of: "ann", scene.app.row) == stored)
            #expect(try await scene.get(path).text.contains("name=\"choice::push\""))
        }
    }

    // MARK: Inbox

    @Test("the inbox shows viewers that there is something, and senders what")
    func inbox() async throws {
        try await PeopleScene.run { scene in
            try await scene.device(of: "ann")
            let submission = Submission(
                app: scene.app,
                audience: .users(["ann"]),
                content: Content(title: "A private word"),
                inbox: InboxDraft()
            )
            let sent = try await scene.submitter.submit(submission, idempotency: nil)
            let person = scene.address(of: "ann")
            for path in ["\(person)/inbox", person, "\(person)/why/\(sent.id)"] {
                let viewed = try await scene.get(path, as: .viewer)
                #expect(viewed.status == 200 && !viewed.text.contains("private"), "\(path)")
                #expect(try await scene.get(path, as: .sender).text.contains("A private word"), "\(path)")
            }
        }
    }

    @Test("a push that the person does not want ends there, and the inbox has its item all the same")
    func unwantedPush() async throws {
        try await PeopleScene.run { scene in
            try await scene.device(of: "ann")
            let category = try await scene.category("offers", names: ["en": "Special offers"])
            let off = PreferencesDraft(user: "ann", categories: [category.row: ChannelPatch(push: .value(false))])
            _ = try await scene.store.changePreferences([off], of: scene.app.row, actor: "user")
            let submission = Submission(
                app: scene.app,
                audience: .users(["ann"]),
                content: Content(title: "Socks"),
                category: category,
                inbox: InboxDraft()
            )
            let sent = try await scene.submitter.submit(submission, idempotency: nil)
            let why = try await scene.get("\(scene.address(of: "ann"))/why/\(sent.id)").text
            #expect(why.contains(#"<span class="word warn">no push</span>"#), "\(why)")
            #expect(why.contains("category &#39;Special offers&#39;") && !why.contains("&#39;offers&#39;"), "\(why)")
            let rest = try #require(why.components(separatedBy: "Is it in their inbox?").dropFirst().first)
            #expect(rest.contains(#"<span class="word good">yes</span>"#), "\(why)")
            #expect(!why.contains("ended here") && why.contains("all devices"), "\(why)")
            #expect(why.contains(#"<a href="\#(scene.address(of: "ann"))/preferences">Preferences</a></td>"#), "\(why)")
        }
    }

    @Test("a timeline goes on behind its first page, and shows one kind where that is asked for")
    func timelinePages() async throws {
        try await PeopleScene.run { scene in
            try await scene.device(of: "ann")
            let category = try await scene.category("comment", names: ["en": "Comments"])
            for number in 0..<60 {
                scene.clock.advance(by: .seconds(1))
                let patch = ChannelPatch(push: .value(number.isMultiple(of: 2)))
                let draft = PreferencesDraft(user: "ann", categories: [category.row: patch])
                _ = try await scene.store.changePreferences([draft], of: scene.app.row, actor: "user")
            }
            let person = scene.address(of: "ann")
            let first = try await scene.get(person)
            let next = String(try #require(first.text.firstMatch(of: /rel="next" href="([^"]+)"/)).output.1)
            let second = try await scene.get(next.replacing("&amp;", with: "&"))
            #expect(second.status == 200 && second.text.contains(">new</span>") && !first.text.contains(">new</span>"))
            let devices = try await scene.get("\(person)?kind=device")
            #expect(first.text.contains(">Comments</span>") && !first.text.contains(">comment</span>"))
            #expect(devices.text.contains(">new</span>") && !devices.text.contains(">Comments</span>"))
        }
    }

    // MARK: Erasure

    @Test("a person is erased by an admin who types their id, and the audit log does not keep it")
    func erasure() async throws {
        try await PeopleScene.run { scene in
            try await scene.device(of: "ann")
            let path = scene.address(of: "ann") + "/erase"
            #expect(try await scene.get(path, as: .sender).status == 403)
            let page = try await scene.get(path).text
            #expect(
                page.contains("It cannot be undone.") && page.contains("Their device is removed")
                    && page.contains("keep_devices"),
                "\(page)"
            )
            let wrong = try await scene.post(path, ["user": "anne"])
            #expect(wrong.status == 422 && wrong.text.contains(#"value="anne""#))
            #expect(try await scene.get(scene.address(of: "ann")).status == 200)
            #expect(try await scene.post(path, ["user": "ann"]).location == "/console/people?done=erased")
            #expect(try await scene.get(scene.address(of: "ann")).status == 404)
            let entry = try #require(try await scene.audited().first)
            #expect(entry.action.rawValue == "user.erase" && entry.subject.id.hasPrefix("sha256:"))
        }
    }
}
