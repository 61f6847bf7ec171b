import Foundation
import MartletWire
import PushNotificationSDK
import PushNotificationSDKTesting
import Testing
import UIKit
import UserNotifications

@testable import PushNotificationSDKCore

/// The contract tests of the specification, line by line; those of its section 7, the bridges, are in
/// `PushNotificationSDKCTests` and `scripts/check-bridges`.
extension FacadeSuites {
    @MainActor @Suite struct ContractTests {
        static let push = ContractPush.text

        // MARK: 1. configure(_:)

        @Test("§1 a valid configuration starts the SDK")
        func validConfiguration() throws {
            FacadePhone().start()
            let config = try SDKConfiguration(
                apiURL: URL(string: "https://api.example.com")!,
                apiKey: "your-api-key-here",
                playerAccountId: "player-12345"
            )
            try PushNotificationSDK.configure(config)
            #expect(PushNotificationSDK.client?.context.configuration == config)
        }

        @Test("§1 an API address that is not https is an error")
        func rejectsHTTP() {
            #expect(throws: PushNotificationError.invalidConfiguration("apiURL must begin with https://")) {
                try SDKConfiguration(apiURL: URL(string: "http://api.example.com")!, apiKey: "validkey123")
            }
        }

        @Test("§1 an API key of fewer than 8 characters is an error")
        func rejectsShortKeys() {
            #expect(throws: PushNotificationError.self) {
                try SDKConfiguration(apiURL: URL(string: "https://api.example.com")!, apiKey: "1234567")
            }
        }

        @Test("§1 a timeout of less than 5 or more than 120 seconds is an error", arguments: [4.9, 120.1])
        func rejectsTimeouts(_ timeout: TimeInterval) {
            #expect(throws: PushNotificationError.self) {
                try SDKConfiguration(
                    apiURL: URL(string: "https://api.example.com")!,
                    apiKey: "validkey123",
                    timeout: timeout
                )
            }
        }

        // MARK: 2. requestNotificationPermission(options:completion:)

        @Test("§2 success(true) when the person allows, success(false) when they refuse", arguments: [true, false])
        func permission(_ allows: Bool) async throws {
            let phone = FacadePhone(allows: allows)
            try phone.configure()
            #expect(await ask() == .success(allows))
            #expect(phone.device.promptCount == 1)
        }

        @Test("§2 from the second call on, the existing setting is returned")
        func secondCall() async throws {
            let phone = FacadePhone()
            try phone.configure()
            #expect(await ask() == .success(true))
            #expect(await ask() == .success(true))
            #expect(phone.device.promptCount == 1)

            let refusing = FacadePhone(allows: false)
            try refusing.configure()
            #expect(await ask() == .success(false))
            #expect(await ask() == .failure(.permissionDenied))
            #expect(refusing.device.promptCount == 1)
        }

        // MARK: 3. registerDeviceToken(_:)

        @Test("§3 a valid token is registered")
        func registersToken() async throws {
            let phone = FacadePhone()
            try phone.configure()
            let response = try await PushNotificationSDK.registerDeviceToken(Data(repeating: 0xAB, count: 32))
            #expect(response.isActive)
            #expect(phone.transport.calls.entries.first?.registration?.token == String(repeating: "ab", count: 32))
        }

        @Test("§3 an invalid token, which is not hexadecimal, is an error")
        func rejectsTokens() async throws {
            let phone = FacadePhone()
            try phone.configure()
            await #expect(throws: PushNotificationError.invalidToken) {
                try await PushNotificationSDK.registerDeviceToken(hex: "not-hexadecimal!")
            }
            await #expect(throws: PushNotificationError.invalidToken) {
                try await PushNotificationSDK.registerDeviceToken(Data())
            }
            #expect(phone.transport.calls.entries.isEmpty)
        }

        @Test("§3 a network error is tried again, three times at most")
        func retriesNetworkErrors() async throws {
            let phone = FacadePhone(transport: ScriptedTransport(.failure(.timedOut)))
            try phone.configure()
            async let ended = register()
            // The first sleep is that of the 3 s.
            let start = phone.clock.now
            for (sleeps, moment) in [(2, 375), (3, 1125), (4, 2625)] {
                _ = await phone.clock.sleeps.wait(for: sleeps)
                phone.clock.set(start + Int64(moment))
            }
            #expect(await ended == .failure(.networkError(TransportError.timedOut)))
            #expect(phone.transport.calls.entries.count == 4)
        }

        @Test("§3 a server's error comes with its message")
        func serverErrors() async throws {
            let refusal = HTTPAnswer.error(422, .invalidValue, "The token is not of this app.")
            let phone = FacadePhone(transport: ScriptedTransport(.success(refusal)))
            try phone.configure()
            let expected = PushNotificationError.serverError(
                statusCode: 422,
                message: "The token is not of this app."
            )
            #expect(await register() == .failure(expected))
        }

        // MARK: 4. onNotificationReceived

        @Test("§4 the handler is called for a notification in front")
        func receivedInFront() async throws {
            let phone = FacadePhone()
            try phone.configure()
            let titles = Journal<String>()
            PushNotificationSDK.onNotificationReceived = { titles.add($0.title) }
            _ = await phone.center.arrive(Self.push)
            #expect(titles.entries == ["新ミッション"])
        }

        @Test("§4 the handler is called for a tap on a notification that came behind")
        func receivedByTap() async throws {
            let phone = FacadePhone()
            try phone.configure()
            let titles = Journal<String>()
            PushNotificationSDK.onNotificationReceived = { titles.add($0.title) }
            await phone.center.respond(UNNotificationDefaultActionIdentifier, Self.push)
            #expect(titles.entries == ["新ミッション"])
        }

        @Test("§4 the payload is parsed")
        func payloadIsParsed() async throws {
            let payload = try await received()
            #expect(payload.title == "新ミッション")
            #expect(payload.body == "開始!")
        }

        @Test("§4 the custom data can be read as JSON")
        func customDataIsJSON() async throws {
            let customData = try #require(try await received().customData)
            #expect(customData["missionId"] as? String == "m7")
            #expect(JSONSerialization.isValidJSONObject(customData))
        }

        // MARK: 5. onNotificationActionTapped

        @Test("§5 the tapped action's identifier is handed over", arguments: ["CONFIRM", "DECLINE"])
        func actionIdentifier(_ identifier: String) async throws {
            #expect(try await tapped([identifier]).map(\.action) == [identifier])
        }

        @Test("§5 the payload is handed over with it")
        func actionPayload() async throws {
            let payload = try #require(try await tapped(["CONFIRM"]).first?.payload)
            #expect(payload.title == "新ミッション")
            #expect(payload.customData?["missionId"] as? String == "m7")
        }

        @Test("§5 several actions are told apart")
        func severalActions() async throws {
            let actions = ["CONFIRM", "LATER", "DECLINE"]
            #expect(try await tapped(actions).map(\.action) == actions)
        }

        // MARK: 6. onError

        @Test("§6 a registration that the server refuses is reported as serverError")
        func serverErrorIsReported() async throws {
            let phone = FacadePhone(transport: ScriptedTransport(.success(.error(403, .forbidden, "No."))))
            try phone.configure()
            let error = await reported { PushNotificationSDK.didRegister(deviceToken: Data([1])) }
            #expect(error == .serverError(statusCode: 403, message: "No."))
        }

        @Test("§6 a network error is reported as networkError")
        func networkErrorIsReported() async throws {
            let phone = FacadePhone(transport: ScriptedTransport(.failure(.unreachable("offline"))))
            try phone.configure()
            async let error = reported { PushNotificationSDK.didRegister(deviceToken: Data([1])) }
            // One sleep is that of the 3 s.
            let start = phone.clock.now
            for (sleeps, moment) in [(2, 375), (3, 1125), (4, 2625)] {
                _ = await phone.clock.sleeps.wait(for: sleeps)
                phone.clock.set(start + Int64(moment))
            }
            #expect(await error == .networkError(TransportError.unreachable("offline")))
        }

        @Test("§6 an error says what to do")
        func suggestion() async throws {
            let phone = FacadePhone(transport: ScriptedTransport(.success(.error(401, .unauthorized, "No."))))
            try phone.configure()
            let error = await reported { PushNotificationSDK.didRegister(deviceToken: Data([1])) }
            #expect(error?.recoverySuggestion?.isEmpty == false)
        }

        // MARK: Versions

        @Test("the interface has a version")
        func version() {
            #expect(PushNotificationSDK.version == "1.0.0")
        }

        @available(*, deprecated, message: "it tests the deprecated name")
        @Test("the former name of a handler is the same handler")
        func deprecatedName() async throws {
            let phone = FacadePhone()
            try phone.configure()
            let titles = Journal<String>()
            PushNotificationSDK.notificationHandler = { titles.add($0.title) }
            #expect(PushNotificationSDK.onNotificationReceived != nil)
            _ = await phone.center.arrive(Self.push)
            #expect(titles.entries == ["新ミッション"])
        }

        // MARK: Steps

        /// What the handler is called with for a notification in front.
        private func received() async throws -> NotificationPayload {
            let phone = FacadePhone()
            try phone.configure()
            let payloads = Journal<NotificationPayload>()
            PushNotificationSDK.onNotificationReceived = { payloads.add($0) }
            _ = await phone.center.arrive(Self.push)
            return try #require(payloads.entries.first)
        }

        /// What the handler is called with for taps on actions.
        private func tapped(_ actions: [String]) async throws -> [(action: String, payload: NotificationPayload)] {
            let phone = FacadePhone()
            try phone.configure()
            let tapped = Journal<(action: String, payload: NotificationPayload)>()
            PushNotificationSDK.onNotificationActionTapped = { tapped.add(($0, $1)) }
            for action in actions { await phone.center.respond(action, Self.push) }
            return tapped.entries
        }

        private func ask() async -> Result<Bool, PushNotificationError> {
            await withCheckedContinuation { continuation in
                PushNotificationSDK.requestNotificationPermission { continuation.resume(returning: $0) }
            }
        }

        private func register() async -> Result<DeviceTokenRegistrationResponse, PushNotificationError> {
            do throws(PushNotificationError) {
                return .success(try await PushNotificationSDK.registerDeviceToken(Data([1, 2, 3])))
            } catch {
                return .failure(error)
            }
        }

        /// The first error that the handler is told.
        private func reported(_ cause: () -> Void) async -> PushNotificationError? {
            let errors = Journal<PushNotificationError>()
            PushNotificationSDK.onError = { errors.add($0) }
            cause()
            return await errors.wait(for: 1).first
        }
    }
}
