import Foundation
import MartletWire
import PushNotificationSDK
import PushNotificationSDKTesting
import Testing

@testable import PushNotificationSDKCore

extension FacadeSuites {
    @Suite("Preferences and inbox by the static interface") @MainActor struct UserFacadeTests {
        let backend = UserBackend()

        private func configured() throws -> FacadePhone {
            let phone = FacadePhone(transport: backend.transport)
            try phone.configure()
            return phone
        }

        @Test("before the configuration every call says so")
        nonisolated func notConfigured() async {
            PushNotificationSDK.reset()
            let id = "01920000-0000-7000-8000-000000000001"
            let (inbox, preferences) = (PushNotificationSDK.inbox, PushNotificationSDK.preferences)
            let failures = [
                await outcome { () async throws(PushNotificationError) in _ = try await inbox.page() }.failure,
                await outcome { () async throws(PushNotificationError) in _ = try await inbox.counts() }.failure,
                await outcome { () async throws(PushNotificationError) in try await inbox.archive(id) }.failure,
                await outcome { () async throws(PushNotificationError) in try await inbox.markAll(upTo: id) }.failure,
                await outcome { () async throws(PushNotificationError) in _ = try await preferences.load() }.failure,
                await outcome { () async throws(PushNotificationError) in
                    _ = try await preferences.set(PreferencesChange())
                }.failure,
                await outcome { () async throws(PushNotificationError) in
                    try await preferences.setPushEnabled(true)
                }.failure,
            ]
            #expect(failures == Array(repeating: .notConfigured, count: 7))
            #expect(inbox.cached == nil)
            #expect(preferences.cached == nil)
        }

        @Test("completions come on the main thread, and a token is asked for there")
        func completions() async throws {
            let phone = try configured()
            defer { withExtendedLifetime(phone) {} }
            backend.allow("jwt.of.u1", for: "u1")
            let item = backend.publish(to: "u1")
            let onMain = Journal<Bool>()
            PushNotificationSDK.onUserTokenNeeded = { user, reply in
                onMain.add(MainQueue.isCurrent && user == "u1")
                reply("jwt.of.u1")
            }
            try await PushNotificationSDK.login("u1")
            let (inbox, preferences) = (PushNotificationSDK.inbox, PushNotificationSDK.preferences)
            let id = item.id.description
            inbox.page { onMain.add(MainQueue.isCurrent && (try? $0.get().items.count) == 1) }
            _ = await onMain.wait(for: 2)
            inbox.counts { onMain.add(MainQueue.isCurrent && (try? $0.get().unread) == 1) }
            _ = await onMain.wait(for: 3)
            inbox.mark(id, as: .read) { onMain.add(MainQueue.isCurrent && $0.failure == nil) }
            _ = await onMain.wait(for: 4)
            inbox.markAll(upTo: id, as: .seen) { onMain.add(MainQueue.isCurrent && $0.failure == nil) }
            _ = await onMain.wait(for: 5)
            inbox.archive(id) { onMain.add(MainQueue.isCurrent && $0.failure == nil) }
            _ = await onMain.wait(for: 6)
            preferences.load { onMain.add(MainQueue.isCurrent && (try? $0.get().categories.count) == 2) }
            preferences.set(.category("comment", push: false)) { onMain.add(MainQueue.isCurrent && $0.failure == nil) }
            preferences.setPushEnabled(true) { onMain.add(MainQueue.isCurrent && $0.failure?.errorCode == 7) }
            #expect(await onMain.wait(for: 9) == Array(repeating: true, count: 9))
            #expect(backend.items(of: "u1").first?.isArchived == true)
            #expect(inbox.cached?.items.isEmpty == true)
        }

        @Test("a handler for tokens that is set after the login is asked at once, and changes of the inbox are heard")
        func lateUserTokens() async throws {
            let phone = try configured()
            defer { withExtendedLifetime(phone) {} }
            try await PushNotificationSDK.login("u1")
            PushNotificationSDK.inbox.onUpdate = { _ in }
            PushNotificationSDK.client?.didBecomeActive()
            #expect(PushNotificationSDK.client?.inboxStream.isOpen == false)
            PushNotificationSDK.onUserTokenNeeded = { _, reply in reply("jwt.of.u1") }
            let streams = await phone.transport.streams.wait(for: 1)
            #expect(streams.map { $0.bearer } == ["jwt.of.u1"])
            PushNotificationSDK.reset()
        }

        @Test("an inbox handler that was set before the configuration hears of changes after a login")
        func updates() async throws {
            let phone = FacadePhone(transport: backend.transport)
            phone.start()
            let updates = Journal<InboxUpdate>()
            PushNotificationSDK.inbox.onUpdate = { updates.add($0) }
            let ends = Journal<Void>()
            phone.transport.stream { _, _, take in
                _ = take(
                    Data("event: state\nid: 1\ndata: {\"unread\":2,\"unseen\":1,\"revision\":1,\"ids\":[]}\n\n".utf8)
                )
                _ = await ends.wait(for: 1)
                return .failure(.cancelled)
            }
            try PushNotificationSDK.configure(.valid())
            PushNotificationSDK.client?.didBecomeActive()
            try await PushNotificationSDK.login("u1", userToken: "jwt.of.u1")
            #expect(await updates.wait(for: 1).first?.counts == InboxCounts(unread: 2, unseen: 1, revision: 1))
            PushNotificationSDK.inbox.onUpdate?(
                InboxUpdate(counts: .init(unread: 0, unseen: 0, revision: 2), itemIDs: [])
            )
            #expect(updates.entries.count == 2)
            PushNotificationSDK.reset()
            ends.add(())
        }
    }
}
