import CPushNotificationSDK
import Foundation
import PushNotificationSDKTesting
import Testing

@testable import PushNotificationSDKC
@testable import PushNotificationSDKCore

/// Preferences and inbox through the functions that C calls, each with its success and its failures.
extension BridgeContractTests {
    @Test("preferences are read and changed as JSON, and the caller's context is let go once after the answer")
    func preferences() async throws {
        let server = Server()
        try start(server.transport)
        try await logIn()
        let caller = Caller()
        PushSDK_LoadPreferences(caller.retained(), Caller.text, Caller.release)
        let loaded = try JSONDecoder().decode(Preferences.self, from: try #require(await caller.ended().json))
        #expect(loaded.revision == 3 && loaded.master == ["push": false] && loaded.timeZone == "Asia/Tokyo")
        let follow = try #require(loaded.categories.first)
        #expect(follow.key == "follow" && follow.names == ["en": "Followers"] && follow.choice == ["inbox": false])
        #expect(follow.push == .init(isOn: false, source: "master"))
        #expect(follow.inbox == .init(isOn: false, source: "user"))

        let change = #"{"categories":{"follow":{"push":null}}}"#
        let changed = Caller()
        PushSDK_SetPreferences(changed.retained(), change, Caller.text, Caller.release)
        #expect(await changed.ended().json != nil)
        #expect(server.bodies(of: "PATCH preferences") == [change])
    }

    @Test("pushes to this device are switched once it is registered, and not before")
    func pushSwitch() async throws {
        let server = Server()
        try start(server.transport)
        try await logIn()
        let early = Caller()
        PushSDK_SetPushEnabled(early.retained(), 0, Caller.end, Caller.release)
        #expect(await early.ended() == .init(code: PushSDKErrorRegistrationFailed))
        let client = try #require(PushNotificationSDK.client)
        _ = try await client.register(try DeviceTokenText(Data(repeating: 0xAB, count: 32)))
        for isOn: Int32 in [0, 1] {
            let caller = Caller()
            PushSDK_SetPushEnabled(caller.retained(), isOn, Caller.end, Caller.release)
            #expect(await caller.ended() == .init())
        }
        let path = "PATCH installations/\(try client.context.identity.installationID())"
        #expect(server.bodies(of: path) == [#"{"push":false}"#, #"{"push":true}"#])
    }

    @Test("a page of the inbox is the one that the query names, and the counts are what the server says")
    func inbox() async throws {
        let server = Server()
        try start(server.transport)
        try await logIn()
        let newest = Caller()
        PushSDK_GetInboxPage(newest.retained(), nil, Caller.text, Caller.release)
        let page = try JSONDecoder().decode(Page.self, from: try #require(await newest.ended().json))
        #expect(page.cursor == "c2")
        let item = try #require(page.items.first)
        #expect(item.id == Server.item && item.category == "follow" && item.title == "新しいフォロワー")
        #expect(item.isSeen && !item.isRead && !item.isArchived && item.customData == ["by": "bo"])
        let unread = Caller()
        let query = #"{"status":"unread","category":"follow","limit":5}"#
        PushSDK_GetInboxPage(unread.retained(), query, Caller.text, Caller.release)
        #expect(await unread.ended().json != nil)
        #expect(
            server.queries(of: "GET inbox") == ["status=active&limit=20", "status=unread&category=follow&limit=5"]
        )
        let counts = Caller()
        PushSDK_GetInboxCounts(counts.retained(), Caller.text, Caller.release)
        let said = try JSONDecoder().decode([String: Int].self, from: try #require(await counts.ended().json))
        #expect(said == ["unread": 2, "unseen": 1, "revision": 7])
    }

    @Test("items are marked, marked as a whole and put away, each as the server is told")
    func marks() async throws {
        let server = Server()
        try start(server.transport)
        try await logIn()
        let one = Caller()
        PushSDK_MarkInbox(one.retained(), "[\"\(Server.item)\"]", "read", Caller.end, Caller.release)
        #expect(await one.ended() == .init())
        let all = Caller()
        PushSDK_MarkWholeInbox(all.retained(), Server.item, "seen", "follow", Caller.end, Caller.release)
        #expect(await all.ended() == .init())
        let away = Caller()
        PushSDK_ArchiveInboxItem(away.retained(), Server.item, Caller.end, Caller.release)
        #expect(await away.ended() == .init())
        let actions = try server.bodies(of: "POST inbox/actions").map {
            try JSONDecoder().decode(Action.self, from: Data($0.utf8))
        }
        let expected = [
            Action(action: "read", ids: [Server.item]),
            Action(action: "see", all: true, up_to: Server.item, category: "follow"),
            Action(action: "archive", ids: [Server.item]),
        ]
        #expect(actions == expected)
    }

    @Test("before the configuration and before a login every function says which of them is missing")
    func missing() async throws {
        #expect(await codes() == Array(repeating: Int32(PushSDKErrorNotConfigured), count: 8))
        let server = Server()
        try start(server.transport)
        #expect(await codes() == Array(repeating: Int32(PushSDKErrorLoginRequired), count: 8))
        #expect(server.asked == 0)
    }

    @Test("what cannot be read is refused as the caller's mistake, and nothing is asked of the server")
    func badArguments() async throws {
        let server = Server()
        try start(server.transport)
        try await logIn()
        let before = server.asked
        let refused = Caller.Answer(code: PushSDKErrorInvalidConfiguration)
        for change in [nil, "", "[]", #"{"other":{}}"#, #"{"master":{"push":1}}"#, #"{"master":{"mail":true}}"#] {
            let caller = Caller()
            PushSDK_SetPreferences(caller.retained(), change, Caller.text, Caller.release)
            #expect(await caller.ended() == refused, "\(change ?? "NULL")")
        }
        for query in ["", "7", #"{"status":"new"}"#, #"{"limit":"5"}"#, #"{"page":2}"#] {
            let caller = Caller()
            PushSDK_GetInboxPage(caller.retained(), query, Caller.text, Caller.release)
            #expect(await caller.ended() == refused, "\(query)")
        }
        let list = "[\"\(Server.item)\"]"
        for (ids, mark) in [
            (nil, "read"), ("{}", "read"), ("[7]", "read"), (#"["x"]"#, "read"), (list, nil), (list, "loved"),
        ] as [(String?, String?)] {
            let caller = Caller()
            PushSDK_MarkInbox(caller.retained(), ids, mark, Caller.end, Caller.release)
            #expect(await caller.ended() == refused, "\(ids ?? "NULL") \(mark ?? "NULL")")
        }
        for (id, mark) in [(nil, "read"), ("x", "read"), (Server.item, "unread")] as [(String?, String)] {
            let caller = Caller()
            PushSDK_MarkWholeInbox(caller.retained(), id, mark, nil, Caller.end, Caller.release)
            #expect(await caller.ended() == refused, "\(id ?? "NULL") \(mark)")
        }
        for id in [nil, "x"] {
            let caller = Caller()
            PushSDK_ArchiveInboxItem(caller.retained(), id, Caller.end, Caller.release)
            #expect(await caller.ended() == refused, "\(id ?? "NULL")")
        }
        #expect(server.asked == before)
    }

    @Test("what the server refuses reaches the caller as the server's error")
    func refusals() async throws {
        let server = Server()
        try start(server.transport)
        try await logIn()
        _ = try await PushNotificationSDK.client?.register(try DeviceTokenText(Data(repeating: 0xAB, count: 32)))
        server.refuse(404)
        #expect(await codes() == Array(repeating: Int32(PushSDKErrorServer), count: 8))
    }

    @Test("a token that is needed is asked for by the handler, and without one there is no answer")
    func userTokens() async throws {
        let server = Server()
        try start(server.transport)
        let asked = Caller()
        PushSDK_SetUserTokenHandler(asked.retained(), Caller.heard, Caller.release)
        try await logIn(nil)
        let (first, second) = (Caller(), Caller())
        PushSDK_LoadPreferences(first.retained(), Caller.text, Caller.release)
        #expect(await asked.answers.wait(for: 1) == [.init(json: Data("u1".utf8))])
        PushSDK_AnswerUserToken("u1", nil)
        #expect(await first.ended() == .init(code: PushSDKErrorLoginRequired))
        PushSDK_LoadPreferences(second.retained(), Caller.text, Caller.release)
        #expect(await asked.answers.wait(for: 2).count == 2)
        PushSDK_AnswerUserToken("u1", Server.token)
        #expect(await second.ended().json != nil)
        PushSDK_SetUserTokenHandler(nil, nil, nil)
        #expect(await asked.releases.wait(for: 1).count == 1)
    }

    @Test("the inbox's handler hears the counts and what changed, until it is taken away")
    func inboxHandler() async throws {
        let server = Server()
        let ends = Journal<Void>()
        server.transport.stream { _, _, take in
            let id = Server.item
            let event = #"{"unread":2,"unseen":1,"revision":8,"ids":["\#(id)"]}"#
            _ = take(Data("event: changed\nid: 8\ndata: \(event)\n\n".utf8))
            _ = await ends.wait(for: 1)
            return .failure(.cancelled)
        }
        try start(server.transport)
        let caller = Caller()
        PushSDK_SetInboxHandler(caller.retained(), Caller.heard, Caller.release)
        PushNotificationSDK.client?.didBecomeActive()
        try await logIn()
        let json = try #require(await caller.answers.wait(for: 1).first?.json)
        let update = try JSONDecoder().decode(Update.self, from: json)
        #expect(update == Update(counts: ["unread": 2, "unseen": 1, "revision": 8], itemIDs: [Server.item]))
        PushSDK_SetInboxHandler(nil, nil, nil)
        #expect(await caller.releases.wait(for: 1).count == 1)
        ends.add(())
    }

    @Test("diagnostics come as a text without the key, and a test is sent once the device is registered")
    func diagnostics() async throws {
        func known() async -> Caller.Answer {
            let caller = Caller()
            PushSDK_GetDiagnostics(caller.retained(), Caller.text, Caller.release)
            return await caller.ended()
        }
        func sent() async -> Caller.Answer {
            let caller = Caller()
            PushSDK_SendTestNotification(caller.retained(), Caller.text, Caller.release)
            return await caller.ended()
        }
        #expect(await known() == .init(code: PushSDKErrorNotConfigured))
        #expect(await sent() == .init(code: PushSDKErrorNotConfigured))
        let server = Server()
        try start(server.transport)
        #expect(await sent() == .init(code: PushSDKErrorRegistrationFailed))
        let client = try #require(PushNotificationSDK.client)
        let token = try await client.register(try DeviceTokenText(Data(repeating: 0xAB, count: 32)))
        #expect(await sent() == .init(json: Data(Server.item.utf8)))
        #expect(server.bodies(of: "POST installations/\(token.installationID)/test") == [""])
        let text = String(decoding: try #require(await known().json), as: UTF8.self)
        #expect(text.contains("https://api.example.com") && text.contains("abababab…"))
        #expect(!text.contains("validkey123") && !text.contains("mi_secret"))
    }

    /// Somebody logs in, with the token that the server knows unless another one is named.
    private func logIn(_ token: String? = Server.token) async throws {
        let caller = Caller()
        PushSDK_Login(caller.retained(), "u1", token, Caller.end, Caller.release)
        try #require(await caller.ended() == .init())
    }

    /// The code with which each of the functions fails, called as it should be; 0 where it did not.
    private func codes() async -> [Int32] {
        let callers = (0..<8).map { _ in Caller() }
        let list = "[\"\(Server.item)\"]"
        PushSDK_LoadPreferences(callers[0].retained(), Caller.text, Caller.release)
        PushSDK_SetPreferences(callers[1].retained(), "{}", Caller.text, Caller.release)
        PushSDK_SetPushEnabled(callers[2].retained(), 1, Caller.end, Caller.release)
        PushSDK_GetInboxPage(callers[3].retained(), nil, Caller.text, Caller.release)
        PushSDK_GetInboxCounts(callers[4].retained(), Caller.text, Caller.release)
        // Marks that wait are sent before anything else of the inbox is asked.
        for caller in callers[3...4] { _ = await caller.ended() }
        PushSDK_MarkInbox(callers[5].retained(), list, "read", Caller.end, Caller.release)
        _ = await callers[5].ended()
        PushSDK_MarkWholeInbox(callers[6].retained(), Server.item, "read", nil, Caller.end, Caller.release)
        _ = await callers[6].ended()
        PushSDK_ArchiveInboxItem(callers[7].retained(), Server.item, Caller.end, Caller.release)
        var codes: [Int32] = []
        for caller in callers { codes.append(await caller.ended().code ?? 0) }
        return codes
    }
}

/// A caller in C: what it was told, and how often its context was let go.
private final class Caller: Sendable {
    struct Answer: Sendable, Equatable {
        var json: Data?
        var code: Int32?

        init(json: Data? = nil, code: Int? = nil) { (self.json, self.code) = (json, code.map { Int32($0) }) }
    }

    let answers = Journal<Answer>()
    let releases = Journal<Void>()

    /// What the function is handed as its context.
    func retained() -> UnsafeMutableRawPointer { Unmanaged.passRetained(self).toOpaque() }

    /// The one answer, after which the context was let go once.
    func ended() async -> Answer {
        let answers = await answers.wait(for: 1)
        #expect(await releases.wait(for: 1).count == 1)
        #expect(answers.count == 1)
        return answers.first ?? Answer(code: -1)
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> Caller? {
        context.map { Unmanaged<Caller>.fromOpaque($0).takeUnretainedValue() }
    }

    private func note(_ json: UnsafePointer<CChar>?, _ error: UnsafePointer<PushSDKError>?) {
        let text = json.map { Data(String(cString: $0).utf8) }
        answers.add(Answer(json: text, code: error.map { Int($0.pointee.code) }))
    }

    static let text:
        @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, UnsafePointer<PushSDKError>?) -> Void = {
            Caller.of($0)?.note($1, $2)
        }
    static let end: @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<PushSDKError>?) -> Void = {
        Caller.of($0)?.note(nil, $1)
    }
    static let heard: @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?) -> Void = {
        Caller.of($0)?.note($1, nil)
    }
    static let release: @convention(c) (UnsafeMutableRawPointer?) -> Void = {
        guard let context = $0 else { return }
        Unmanaged<Caller>.fromOpaque(context).takeRetainedValue().releases.add(())
    }
}

/// A server with one item and one category of the user for whom its token speaks.
private final class Server: Sendable {
    static let token = "jwt.of.u1"
    static let item = "01920000-0000-7000-8000-000000000001"

    let transport = ScriptedTransport(.success(HTTPAnswer(status: 500)))
    private let refusal = Locked<Int?>(nil)

    init() {
        transport.answer { [weak self] call, _ in .success(self?.answer(to: call) ?? HTTPAnswer(status: 500)) }
    }

    /// Answers everything with this status from now on.
    func refuse(_ status: Int) { refusal.with { $0 = status } }

    /// The bodies of what was asked by a method and a path, in order.
    func bodies(of name: String) -> [String] {
        transport.calls.entries.filter { Self.name($0) == name }.map {
            String(decoding: $0.body ?? Data(), as: UTF8.self)
        }
    }

    /// The queries, likewise.
    func queries(of name: String) -> [String] {
        transport.calls.entries.filter { Self.name($0) == name }.map { $0.url.query ?? "" }
    }

    /// How often it was asked about a user or a device.
    var asked: Int { transport.calls.entries.filter { !$0.url.path.contains("events") }.count }

    private static func name(_ call: HTTPCall) -> String {
        "\(call.method) " + call.url.path.replacingOccurrences(of: "/api/v1/", with: "")
    }

    private static let known = [
        "GET preferences": preferences, "PATCH preferences": preferences,
        "GET inbox": """
        {"data":[{"id":"\(item)","category":"follow","title":"新しいフォロワー","data":{"by":"bo"},
        "published_at":"2026-03-01T12:00:00Z","expires_at":"2099-03-01T12:00:00Z",
        "is_seen":true,"is_read":false,"is_archived":false}],"next":"c2"}
        """,
        "GET inbox/counts": counts, "POST inbox/actions": counts,
    ]
    private static let counts = #"{"unread":2,"unseen":1,"revision":7}"#
    private static let preferences = """
        {"revision":3,"master":{"push":false},"time_zone":"Asia/Tokyo","categories":[{"key":"follow",
        "names":{"en":"Followers"},"choice":{"inbox":false},"push":{"is_on":false,"source":"master"},
        "inbox":{"is_on":false,"source":"user"}}]}
        """

    private func answer(to call: HTTPCall) -> HTTPAnswer {
        if let status = refusal.with({ $0 }) { return HTTPAnswer(status: status) }
        let name = Self.name(call)
        if name == "POST tokens" { return .registered(by: call) }
        if name.hasPrefix("PATCH installations/") { return HTTPAnswer(status: 204) }
        if name.hasPrefix("POST installations/") {
            return HTTPAnswer(status: 202, body: Data(#"{"data":{"id":"\#(Self.item)"}}"#.utf8))
        }
        guard call.headers["Authorization"] == "Bearer \(Self.token)" else { return HTTPAnswer(status: 401) }
        guard let body = Self.known[name] else { return HTTPAnswer(status: 404) }
        return HTTPAnswer(status: 200, body: Data(body.utf8))
    }
}

private struct Preferences: Decodable {
    struct Channel: Decodable, Equatable {
        var isOn: Bool
        var source: String
    }

    struct Category: Decodable {
        var key: String
        var names: [String: String]
        var choice: [String: Bool]
        var push: Channel
        var inbox: Channel
    }

    var revision: Int
    var master: [String: Bool]
    var timeZone: String?
    var categories: [Category]
}

private struct Page: Decodable {
    struct Item: Decodable {
        var id: String
        var category: String?
        var title: String?
        var customData: [String: String]?
        var isSeen: Bool
        var isRead: Bool
        var isArchived: Bool
    }

    var items: [Item]
    var cursor: String?
}

private struct Action: Decodable, Equatable {
    var action: String
    var ids: [String]?
    var all: Bool?
    var up_to: String?
    var category: String?
}

private struct Update: Decodable, Equatable {
    var counts: [String: Int]
    var itemIDs: [String]
}
