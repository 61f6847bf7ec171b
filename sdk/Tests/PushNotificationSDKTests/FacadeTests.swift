import Foundation
import MartletWire
import PushNotificationSDK
import PushNotificationSDKTesting
import Testing
import UIKit
import UserNotifications

@testable import PushNotificationSDKCore

extension FacadeSuites {
    @MainActor @Suite struct FacadeTests {
        let phone = FacadePhone()

        @Test("the same configuration again is a no-op, another one takes the place of the first")
        func configuringAgain() throws {
            try phone.configure()
            let first = PushNotificationSDK.client
            try PushNotificationSDK.configure(.valid())
            #expect(PushNotificationSDK.client === first)
            try PushNotificationSDK.configure(.valid(player: "p"))
            #expect(PushNotificationSDK.client !== first)
            #expect(first?.state.with { $0.isClosed } == true)
        }

        enum Change: CaseIterable { case address, key, app, environment }

        @Test("in the same launch the token is registered anew for each", arguments: Change.allCases)
        func registersAnew(_ change: Change) async throws {
            try phone.configure()
            _ = await phone.registrations.wait(for: 1)
            PushNotificationSDK.didRegister(deviceToken: Data([1, 2]))
            _ = await phone.transport.calls.wait(for: 1)
            var other = try SDKConfiguration.valid(
                apiKey: change == .key ? "mk_another_key" : "mk_client_key",
                host: change == .address ? "other.example.com" : "api.example.com"
            )
            if change == .app { other.app = "another" }
            if change == .environment { other.apnsEnvironment = .sandbox }
            try PushNotificationSDK.configure(other)
            // The system is asked for the token once more, and gives the same one.
            _ = await phone.registrations.wait(for: 2)
            PushNotificationSDK.didRegister(deviceToken: Data([1, 2]))
            let call = try #require(await phone.transport.calls.wait(for: 2).last)
            #expect(call.url.host == other.apiURL.host)
            #expect(call.headers["Authorization"] == "Bearer \(other.apiKey)")
            #expect(call.registration?.token == "0102" && call.registration?.app == other.app)
            #expect(call.registration?.environment == (change == .environment ? .sandbox : nil))
        }

        @Test("token, installation and permission can be read, and what is told comes as streams too")
        func readable() async throws {
            phone.start()
            #expect(PushNotificationSDK.installationID == nil && PushNotificationSDK.deviceToken == nil)
            await #expect(throws: PushNotificationError.notConfigured) { try await PushNotificationSDK.permission() }
            try PushNotificationSDK.configure(.valid())
            let installation = try #require(PushNotificationSDK.installationID)
            PushNotificationSDK.didRegister(deviceToken: Data([1, 2]))
            let calls = await phone.transport.calls.wait(for: 1)
            #expect(calls.first?.registration?.installationID.description == installation)
            #expect(PushNotificationSDK.deviceToken == "0102")
            #expect(try await PushNotificationSDK.permission() == .notDetermined)
            var received = PushNotificationSDK.notifications.makeAsyncIterator()
            var opened = PushNotificationSDK.openedNotifications.makeAsyncIterator()
            var tapped = PushNotificationSDK.tappedActions.makeAsyncIterator()
            _ = await phone.center.arrive(ContractPush.text)
            await phone.center.respond("CONFIRM", ContractPush.text)
            await phone.center.respond(UNNotificationDefaultActionIdentifier, ContractPush.text)
            #expect(await received.next()?.messageID == "m1")
            #expect(await opened.next()?.messageID == "m1")
            #expect(await tapped.next()?.identifier == "CONFIRM")
        }

        @Test func configuringTouchesNeitherDiskNorNetwork() throws {
            try phone.configure(.valid(player: "p"))
            #expect(phone.storage.values.isEmpty)
            #expect(phone.transport.calls.entries.isEmpty)
        }

        @Test("configuring from eight threads at once makes one client")
        func concurrentConfiguration() async throws {
            phone.start()
            let configuration = try SDKConfiguration.valid()
            let clients = await withTaskGroup(of: ObjectIdentifier?.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        try? PushNotificationSDK.configure(configuration)
                        return PushNotificationSDK.client.map(ObjectIdentifier.init)
                    }
                }
                var found: Set<ObjectIdentifier?> = []
                for await client in group { found.insert(client) }
                return found
            }
            #expect(clients.count == 1 && clients.first != .some(nil))
        }

        @Test("what may be set after a configuration was made is checked by configure")
        func checksSettings() throws {
            phone.start()
            var configuration = try SDKConfiguration.valid()
            configuration.appGroup = ""
            #expect(throws: PushNotificationError.self) { try PushNotificationSDK.configure(configuration) }
            #expect(PushNotificationSDK.client == nil)
        }

        @Test(
            "a category stands once: of two with one identifier the system would show either's buttons",
            arguments: [["MISSION", "CHAT", "MISSION"], [NotificationCategory.standard.identifier]]
        )
        func categoriesStandOnce(_ identifiers: [String]) throws {
            phone.start()
            var configuration = try SDKConfiguration.valid()
            configuration.categories = identifiers.map { NotificationCategory($0) }
            #expect(throws: PushNotificationError.invalidConfiguration("two categories are called \(identifiers[0])")) {
                try PushNotificationSDK.configure(configuration)
            }
            #expect(PushNotificationSDK.client == nil)
            configuration.categories = [NotificationCategory("MISSION"), NotificationCategory("CHAT")]
            try PushNotificationSDK.configure(configuration)
        }

        @Test("without a configuration every call answers and none crashes")
        func notConfigured() async throws {
            PushNotificationSDK.reset()
            let errors = Journal<PushNotificationError>()
            PushNotificationSDK.onError = { errors.add($0) }
            await #expect(throws: PushNotificationError.notConfigured) {
                try await PushNotificationSDK.requestNotificationPermission()
            }
            await #expect(throws: PushNotificationError.notConfigured) { try await PushNotificationSDK.login("u") }
            await #expect(throws: PushNotificationError.notConfigured) { try await PushNotificationSDK.logout() }
            await #expect(throws: PushNotificationError.notConfigured) { try await PushNotificationSDK.forgetDevice() }
            await #expect(throws: PushNotificationError.notConfigured) {
                try await PushNotificationSDK.registerDeviceToken(Data([1]))
            }
            PushNotificationSDK.didRegister(deviceToken: Data([1]))
            PushNotificationSDK.didFailToRegister(error: TransportError.timedOut)
            #expect(await errors.wait(for: 2) == [.notConfigured, .notConfigured])
            // It is kept for the configuration.
            #expect(PushNotificationSDK.open(URL(string: "myapp://x")!))
            let options = await withCheckedContinuation { continuation in
                PushNotificationSDK.willPresent(.push("{}")) { continuation.resume(returning: $0) }
            }
            #expect(options.isEmpty)
            let result = await withCheckedContinuation { continuation in
                PushNotificationSDK.didReceiveRemoteNotification([:], in: phone.application) {
                    continuation.resume(returning: $0)
                }
            }
            #expect(result == .noData)
            PushNotificationSDK.setBadge(1)
        }

        @Test("handlers and settings that were set before the configuration are used after it")
        func settingsBeforeConfiguration() async throws {
            phone.start()
            let titles = Journal<String>()
            PushNotificationSDK.onNotificationReceived = { titles.add($0.title) }
            PushNotificationSDK.presentationPolicy = .always([.sound])
            PushNotificationSDK.isTrackingEnabled = false
            try PushNotificationSDK.configure(.valid())
            #expect(!PushNotificationSDK.isTrackingEnabled)
            #expect(await phone.center.arrive(ContractTests.push) == .sound)
            #expect(titles.entries == ["新ミッション"])
            #expect(phone.events.recorded.entries.isEmpty)
        }

        @Test("the async and the callback forms agree")
        func asyncForms() async throws {
            try phone.configure()
            #expect(try await PushNotificationSDK.requestNotificationPermission())
            try await PushNotificationSDK.login("u1")
            _ = try await PushNotificationSDK.registerDeviceToken(Data([1]))
            try await PushNotificationSDK.logout()
            let sent = phone.transport.calls.entries.compactMap { $0.registration?.userID }
            #expect(sent == [.value("u1"), .null])
            await withCheckedContinuation { continuation in
                PushNotificationSDK.login("u2") { _ in continuation.resume() }
            }
            await withCheckedContinuation { continuation in
                PushNotificationSDK.logout { _ in continuation.resume() }
            }
            #expect(phone.transport.calls.entries.count == 4)
            let refusing = FacadePhone(allows: false)
            try refusing.configure()
            #expect(try await PushNotificationSDK.requestNotificationPermission() == false)
            await #expect(throws: PushNotificationError.permissionDenied) {
                try await PushNotificationSDK.requestNotificationPermission()
            }
        }

        @Test("every handler is called on the main thread though the system calls on others")
        func mainThread() async throws {
            let phone = FacadePhone(transport: ScriptedTransport(.success(.error(403, .forbidden))))
            try phone.configure()
            final class Screen {
                var calls: [String] = []
            }
            let screen = Screen()
            let places = Journal<Bool>()
            func note(_ call: String) {
                screen.calls.append(call)
                places.add(MainQueue.isCurrent)
            }
            // These closures belong to the main actor; Swift 6 stops the program where they are called elsewhere.
            PushNotificationSDK.onNotificationReceived = { _ in note("received") }
            PushNotificationSDK.onNotificationOpened = { _ in note("opened") }
            PushNotificationSDK.onNotificationActionTapped = { _, _ in note("action") }
            PushNotificationSDK.onError = { _ in note("error") }
            await onAnotherThread {
                PushNotificationSDK.requestNotificationPermission { _ in places.add(MainQueue.isCurrent) }
                PushNotificationSDK.didRegister(deviceToken: Data([1]))
            }
            _ = await phone.center.arrive(ContractTests.push)
            await phone.center.respond("CONFIRM", ContractTests.push)
            await phone.center.respond(UNNotificationDefaultActionIdentifier, ContractTests.push)
            #expect(await places.wait(for: 6) == Array(repeating: true, count: 6))
            #expect(screen.calls.sorted() == ["action", "error", "opened", "received", "received"])
        }

        @Test("a push of another vendor's that the app forwards shows as the app says, and not where it says nothing")
        func otherVendors() async throws {
            func shown(_ json: String, _ others: UNNotificationPresentationOptions?) async
                -> UNNotificationPresentationOptions
            {
                await withCheckedContinuation { continuation in
                    let answer = { continuation.resume(returning: $0) }
                    guard let others else {
                        return PushNotificationSDK.willPresent(.push(json), completionHandler: answer)
                    }
                    PushNotificationSDK.willPresent(.push(json), others: others, completionHandler: answer)
                }
            }
            let foreign = #"{"aps":{"alert":"x"},"gcm.message_id":"1"}"#
            phone.start()
            #expect(await shown(foreign, .badge) == .badge)
            try phone.configure()
            #expect(await shown(foreign, .badge) == .badge)
            #expect(await shown(foreign, nil) == [])
            #expect(await shown(ContractPush.text, .badge) == [.banner, .sound])
            #expect(await shown(ContractPush.text, nil) == [.banner, .sound])
        }

        @Test("a handler that is set is the one that is read")
        func getters() throws {
            try phone.configure()
            var calls: [String] = []
            #expect(PushNotificationSDK.onNotificationActionTapped == nil && PushNotificationSDK.onError == nil)
            PushNotificationSDK.onNotificationActionTapped = { action, payload in calls.append(action + payload.title) }
            PushNotificationSDK.onError = { calls.append("\($0.errorCode)") }
            PushNotificationSDK.onNotificationActionTapped?("A", NotificationPayload(userInfo: ["title": "T"]))
            PushNotificationSDK.onError?(.invalidToken)
            #expect(calls == ["AT", "3"])
        }

        @Test("the registration ends with the answer of a server that takes a second, without waiting itself")
        func registrationDoesNotWait() async throws {
            let clock = phone.clock
            let slow = FacadePhone(
                transport: ScriptedTransport { call, _ in
                    clock.advance(by: 1000)
                    return .success(.registered(by: call))
                }
            )
            try slow.configure()
            let start = clock.now
            _ = try await PushNotificationSDK.registerDeviceToken(Data([1]))
            #expect(clock.now - start == 1000)
            #expect(slow.clock.sleeps.entries.allSatisfy { $0 == start + PushClient.registrationLimit })
        }
    }
}
