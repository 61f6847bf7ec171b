import Foundation
import MartletCore
import MartletStore
import MartletWire
import Testing

@testable import MartletSNS

@Suite("Platform applications")
struct PlatformApplicationTests {
    @Test("one is made with an app that has its credential, and shows everything but its secrets")
    func makes() async throws {
        try await Harness.run { server in
            let arn = try await server.makeApplication()
            #expect(arn == "arn:aws:sns:us-east-1:123456789012:app/APNS/shop")
            let app = try #require(try await server.store.app(.name("shop")))
            let credential = try #require(try await server.store.credentials(app.row).first)
            #expect(credential.environment == .production && credential.platform == .apns)
            #expect(credential.summary.topic == "com.example.app" && credential.summary.keyID == "ABCD123456")
            let shown = try await server.call("GetPlatformApplicationAttributes", [("PlatformApplicationArn", arn)])
            #expect(
                shown.entries == [
                    "Enabled": "true", "AuthenticationMethod": "Token", "ApplePlatformTeamID": "TEAM123456",
                    "ApplePlatformBundleID": "com.example.app",
                ]
            )
            #expect(!shown.body.contains("PRIVATE KEY") && !shown.body.contains("ABCD123456"))
            let again = try await server.makeApplication()
            #expect(again == arn)
            #expect(try await server.store.apps(PageRequest()).items.count == 1)
        }
    }

    @Test("each platform's word is its platform and environment", arguments: PlatformApplication.Kind.allCases)
    func kinds(_ kind: PlatformApplication.Kind) async throws {
        try await Harness.run { server in
            let attributes =
                kind.isApple ? Harness.apple : [("PlatformCredential", "secret"), ("PlatformPrincipal", "id")]
            let arn = try await server.makeApplication("shop", kind.rawValue, attributes)
            #expect(arn.hasSuffix("app/\(kind.rawValue)/shop"))
            let app = try #require(try await server.store.app(.name("shop")))
            let queues = try await server.store.credentials(app.row).map(\.queue)
            let queue = DeliveryQueue(app: app.row, platform: kind.platform, environment: kind.environment)
            #expect(queues == (kind.isApple ? [queue] : []))
            #expect(try await server.store.platformApplication(of: queue)?.kind == kind)
        }
    }

    @Test("what Apple would not take is refused, and no app is left of it")
    func refusesCredentials() async throws {
        let pem = "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----"
        let certificate = pem.replacing("PRIVATE KEY", with: "CERTIFICATE")
        let text = "Invalid parameter: Attributes Reason: Platform credentials are invalid"
        let refused: [[(String, String)]] = [
            [("PlatformCredential", pem)] + Harness.apple.dropFirst(),
            [("PlatformCredential", Harness.signingKey), ("PlatformPrincipal", "ABCD123456")],
            [Harness.apple[0], ("PlatformPrincipal", "no key id!")] + Harness.apple.dropFirst(2),
            [("PlatformCredential", pem), ("PlatformPrincipal", certificate)],
            [("PlatformCredential", Data(count: 2_000).base64EncodedString()), ("PlatformPrincipal", "password")],
            [("PlatformCredential", ""), ("PlatformPrincipal", "x")],
            [("Enabled", "true")],
        ]
        try await Harness.run { server in
            for attributes in refused {
                let reply = try await server.call(
                    "CreatePlatformApplication",
                    [("Name", "shop"), ("Platform", "APNS")] + Harness.map(attributes)
                )
                #expect(reply.status == 400)
                #expect(reply.error == ("InvalidParameter", text), "\(attributes.map(\.0)) \(reply.body)")
            }
            #expect(try await server.store.apps(PageRequest()).items.isEmpty)
        }
    }

    @Test("a placeholder makes an application without a credential, until a real one is set")
    func takesPlaceholders() async throws {
        try await Harness.run { server in
            let arn = try await server.makeApplication(
                "wire",
                "APNS",
                [("PlatformCredential", "c"), ("PlatformPrincipal", "p")]
            )
            let app = try #require(try await server.store.app(.name("wire")))
            #expect(try await server.store.credentials(app.row).isEmpty)
            let set = try await server.call(
                "SetPlatformApplicationAttributes",
                [("PlatformApplicationArn", arn)] + Harness.map(Harness.apple)
            )
            #expect(set.status == 200, "\(set.body)")
            #expect(try await server.store.credentials(app.row).map(\.summary.topic) == ["com.example.app"])
        }
    }

    @Test("a certificate and its key in PEM, and both in one archive, are credentials")
    func certificates() async throws {
        let identity = try PushIdentity.make(bundleID: "com.example.app")
        try await Harness.run { server in
            let pem = try await server.makeApplication(
                "pem",
                "APNS_SANDBOX",
                [("PlatformCredential", identity.key), ("PlatformPrincipal", identity.certificate)]
            )
            let shown = try await server.call("GetPlatformApplicationAttributes", [("PlatformApplicationArn", pem)])
            #expect(shown.entries["AuthenticationMethod"] == "Certificate", "\(shown.body)")
            #expect(shown.entries["AppleCertificateExpiryDate"] != nil)
            _ = try await server.makeApplication(
                "p12",
                "APNS",
                [("PlatformCredential", identity.archive), ("PlatformPrincipal", identity.password)]
            )
            let app = try #require(try await server.store.app(.name("p12")))
            let summary = try #require(try await server.store.credentials(app.row).first).summary
            #expect(summary.kind == .certificate && summary.topic == "com.example.app")
        }
    }

    @Test(
        "a service account and a key of Google's are kept, and shown as what they are",
        arguments: [("{\"type\": \"service_account\"}", "Token"), ("AIzaSy-legacy", "Key")]
    )
    func google(_ credential: String, _ method: String) async throws {
        try await Harness.run { server in
            let arn = try await server.makeApplication("google", "GCM", [("PlatformCredential", credential)])
            let shown = try await server.call("GetPlatformApplicationAttributes", [("PlatformApplicationArn", arn)])
            #expect(shown.entries == ["Enabled": "true", "AuthenticationMethod": method])
            let app = try #require(try await server.store.app(.name("google")))
            let queue = DeliveryQueue(app: app.row, platform: .fcm, environment: .production)
            let kept = try #require(try await server.store.platformApplication(of: queue))
            let sealed = try #require(kept.sealed)
            #expect(!String(decoding: sealed, as: UTF8.self).contains(credential))
            let purpose = PlatformApplication.purpose(app: app.id, kind: .gcm)
            let opened = try server.vault.open(sealed, for: purpose)
            #expect(ApplicationCredential(bytes: opened)?.credential == credential)
        }
    }

    @Test("credentials lead where the operator says")
    func leadsElsewhere() async throws {
        var settings = SNSSettings()
        settings.apnsURL = "https://127.0.0.1:2197"
        try await Harness.run(settings: settings) { server in
            _ = try await server.makeApplication()
            let app = try #require(try await server.store.app(.name("shop")))
            #expect(try await server.store.credentials(app.row).map(\.url) == ["https://127.0.0.1:2197"])
        }
    }

    @Test("attributes are set, kept and taken away, and a credential changes with its ids")
    func sets() async throws {
        try await Harness.run { server in
            let arn = try await server.makeApplication()
            let topic = "arn:aws:sns:us-east-1:123456789012:events"
            func set(_ values: [(String, String)]) async throws -> Reply {
                try await server.call(
                    "SetPlatformApplicationAttributes",
                    [("PlatformApplicationArn", arn)] + Harness.map(values)
                )
            }
            func shown() async throws -> [String: String] {
                try await server.call("GetPlatformApplicationAttributes", [("PlatformApplicationArn", arn)]).entries
            }
            let values = [
                ("Enabled", "false"), ("EventEndpointCreated", topic), ("SuccessFeedbackSampleRate", "100"),
                ("SuccessFeedbackRoleArn", "arn:aws:iam::123456789012:role/feedback"),
            ]
            #expect(try await set(values).status == 200)
            for (name, value) in values { #expect(try await shown()[name] == value) }
            #expect(try await set([("EventEndpointCreated", ""), ("Enabled", "TRUE")]).status == 200)
            #expect(try await shown()["EventEndpointCreated"] == nil)
            #expect(try await shown()["Enabled"] == "true")
            #expect(try await set([("ApplePlatformBundleID", "com.example.other")]).status == 200)
            #expect(try await shown()["ApplePlatformBundleID"] == "com.example.other")
            let app = try #require(try await server.store.app(.name("shop")))
            let summary = try #require(try await server.store.credentials(app.row).first).summary
            #expect(summary.topic == "com.example.other" && summary.teamID == "TEAM123456")
            for (values, reason) in [
                ([("X", "1")], "Invalid attribute name: X"),
                ([("Enabled", "yes")], "Invalid value for attribute: Enabled: must be true or false"),
                (
                    [("SuccessFeedbackSampleRate", "101")],
                    "Invalid value for attribute: SuccessFeedbackSampleRate: must be a number from 0 to 100"
                ),
                ([("PlatformPrincipal", "p")], "PlatformPrincipal attribute provided without PlatformCredential"),
            ] {
                let reply = try await set(values)
                #expect(reply.error == ("InvalidParameter", "Invalid parameter: Attributes Reason: \(reason)"))
            }
            #expect(try await set([("EventEndpointDeleted", "nonsense")]).status == 400)
        }
    }

    @Test("apps with credentials of other interfaces are applications in the home region, and the reverse")
    func isOneWorld() async throws {
        try await Harness.run { server in
            let (made, _) = try await server.rest(.POST, "/api/v1/apps", ["name": "bank"])
            #expect(made == 201)
            let body: JSONValue = [
                "platform": "apns", "p8": .string(Harness.signingKey), "key_id": "ABCD123456",
                "team_id": "TEAM123456", "bundle_id": "com.example.bank",
            ]
            #expect(try await server.rest(.PUT, "/api/v1/apps/bank/credentials", body).0 == 200)
            let home = "arn:aws:sns:us-east-1:123456789012:app"
            let listed = try await server.call("ListPlatformApplications")
            #expect(Set(listed.all("PlatformApplicationArn")) == ["\(home)/APNS/bank", "\(home)/APNS_SANDBOX/bank"])
            #expect(try await server.call("ListPlatformApplications", region: "eu-west-1").has("PlatformApplications"))
            #expect(
                try await server.call("ListPlatformApplications", region: "eu-west-1").all("member").isEmpty
            )
            let arn = "\(home)/APNS_SANDBOX/bank"
            let shown = try await server.call("GetPlatformApplicationAttributes", [("PlatformApplicationArn", arn)])
            #expect(shown.entries["ApplePlatformBundleID"] == "com.example.bank")
            #expect(try await server.call("DeletePlatformApplication", [("PlatformApplicationArn", arn)]).status == 200)
            let (_, credentials) = try await server.rest(.GET, "/api/v1/apps/bank/credentials")
            #expect(credentials.compact.contains("production") && !credentials.compact.contains("sandbox"))

            _ = try await server.makeApplication("shop")
            #expect(try await server.rest(.GET, "/api/v1/apps/shop").0 == 200)
            let (_, own) = try await server.rest(.GET, "/api/v1/apps/shop/credentials")
            #expect(own.compact.contains("com.example.app"))
        }
    }

    @Test("lists have pages of a hundred, and no token after the last")
    func pages() async throws {
        try await Harness.run { server in
            for index in 0..<101 {
                _ = try await server.makeApplication(
                    "app\(index)",
                    "ADM",
                    [("PlatformCredential", "c"), ("PlatformPrincipal", "p")]
                )
            }
            let first = try await server.call("ListPlatformApplications")
            #expect(first.all("PlatformApplicationArn").count == 100)
            let token = try #require(first["NextToken"])
            let rest = try await server.call("ListPlatformApplications", [("NextToken", token)])
            #expect(rest.all("PlatformApplicationArn") == ["arn:aws:sns:us-east-1:123456789012:app/ADM/app100"])
            #expect(!rest.has("NextToken"))
            let wrong = try await server.call("ListPlatformApplications", [("NextToken", "nonsense")])
            #expect(wrong.error == ("InvalidParameter", "Invalid parameter: NextToken"))
        }
    }

    @Test("a deleted one takes its endpoints and its app with it, and deleting again is no error")
    func deletes() async throws {
        try await Harness.run { server in
            let arn = try await server.makeApplication()
            let endpoint = try await server.makeEndpoint(arn, token: Harness.token(1))
            for _ in 0..<2 {
                let reply = try await server.call("DeletePlatformApplication", [("PlatformApplicationArn", arn)])
                #expect(reply.status == 200)
            }
            #expect(try await server.store.app(.name("shop")) == nil)
            let gone = try await server.call("GetEndpointAttributes", [("EndpointArn", endpoint)])
            #expect(gone.error == ("NotFound", "Endpoint does not exist"))
            #expect(try await server.makeApplication() == arn)
            let listed = try await server.call(
                "ListEndpointsByPlatformApplication",
                [("PlatformApplicationArn", arn)]
            )
            #expect(listed.body.contains("<Endpoints/>"))
        }
    }
}
