import MartletCore
import MartletStore
import MartletTesting
import MartletWire
import Testing

@testable import MartletSNS

@Suite("Endpoints of platform applications")
struct PlatformEndpointTests {
    private static func collision(_ arn: String) -> String {
        "Invalid parameter: Token Reason: Endpoint \(arn) already exists with the same Token, but different attributes."
    }

    @Test("the same call gives the same endpoint, and the default spelled out is the same")
    func isIdempotent() async throws {
        try await Harness.run { server in
            let shop = try await server.makeApplication()
            let token = Harness.token(0xAB)
            let arn = try await server.makeEndpoint(shop, token: token)
            #expect(arn.hasPrefix("arn:aws:sns:us-east-1:123456789012:endpoint/APNS/shop/"))
            #expect(PublicID(arn.split(separator: "/").last ?? "") != nil)
            #expect(try await server.makeEndpoint(shop, token: token) == arn)
            #expect(try await server.makeEndpoint(shop, token: token.uppercased(), enabled: true) == arn)
            let other = try await server.makeApplication("other", "APNS_SANDBOX")
            #expect(try await server.makeEndpoint(other, token: token) != arn)
        }
    }

    @Test("other attributes collide, in the words that clients take the ARN from")
    func collides() async throws {
        try await Harness.run { server in
            let shop = try await server.makeApplication()
            let arn = try await server.makeEndpoint(shop, token: Harness.token(1))
            let create = [("PlatformApplicationArn", shop), ("Token", Harness.token(1))]
            for different in [[("CustomUserData", "ann")], Harness.map([("Enabled", "false")])] {
                let reply = try await server.call("CreatePlatformEndpoint", create + different)
                #expect(reply.status == 400)
                #expect(reply.error == ("InvalidParameter", Self.collision(arn)))
            }
            let off = try await server.call(
                "SetEndpointAttributes",
                [("EndpointArn", arn)] + Harness.map([("Enabled", "false")])
            )
            #expect(off.status == 200)
            #expect(try await server.call("CreatePlatformEndpoint", create).error.message == Self.collision(arn))
            #expect(try await server.makeEndpoint(shop, token: Harness.token(1), enabled: false) == arn)
        }
    }

    @Test("an attribute goes before the parameter of its name")
    func prefersAttributes() async throws {
        try await Harness.run { server in
            let shop = try await server.makeApplication()
            let reply = try await server.call(
                "CreatePlatformEndpoint",
                [("PlatformApplicationArn", shop), ("Token", Harness.token(1)), ("CustomUserData", "parameter")]
                    + Harness.map([("CustomUserData", "attribute")])
            )
            let arn = try #require(reply["EndpointArn"])
            let shown = try await server.call("GetEndpointAttributes", [("EndpointArn", arn)])
            #expect(
                shown.entries == ["Enabled": "true", "Token": Harness.token(1), "CustomUserData": "attribute"]
            )
        }
    }

    @Test("tokens of every form are taken or refused in Amazon's words")
    func tokens() async throws {
        try await Harness.run { server in
            let shop = try await server.makeApplication()
            let google = try await server.makeApplication("google", "GCM", [("PlatformCredential", "{}")])
            let apple = "iOS device tokens must be no more than 400 hexadecimal characters"
            for (application, token, reason) in [
                (shop, String(repeating: "a", count: 402), apple), (shop, "not hex", apple), (shop, "abc", apple),
                (shop, "", "cannot be empty"), (google, "", "cannot be empty"),
                (google, String(repeating: "a", count: 8_193), "must be at most 8192 bytes long in UTF-8 encoding"),
                (google, String(repeating: "a", count: 4_097), "must be at most 4096 bytes long in UTF-8 encoding"),
                (google, "a b", "must contain only printable ASCII characters"),
            ] {
                let reply = try await server.call(
                    "CreatePlatformEndpoint",
                    [("PlatformApplicationArn", application), ("Token", token)]
                )
                #expect(reply.error == ("InvalidParameter", "Invalid parameter: Token Reason: \(reason)"))
            }
            let long = try await server.makeEndpoint(shop, token: String(repeating: "AB", count: 200))
            let shown = try await server.call("GetEndpointAttributes", [("EndpointArn", long)])
            #expect(shown.entries["Token"] == String(repeating: "ab", count: 200))
            #expect(try await server.makeEndpoint(google, token: "fGc:APA91b-_x").contains("/GCM/google/"))
        }
    }

    @Test("a token is bound anew, unless another endpoint has it")
    func rebinds() async throws {
        try await Harness.run { server in
            let shop = try await server.makeApplication()
            let arn = try await server.makeEndpoint(shop, token: Harness.token(1), userData: "ann")
            _ = try await server.makeEndpoint(shop, token: Harness.token(2))
            func set(_ values: [(String, String)]) async throws -> Reply {
                try await server.call("SetEndpointAttributes", [("EndpointArn", arn)] + Harness.map(values))
            }
            let taken = try await set([("Token", Harness.token(2)), ("CustomUserData", "bob")])
            #expect(taken.status == 400)
            let text = "Invalid parameter: This endpoint is already registered with a different token."
            #expect(taken.error == ("InvalidParameter", text))
            var shown = try await server.call("GetEndpointAttributes", [("EndpointArn", arn)]).entries
            #expect(shown == ["Enabled": "true", "Token": Harness.token(1), "CustomUserData": "ann"])
            #expect(try await set([("Token", Harness.token(0xF)), ("Enabled", "true")]).status == 200)
            shown = try await server.call("GetEndpointAttributes", [("EndpointArn", arn)]).entries
            #expect(shown == ["Enabled": "true", "Token": Harness.token(0xF), "CustomUserData": "ann"])
        }
    }

    @Test("what the provider disabled is shown so, and is enabled again by its owner")
    func enablesAgain() async throws {
        try await Harness.run { server in
            let shop = try await server.makeApplication()
            let arn = try await server.makeEndpoint(shop, token: Harness.token(1))
            let app = try #require(try await server.store.app(.name("shop")))
            let known = try #require(try await server.store.endpoint(app.row, .token(.apns, Harness.token(1))))
            let gone = Endpoint.Status.disabled(DisableReason(rawValue: "Unregistered"))
            _ = try await server.store.updateEndpoint(known.row, EndpointUpdate(status: gone))
            let shown = try await server.call("GetEndpointAttributes", [("EndpointArn", arn)])
            #expect(shown.entries["Enabled"] == "false")
            let set = try await server.call(
                "SetEndpointAttributes",
                [("EndpointArn", arn)] + Harness.map([("Enabled", "true")])
            )
            #expect(set.status == 200)
            #expect(try await server.store.endpoint(app.row, .row(known.row))?.status == .enabled)
        }
    }

    @Test("a deleted one is gone, deleting again is no error, and its token gets another")
    func deletes() async throws {
        try await Harness.run { server in
            let shop = try await server.makeApplication()
            let arn = try await server.makeEndpoint(shop, token: Harness.token(1))
            for _ in 0..<2 {
                #expect(try await server.call("DeleteEndpoint", [("EndpointArn", arn)]).status == 200)
            }
            for action in ["GetEndpointAttributes", "SetEndpointAttributes"] {
                let reply = try await server.call(
                    action,
                    [("EndpointArn", arn)] + Harness.map([("Enabled", "true")])
                )
                #expect(reply.status == 404 && reply.error == ("NotFound", "Endpoint does not exist"))
            }
            #expect(try await server.makeEndpoint(shop, token: Harness.token(1)) != arn)
        }
    }

    @Test("endpoints are listed in pages of a hundred with their attributes")
    func pages() async throws {
        try await Harness.run { server in
            let shop = try await server.makeApplication()
            for index in 0..<101 {
                _ = try await server.makeEndpoint(shop, token: Harness.token(index), userData: "user \(index) <&>")
            }
            let first = try await server.call(
                "ListEndpointsByPlatformApplication",
                [("PlatformApplicationArn", shop)]
            )
            #expect(first.all("EndpointArn").count == 100)
            #expect(first.all("value").contains("user 99 <&>"))
            let token = try #require(first["NextToken"])
            let rest = try await server.call(
                "ListEndpointsByPlatformApplication",
                [("PlatformApplicationArn", shop), ("NextToken", token)]
            )
            #expect(rest.entries == ["Enabled": "true", "Token": Harness.token(100), "CustomUserData": "user 100 <&>"])
            #expect(!rest.has("NextToken"))
        }
    }

    @Test("two that make an endpoint at the same time get the same one")
    func concurrent() async throws {
        try await Harness.run { server in
            let shop = try await server.makeApplication()
            let arns = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<8 {
                    group.addTask { try await server.makeEndpoint(shop, token: Harness.token(1), userData: "ann") }
                }
                return try await group.reduce(into: Set<String>()) { $0.insert($1) }
            }
            #expect(arns.count == 1)
        }
    }

    @Test("what other interfaces register is an endpoint here, and the reverse")
    func isOneWorld() async throws {
        try await Harness.run { server in
            let shop = try await server.makeApplication()
            let device: JSONValue = [
                "app": "shop", "platform": "apns", "environment": "production", "token": .string(Harness.token(1)),
                "user_id": "ann",
            ]
            let (status, made) = try await server.rest(.POST, "/api/v1/devices", device)
            #expect(status == 201, "\(made)")
            let arn = try await server.makeEndpoint(shop, token: Harness.token(1))
            #expect(made.compact.contains(String(arn.suffix(36))))
            _ = try await server.makeEndpoint(shop, token: Harness.token(2))
            let (_, devices) = try await server.rest(.GET, "/api/v1/devices?app=shop")
            #expect(devices.objectValue?["data"].map { if case .array(let items) = $0 { items.count } else { 0 } } == 2)
        }
    }

    @Test("the topic that an application names gets a message when an endpoint is made, changed and deleted")
    func publishesEvents() async throws {
        try await Harness.run(delivers: true) { server in
            let shop = try await server.makeApplication()
            let watcher = try await server.makeEndpoint(shop, token: Harness.token(1))
            let topic = try #require(try await server.call("CreateTopic", [("Name", "events")])["TopicArn"])
            let subscribed = try await server.call(
                "Subscribe",
                [("TopicArn", topic), ("Protocol", "application"), ("Endpoint", watcher)]
            )
            #expect(subscribed.status == 200, "\(subscribed.body)")
            let names = ["EventEndpointCreated", "EventEndpointUpdated", "EventEndpointDeleted"]
            let set = try await server.call(
                "SetPlatformApplicationAttributes",
                [("PlatformApplicationArn", shop)] + Harness.map(names.map { ($0, topic) })
            )
            #expect(set.status == 200, "\(set.body)")
            let arn = try await server.makeEndpoint(shop, token: Harness.token(2))
            _ = try await server.makeEndpoint(shop, token: Harness.token(2))
            let change = Harness.map([("CustomUserData", "ann")])
            #expect(try await server.call("SetEndpointAttributes", [("EndpointArn", arn)] + change).status == 200)
            for _ in 0..<2 { _ = try await server.call("DeleteEndpoint", [("EndpointArn", arn)]) }
            await server.pushes.untilAttempts(3)
            let told = server.pushes.attempts.map { String(decoding: $0.message.payload.bytes, as: UTF8.self) }
            for type in ["EndpointCreated", "EndpointUpdated", "EndpointDeleted"] {
                #expect(told.filter { $0.contains(type) }.count == 1, "\(told)")
            }
            #expect(told.allSatisfy { $0.contains(arn.split(separator: "/").last ?? "-") })
            #expect(server.pushes.attempts.allSatisfy { $0.token == Harness.token(1) })
        }
    }

    @Test("events name the endpoint and its application, and hold no token")
    func wordsEvents() throws {
        let application = PlatformApplicationARN(
            region: "us-east-1",
            account: Harness.account,
            platform: "APNS",
            name: "shop"
        )
        let now = Timestamp(milliseconds: 1_795_252_448_123)
        let id = try #require(PublicID("01890a5d-ac96-774b-bcce-b302099a8057"))
        let endpoint = Endpoint(
            row: RowID(1),
            id: id,
            app: RowID(1),
            platform: .apns,
            token: Harness.token(1),
            environment: .production,
            installation: nil,
            user: nil,
            status: .enabled,
            device: DeviceInfo(),
            createdAt: now,
            registeredAt: now
        )
        let arn = EndpointARN(application: application, id: id.description)
        for (event, type, attribute) in [
            (EndpointEvent.created(endpoint), "EndpointCreated", "EventEndpointCreated"),
            (.updated(endpoint, ["Token"]), "EndpointUpdated", "EventEndpointUpdated"),
            (.deleted(endpoint), "EndpointDeleted", "EventEndpointDeleted"),
        ] {
            let message = try JSONValue(json: .init(event.message(arn, at: now).utf8)).objectValue
            #expect(message?["EventType"]?.stringValue == type)
            #expect(message?["EndpointArn"]?.stringValue == arn.description)
            #expect(message?["Resource"]?.stringValue == application.description)
            #expect(message?["Service"]?.stringValue == "SNS")
            #expect(message?["Time"]?.stringValue == "2026-11-21T09:14:08.123Z")
            #expect(!event.message(arn, at: now).contains(endpoint.token))
            #expect(event.attribute == attribute)
        }
    }
}
