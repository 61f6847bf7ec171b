import MartletStore
import MartletTesting
import MartletWire
import Testing

@testable import MartletConsole
@testable import MartletCore

@Suite("The pages of categories")
struct CategoryPageTests {
    @Test("an admin makes a category, changes it, archives it and takes it back")
    func lives() async throws {
        try await PeopleScene.run { scene in
            let fields: KeyValuePairs<String, String> = [
                "app": scene.app.id.description, "key": "comment", "locale": "en", "name": "Comments", "locale": "ja",
                "name": "コメント", "locale": "", "name": "", "default_enabled": "off", "required": "inbox",
            ]
            #expect(try await scene.post("/console/categories", as: .sender, fields).status == 403)
            let made = try await scene.post("/console/categories", fields)
            #expect(made.location == "/console/categories?app=\(scene.app.id)&done=category_made", "\(made.text)")
            let list = try await scene.get("/console/categories", language: "ja")
            #expect(list.text.contains("コメント") && list.text.contains("受信箱は誰もオフにできません。"))
            let path = "/console/categories/\(scene.app.id)/comment"
            let saved = try await scene.post(path, ["locale": "en", "name": "Replies", "position": "3"])
            #expect(saved.location == "\(path)?done=category_saved", "\(saved.text)")
            let category = try #require(try await scene.store.categories(of: scene.app.row).first)
            #expect(category.names == ["en": "Replies"] && category.position == 3 && category.required.isEmpty)
            #expect(category.defaults.isEmpty)
            _ = try await scene.post(path + "/archive", ["archived": "yes"])
            #expect(try await scene.store.categories(of: scene.app.row).first?.archivedAt != nil)
            #expect(try await scene.get(path).text.contains("Take this category back"))
            _ = try await scene.post(path + "/archive", ["archived": "no"])
            #expect(try await scene.store.categories(of: scene.app.row).first?.archivedAt == nil)
            #expect(
                try await scene.audited().map(\.action.rawValue)
                    == ["category.update", "category.archive", "category.update", "category.create"]
            )
        }
    }

    @Test("its page has how it reads in each language, and for an admin the way to what changed")
    func reads() async throws {
        try await PeopleScene.run { scene in
            let fields: KeyValuePairs<String, String> = [
                "app": scene.app.id.description, "key": "comment", "locale": "en", "name": "Com<ments>", "locale": "ja",
                "name": "コメント",
            ]
            _ = try await scene.post("/console/categories", fields)
            let path = "/console/categories/\(scene.app.id)/comment"
            let (page, seen) = (try await scene.get(path).text, try await scene.get(path, as: .viewer).text)
            for text in [page, seen] {
                #expect(
                    text.contains("<span lang=\"en\">Com&lt;ments&gt;</span>") && text.contains("lang=\"ja\">コメント<")
                )
                #expect(text.contains("class=\"switch on\""))
            }
            let audit = "/console/audit?subject=category&id=comment&app=\(scene.app.id)"
            #expect(page.contains("href=\"\(audit.replacing("&", with: "&amp;"))\">What changed</a>"))
            #expect(!seen.contains("What changed"))
            #expect(try await scene.get(audit).text.contains("category.create"))
            _ = try await scene.post(path, ["locale": "en", "name": "A", "default_enabled": "off"])
            #expect(try await scene.get(path).text.contains("class=\"switch\""))
        }
    }

    @Test("what is wrong is said with all input kept")
    func refusals() async throws {
        try await PeopleScene.run { scene in
            let app = scene.app.id.description
            let wrong = try await scene.post(
                "/console/categories",
                ["app": app, "key": "No", "locale": "en", "name": "Comments", "required": "push", "position": "7"]
            )
            #expect(wrong.status == 422)
            for kept in [#"value="No""#, #"value="Comments""#, #"value="push" checked"#, #"value="7""#] {
                #expect(wrong.text.contains(kept), "\(kept)")
            }
            let twice = try await scene.post(
                "/console/categories",
                ["app": app, "key": "a", "locale": "en", "name": "A", "locale": "en", "name": "B"]
            )
            #expect(twice.status == 422 && twice.text.contains("The language en is there twice."))
            let place = try await scene.post("/console/categories", ["app": app, "key": "a", "position": "-1"])
            #expect(place.status == 422 && place.text.contains("The order is a whole number"))
        }
    }

    @Test(
        "defaults and what is required are said in words",
        arguments: [
            (ChannelChoice(), [], "default_both", "required_none"),
            (ChannelChoice(enabled: false), [], "default_none", "required_none"),
            (ChannelChoice(push: false), [.push], "default_both", "required_push"),
            (ChannelChoice(push: false), [], "default_inbox", "required_none"),
            (ChannelChoice(enabled: false), [.push, .inbox], "default_both", "required_both"),
            (ChannelChoice(inbox: false), [.push], "default_push", "required_push"),
        ] as [(ChannelChoice, Set<ChannelName>, String, String)]
    )
    func words(_ defaults: ChannelChoice, _ required: Set<ChannelName>, _ said: String, _ needed: String) {
        let texts = Texts(preferred: ["en"])
        let words = CategoryWords(texts: texts)
        let category = category(defaults: defaults, required: required)
        #expect(words.defaults(of: category) == texts["categories.\(said)"])
        #expect(words.required(of: category) == texts["categories.\(needed)"])
    }

    @Test("a category is called by the page's language, else English, else any, else its key")
    func names() {
        let words = CategoryWords(texts: Texts(preferred: ["ja"]))
        #expect(words.name(of: category(names: ["en": "A", "ja": "あ"])) == "あ")
        #expect(words.name(of: category(names: ["en-GB": "A", "fr": "F"])) == "A")
        #expect(words.name(of: category(names: ["fr": "F"])) == "F")
        #expect(words.name(of: category()) == "comment")
    }

    private func category(
        names: [String: String] = [:],
        defaults: ChannelChoice = ChannelChoice(),
        required: Set<ChannelName> = []
    ) -> MartletCore.Category {
        MartletCore.Category(
            row: RowID(1),
            app: RowID(1),
            key: "comment",
            names: names,
            defaults: defaults,
            required: required,
            createdAt: Timestamp(milliseconds: 0)
        )
    }
}
