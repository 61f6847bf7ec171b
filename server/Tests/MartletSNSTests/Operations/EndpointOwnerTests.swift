import MartletStore
import MartletTesting
import MartletWire
import Testing

@testable import MartletCore
@testable import MartletSNS

@Suite struct EndpointOwnerTests {
    /// An application whose endpoints have their user's id at `/user_uid`.
    private static func makeApplication(_ harness: Harness) async throws -> String {
        let application = try await harness.makeApplication("shop")
        let (status, app) = try await harness.rest(.PATCH, "/api/v1/apps/shop", ["sns_user_pointer": "/user_uid"])
        #expect(status == 200)
        #expect(app.objectValue?["data"]?.objectValue?["sns_user_pointer"] == "/user_uid")
        return application
    }

    private static func user(_ harness: Harness, _ endpoint: String) async throws -> String? {
        let arn = try EndpointARN(endpoint, in: PublishingForm.scope())
        let app = try #require(try await harness.store.app(.name("shop")))
        let id = try #require(PublicID(arn.id))
        return try await harness.store.endpoint(app.row, .id(id))?.user?.id
    }

    @Test("an endpoint gets the user that its data name, also one that was there before the setting")
    func creating() async throws {
        try await Harness.run { harness in
            let application = try await harness.makeApplication("shop")
            let data = #"{"user_uid":"ann"}"#
            let early = try await harness.makeEndpoint(application, token: Harness.token(1), userData: data)
            #expect(try await Self.user(harness, early) == nil)
            _ = try await Self.makeApplicationSetting(harness)
            let again = try await harness.makeEndpoint(application, token: Harness.token(1), userData: data)
            #expect(again == early)
            let second = try await harness.makeEndpoint(application, token: Harness.token(2), userData: data)
            let number = try await harness.makeEndpoint(
                application,
                token: Harness.token(3),
                userData: #"{"user_uid":42}"#
            )
            #expect(try await Self.user(harness, early) == "ann")
            #expect(try await Self.user(harness, second) == "ann")
            #expect(try await Self.user(harness, number) == "42")
        }
    }

    private static func makeApplicationSetting(_ harness: Harness) async throws -> Int {
        try await harness.rest(.PATCH, "/api/v1/apps/shop", ["sns_user_pointer": "/user_uid"]).0
    }

    @Test("data that name nobody, or are no JSON, make an endpoint of nobody")
    func nobody() async throws {
        try await Harness.run { harness in
            let application = try await Self.makeApplication(harness)
            for (number, data) in [#"{"user_uid":null}"#, "{}", "ann", "[]", ""].enumerated() {
                let endpoint = try await harness.makeEndpoint(
                    application,
                    token: Harness.token(number),
                    userData: data
                )
                #expect(try await Self.user(harness, endpoint) == nil)
            }
        }
    }

    @Test("data with what is no user's id are refused, and nothing is written")
    func refusals() async throws {
        try await Harness.run { harness in
            let application = try await Self.makeApplication(harness)
            let long = String(repeating: "u", count: 257)
            let wrong = [#"{"user_uid":true}"#, #"{"user_uid":[]}"#, #"{"user_uid":""}"#, #"{"user_uid":"\#(long)"}"#]
            for data in wrong {
                let reply = try await harness.call(
                    "CreatePlatformEndpoint",
                    [("PlatformApplicationArn", application), ("Token", Harness.token(1)), ("CustomUserData", data)]
                )
                #expect(reply.error.code == "InvalidParameter")
                #expect(reply.error.message?.contains("at /user_uid") == true)
            }
            let endpoint = try await harness.makeEndpoint(application, token: Harness.token(1))
            #expect(try await Self.user(harness, endpoint) == nil)
        }
    }

    @Test("new data move an endpoint to another user or to nobody, and other attributes leave it")
    func setting() async throws {
        try await Harness.run { harness in
            let application = try await Self.makeApplication(harness)
            let endpoint = try await harness.makeEndpoint(
                application,
                token: Harness.token(1),
                userData: #"{"user_uid":"ann"}"#
            )
            func set(_ values: [(String, String)]) async throws -> String? {
                let update = [("EndpointArn", endpoint)] + Harness.map(values)
                #expect(try await harness.call("SetEndpointAttributes", update).status == 200)
                return try await Self.user(harness, endpoint)
            }
            #expect(try await set([("Enabled", "true"), ("Token", Harness.token(2))]) == "ann")
            #expect(try await set([("CustomUserData", #"{"user_uid":"bob"}"#)]) == "bob")
            #expect(try await set([("CustomUserData", "{}")]) == nil)
        }
    }

    @Test("a setting that is no JSON Pointer is refused with its field")
    func pointers() async throws {
        try await Harness.run { harness in
            _ = try await Self.makeApplication(harness)
            let (status, body) = try await harness.rest(.PATCH, "/api/v1/apps/shop", ["sns_user_pointer": "user_uid"])
            #expect(status == 422)
            #expect(body.objectValue?["error"]?.objectValue?["field"] == "sns_user_pointer")
            let (cleared, app) = try await harness.rest(.PATCH, "/api/v1/apps/shop", ["sns_user_pointer": .null])
            #expect(cleared == 200)
            #expect(app.objectValue?["data"]?.objectValue?["sns_user_pointer"] == nil)
        }
    }
}
