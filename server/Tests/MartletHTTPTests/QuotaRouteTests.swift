import Foundation
import HTTPTypes
import MartletStore
import MartletTesting
import MartletWire
import Testing

@testable import MartletCore
@testable import MartletHTTP

@Suite("What clients may ask for")
struct QuotaRouteTests {
    private func registration(_ number: Int, installation: String = UUID().uuidString.lowercased()) -> JSONValue {
        ["installation_id": .string(installation), "token": .string(String(format: "%064x", number))]
    }

    private func events(_ count: Int) -> JSONValue {
        let time = JSONValue.integer(1_800_000_000)
        return [
            "events": .array(
                (0..<count).map { _ in
                    [
                        "event_id": .string(UUID().uuidString.lowercased()), "type": "open", "platform": "ios",
                        "time": time, "message_id": "m",
                    ]
                }
            )
        ]
    }

    /// The seconds that the answer says to wait; 0 where it says none.
    private func retryAfter(_ answer: Answer) -> Int { answer.headers[.retryAfter].flatMap(Int.init) ?? 0 }

    @Test("an installation's registrations are refused beyond its quota, with the time of the next")
    func registrations() async throws {
        var settings = APISettings()
        settings.quotas.registrations = Quota(perHour: 2)
        try await Harness.run(settings: settings) { server in
            let own = registration(1, installation: UUID().uuidString.lowercased())
            var answer = try await server.call(.post, "/api/v1/tokens", key: server.sdk, own)
            let secret = try #require(answer.data["installation_secret"].stringValue)
            let headers = [HeaderName.installationSecret: secret]
            answer = try await server.call(.post, "/api/v1/tokens", key: server.sdk, own, headers: headers)
            #expect(answer.status == 200, "\(answer.text)")
            answer = try await server.call(.post, "/api/v1/tokens", key: server.sdk, own, headers: headers)
            #expect(answer.status == 429)
            #expect(answer.code == "too_many_requests")
            // Half an hour, less what the test itself has taken.
            #expect((1_700...1_800).contains(retryAfter(answer)))
            // Another one has its own, and the customer's server has no quota.
            answer = try await server.call(.post, "/api/v1/tokens", key: server.sdk, registration(2))
            #expect(answer.status == 201, "\(answer.text)")
            for number in 3..<8 {
                answer = try await server.call(.post, "/api/v1/tokens", key: server.send, registration(number))
                #expect(answer.status == 201, "\(answer.text)")
            }
        }
    }

    @Test("an installation sends itself so many test notifications in an hour, and no bound holds for a server key")
    func tests() async throws {
        var settings = APISettings()
        settings.quotas.tests = Quota(perHour: 2)
        try await Harness.run(settings: settings) { server in
            let id = UUID().uuidString.lowercased()
            let body = registration(1, installation: id)
            let made = try await server.call(.post, "/api/v1/tokens", key: server.sdk, body)
            let headers = [HeaderName.installationSecret: try #require(made.data["installation_secret"].stringValue)]
            let path = "/api/v1/installations/\(id)/test"
            for expected in [202, 202, 429] {
                let answer = try await server.call(.post, path, key: server.sdk, headers: headers)
                #expect(answer.status == expected, "\(answer.text)")
                #expect((1_700...1_800).contains(retryAfter(answer)) == (expected == 429))
            }
            #expect(try await server.call(.post, path, key: server.send, headers: headers).status == 202)
        }
    }

    @Test("all of an app's installations together send themselves so many test notifications in an hour")
    func testsOfApp() async throws {
        var settings = APISettings()
        settings.quotas.testsOfApp = Quota(perHour: 2)
        try await Harness.run(settings: settings) { server in
            func test(_ number: Int, key: String) async throws -> Answer {
                let id = UUID().uuidString.lowercased()
                let body = registration(number, installation: id)
                let made = try await server.call(.post, "/api/v1/tokens", key: server.sdk, body)
                let secret = try #require(made.data["installation_secret"].stringValue)
                let headers = [HeaderName.installationSecret: secret]
                return try await server.call(.post, "/api/v1/installations/\(id)/test", key: key, headers: headers)
            }
            for number in 1...2 {
                let answer = try await test(number, key: server.sdk)
                #expect(answer.status == 202, "\(answer.text)")
            }
            let refused = try await test(3, key: server.sdk)
            #expect(refused.status == 429 && refused.code == "too_many_requests", "\(refused.text)")
            #expect((1_700...1_800).contains(retryAfter(refused)))
            #expect(refused.json["error"]["hint"].stringValue?.contains("send key") == true)
            #expect(try await test(4, key: server.send).status == 202)
            // Another app has its own.
            let other = try await server.store.createApp(name: "com.example.other", identity: Identity())
            #expect(throws: Never.self) { try server.api.quotas.takeTest(of: PublicID(UUID()), other, address: "") }
        }
    }

    @Test("an address uses up half of an app's test notifications at most, where it has more by its installations")
    func testsPerAddress() async throws {
        var settings = APISettings()
        settings.quotas.testsOfApp = Quota(perHour: 5)
        try await Harness.run(settings: settings) { server in
            let app = try await server.store.createApp(name: "com.example.other", identity: Identity())
            func isTaken(from address: String) -> Bool {
                (try? server.api.quotas.takeTest(of: PublicID(UUID()), app, address: address)) != nil
            }
            #expect((0..<4).map { _ in isTaken(from: "203.0.113.1") } == [true, true, true, false])
            // The rest is there for the others.
            #expect((0..<3).map { _ in isTaken(from: "203.0.113.2") } == [true, true, false])
        }
    }

    @Test("what an address has of test notifications follows from the settings, of which 0 is no limit")
    func testsPerAddressBySettings() {
        var settings = QuotaSettings()
        #expect(settings.testsPerAddress == Quota(perHour: 100))
        settings.tests = Quota(perHour: 2)
        #expect(settings.testsPerAddress == Quota(perHour: 64))
        settings.tests = Quota(perHour: 0)
        #expect(settings.testsPerAddress == Quota(perHour: 100))
        settings.testsOfApp = Quota(perHour: 0)
        #expect(settings.testsPerAddress == Quota(perHour: 0))
        settings = QuotaSettings()
        settings.testsOfApp = Quota(perHour: 1)
        #expect(settings.testsPerAddress == Quota(perHour: 1))
        settings.installationsPerAddress = 0
        #expect(settings.testsPerAddress == Quota(perHour: 0))
    }

    @Test("an address has so many installations' worth, whatever installations it names")
    func address() async throws {
        var settings = APISettings()
        settings.quotas.registrations = Quota(perHour: 1)
        settings.quotas.installationsPerAddress = 3
        try await Harness.run(isLive: true, settings: settings) { server in
            for number in 0..<3 {
                let answer = try await server.call(.post, "/api/v1/tokens", key: server.sdk, registration(number))
                #expect(answer.status == 201, "\(answer.text)")
            }
            let answer = try await server.call(.post, "/api/v1/tokens", key: server.sdk, registration(9))
            #expect(answer.status == 429)
            #expect(answer.headers[.retryAfter] != nil)
        }
    }

    @Test("behind a trusted proxy it is the address that the proxy names")
    func forwarded() async throws {
        var settings = APISettings()
        settings.quotas.registrations = Quota(perHour: 1)
        settings.quotas.installationsPerAddress = 1
        settings.proxies = try TrustedProxies(["127.0.0.1"])
        try await Harness.run(isLive: true, settings: settings) { server in
            for (number, client) in ["203.0.113.1", "203.0.113.2"].enumerated() {
                let headers = ["X-Forwarded-For": "198.51.100.\(number), \(client)"]
                for expected in [201, 429] {
                    let body = registration(number * 2 + expected)
                    let answer = try await server.call(.post, "/api/v1/tokens", key: server.sdk, body, headers: headers)
                    #expect(answer.status == expected, "\(answer.text)")
                }
            }
        }
    }

    @Test("a flood of events ends at the quota, and the customer's own server goes on")
    func eventFlood() async throws {
        var settings = APISettings()
        settings.quotas.events = Quota(perHour: 10)
        settings.quotas.installationsPerAddress = 1
        try await Harness.run(isLive: true, settings: settings) { server in
            let path = "/td/v1/mobile/push_events"
            var answer = try await server.call(.post, path, key: server.sdk, events(10))
            #expect(answer.status == 200, "\(answer.text)")
            answer = try await server.call(.post, path, key: server.sdk, events(1))
            #expect(answer.status == 429)
            #expect((300...360).contains(retryAfter(answer)))
            answer = try await server.call(.post, path, key: server.send, events(100))
            #expect(answer.status == 200, "\(answer.text)")
        }
    }

    @Test("clients' events leave the disk's reserve to everything else")
    func reserve() async throws {
        var settings = APISettings()
        settings.freeDiskBytes = { 1_000_000 }
        settings.eventReserve = 1_000_001
        try await Harness.run(settings: settings) { server in
            let path = "/td/v1/mobile/push_events"
            let refused = try await server.call(.post, path, key: server.sdk, events(1))
            #expect(refused.status == 503)
            #expect(refused.code == "overloaded")
            #expect(refused.headers[.retryAfter] == "60")
            #expect(try await server.call(.post, path, key: server.send, events(1)).status == 200)
            let send: JSONValue = ["audience": ["users": ["a"]], "title": "x"]
            #expect(try await server.call(.post, "/api/v1/notifications", key: server.send, send).status == 202)
        }
    }

    @Test("of a small disk a tenth is the reserve", arguments: [(100, 1024), (10, 1024), (5, 512), (0, 0)])
    func reserveOfDisk(gibibytes: Int, mebibytes: Int) {
        #expect(APISettings.eventReserve(ofDisk: gibibytes << 30) == mebibytes << 20)
    }

    @Test("a user has so many devices; one that they have can be registered again, and one less makes room")
    func devices() async throws {
        var settings = APISettings()
        settings.quotas.devicesPerUser = 2
        try await Harness.run(settings: settings) { server in
            try await server.setIdentity("signed")
            let key = server.userToken("a")
            var ids: [String] = []
            for number in 0..<2 {
                let body: JSONValue = ["token": .string(String(format: "%064x", number))]
                let answer = try await server.call(.post, "/api/v1/devices", key: key, body)
                #expect(answer.status == 201, "\(answer.text)")
                ids.append(try #require(answer.data["id"].stringValue))
            }
            let third: JSONValue = ["token": .string(String(repeating: "3", count: 64))]
            let refused = try await server.call(.post, "/api/v1/devices", key: key, third)
            #expect(refused.status == 429)
            #expect(refused.field == "user_id")
            let again: JSONValue = ["token": .string(String(format: "%064x", 1))]
            #expect(try await server.call(.post, "/api/v1/devices", key: key, again).status == 200)
            #expect(try await server.call(.post, "/api/v1/devices", key: server.userToken("b"), third).status == 201)
            _ = try await server.call(.delete, "/api/v1/devices/\(ids[0])", key: key)
            let fourth: JSONValue = ["token": .string(String(repeating: "4", count: 64))]
            #expect(try await server.call(.post, "/api/v1/devices", key: key, fourth).status == 201)
        }
    }
}
