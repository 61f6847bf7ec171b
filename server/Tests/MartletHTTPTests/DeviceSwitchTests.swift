import HTTPTypes
import MartletStore
import MartletWire
import Testing

@testable import MartletCore
@testable import MartletHTTP

@Suite("A device's switch, platform and erasure")
struct DeviceSwitchTests {
    private static func device(
        _ server: Harness,
        _ token: String,
        of user: String = "ann",
        _ more: [String: JSONValue] = [:]
    ) async throws -> Answer {
        let body = ["token": .string(token), "user_id": .string(user)].merging(more) { $1 }
        return try await server.call(.post, DeviceTests.path, key: server.send, .object(body))
    }

    private static func path(_ answer: Answer) throws -> String {
        "\(DeviceTests.path)/\(try #require((answer.data["id"].stringValue ?? answer.data["endpoint_id"].stringValue)))"
    }

    @Test("is one for users, servers and the installation, and no registration turns it on")
    func oneSwitch() async throws {
        try await Harness.run { server in
            let phone = try await TokenRegistrationTests.register(server, TokenRegistrationTests.body())
            let secret = try #require(phone.data["installation_secret"].stringValue)
            let path = try Self.path(phone)
            func turn(_ isOn: Bool, byInstallation: Bool) async throws {
                if byInstallation {
                    let own = "/api/v1/installations/\(TokenRegistrationTests.installation)"
                    let headers = [HeaderName.installationSecret: secret]
                    let body: JSONValue = ["push": .bool(isOn)]
                    #expect(try await server.call(.patch, own, key: server.sdk, body, headers: headers).status == 204)
                } else {
                    let body: JSONValue = ["is_active": .bool(isOn)]
                    #expect(
                        try await server.call(.patch, path, key: server.send, body).data["is_active"] == .bool(isOn)
                    )
                }
            }
            for (off, on) in [(false, true), (true, false), (false, false), (true, true)] {
                try await turn(false, byInstallation: off)
                let launched = try await TokenRegistrationTests.register(
                    server,
                    TokenRegistrationTests.body(),
                    secret: secret
                )
                #expect(launched.data["is_active"] == false, "\(launched.text)")
                _ = try await Self.device(server, Harness.token)
                let seen = try await server.call(.get, path, key: server.send)
                #expect(seen.data["is_active"] == false && seen.data["inactive_reason"] == "device_off")
                let sent = try await server.call(
                    .post,
                    "/api/v1/notifications",
                    key: server.send,
                    ["audience": ["endpoints": [seen.data["id"]]], "title": "x"]
                )
                let id = try #require(sent.data["id"].stringValue)
                let held = try await server.call(.get, "/api/v1/notifications/\(id)/suppressions", key: server.send)
                #expect(held.items.allSatisfy { $0["reason"] == seen.data["inactive_reason"] }, "\(held.text)")
                try await turn(true, byInstallation: on)
                #expect(try await server.call(.get, path, key: server.send).data["is_active"] == true)
            }
        }
    }

    @Test("what a provider called gone comes back with its token, but what was switched off stays off")
    func goneAndOff() async throws {
        try await Harness.run { server in
            let made = try await Self.device(server, "aa")
            let path = try Self.path(made)
            let id = try #require(made.data["id"].stringValue.flatMap { PublicID($0) })
            let row = try #require(try await server.store.endpoint(server.app.row, .id(id))).row
            let gone = EndpointUpdate(status: .disabled(DisableReason(rawValue: "Unregistered")))
            _ = try await server.store.updateEndpoint(row, gone)
            let off = try await server.call(.get, path, key: server.send)
            #expect(off.data["inactive_reason"] == "Unregistered", "\(off.text)")
            #expect(off.data["inactive_reason_code"] == "unregistered", "\(off.text)")
            #expect(try await Self.device(server, "aa").data["is_active"] == true)
            _ = try await server.store.updateEndpoint(row, gone)
            #expect(
                try await server.call(.patch, path, key: server.send, ["is_active": false]).data["is_active"] == false
            )
            #expect(try await Self.device(server, "aa").data["is_active"] == false)
        }
    }

    @Test("the list has those that are on, or the others")
    func filters() async throws {
        try await Harness.run { server in
            for token in ["aa", "bb", "cc"] { _ = try await Self.device(server, token) }
            let path = try Self.path(try await Self.device(server, "bb"))
            _ = try await server.call(.patch, path, key: server.send, ["is_active": false])
            for (query, tokens) in [("true", ["aa", "cc"]), ("false", ["bb"])] as [(String, [JSONValue])] {
                for user in ["", "&user_id=ann"] {
                    let listed = DeviceTests.path + "?is_active=\(query)\(user)"
                    let items = try await server.call(.get, listed, key: server.send).items
                    #expect(items.map { $0["device_token"] } == tokens)
                }
            }
            let bad = try await server.call(.get, DeviceTests.path + "?is_active=no", key: server.send)
            #expect(bad.status == 422 && bad.field == "is_active")
        }
    }

    private static let platforms: [(said: [String: JSONValue], platform: JSONValue, provider: JSONValue)] = [
        ([:], "ios", "apns"), (["platform": "ios"], "ios", "apns"), (["platform": "apns"], "ios", "apns"),
        (["platform": "android"], "android", "fcm"), (["platform": "fcm"], "android", "fcm"),
        (["platform": "ios", "provider": "fcm"], "ios", "fcm"), (["provider": "fcm"], "android", "fcm"),
    ]

    @Test("a device says its operating system, and its provider beside it", arguments: platforms)
    func says(_ said: [String: JSONValue], _ platform: JSONValue, _ provider: JSONValue) async throws {
        try await Harness.run { server in
            let token = provider == "apns" ? "aa" : "abc:def"
            let made = try await Self.device(server, token, said)
            #expect([made.data["platform"], made.data["provider"]] == [platform, provider], "\(made.text)")
            // Whoever says nothing of it later does not change it.
            let again = try await Self.device(server, token, ["provider": provider])
            #expect(again.status == 200 && again.data["platform"] == platform, "\(again.text)")
            #expect(try await server.call(.get, try Self.path(made), key: server.send).data["platform"] == platform)
        }
    }

    @Test("two providers in one request are refused")
    func twoProviders() async throws {
        try await Harness.run { server in
            let answer = try await Self.device(server, "aa", ["platform": "apns", "provider": "fcm"])
            #expect(answer.status == 422 && answer.field == "provider", "\(answer.text)")
        }
    }

    @Test("a browser's device needs its subscription alone, and what seals its messages lies sealed in the store")
    func browser() async throws {
        try await Harness.run { server in
            let key: JSONValue = ["platform": "web", "subject": "mailto:push@example.com"]
            #expect(try await server.call(.put, WebPushTests.credentials, key: server.admin, key).status == 200)
            let body: JSONValue = ["user_id": "ann", "subscription": WebPushTests.subscription()]
            let made = try await server.call(.post, DeviceTests.path, key: server.send, body)
            #expect(made.status == 201, "\(made.text)")
            #expect([made.data["platform"], made.data["provider"]] == ["web", "webpush"])
            #expect(made.data["device_token"].stringValue == WebPushTests.endpoint)
        }
    }

    @Test(
        "a time zone that is none is refused, and not taken from a phone",
        arguments: ["Mars/Base", "", "Asia/Tokio"]
    )
    func timeZones(_ zone: String) async throws {
        try await Harness.run { server in
            let said: [String: JSONValue] = ["time_zone": .string(zone)]
            let refused = try await Self.device(server, "aa", said)
            #expect(refused.status == 422 && refused.field == "time_zone", "\(refused.text)")
            let known = try await Self.device(server, "aa", ["time_zone": "Asia/Tokyo"])
            let path = try Self.path(known)
            #expect(try await server.call(.patch, path, key: server.send, .object(said)).field == "time_zone")
            let phone = try await TokenRegistrationTests.register(
                server,
                TokenRegistrationTests.body(Harness.token, said)
            )
            #expect(phone.status == 201, "\(phone.text)")
            let seen = try await server.call(.get, try Self.path(phone), key: server.send)
            #expect(seen.data["time_zone"] == .null, "\(seen.text)")
            let own = "/api/v1/installations/\(TokenRegistrationTests.installation)"
            let headers = [HeaderName.installationSecret: phone.data["installation_secret"].stringValue ?? ""]
            let update = try await server.call(.patch, own, key: server.sdk, .object(said), headers: headers)
            #expect(update.status == 204, "\(update.text)")
        }
    }

    @Test("old names of time zones are known", arguments: ["US/Pacific", "Asia/Calcutta", "UTC", "GMT", "Asia/Tokyo"])
    func oldTimeZones(_ zone: String) async throws {
        try await Harness.run { server in
            let made = try await Self.device(server, "aa", ["time_zone": .string(zone)])
            #expect(made.data["time_zone"].stringValue == zone, "\(made.text)")
        }
    }

    @Test("erasing a user removes their devices unless they are to be kept")
    func erasure() async throws {
        try await Harness.run { server in
            for (user, query) in [("ann", ""), ("bob", "?keep_devices=true")] {
                let made = try await Self.device(server, user == "ann" ? "aa" : "bb", of: user)
                let erased = try await server.call(.delete, "/api/v1/users/\(user)\(query)", key: server.send)
                #expect(erased.status == 204, "\(erased.text)")
                let status = try await server.call(.get, try Self.path(made), key: server.send).status
                #expect(status == (user == "ann" ? 404 : 200))
            }
            let all: JSONValue = ["audience": ["all": true], "title": "To everybody"]
            let sent = try await server.call(.post, "/api/v1/notifications/estimate", key: server.send, all)
            #expect(sent.status == 200 && sent.text.contains("1"), "\(sent.text)")
        }
    }

    @Test("several are removed in one request, with a receipt for each")
    func removesSeveral() async throws {
        try await Harness.run { server in
            let path = DeviceTests.path + "/batch/delete"
            var ids: [JSONValue] = []
            for token in ["aa", "bb"] { ids.append(try await Self.device(server, token).data["id"]) }
            let body: JSONValue = ["ids": .array([ids[0], "01890a5d-ac96-774b-bcce-b302099a8057", ids[1], ids[0]])]
            let answer = try await server.call(.post, path, key: server.send, body)
            guard case .array(let receipts) = answer.data["receipts"] else {
                Issue.record("\(answer.text)")
                return
            }
            #expect(receipts.map { $0["status"] } == ["removed", "refused", "removed", "refused"])
            #expect(receipts[1]["error"]["code"] == "not_found" && receipts[1]["error"]["field"] == "ids[1]")
            #expect(try await server.call(.get, DeviceTests.path, key: server.send).items.isEmpty)
            #expect(try await server.call(.post, path, key: server.sdk, body).status == 403)
            #expect(try await server.call(.post, path, key: server.send, ["ids": []]).field == "ids")
        }
    }

    @Test("with the key inside an app nobody moves a registered token in a signed app, and the user's token does")
    func signedTokens() async throws {
        try await Harness.run { server in
            try await server.setIdentity("signed")
            let ann = server.userToken("ann")
            let first = try await TokenRegistrationTests.register(server, TokenRegistrationTests.body(), userToken: ann)
            #expect(first.status == 201 && first.data["user_id"] == "ann", "\(first.text)")
            _ = try await server.call(.post, DeviceTests.path, key: ann, ["token": "cd"])
            let other = "01890a5d-ac96-774b-bcce-b302099a8058"
            for token in [Harness.token, "cd"] {
                let body = TokenRegistrationTests.body(token, ["installation_id": .string(other)])
                let taken = try await TokenRegistrationTests.register(server, body)
                #expect(taken.status == 401 && taken.field == "token", "\(taken.text)")
            }
            let devices = try await server.call(.get, DeviceTests.path, key: ann).items
            #expect(devices.count == 2 && devices[0]["installation_id"] != .string(other))
            // A re-install, whose person signs in.
            let body = TokenRegistrationTests.body(Harness.token, ["installation_id": .string(other)])
            let own = try await TokenRegistrationTests.register(server, body, userToken: ann)
            #expect(own.status == 200 && own.data["user_id"] == "ann", "\(own.text)")
            // Where nobody signs in, a re-install is a device as before.
            try await server.setIdentity("asserted")
            let moved = try await TokenRegistrationTests.register(server, TokenRegistrationTests.body("cd"))
            #expect(moved.status == 401 || moved.status == 200, "\(moved.text)")
        }
    }

    @Test("a missing field has one code, wherever it is missing")
    func missingFields() async throws {
        try await Harness.run { server in
            for (key, body, field) in [
                (server.admin, ["token": "aa", "user_id": "a"], "app"), (server.send, ["token": "aa"], "user_id"),
                (server.send, ["user_id": "a"], "token"),
            ] as [(String, JSONValue, String)] {
                let answer = try await server.call(.post, DeviceTests.path, key: key, body)
                #expect(answer.status == 400 && answer.code == "malformed_request", "\(answer.text)")
                #expect(answer.field == field)
            }
        }
    }

    @Test("what is deleted a second time is not there, whatever it is")
    func deletesTwice() async throws {
        try await Harness.run { server in
            let app: JSONValue = "com.example.app"
            _ = try await server.call(.post, "/api/v1/categories", key: server.admin, ["app": app, "key": "follow"])
            let device = try Self.path(try await Self.device(server, "aa", of: "bob"))
            _ = try await server.call(.post, "/api/v1/topics", key: server.send, ["name": "news"])
            let key = try await server.call(.post, "/api/v1/keys", key: server.admin, ["scope": "admin", "name": "x"])
            for path in [
                "/api/v1/categories/follow?app=com.example.app", device, "/api/v1/topics/news",
                "/api/v1/keys/\(key.data["id"].stringValue ?? "")", "/api/v1/users/bob",
                "/api/v1/apps/com.example.app/credentials/apns/sandbox",
            ] {
                let own = path.contains("categories") || path.contains("keys") || path.contains("apps/")
                let caller = own ? server.admin : server.send
                #expect(try await server.call(.delete, path, key: caller).status == 204, "\(path)")
                let second = try await server.call(.delete, path, key: caller)
                #expect(second.status == 404 && second.code == "not_found", "\(path): \(second.text)")
            }
        }
    }

    @Test("a user's token on a key's route is told so, and where it belongs")
    func userTokenOnKeyRoutes() async throws {
        try await Harness.run { server in
            try await server.setIdentity("signed")
            for route in AccessTests.closedRoutes(server) where route.access != .devices && route.access != .user {
                let answer = try await server.call(route.method, AccessTests.path(route), key: server.userToken("ann"))
                #expect(answer.status == 403 && answer.code == "forbidden", "\(route.path): \(answer.text)")
                #expect(answer.text.contains("A user token may not do this."))
                if route.access == .registration { #expect(answer.text.contains(HeaderName.userToken)) }
            }
            let old = try await server.call(.get, "/api/v1/apps", key: server.userToken("ann", lifetime: -600))
            #expect(old.status == 401)
        }
    }
}
