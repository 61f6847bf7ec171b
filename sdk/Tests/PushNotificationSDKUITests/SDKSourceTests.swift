import Foundation
import MartletWire
import PushNotificationSDKCore
import PushNotificationSDKTesting
import Testing

@testable import PushNotificationSDKUI

/// A clock on which no time passes and nobody waits: a call is tried again at once.
private struct StandingClock: SDKClock {
    let now: Int64 = 1_772_366_400_000
    var monotonic: Int64 { now }
    func sleep(until moment: Int64) async throws {}
}

/// The models over the SDK's own client, whose server is scripted.
@MainActor
@Suite(.timeLimit(.minutes(1))) struct SDKSourceTests {
    private let transport = ScriptedTransport(.failure(.unreachable("offline")))
    private let handlers = Handlers()
    private let items: [InboxItemResponse] = (0..<2).reversed().map { number in
        var item = InboxItemResponse(
            id: PublicID(high: 0x7000, low: UInt64(number)),
            publishedAt: UTCTime(milliseconds: 1_772_366_000_000 + Int64(number)),
            expiresAt: UTCTime(milliseconds: 1_872_366_000_000),
            isSeen: true,
            isRead: false,
            isArchived: false
        )
        item.title = "\(number)"
        item.deepLink = "game://\(number)"
        return item
    }

    /// A client that somebody is logged in to.
    private func client(clock: any SDKClock = StandingClock()) throws -> PushClient {
        var environment = PushEnvironment(
            platform: RecordingPlatform(status: .denied),
            transport: transport,
            storage: MemoryStore(),
            clock: clock
        )
        environment.makeEvents = { _ in RecordingEvents() }
        handlers.links.policy = LinkPolicy([.deepLink("game")])
        let url = try #require(URL(string: "https://api.example.com"))
        let configuration = try SDKConfiguration(apiURL: url, apiKey: "mk_client_key")
        let client = PushClient(configuration, in: environment, handlers: handlers)
        client.login("u1", token: "jwt")
        return client
    }

    private func connect() {
        transport.answer { [items] call, _ in
            switch call.url.path {
            case "/api/v1/inbox": .success(.json(200, List(items)))
            case "/api/v1/inbox/counts", "/api/v1/inbox/actions":
                .success(.json(200, InboxCountsResponse(unread: 2, unseen: 0, revision: 1)))
            case "/api/v1/preferences":
                .success(.json(200, PreferencesResponse(revision: 1, master: ChannelChoice(), categories: [])))
            default: .success(.error(404, .notFound))
            }
        }
    }

    @Test("the inbox is read, and without a connection marks are kept in their order, and the badge counts them")
    func inbox() async throws {
        let client = try client()
        let source = SDKInbox(PushNotificationSDK.Inbox(of: client))
        connect()
        let model = InboxModel(source)
        await model.refresh()
        #expect(model.items.compactMap(\.title) == ["1", "0"])
        let badge = UnreadModel(source)
        let changes = Changes(of: badge)
        let counting = Task { await badge.run() }
        await changes.wait { badge.unread == 2 }
        transport.answer { _, _ in .failure(.unreachable("offline")) }
        // None waits for the one before: the last one stands.
        let item = model.items[0]
        let marks = [InboxMark.read, .unread, .read].map { mark in Task { await model.mark(item, as: mark) } }
        for mark in marks { await mark.value }
        await changes.wait { badge.unread == 1 }
        #expect(model.items.map(\.isRead) == [true, false])
        #expect(model.refusal == nil)
        #expect(source.cached?.items.map(\.isRead) == [true, false])
        let next = InboxModel(source)
        let shown = Changes(of: next)
        let showing = Task { await next.run() }
        await shown.wait { if case .items(.networkError?) = next.content { true } else { false } }
        #expect(next.items.map(\.isRead) == [true, false])
        for task in [counting, showing] {
            task.cancel()
            await task.value
        }
        client.close()
    }

    @Test("a tap reaches the app's handler of links")
    func links() async throws {
        let client = try client()
        connect()
        let model = InboxModel(SDKInbox(PushNotificationSDK.Inbox(of: client)))
        await model.refresh()
        let opened = Journal<URL>()
        handlers.links.deepLinks.handler = { opened.add($0.url) }
        await model.open(try #require(model.items.first))
        #expect(await opened.wait(for: 1).map(\.absoluteString) == ["game://1"])
        client.close()
    }

    @Test("preferences are read and changed; what is kept is there for the next screen")
    func preferences() async throws {
        let client = try client()
        let source = SDKPreferences(PushNotificationSDK.Preferences(of: client))
        connect()
        let model = PreferencesModel(source)
        let changes = Changes(of: model)
        let showing = Task { await model.run() }
        await changes.wait { model.content == .switches(trouble: nil) }
        await model.set(false, PreferencesModel.SwitchID(nil, .push))
        let bodies = transport.calls.entries.filter { $0.method == "PATCH" }.compactMap(\.body)
        #expect(bodies == [Data(#"{"master":{"push":false}}"#.utf8)])
        #expect(source.cached != nil)
        client.logout()
        await changes.wait { model.content == .failed(.loginRequired) }
        #expect(model.categories.isEmpty)
        showing.cancel()
        await showing.value
        client.close()
    }

    @Test("with the logout the badge and the list lose what they show, and the next user's comes with the login")
    func logout() async throws {
        let client = try client()
        let source = SDKInbox(PushNotificationSDK.Inbox(of: client))
        connect()
        let (badge, model) = (UnreadModel(source), InboxModel(source))
        let (counted, shown) = (Changes(of: badge), Changes(of: model))
        let tasks = [Task { await badge.run() }, Task { await model.run() }]
        await counted.wait { badge.unread == 2 }
        await shown.wait { model.items.count == 2 }
        client.logout()
        await counted.wait { badge.unread == 0 }
        await shown.wait { model.content == .failed(.loginRequired) }
        #expect(model.items.isEmpty)
        client.login("u2", token: "jwt.of.u2")
        await counted.wait { badge.unread == 2 }
        await shown.wait { model.items.count == 2 }
        let page = transport.calls.entries.last { $0.url.path == "/api/v1/inbox" }
        #expect(page?.headers["Authorization"] == "Bearer jwt.of.u2")
        // Nobody answers the one after.
        transport.answer { _, _ in .failure(.unreachable("offline")) }
        client.login("u3", token: "jwt.of.u3")
        await counted.wait { badge.unread == 0 }
        await shown.wait { if case .failed(.networkError) = model.content { true } else { false } }
        #expect(model.items.isEmpty)
        for task in tasks {
            task.cancel()
            await task.value
        }
        client.close()
    }

    @Test("the badge and the list come as soon as there is somebody to ask for the user's token")
    func lateUserTokens() async throws {
        // Whoever is asked has time to answer.
        let client = try client(clock: ManualClock())
        client.login("u2")
        let source = SDKInbox(PushNotificationSDK.Inbox(of: client))
        connect()
        let (badge, model) = (UnreadModel(source), InboxModel(source))
        let shown = Changes(of: model)
        let tasks = [Task { await badge.run() }, Task { await model.run() }]
        await shown.wait { model.content == .failed(.loginRequired) }
        #expect(transport.calls.entries.isEmpty)
        handlers.userTokens.handler = { $0.reply("jwt.of.u2") }
        // The badge does not say when it has given up, so it may be told more than once.
        while badge.unread != 2, !Task.isCancelled {
            client.userTokensAreAvailable()
            await Task.yield()
        }
        await shown.wait { model.items.count == 2 }
        for task in tasks {
            task.cancel()
            await task.value
        }
        client.close()
    }
}
