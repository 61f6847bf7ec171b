import Foundation
import MartletStore
import MartletTesting
import MartletWire
import Testing

@testable import MartletConsole
@testable import MartletCore

@Suite("The pages of topics")
struct TopicPageTests {
    /// Makes a topic of the scene's app; its page.
    private func topic(_ scene: PeopleScene, _ name: String = "news") async throws -> String {
        let made = try await scene.post("/console/topics", ["name": name, "app": scene.app.id.description])
        let location = try #require(made.location, "\(made.text)")
        #expect(location.hasSuffix("?done=topic_made"))
        return String(location.prefix { $0 != "?" })
    }

    @Test("an admin makes a topic, and one of the same name or of none is refused with the input kept")
    func makes() async throws {
        try await PeopleScene.run { scene in
            #expect(try await scene.post("/console/topics", as: .sender, ["name": "news"]).status == 403)
            let page = try await topic(scene)
            #expect(try await scene.get(page).text.contains("Nobody is subscribed."))
            #expect(try await scene.get("/console/topics").text.contains(">news</a>"))
            let again = try await scene.post("/console/topics", ["name": "news", "app": scene.app.id.description])
            #expect(again.status == 409 && again.text.contains(#"value="news""#))
            let wrong = try await scene.post("/console/topics", ["name": "two words"])
            #expect(wrong.status == 422 && wrong.text.contains(#"value="two words""#))
        }
    }

    @Test("a new topic is the only app's unless somebody says otherwise, and a subscriber without a device is told of")
    func usual() async throws {
        try await PeopleScene.run { scene in
            let chosen = "<option value=\"\(scene.app.id)\" selected>"
            #expect(try await scene.get("/console/topics").text.contains(chosen))
            try await scene.device(of: "ann")
            let page = try await topic(scene)
            let known = try await scene.post("\(page)/subscriptions", ["kind": "user", "who": "ann"])
            #expect(known.location == "\(page)?done=subscribed", "\(known.text)")
            let unknown = try await scene.post("\(page)/subscriptions", ["kind": "user", "who": "zork"])
            let place = try #require(unknown.location, "\(unknown.text)")
            #expect(try await scene.get(place).text.contains("No device of this person is known yet"))
            _ = try await scene.store.createApp(name: "other", identity: Identity())
            #expect(!(try await scene.get("/console/topics").text.contains(chosen)))
        }
    }

    @Test("a person is subscribed with a filter, on which a message is tried, and is removed")
    func subscribers() async throws {
        try await PeopleScene.run { scene in
            let page = try await topic(scene)
            let added = try await scene.post(
                "\(page)/subscriptions",
                ["kind": "user", "who": "ann", "filter": #"{"city":["Osaka"]}"#, "scope": "attributes"]
            )
            #expect(added.location == "\(page)?done=subscribed_unknown", "\(added.text)")
            let id = try #require(PublicID(page.suffix(36)))
            let row = try #require(try await scene.store.topic(.id(id))).row
            let one = try #require(try await scene.store.subscriptions(.topic(row), PageRequest()).items.first)
            let path = "\(page)/subscriptions/\(one.id)"
            for (city, says) in [("Osaka", "gets it"), ("Kyoto", "does not get it")] {
                let message = Link.escaped(#"{"city":"\#(city)"}"#)
                #expect(try await scene.get("\(page)?attributes=\(message)", as: .viewer).text.contains(">\(says)<"))
            }
            let tried = try await scene.post(
                path + "/try",
                as: .viewer,
                ["filter": #"{"city":["Kyoto"]}"#, "scope": "attributes", "attributes": #"{"city":"Kyoto"}"#]
            )
            #expect(tried.status == 200 && tried.text.contains("This message gets through."), "\(tried.text)")
            let broken = try await scene.post(path, ["filter": "{", "scope": "attributes"])
            #expect(broken.status == 422 && broken.text.contains(">{</textarea>"))
            // What a policy looks like comes first, and after it what Amazon says of this one.
            let wrong = try await scene.post(path, ["filter": #"{"city":"Osaka"}"#, "scope": "attributes"]).text
            let example = try #require(wrong.range(of: "such as {&quot;city&quot;: [&quot;Osaka&quot;"), "\(wrong)")
            let amazon = try #require(wrong.range(of: "must be an object or an array"), "\(wrong)")
            #expect(example.upperBound < amazon.lowerBound)
            #expect(try await scene.post(path, ["filter": "", "scope": "attributes"]).status == 303)
            #expect(try await scene.store.subscription(.id(one.id))?.filter == nil)
            #expect(try await scene.post(path + "/remove").status == 303)
            #expect(try await scene.store.subscription(.id(one.id)) == nil)
            let actions = try await scene.audited().map(\.action.rawValue)
            #expect(
                actions == ["subscription.delete", "subscription.update", "subscription.create", "topic.create"]
            )
        }
    }

    @Test("what is no message is said at the field")
    func badTrial() async throws {
        try await PeopleScene.run { scene in
            let page = try await topic(scene)
            let answer = try await scene.get("\(page)?attributes=nonsense")
            #expect(answer.status == 422 && answer.text.contains("It is not a JSON object."))
            #expect(answer.text.contains("nonsense</textarea>"))
            let twice = Link.escaped(#"{"city":"Osaka","city":"Kyoto"}"#)
            #expect(try await scene.get("\(page)?attributes=\(twice)").status == 422)
        }
    }

    @Test("an attribute is set and taken away, and a topic is deleted by its name")
    func deletes() async throws {
        try await PeopleScene.run { scene in
            let page = try await topic(scene)
            _ = try await scene.post("\(page)/attributes", ["attribute": "DisplayName", "value": "News"])
            #expect(try await scene.get(page).text.contains("<code>News</code>"))
            _ = try await scene.post("\(page)/attributes", ["attribute": "DisplayName", "value": ""])
            #expect(try await scene.get(page).text.contains("Nothing is set."))
            #expect(try await scene.post("\(page)/delete", ["typed": "new"]).status == 422)
            #expect(
                try await scene.post("\(page)/delete", ["typed": "news"]).location
                    == "/console/topics?done=topic_deleted"
            )
            #expect(try await scene.get(page).status == 404)
        }
    }
}
