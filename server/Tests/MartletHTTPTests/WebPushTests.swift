import Crypto
import Foundation
import HTTPTypes
import MartletStore
import MartletWire
import Testing

@testable import MartletCore
@testable import MartletHTTP

@Suite("Browsers over REST")
struct WebPushTests {
    static let credentials = "/api/v1/apps/com.example.app/credentials"
    static let endpoint = "https://fcm.googleapis.com/fcm/send/a:b"
    static let p256dh = Secret.base64URL(Array(P256.KeyAgreement.PrivateKey().publicKey.x963Representation))
    static let auth = Secret.base64URL(Array(1...16))

    static func subscription(
        _ endpoint: String = endpoint,
        p256dh: String = p256dh,
        auth: String = auth
    ) -> JSONValue {
        [
            "endpoint": .string(endpoint), "expirationTime": .null,
            "keys": ["p256dh": .string(p256dh), "auth": .string(auth)],
        ]
    }

    private static func body(
        _ subscription: JSONValue = subscription(),
        _ more: [String: JSONValue] = [:]
    ) -> JSONValue {
        let body: [String: JSONValue] = [
            "installation_id": .string(TokenRegistrationTests.installation), "platform": "webpush",
            "subscription": subscription,
        ]
        return .object(body.merging(more) { $1 })
    }

    @discardableResult
    private static func makeKey(_ server: Harness, _ more: [String: JSONValue] = [:]) async throws -> JSONValue {
        let body: [String: JSONValue] = ["platform": "webpush", "subject": "mailto:push@example.com"]
        let answer = try await server.call(
            .put,
            credentials,
            key: server.admin,
            .object(body.merging(more) { $1 })
        )
        #expect(answer.status == 200, "\(answer.text)")
        #expect(answer.items.count == 1)
        return answer.items.first ?? .null
    }

    private static func stored(_ server: Harness) async throws -> Endpoint? {
        try await server.store.endpoints(server.app.row, user: nil, PageRequest()).items.last
    }

    @Test("a VAPID key is made, shown to browsers, rotated, and never shown whole")
    func key() async throws {
        try await Harness.run { server in
            let path = "/api/v1/webpush/key?app=com.example.app"
            let none = try await server.call(.get, path, key: server.sdk)
            #expect(none.status == 404)
            let made = try await Self.makeKey(server)
            #expect(made["kind"] == "vapid" && made["environment"] == "production")
            #expect(made["subject"] == "mailto:push@example.com")
            let shown = try await server.call(.get, path, key: server.sdk)
            #expect(shown.data == ["key_id": made["key_id"], "public_key": made["public_key"]])
            #expect(try await server.call(.get, path).status == 401)
            let rotation: JSONValue = ["platform": "webpush", "rotate": true]
            let rotated = try await server.call(.put, Self.credentials, key: server.admin, rotation)
            #expect(rotated.status == 200, "\(rotated.text)")
            #expect(rotated.items.first?["key_id"] != made["key_id"])
            #expect(rotated.items.first?["subject"] == "mailto:push@example.com")
            let next = try await server.call(.get, path, key: server.sdk)
            #expect(next.data["public_key"] == rotated.items.first?["public_key"])
        }
    }

    @Test("a browser registers with what it has of its subscription, and is at its push service")
    func registers() async throws {
        try await Harness.run { server in
            let key = try await Self.makeKey(server)
            let first = try await TokenRegistrationTests.register(server, Self.body())
            #expect(first.status == 201, "\(first.text)")
            #expect(
                first.data["platform"] == "web" && first.data["provider"] == "webpush"
                    && first.data["environment"] == "google"
            )
            let secret = try #require(first.data["installation_secret"].stringValue)
            let endpoint = try #require(try await Self.stored(server))
            #expect(endpoint.token == Self.endpoint)
            let other = "https://updates.push.services.mozilla.com/wpush/v2/x"
            let moved = try await TokenRegistrationTests.register(
                server,
                Self.body(
                    Self.subscription(other),
                    ["vapid_key_id": key["key_id"], "previous_token": .string(Self.endpoint)]
                ),
                secret: secret
            )
            #expect(moved.status == 200, "\(moved.text)")
            #expect(moved.data["endpoint_id"] == first.data["endpoint_id"])
            #expect(moved.data["environment"] == "mozilla")
            #expect(server.logs.text.allSatisfy { !$0.contains(Self.auth) && !$0.contains(Self.endpoint) })
        }
    }

    @Test("a subscription's keys are taken in standard base64 too, as pages make it with btoa")
    func standardBase64() async throws {
        try await Harness.run { server in
            try await Self.makeKey(server)
            var point = Data()
            while !point.base64EncodedString().contains("+") || !point.base64EncodedString().contains("/") {
                point = P256.KeyAgreement.PrivateKey().publicKey.x963Representation
            }
            let secret = Data([0xFB, 0xEF, 0xFF] + [UInt8](repeating: 9, count: 13))
            let (p256dh, auth) = (point.base64EncodedString(), secret.base64EncodedString())
            let body = Self.body(Self.subscription(p256dh: p256dh, auth: auth))
            let made = try await TokenRegistrationTests.register(server, body)
            #expect(made.status == 201, "\(made.text)")
            let read = try PushSubscription(p256dh: p256dh, auth: auth, vapidKeyID: "k", field: "f")
            #expect(read.publicKey == Array(point) && read.auth == Array(secret))
        }
    }

    private static let bad: [(body: JSONValue, field: String)] = [
        (body(subscription("http://fcm.googleapis.com/x")), "subscription.endpoint"),
        (body(subscription("https://127.0.0.1/x")), "subscription.endpoint"),
        (body(subscription("https://[::1]/x")), "subscription.endpoint"),
        (body(subscription("https://169.254.169.254/x")), "subscription.endpoint"),
        (body(subscription("https://push.example.org/x")), "subscription.endpoint"),
        (body(subscription("https://fcm.googleapis.com:8443/x")), "subscription.endpoint"),
        (body(subscription("https://a@fcm.googleapis.com/x")), "subscription.endpoint"),
        (body(subscription(p256dh: "AAAA")), "subscription.keys.p256dh"),
        (
            body(subscription(p256dh: Secret.base64URL([4] + [UInt8](repeating: 1, count: 64)))),
            "subscription.keys.p256dh"
        ),
        (body(subscription(auth: Secret.base64URL(Array(1...15)))), "subscription.keys.auth"),
        (body(subscription(auth: "!")), "subscription.keys.auth"),
        (body(subscription(), ["vapid_key_id": "x"]), "vapid_key_id"),
        (body(subscription(), ["token": "other"]), "token"),
        (body(subscription(), ["previous_token": "other"]), "previous_token"),
        (body(.null), "subscription"),
        (
            ["installation_id": .string(TokenRegistrationTests.installation), "platform": "webpush", "token": "x"],
            "subscription"
        ),
        (["installation_id": .string(TokenRegistrationTests.installation)], "token"),
        (
            [
                "installation_id": .string(TokenRegistrationTests.installation), "token": .string(Harness.token),
                "subscription": subscription(),
            ],
            "subscription"
        ),
        (
            [
                "installation_id": .string(TokenRegistrationTests.installation), "token": .string(Harness.token),
                "environment": "google",
            ],
            "environment"
        ),
    ]

    @Test("each bad field of a registration is refused by its name, and nothing is written", arguments: bad)
    func refused(_ body: JSONValue, _ field: String) async throws {
        try await Harness.run { server in
            try await Self.makeKey(server)
            let answer = try await TokenRegistrationTests.register(server, body)
            #expect((400..<500).contains(answer.status), "\(answer.text)")
            #expect(answer.field == field, "\(answer.text)")
            #expect(try await Self.stored(server) == nil)
        }
    }

    @Test("without a VAPID key no browser registers")
    func noKey() async throws {
        try await Harness.run { server in
            let answer = try await TokenRegistrationTests.register(server, Self.body())
            #expect(answer.code == "missing_credential" && answer.field == "platform")
        }
    }

    @Test(
        "a credential of Web Push is refused by its bad field",
        arguments: [
            (["platform": "webpush"] as [String: JSONValue], "subject"),
            (["platform": "webpush", "subject": "mailto: x"], "subject"),
            (["platform": "webpush", "subject": "https://localhost"], "subject"),
            (["platform": "webpush", "subject": "mailto:a@b.co", "vapid_private_key": "x"], "vapid_private_key"),
            (["platform": "webpush", "subject": "mailto:a@b.co", "url": "https://a.b"], "url"),
            (["platform": "webpush", "subject": "mailto:a@b.co", "environment": "google"], "environment"),
        ]
    )
    func badCredential(_ body: [String: JSONValue], _ field: String) async throws {
        try await Harness.run { server in
            let answer = try await server.call(.put, Self.credentials, key: server.admin, .object(body))
            #expect((400..<500).contains(answer.status))
            #expect(answer.field == field, "\(answer.text)")
        }
    }

    @Test("both scripts are served to anybody")
    func scripts() async throws {
        try await Harness.run { server in
            for path in ["/webpush/martlet.js", "/webpush/worker.js"] {
                let answer = try await server.call(.get, path)
                #expect(answer.status == 200)
                #expect(answer.headers[.contentType] == "text/javascript; charset=utf-8")
                #expect(answer.text.contains("'use strict'"))
            }
        }
    }

    @Test("pages of the sites that are named may call the interface, and no others")
    func crossOrigin() async throws {
        var settings = APISettings()
        settings.webOrigins = ["https://shop.example.com"]
        try await Harness.run(settings: settings) { server in
            func call(_ method: HTTPRequest.Method, _ origin: String) async throws -> Answer {
                try await server.call(
                    method,
                    "/api/v1/webpush/key",
                    key: method == .options ? nil : server.sdk,
                    headers: ["Origin": origin, "Access-Control-Request-Method": "GET"]
                )
            }
            let preflight = try await call(.options, "https://shop.example.com")
            #expect(preflight.status == 204)
            #expect(preflight.headers[.accessControlAllowOrigin] == "https://shop.example.com")
            #expect(preflight.headers[.accessControlAllowHeaders]?.contains("Martlet-Installation-Secret") == true)
            // A refusal too has to be readable.
            let refused = try await call(.get, "https://shop.example.com")
            #expect(refused.status == 404)
            #expect(refused.headers[.accessControlAllowOrigin] == "https://shop.example.com")
            let foreign = try await call(.get, "https://evil.example.com")
            #expect(foreign.headers[.accessControlAllowOrigin] == nil)
            #expect(try await call(.options, "https://evil.example.com").status == 405)
        }
    }
}
