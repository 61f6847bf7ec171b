import Foundation
import HTTPTypes
import MartletCore
import MartletSQLite
import MartletStore
import MartletTesting
import MartletWire
import Testing

@Suite("Who may report is asked before anything of a body is looked at")
struct EventCredentialTests {
    /// A body that would be refused, in part or as a whole, whoever sent it.
    struct Body: CustomTestStringConvertible {
        let testDescription: String
        let bytes: [UInt8]
        var headers: [String: String] = [:]

        init(_ description: String, _ bytes: [UInt8], headers: [String: String] = [:]) {
            testDescription = description
            self.bytes = bytes
            self.headers = headers
        }

        init(_ text: String) { self.init(text, Array(text.utf8)) }
    }

    static let bodies = [
        Body(#"{"events":[]}"#), Body(#"{"events":[1,null,{}]}"#), Body(#"{"events":[{"type":"explode"}]}"#),
        Body(#"{"events":{}}"#), Body("{"), Body(""),
        Body("501 events", Array(#"{"events":[\#(Array(repeating: "1", count: 501).joined(separator: ","))]}"#.utf8)),
        Body("more than 5 MiB", [UInt8](repeating: 0x20, count: (5 << 20) + 1)),
        Body("no gzip", [1, 2, 3], headers: ["Content-Encoding": "gzip"]),
        Body("brotli", [1], headers: ["Content-Encoding": "br"]),
        Body("no JSON", [1], headers: ["Content-Type": "text/plain"]),
    ]

    @Test("a secret that is none, or is another's, is refused at once", arguments: bodies)
    func secrets(body: Body) async throws {
        try await EventScene.run { scene in
            let other = try await scene.registered(PublicID(high: 9, low: 9), token: "cd")
            let tail = other.suffix(43)
            let wrong = [
                "", "mi_wrong", scene.sdk, String(scene.secret.dropLast()), scene.secret + "x",
                String(scene.secret.dropLast(43)) + tail, "mi_\(PublicID(high: 8, low: 8))_\(tail)",
            ]
            for secret in wrong {
                let headers = body.headers.merging([HeaderName.installationSecret: secret]) { $1 }
                let answer = try await scene.call(.post, "/api/v1/events", bytes: body.bytes, headers: headers)
                #expect(answer.status == 401 && answer.code == "installation_secret_required", "\(answer.text)")
            }
            let none = try await scene.call(.post, "/api/v1/events", bytes: body.bytes, headers: body.headers)
            #expect(none.status == 401 && none.code == "installation_secret_required", "\(none.text)")
        }
    }

    @Test("so is a secret at another app, and an app that is not there or not said", arguments: bodies)
    func apps(body: Body) async throws {
        try await EventScene.run { scene in
            let other = try await scene.store.createApp(name: "other", identity: Identity())
            let foreign = try await EventScene.key(.client, app: other.row, in: scene.store)
            let headers = body.headers.merging([HeaderName.installationSecret: scene.secret]) { $1 }
            func status(_ path: String, key: String) async throws -> Int {
                try await scene.call(.post, path, bytes: body.bytes, key: key, headers: headers).status
            }
            let elsewhere = try await status("/api/v1/events", key: foreign)
            #expect(elsewhere == 401)
            for path in ["/api/v1/events", TreasureDataTests.path] {
                let unknown = try await status("\(path)?app=nobody", key: scene.admin)
                #expect(unknown == 404, "\(path)")
                let notTheirs = try await status("\(path)?app=other", key: scene.sdk)
                #expect(notTheirs == 404, "\(path)")
                let unsaid = try await status(path, key: scene.admin)
                #expect(unsaid == 400, "\(path)")
            }
        }
    }

    @Test("so is a key that is none, in both formats", arguments: bodies)
    func keys(body: Body) async throws {
        try await EventScene.run { scene in
            for (path, scheme) in [("/api/v1/events", "Bearer"), (TreasureDataTests.path, "TD1")] {
                for key in ["mk_client_wrong", "x"] {
                    var headers = body.headers.merging([HeaderName.installationSecret: scene.secret]) { $1 }
                    headers["Authorization"] = "\(scheme) \(key)"
                    let answer = try await scene.call(.post, path, bytes: body.bytes, headers: headers)
                    #expect(answer.status == 401 && answer.code == "unauthorized", "\(answer.text)")
                }
            }
        }
    }

    @Test("with the right secret the same bodies are judged")
    func judged() async throws {
        try await EventScene.run { scene in
            var statuses: [Int] = []
            for body in Self.bodies {
                let headers = body.headers.merging([HeaderName.installationSecret: scene.secret]) { $1 }
                let answer = try await scene.call(.post, "/api/v1/events", bytes: body.bytes, headers: headers)
                statuses.append(answer.status)
            }
            #expect(statuses == [422, 200, 200, 400, 400, 400, 422, 413, 400, 415, 415])
        }
    }

    @Test("an installation that proved itself is told which events are not its own")
    func foreign() async throws {
        try await EventScene.run { scene in
            let answer = try await scene.upload([
                scene.event(["installation_id": "01890a5d-ac96-774b-bcce-b302099a8058"])
            ])
            #expect(answer.status == 200)
            let error = answer.receipts.first?.objectValue?["error"]?.objectValue
            #expect(error?["name"] == "ForeignInstallationError")
            let kept = try await scene.kept()
            #expect(kept.isEmpty)
        }
    }
}
