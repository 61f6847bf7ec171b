import Foundation
import MartletWire
import PushNotificationSDKCore
import PushNotificationSDKTesting

/// What the phone's server answers about preferences and inbox.
final class UserServer: Sendable {
    /// The one token that it takes; `nil` takes every token.
    let token = Locked<String?>(nil)
    /// The last request about a user: its method, its path and query, and its body.
    let last = Locked<String?>(nil)
    private let end = Journal<Void>()

    /// Answers a transport's calls.
    func attach(to transport: ScriptedTransport) {
        transport.answer { [self] call, _ in .success(answer(to: call)) }
        transport.stream { [self, end] call, _, take in
            guard isAllowed(call) else { return .success(.error(401, .unauthorized)) }
            _ = take(Data("event: state\nid: 7\ndata: \(Self.change)\n\n".utf8))
            // Until the client wants no more: its task is cancelled then.
            _ = await end.wait(for: 1)
            return .failure(.cancelled)
        }
    }

    private func answer(to call: HTTPCall) -> HTTPAnswer {
        let path = call.url.path.replacingOccurrences(of: "/api/v1/", with: "")
        if path == "tokens" { return .registered(by: call) }
        let query = call.url.query.map { "?\($0)" } ?? ""
        let body = call.body.map { " \(String(decoding: $0, as: UTF8.self))" } ?? ""
        last.with { $0 = "\(call.method) \(path)\(query)\(body)" }
        if path.hasPrefix("installations/") {
            let isTest = path.hasSuffix("/test")
            return isTest ? HTTPAnswer(status: 202, body: Data(Self.test.utf8)) : HTTPAnswer(status: 204)
        }
        guard isAllowed(call) else { return .error(401, .unauthorized) }
        switch path {
        case "preferences": return Self.answer(Self.preferences)
        case "inbox": return Self.answer(Self.page)
        case "inbox/counts", "inbox/actions": return Self.answer(Self.counts)
        default: return .error(404, .notFound)
        }
    }

    private func isAllowed(_ call: HTTPCall) -> Bool {
        let token = token.with { $0 }
        return token.map { call.headers["Authorization"] == "Bearer \($0)" } ?? true
    }

    private static func answer(_ json: String) -> HTTPAnswer { HTTPAnswer(status: 200, body: Data(json.utf8)) }

    private static let test = #"{"data":{"id":"01920000-0000-7000-8000-000000000009","status":"sending"}}"#
    private static let counts = #"{"unread":2,"unseen":1,"revision":3}"#
    private static let change = #"{"unread":4,"unseen":3,"revision":7,"ids":[]}"#
    private static let preferences = """
        {"revision":1,"master":{},"categories":[{"key":"comment","names":{"en":"Comments","ja":"コメント"},\
        "choice":{"push":false},"push":{"is_on":false,"source":"user"},"inbox":{"is_on":true,"source":"system"}}]}
        """
    private static let page = """
        {"data":[{"id":"01920000-0000-7000-8000-000000000001","category":"comment","title":"コメント",\
        "published_at":"2026-03-01T12:00:00.000Z","expires_at":"2126-03-01T12:00:00.000Z",\
        "is_seen":false,"is_read":false,"is_archived":false}],"next":"c1"}
        """
}
