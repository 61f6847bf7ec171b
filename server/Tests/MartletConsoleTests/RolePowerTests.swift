import HTTPTypes
import MartletStore
import MartletTesting
import MartletWire
import Testing

@testable import MartletConsole
@testable import MartletCore

@Suite("What each role can change") struct RolePowerTests {
    /// A form that each of the actions could do something with.
    private static let form: KeyValuePairs = [
        "form": "on", "do": "send", "title": "Hi", "audience": "all", "once": "0123456789abcdef", "shown": "1",
        "confirm": "shop", "name": "other", "typed": "news", "user": "ann", "role": "admin", "scope": "admin",
        "on": "no", "archived": "yes", "disabled": "yes", "force": "yes", "mode": "asserted", "issuer": "x",
        "attribute": "DisplayName", "value": "x", "filter": "", "who": "second", "key": "other", "locale": "en",
        "choice::enabled": "off", "platform": "apns", "device": Plants.token, "message_id": "kestrel seven",
    ]

    /// The actions of a console but for those on one's own account, with who may do them.
    private func actions(_ scene: PlantedScene) throws -> [(route: ConsoleRoute, who: RouteTable.Who)] {
        try scene.harness.console.routes.compactMap { route in
            guard route.method == .post, route.access != .operators(.manageOwnAccount) else { return nil }
            let row = try #require(RouteTable.forms[route.path], "\(route.path)")
            return row.who == .anybody ? nil : (route, row.who)
        }
    }

    @Test(
        "a viewer and a sender change nothing by what they may not, however the form is made",
        arguments: [
            OperatorRole.viewer, .sender,
        ]
    )
    func refused(role: OperatorRole) async throws {
        try await PlantedScene.run(.secrets) { scene in
            let visitor = try scene.visitor(role)
            let before = try await scene.snapshot()
            var asked = 0
            for (route, who) in try actions(scene) where !who.includes(role) {
                for path in try await scene.paths(of: route) {
                    #expect(try await visitor.post(path, Self.form).status == 403, "\(path)")
                    asked += 1
                }
            }
            #expect(asked > 30)
            #expect(try await scene.snapshot() == before)
        }
    }

    @Test("what a viewer may ask for changes nothing either")
    func reading() async throws {
        try await PlantedScene.run(.secrets) { scene in
            let viewer = try scene.visitor(.viewer)
            let before = try await scene.snapshot()
            for (route, who) in try actions(scene) where who.includes(.viewer) {
                for path in try await scene.paths(of: route) { _ = try await viewer.post(path, Self.form) }
            }
            for route in scene.pageRoutes {
                for path in try await scene.paths(of: route) { _ = try await viewer.get(path) }
            }
            #expect(try await scene.snapshot() == before)
        }
    }

    @Test("an empty list tells nobody to make something who may not")
    func emptyLists() async throws {
        try await Harness.run { harness in
            let topic = try await harness.store.createTopic(TopicDraft(name: "news")).topic
            _ = try await harness.store.createApp(name: "other", identity: Identity())
            let (viewer, admin) = (try await harness.visitor(.viewer), try await harness.visitor(.admin))
            for (path, says, own) in [
                ("/topics?app=shop", "An admin creates one here", "Create one below"),
                ("/categories?app=shop", "An admin creates the first one.", "Create the first one below."),
                ("/topics/\(topic.id)", "An admin adds people here", "Add somebody below"),
            ] {
                let (read, made) = (try await viewer.get(path).text, try await admin.get(path).text)
                #expect(read.contains(says) && !read.contains(own), "\(path): \(read)")
                #expect(!made.contains(says) && made.contains(own), "\(path): \(made)")
            }
        }
    }

    @Test("a sender neither cancels nor takes back what another sent; an admin does")
    func others() async throws {
        try await PlantedScene.run(.secrets) { scene in
            let (sender, admin) = (try scene.visitor(.sender), try scene.visitor(.admin))
            let before = try await scene.snapshot()
            for one in scene.sent {
                for action in ["cancel", "recall"] {
                    #expect(try await sender.post("/notifications/\(one.id)/\(action)").status == 403)
                }
            }
            #expect(try await scene.snapshot() == before)
            let waiting = try #require(scene.sent.last)
            #expect(try await admin.post("/notifications/\(waiting.id)/cancel").status == 303)
            #expect(try await scene.store.notification(waiting.id)?.state == .cancelled)
        }
    }

    @Test("nobody ends another's session by way of their own account")
    func sessions() async throws {
        try await PlantedScene.run(.secrets) { scene in
            let admin = try scene.visitor(.admin)
            for role in [OperatorRole.viewer, .sender] {
                let visitor = try scene.visitor(role)
                let secret = try #require(visitor.secret)
                let own = try #require(try await scene.store.session(secret))
                for session in try await scene.store.sessions(.all, PageRequest()).items
                where session.owner.row != own.owner.row {
                    _ = try await visitor.post("/account/sessions/\(session.id)/end")
                }
                _ = try await visitor.post("/account/end-others")
            }
            #expect(try await admin.get("/account").status == 200)
            let ends = try await scene.store.sessions(.all, PageRequest()).items.map(\.owner.role)
            #expect(ends.filter { $0 == .admin }.count == 2 && ends.filter { $0 == .viewer }.count == 1)
        }
    }
}
