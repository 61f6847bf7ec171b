import Foundation
import MartletWire
import PushNotificationSDK
import PushNotificationSDKTesting
import Testing

@testable import PushNotificationSDKCore

@Suite("Firebase's token", .timeLimit(.minutes(1))) struct FCMTokenTests {
    let fixture = Fixture()

    /// Sets Firebase's token, and returns when what follows from it has ended.
    private func set(_ token: String?, _ client: PushClient) async {
        client.set(fcmToken: token)
        await client.registrar.settled()
    }

    private func sent(_ fixture: Fixture) -> [PushToken] {
        fixture.registrations.map { PushToken(platform: $0.provider ?? .apns, text: $0.token ?? "") }
    }

    private let apple = PushToken.apns(String(repeating: "ab", count: 32))

    @Test func theRequestNamesFirebaseAndNoEnvironmentOfApple() async throws {
        var configuration = try SDKConfiguration.valid(player: "player-12345")
        configuration.apnsEnvironment = .sandbox
        await set("f:cm-1", try fixture.client(configuration))
        let request = try #require(fixture.registrations.first)
        #expect(request.provider == .fcm)
        #expect(request.token == "f:cm-1")
        #expect(request.environment == nil)
        #expect(request.userID == .value("player-12345"))
        #expect(request.permission == .authorized)
        #expect(fixture.registrations.count == 1)
        #expect(fixture.events.recorded.entries == [.init(.tokenRegister)])
    }

    @Test("Apple's token is kept and not registered while there is one of Firebase's")
    func oneWay() async throws {
        let client = try fixture.client()
        await set("f:cm", client)
        let response = try await client.register(.token())
        #expect(response.installationID == fixture.registrations.first?.installationID)
        #expect(sent(fixture) == [.fcm("f:cm")])
        #expect(client.context.identity.apnsToken == apple.text)
    }

    @Test("so it is with an Installation ID, which Firebase gives in place of a token")
    func installationID() async throws {
        let client = try fixture.client()
        let id = try PushToken.checked(fcm: "fKx3vR9lQ0aY-7_mZb2TcD")
        await set(id, client)
        _ = try await client.register(.token())
        #expect(sent(fixture) == [.fcm(id)])
    }

    @Test("the install moves from Apple's service to Firebase's and back, as one install")
    func backAndForth() async throws {
        let client = try fixture.client()
        _ = try await client.register(.token())
        await set("f:cm", client)
        await set(nil, client)
        await set(nil, client)
        #expect(sent(fixture) == [apple, .fcm("f:cm"), apple])
        #expect(Set(fixture.registrations.map(\.installationID)).count == 1)
        #expect(
            fixture.transport.calls.entries.dropFirst().allSatisfy { $0.headers[HeaderName.installationSecret] != nil }
        )
    }

    @Test("taken away before Apple's token came, it sends nothing, and Apple's is registered when it comes")
    func takenAwayFirst() async throws {
        let client = try fixture.client()
        await set("f:cm", client)
        await set(nil, client)
        #expect(sent(fixture) == [.fcm("f:cm")])
        _ = try await client.register(.token())
        #expect(sent(fixture) == [.fcm("f:cm"), apple])
    }

    @Test(
        "it outlives the launch: each registers it in place of Apple's, with or without that one",
        arguments: [true, false]
    )
    func relaunch(hasApplesToken: Bool) async throws {
        await set("f:cm", try fixture.client())
        let next = try fixture.client()
        if hasApplesToken {
            _ = try await next.register(.token())
        } else {
            next.didBecomeActive()
            await next.registrar.settled()
        }
        #expect(sent(fixture) == [.fcm("f:cm"), .fcm("f:cm")])
        await set("f:cm", next)
        #expect(fixture.registrations.count == 2)
    }

    @Test func takenAwayItIsGoneInTheNextLaunch() async throws {
        let client = try fixture.client()
        await set("f:cm", client)
        await set(nil, client)
        _ = try await fixture.client().register(.token())
        #expect(sent(fixture) == [.fcm("f:cm"), apple])
    }

    @Test("it is sent when it changes and after a day, and not else")
    func unchanged() async throws {
        let client = try fixture.client()
        await set("one", client)
        await set("one", client)
        client.didBecomeActive()
        await client.registrar.settled()
        #expect(fixture.registrations.count == 1)
        await set("two", client)
        fixture.clock.advance(by: 24 * 60 * 60 * 1000)
        await set("two", client)
        #expect(sent(fixture) == [.fcm("one"), .fcm("two"), .fcm("two")])
    }

    @Test("a text that is Apple's token too is another token of Firebase's")
    func sameText() async throws {
        let client = try fixture.client()
        _ = try await client.register(.token())
        await set(apple.text, client)
        #expect(sent(fixture) == [apple, .fcm(apple.text)])
    }

    @Test("a thousand changes at once come down to the last one")
    func coalesced() async throws {
        let client = try fixture.client()
        let gate = Journal<Void>()
        fixture.transport.answer { call, _ in
            _ = await gate.wait(for: 1)
            return .success(.registered(by: call))
        }
        for number in 1...1_000 { client.set(fcmToken: "f:\(number)") }
        gate.add(())
        await client.registrar.settled()
        #expect(sent(fixture).last == .fcm("f:1000"))
        #expect(fixture.registrations.count <= 2)
    }

    @Test("logins and logouts are told with it, without a token of Apple's")
    func users() async throws {
        let client = try fixture.client()
        await set("f:cm", client)
        client.login("u1")
        await client.registrar.settled()
        client.logout()
        await client.registrar.settled()
        #expect(fixture.registrations.map(\.userID) == [.unset, .value("u1"), .null])
        #expect(Set(sent(fixture)) == [.fcm("f:cm")])
    }

    @Test("what the server refused is told once, and coming to the front does not ask again")
    func refused() async throws {
        let fixture = Fixture(transport: ScriptedTransport(.success(.error(403, .forbidden, "No."))))
        let errors = Journal<PushNotificationError>()
        fixture.handlers.errors.handler = { errors.add($0) }
        let client = try fixture.client()
        await set("f:cm", client)
        client.didBecomeActive()
        await client.registrar.settled()
        #expect(await errors.wait(for: 1) == [.serverError(statusCode: 403, message: "No.")])
        #expect(fixture.registrations.count == 1)
        #expect(fixture.events.recorded.entries.isEmpty)
        // Another one is another question.
        await set("f:cm-2", client)
        #expect(fixture.registrations.count == 2)
    }

    @Test("an attempt that failed for the time being is made again")
    func retried() async throws {
        let fixture = Fixture(
            transport: ScriptedTransport { call, index in
                index == 0 ? .failure(.unreachable("offline")) : .success(.registered(by: call))
            }
        )
        let client = try fixture.client()
        client.set(fcmToken: "f:cm")
        await fixture.clock.passSleep(1)
        await client.registrar.settled()
        #expect(sent(fixture) == [.fcm("f:cm"), .fcm("f:cm")])
    }

    @Test("an installation that the server does not take begins anew with it")
    func renewed() async throws {
        let fixture = Fixture(
            transport: ScriptedTransport { call, index in
                .success(index == 1 ? .error(401, .installationSecretRequired) : .registered(by: call))
            }
        )
        let client = try fixture.client()
        _ = try await client.register(.token())
        await set("f:cm", client)
        #expect(sent(fixture) == [apple, .fcm("f:cm"), .fcm("f:cm")])
        #expect(fixture.registrations[1].installationID != fixture.registrations[2].installationID)
    }

    @Test("before the first unlock Apple's token is not registered in place of the one that cannot be read")
    func locked() async throws {
        await set("f:cm", try fixture.client())
        fixture.storage.lock(true)
        let client = try fixture.client()
        #expect(
            await client.outcome() == .failure(.registrationFailed("the device was not unlocked since it was started"))
        )
        #expect(fixture.registrations.count == 1)
        fixture.storage.lock(false)
        client.didBecomeReadable()
        await client.registrar.settled()
        #expect(sent(fixture) == [.fcm("f:cm"), .fcm("f:cm")])
    }

    @Test("one that is set before the first unlock is registered and stored after it", arguments: ["f:new", nil])
    func setWhileLocked(token: String?) async throws {
        await set("f:old", try fixture.client())
        fixture.storage.lock(true)
        let client = try fixture.client()
        await set(token, client)
        fixture.storage.lock(false)
        client.didBecomeReadable()
        await client.registrar.settled()
        #expect(sent(fixture) == [.fcm("f:old")] + (token.map { [.fcm($0)] } ?? []))
        #expect(try fixture.client().context.identity.fcmToken() == token)
    }

    @Test func aStoredTextThatCannotBeATokenIsNone() async throws {
        try fixture.storage.set("not a token", for: "martlet.fcm-token")
        _ = try await fixture.client().register(.token())
        #expect(sent(fixture) == [apple])
    }

    @Test func noLineOfTheLogHoldsIt() async throws {
        await set("f:secret", try fixture.client())
        #expect(!fixture.log.entries.isEmpty)
        #expect(!fixture.log.entries.contains { $0.contains("f:secret") })
    }

    @Test(
        "it has 1 to 4,096 letters, digits and - _ : . ~ %, as the server wants it",
        arguments: [
            "", "a b", "a\n", "é", "a\"", "a/b", "a+b", "ａ", "a\u{0}", String(repeating: "a", count: 4_097), "a",
            "azAZ09-_:.~%", String(repeating: "a", count: 4_096),
        ]
    )
    func rules(_ text: String) {
        let isValid = ["a", "azAZ09-_:.~%", String(repeating: "a", count: 4_096)].contains(text)
        #expect((try? PushToken.checked(fcm: text)) == (isValid ? text : nil))
    }
}

extension FacadeSuites {
    @MainActor @Suite struct FCMTokenFacadeTests {
        private let phone = FacadePhone()
        private let errors = Journal<PushNotificationError>()

        private var sent: [String?] { phone.transport.calls.entries.map(\.registration?.token) }

        @Test("a text that cannot be one is an invalidToken, and changes nothing", arguments: [true, false])
        func invalid(isConfigured: Bool) async throws {
            phone.start()
            PushNotificationSDK.onError = { [errors] in errors.add($0) }
            if isConfigured { try PushNotificationSDK.configure(.valid()) }
            PushNotificationSDK.setFCMToken("f:cm")
            PushNotificationSDK.setFCMToken("")
            #expect(await errors.wait(for: 1) == [.invalidToken])
            if !isConfigured { try PushNotificationSDK.configure(.valid()) }
            _ = await phone.transport.calls.wait(for: 1)
            await PushNotificationSDK.client?.registrar.settled()
            #expect(sent == ["f:cm"])
        }

        @Test("one that comes before the configuration keeps Apple's token from being registered")
        func beforeConfiguration() async throws {
            phone.start()
            PushNotificationSDK.setFCMToken("f:cm")
            try PushNotificationSDK.configure(.valid())
            #expect(phone.storage.values.isEmpty)
            _ = try await PushNotificationSDK.registerDeviceToken(Data([1, 2]))
            await MainQueue.drain()
            await PushNotificationSDK.client?.registrar.settled()
            #expect(sent == ["f:cm"])
            #expect(PushNotificationSDK.deviceToken == "0102")
        }

        @Test("a configuration for another server registers it there")
        func anotherServer() async throws {
            try phone.configure()
            PushNotificationSDK.setFCMToken("f:cm")
            _ = await phone.transport.calls.wait(for: 1)
            try PushNotificationSDK.configure(.valid(host: "other.example.com"))
            _ = try await PushNotificationSDK.registerDeviceToken(Data([1, 2]))
            #expect(sent == ["f:cm", "f:cm"])
            #expect(phone.transport.calls.entries.last?.url.host == "other.example.com")
        }
    }
}
