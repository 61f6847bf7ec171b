import Foundation
import MartletWire
import PushNotificationSDKApple
import PushNotificationSDKTesting
import Testing
import UserNotifications

@testable import PushNotificationSDKCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension FacadeSuites {
    @Suite("What the static interface does without a word, and what it tells") @MainActor struct DefaultsTests {
        @Test("permission without options is asked for alerts, sounds and badges")
        func options() async throws {
            let phone = FacadePhone()
            let asked = Journal<UInt>()
            phone.device.setPrompt { options, answer in
                asked.add(options.rawValue)
                answer(true)
            }
            try phone.configure()
            let answer = await withCheckedContinuation { continuation in
                PushNotificationSDK.requestNotificationPermission { continuation.resume(returning: $0) }
            }
            #expect(answer == .success(true))
            let expected: UNAuthorizationOptions = [.alert, .sound, .badge]
            #expect(asked.entries == [expected.rawValue])
        }

        @Test("the queue tells how many events wait, and how many had to make room")
        func queue() throws {
            let phone = FacadePhone(transport: ScriptedTransport(.failure(.unreachable("offline"))))
            let environment = PushEnvironment(
                platform: phone.platform,
                transport: phone.transport,
                storage: phone.storage,
                clock: phone.clock
            )
            PushNotificationSDK.reset()
            #expect(PushNotificationSDK.eventQueue == nil)
            PushNotificationSDK.prepare(environment)
            try PushNotificationSDK.configure(.valid())
            let events = try #require(PushNotificationSDK.client?.events)
            events.record(.linkOpen, nil, value: "0")
            #expect(PushNotificationSDK.eventQueue?.waiting == 1)
            #expect(PushNotificationSDK.eventQueue?.dropped == 0)
            for number in 1...1_002 { events.record(.linkOpen, nil, value: "\(number)") }
            #expect(PushNotificationSDK.eventQueue?.waiting == 1_000)
            #expect(PushNotificationSDK.eventQueue?.dropped == 3)
            #expect(PushNotificationSDK.eventQueue?.damaged == 0)
        }

        @Test("the app's own check of a server is asked about the connections of the system's environment")
        func trust() throws {
            PushNotificationSDK.reset()
            let transport = try #require(PushEnvironment.system().transport as? URLSessionTransport)
            PushNotificationSDK.serverTrustHandler = { $1(.cancelAuthenticationChallenge, nil) }
            defer { PushNotificationSDK.serverTrustHandler = nil }
            let answers = Journal<URLSession.AuthChallengeDisposition>()
            transport.exchanges.urlSession(.shared, didReceive: .ofServer()) { answer, _ in answers.add(answer) }
            #expect(answers.entries == [.cancelAuthenticationChallenge])
        }

        @Test("the log says what its level lets through, and nothing when it is off", arguments: PushLogLevel.allCases)
        func log(_ level: PushLogLevel) async throws {
            let phone = FacadePhone()
            let lines = Journal<PushLogLevel>()
            var environment = phone.environment
            environment.log = { level, _ in lines.add(level) }
            PushNotificationSDK.reset()
            PushNotificationSDK.prepare(environment)
            PushNotificationSDK.logLevel = level
            try PushNotificationSDK.configure(.valid())
            // The second time it is registered already, which is a step and no failure.
            for _ in 0..<2 { _ = try await PushNotificationSDK.registerDeviceToken(Data([1, 2, 3])) }
            PushNotificationSDK.client?.didFailToRegister(CancellationError())
            #expect(lines.entries.allSatisfy { $0 <= level })
            #expect(lines.entries.contains(.error) == (level >= .error))
            #expect(lines.entries.contains(.debug) == (level >= .debug))
        }
    }
}
