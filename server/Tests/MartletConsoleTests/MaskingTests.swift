import HTTPTypes
import MartletPipeline
import MartletTesting
import MartletWire
import Testing

@testable import MartletConsole
@testable import MartletCore

@Suite("What viewers do not see") struct MaskingTests {
    @Test("no page of theirs has a token, a text of a payload, or a secret; a sender's has the texts")
    func masked() async throws {
        try await PlantedScene.run(.secrets) { scene in
            let viewer = try scene.visitor(.viewer)
            let key = try await scene.store.makeKey(.send, app: scene.app, name: "backend")
            let secrets = scene.plants.masked + [key.secret, scene.key.secret, scene.invitation]
            for route in scene.pageRoutes where route.path != "/invitations/{token}" {
                for path in try await scene.paths(of: route) {
                    for query in ["", "?format=csv", "?kind=event", "?kind=inbox", "?status=all", "?period=month"] {
                        let answer = try await viewer.get(path + query)
                        let found = secrets.filter { answer.text.contains($0) }
                        #expect(found == [], "\(path)\(query)")
                    }
                }
            }
            let sender = try scene.visitor(.sender)
            let page = try await sender.get("/notifications/\(scene.sent[0].id)")
            #expect(page.text.contains(scene.plants.payload) && page.text.contains("kestrel-eight"))
            let devices = try await sender.get("/people/\(scene.app.id)/ann/devices")
            #expect(devices.text.contains(Plants.token))
        }
    }

    @Test("a webhook's password is on nobody's page")
    func webhooks() async throws {
        try await PlantedScene.run(.secrets) { scene in
            let admin = try scene.visitor(.admin)
            for path in ["/problems", "/topics/\(scene.topic.id)"] {
                let page = try await admin.get(path)
                #expect(page.text.contains("hooks.example"), "\(path)")
                #expect(!page.text.contains(scene.plants.hookPassword), "\(path)")
            }
        }
    }

    @Test("nobody but an admin sees keys, operators, sessions and the log")
    func closed() async throws {
        try await PlantedScene.run(.secrets) { scene in
            for role in [OperatorRole.viewer, .sender] {
                let visitor = try scene.visitor(role)
                for path in ["/keys", "/access-keys", "/operators", "/sessions", "/audit", "/apps/new"] {
                    #expect(try await visitor.get(path).status == 403, "\(role) \(path)")
                }
            }
        }
    }
}
