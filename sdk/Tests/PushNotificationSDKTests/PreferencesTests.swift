import Foundation
import MartletWire
import PushNotificationSDKTesting
import Testing

@testable import PushNotificationSDKCore

@Suite(.timeLimit(.minutes(1))) struct PreferencesTests {
    let backend = UserBackend()

    @Test("what two devices change in different fields at the same time survives, 1,000 rounds")
    func differentFields() async throws {
        let one = try Fixture(backend).client(of: "u1", at: backend).publicPreferences
        let two = try Fixture(backend).client(of: "u1", at: backend).publicPreferences
        for round in 0..<1_000 {
            let isOn = PreferenceSetting(round.isMultiple(of: 2))
            async let first = one.set(.category("comment", push: isOn))
            async let second = two.set(.category("comment", inbox: isOn))
            _ = try await (first, second)
            let choice = try #require(backend.choice(of: "u1", "comment"))
            #expect(choice == ChannelChoice(push: isOn == .on, inbox: isOn == .on))
        }
    }

    @Test("a request says what changes and nothing else")
    func requests() async throws {
        let preferences = try Fixture(backend).client(of: "u1", at: backend).publicPreferences
        try await preferences.set(.category("comment", push: false))
        try await preferences.set(.master(enabled: .byDefault, inbox: true))
        var both = PreferencesChange.master(push: false)
        both.setMaster(inbox: true)
        both.setCategory("follow", enabled: .byDefault)
        try await preferences.set(both)
        let bodies = try backend.transport.calls.entries.map { try JSONValue(json: $0.body ?? Data()) }
        #expect(
            bodies == [
                ["categories": ["comment": ["push": false]]],
                ["master": ["enabled": .null, "inbox": true]],
                ["master": ["push": false, "inbox": true], "categories": ["follow": ["enabled": .null]]],
            ]
        )
        let call = try #require(backend.transport.calls.entries.first)
        #expect(call.method == "PATCH")
        #expect(call.url.absoluteString == "https://api.example.com/api/v1/preferences")
        #expect(call.bearer == "jwt.of.u1")
    }

    @Test("changes go to the server in the order in which they were made")
    func order() async throws {
        let client = try Fixture(backend).client(of: "u1", at: backend)
        let ends = Journal<Bool>()
        for round in 1...10 {
            client.publicPreferences.set(.category("comment", push: PreferenceSetting(round == 10))) { _ in
                ends.add(MainQueue.isCurrent)
            }
        }
        #expect(await ends.wait(for: 10) == Array(repeating: true, count: 10))
        #expect(backend.choice(of: "u1", "comment")?.push == true)
    }

    @Test("a call is made for whoever is the user then, though somebody else logs in right after it")
    func userOfTheCall() async throws {
        let client = try Fixture(backend).client(of: "u1", at: backend)
        backend.allow("jwt.of.u2", for: "u2")
        let ends = Journal<PushNotificationError?>()
        client.publicPreferences.load { ends.add($0.failure) }
        client.publicPreferences.set(.category("comment", push: false)) { ends.add($0.failure) }
        client.login("u2", token: "jwt.of.u2")
        #expect(await ends.wait(for: 2) == [.loginRequired, .loginRequired])
        #expect(backend.choice(of: "u2", "comment") == nil)
    }

    @Test("what was read is kept for the next launch of the same user, and is gone with the login")
    func cache() async throws {
        let fixture = Fixture(backend)
        let client = try fixture.client(of: "u1", at: backend)
        #expect(client.publicPreferences.cached == nil)
        try await client.publicPreferences.set(.category("comment", push: false))
        let kept = try #require(client.publicPreferences.cached)
        #expect(kept["comment"]?.push == .init(isOn: false, source: .user))
        #expect(kept["comment"]?.name(for: ["fr-FR", "ja-JP"]) == "種類")
        #expect(kept["comment"]?.name(for: ["de"]) == "Comment")
        #expect(try fixture.client().publicPreferences.cached == kept)
        client.login("u2", token: "jwt.of.u2")
        #expect(client.publicPreferences.cached == nil)
        client.login("u1", token: "jwt.of.u1")
        #expect(client.publicPreferences.cached == nil)
        _ = try await client.publicPreferences.load()
        #expect(client.publicPreferences.cached == kept)
        client.logout()
        #expect(client.publicPreferences.cached == nil)
        #expect(try fixture.client().publicPreferences.cached == nil)
        #expect(!fixture.storage.values.keys.contains { $0.hasPrefix("martlet.preferences") })
    }

    @Test("the same change as JSON, and what is no change")
    func json() throws {
        let text = #"{"master":{"push":false},"categories":{"comment":{"enabled":null,"inbox":true}}}"#
        var change = PreferencesChange.master(push: false)
        change.setCategory("comment", enabled: .byDefault, inbox: true)
        #expect(try PreferencesChange(json: text) == change)
        for wrong in [
            "[]", "{", #"{"other":{}}"#, #"{"master":true}"#, #"{"master":{"push":1}}"#, #"{"master":{"mail":true}}"#,
            #"{"categories":{"a":null}}"#,
        ] {
            #expect(throws: PushNotificationError.self) { try PreferencesChange(json: wrong) }
        }
    }

    @Test("pushes to this device are switched with the installation's secret, once it is registered")
    func pushSwitch() async throws {
        let fixture = Fixture(backend)
        let client = try fixture.client(of: "u1", at: backend)
        let early = await outcome { () async throws(PushNotificationError) in
            try await client.publicPreferences.setPushEnabled(false)
        }
        #expect(early.failure == .registrationFailed("the device is not registered yet"))
        _ = try await client.register(.token())
        try await client.publicPreferences.setPushEnabled(false)
        let call = try #require(fixture.transport.calls.entries.last)
        let id = try client.context.identity.installationID()
        #expect(call.method == "PATCH")
        #expect(call.url.path == "/api/v1/installations/\(id)")
        #expect(call.headers[HeaderName.installationSecret] == "mi_secret")
        #expect(call.headers[HeaderName.userToken] == nil)
        #expect(call.body == Data(#"{"push":false}"#.utf8))
    }

    @Test("what changed about the device is told when it comes to the front, once, and only what changed")
    func deviceFacts() async throws {
        let fixture = Fixture(backend)
        let client = try fixture.client(of: "u1", at: backend)
        _ = try await client.register(.token())
        client.didBecomeActive()
        await client.registrar.settled()
        fixture.platform.set { $0.timeZone = "America/New_York" }
        client.didBecomeActive()
        let call = await fixture.transport.calls.wait { $0.method == "PATCH" }
        #expect(call?.body == Data(#"{"time_zone":"America\/New_York"}"#.utf8))
        client.didBecomeActive()
        fixture.platform.set { $0.locale = "en-US" }
        client.didBecomeActive()
        let last = await fixture.transport.calls.wait {
            String(decoding: $0.body ?? Data(), as: UTF8.self).contains("en-US")
        }
        #expect(last?.body == Data(#"{"locale":"en-US"}"#.utf8))
        #expect(fixture.transport.calls.entries.filter { $0.method == "PATCH" }.count == 2)
    }
}
