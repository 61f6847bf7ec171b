import Foundation
import MartletTesting
import MartletWire

/// The authorization matrix: every route with every kind of key and token.
///
/// The table is the attack's own: it is written from what `docs/api.md` promises and not made from the server's.
enum Matrix {
    /// A route, and for whom it is.
    struct Row {
        let method: String
        /// The path with the first customer's things in braces, and its query.
        let path: String
        /// A body that is right.
        var body: String?
        /// Who may do it to the first customer's things.
        let allowed: Set<Kind>
        /// Who gets in and finds only what is their own, which must be nothing of the first customer's.
        var own: Set<Kind> = []
        /// Whether the credential comes as Treasure Data's write keys do, in a field of their own.
        var isWriteKey = false
        /// For how long an answer that does not end is read.
        var seconds = 10.0
    }

    private static let all = Set(Kind.allCases)
    private static let whole: Set<Kind> = [.operator]
    private static let admins: Set<Kind> = [.admin, .operator]
    private static let senders: Set<Kind> = [.send, .admin, .operator]
    private static let owners: Set<Kind> = [.user, .send, .admin, .operator]
    private static let users: Set<Kind> = [.user]
    private static let keys: Set<Kind> = [.client, .send, .admin, .operator]
    private static let otherSenders: Set<Kind> = [.otherSend, .otherAdmin]

    /// Makes every call there is; those that delete come last.
    static func run(_ victim: Victim) throws -> Tally {
        var tally = Tally("authorization matrix")
        try checkIsWhole(victim, &tally)
        for row in rows {
            // Those who may not come first, while there is still something to get.
            for kind in Kind.allCases where !row.allowed.contains(kind) { try check(row, kind, victim, &tally) }
            for kind in Kind.allCases where row.allowed.contains(kind) { try check(row, kind, victim, &tally) }
        }
        return tally
    }

    private static func check(_ row: Row, _ kind: Kind, _ victim: Victim, _ tally: inout Tally) throws {
        let path = victim.path(row.path)
        let credential = victim.credentials[kind]
        let answer = try victim.call(
            row.method,
            path,
            bearer: row.isWriteKey ? nil : credential,
            fields: row.isWriteKey ? credential.map { ["X-TD-Write-Key: \($0)"] } ?? [] : [],
            body: row.body.map(victim.path),
            seconds: row.seconds
        )
        let line = "\(row.method) \(row.path) by \(kind.rawValue): \(answer.status) \(answer.body.prefix(160))"
        if row.allowed.contains(kind) {
            // Without this the whole matrix would pass at a server that refuses everybody.
            let isIn = answer.status != 0 && answer.status != 401 && answer.status != 403 && answer.status < 500
            tally.attempt(heldOff: isIn, "REFUSED ALTHOUGH ALLOWED: " + line)
        } else {
            let isRefused = [401, 403, 404].contains(answer.status)
            let isOwn = row.own.contains(kind) && (200..<300).contains(answer.status)
            let shows = victim.marks(for: kind).contains { answer.body.contains($0) && !path.contains($0) }
            tally.attempt(heldOff: (isRefused || isOwn) && !shows, line)
        }
    }

    /// Counts a route that the server has and the table has not as one that got through.
    private static func checkIsWhole(_ victim: Victim, _ tally: inout Tally) throws {
        let answer = try victim.call("GET", "/openapi.json")
        let document = try JSONValue(json: Data(answer.body.utf8)).objectValue
        guard let paths = document?["paths"]?.objectValue, !paths.isEmpty else {
            throw AttackFailure("/openapi.json has no paths")
        }
        let known = Set(rows.map { "\($0.method) \(shape($0.path))" })
        for (path, item) in paths {
            for method in (item.objectValue ?? [:]).keys
            where ["get", "put", "post", "patch", "delete"].contains(method) {
                let route = "\(method.uppercased()) \(shape(path))"
                tally.attempt(heldOff: known.contains(route), "\(route) is a route that the matrix has not got")
            }
        }
    }

    /// A path with `{}` in place of each parameter and without its query.
    private static func shape(_ path: String) -> String {
        String(path.prefix { $0 != "?" }).split(separator: "/").map { part in
            part.hasPrefix("{") || ["sandbox", "apns", "mobile", "push_events"].contains(part) ? "{}" : part
        }.joined(separator: "/")
    }

    // MARK: The table

    private static var rows: [Row] {
        open + apps + people + topics + notifications + choices + inboxes + events + operations + keysAndEnds
    }

    private static let open = [
        "/healthz", "/readyz", "/metrics", "/openapi.json", "/webpush/martlet.js", "/webpush/worker.js",
    ].map {
        Row(method: "GET", path: $0, allowed: all)
    }

    private static let apps = [
        Row(method: "GET", path: "/api/v1/apps", allowed: admins, own: [.otherAdmin]),
        Row(method: "POST", path: "/api/v1/apps", body: #"{"name":"com.example.third"}"#, allowed: whole),
        Row(method: "GET", path: "/api/v1/apps/{app}", allowed: admins),
        Row(method: "PATCH", path: "/api/v1/apps/{app}", body: #"{"name":"{app}"}"#, allowed: admins),
        Row(method: "GET", path: "/api/v1/apps/{app}/credentials", allowed: admins),
        Row(
            method: "PUT",
            path: "/api/v1/apps/{app}/credentials",
            body: #"{"platform":"apns","p8":"x","key_id":"ABCD123456","team_id":"TEAM123456","bundle_id":"a.b"}"#,
            allowed: admins
        ),
        Row(method: "GET", path: "/api/v1/apps/{app}/pauses", allowed: admins),
        Row(method: "DELETE", path: "/api/v1/apps/{app}/pauses/apns/sandbox", allowed: admins),
        Row(method: "GET", path: "/api/v1/apps/{app}/breakers", allowed: admins),
    ]

    private static let people = [
        Row(method: "GET", path: "/api/v1/webpush/key?app={app}", allowed: keys),
        Row(
            method: "POST",
            path: "/api/v1/tokens",
            body:
                #"{"app":"{app}","installation_id":"01890a5d-ac96-774b-bcce-b302099a8057","token":"c3c3c3c3c3c3c3c3"}"#,
            allowed: keys
        ),
        Row(
            method: "POST",
            path: "/api/v1/devices",
            body: #"{"app":"{app}","token":"b2b2b2b2b2b2b2b2"}"#,
            allowed: owners,
            // A user's own device, of the app that is theirs too.
            own: [.otherUser]
        ),
        Row(
            method: "POST",
            path: "/api/v1/devices/batch",
            body: #"{"devices":[{"app":"{app}","token":"d4d4d4d4d4d4d4d4"}]}"#,
            allowed: senders,
            // Each device is refused by itself: the answer says of this one that there is no such app.
            own: otherSenders
        ),
        Row(
            method: "POST",
            path: "/api/v1/devices/batch/delete?app={app}",
            body: #"{"ids":["01890a5d-ac96-774b-bcce-b302099a8058"]}"#,
            allowed: senders,
            own: otherSenders
        ),
        Row(method: "GET", path: "/api/v1/devices?app={app}", allowed: owners, own: [.otherUser]),
        Row(method: "GET", path: "/api/v1/devices/{device}?app={app}", allowed: owners),
        Row(method: "PATCH", path: "/api/v1/devices/{device}?app={app}", body: #"{"is_active":true}"#, allowed: owners),
        Row(method: "GET", path: "/api/v1/users/{user}/endpoints?app={app}", allowed: senders),
        Row(method: "GET", path: "/api/v1/users/{user}/timeline?app={app}", allowed: senders),
        Row(method: "GET", path: "/api/v1/notifications/{notification}/why?user={user}", allowed: senders),
        Row(method: "GET", path: "/api/v1/people/search?app={app}&q={user}", allowed: senders),
        Row(method: "GET", path: "/api/v1/people/search?q={user}", allowed: senders, own: otherSenders),
        Row(method: "GET", path: "/api/v1/people/search", allowed: senders, own: otherSenders),
        Row(method: "GET", path: "/api/v1/endpoints/{endpoint}?app={app}", allowed: senders),
        Row(method: "GET", path: "/api/v1/devices", allowed: owners, own: otherSenders.union([.otherUser])),
    ]

    private static let topics = [
        Row(method: "POST", path: "/api/v1/topics", body: #"{"app":"{app}","name":"more"}"#, allowed: senders),
        Row(method: "GET", path: "/api/v1/topics?app={app}", allowed: senders),
        Row(method: "GET", path: "/api/v1/topics", allowed: senders, own: otherSenders),
        Row(method: "GET", path: "/api/v1/topics/{topic}", allowed: senders),
        Row(method: "PATCH", path: "/api/v1/topics/{topic}", body: #"{"tags":{"a":"b"}}"#, allowed: senders),
        Row(
            method: "POST",
            path: "/api/v1/topics/{topic}/subscriptions",
            body: #"{"user_id":"{user}"}"#,
            allowed: senders
        ),
        Row(method: "GET", path: "/api/v1/topics/{topic}/subscriptions", allowed: senders),
        Row(
            method: "POST",
            path: "/api/v1/topics/{topic}/subscriptions/batch",
            body: #"{"subscriptions":[{"user_id":"{user}"}]}"#,
            allowed: senders
        ),
        Row(method: "GET", path: "/api/v1/users/{user}/subscriptions?app={app}", allowed: senders),
        Row(
            method: "PUT",
            path: "/api/v1/users/{user}/subscriptions?app={app}",
            body: #"{"topics":["{topic}"]}"#,
            allowed: senders
        ),
        Row(method: "GET", path: "/api/v1/subscriptions/{subscription}", allowed: senders),
        Row(
            method: "PATCH",
            path: "/api/v1/subscriptions/{subscription}",
            body: #"{"filter_policy":null}"#,
            allowed: senders
        ),
        Row(
            method: "POST",
            path: "/api/v1/subscriptions/{subscription}/try",
            body: #"{"attributes":{"line":"4"}}"#,
            allowed: senders
        ),
    ]

    private static let notifications = [
        Row(
            method: "POST",
            path: "/api/v1/notifications",
            body: #"{"app":"{app}","audience":{"users":["nobody"]},"title":"Hello"}"#,
            allowed: senders
        ),
        Row(
            method: "POST",
            path: "/api/v1/notifications",
            body: #"{"audience":{"endpoints":["{endpoint}"]},"title":"Hello"}"#,
            allowed: senders,
            // Their own app is asked, which has no such endpoint: the notification reaches nobody.
            own: otherSenders
        ),
        Row(
            method: "POST",
            path: "/api/v1/notifications/batch",
            body: #"{"notifications":[{"app":"{app}","audience":{"users":["nobody"]},"title":"Hello"}]}"#,
            allowed: senders,
            // Each notification is refused by itself: the answer says of this one that there is no such app.
            own: otherSenders
        ),
        Row(
            method: "POST",
            path: "/api/v1/notifications/estimate",
            body: #"{"app":"{app}","audience":{"all":true},"title":"Hello"}"#,
            allowed: senders
        ),
        Row(
            method: "POST",
            path: "/api/v1/notifications/estimate",
            body: #"{"audience":{"endpoints":["{endpoint}"]},"title":"Hello"}"#,
            allowed: senders,
            // Their own app is asked, which has no such endpoint.
            own: otherSenders
        ),
        Row(
            method: "POST",
            path: "/api/v1/notifications/preview",
            body: #"{"app":"{app}","audience":{"all":true},"title":"Hello"}"#,
            allowed: senders
        ),
        Row(
            method: "POST",
            path: "/api/v1/notifications/preview",
            body: #"{"audience":{"endpoints":["{endpoint}"]},"title":"Hello"}"#,
            allowed: senders,
            // What their own app's platforms would get.
            own: otherSenders
        ),
        Row(method: "GET", path: "/api/v1/notifications?app={app}", allowed: senders),
        Row(method: "GET", path: "/api/v1/notifications", allowed: senders, own: otherSenders),
        Row(method: "GET", path: "/api/v1/notifications?search=e", allowed: senders, own: otherSenders),
        Row(method: "GET", path: "/api/v1/notifications/{notification}", allowed: senders),
        Row(method: "GET", path: "/api/v1/notifications/{notification}/accepted", allowed: senders),
        Row(method: "GET", path: "/api/v1/notifications/{notification}/deliveries", allowed: senders),
        Row(method: "GET", path: "/api/v1/notifications/{notification}/suppressions", allowed: senders),
        Row(method: "GET", path: "/api/v1/notifications/{notification}/messages", allowed: senders),
        Row(method: "GET", path: "/api/v1/notifications/{notification}/reasons", allowed: senders),
        Row(method: "GET", path: "/api/v1/notifications/{notification}/missed", allowed: senders),
        Row(method: "GET", path: "/api/v1/notifications/{notification}/missed?format=csv", allowed: senders),
        Row(
            method: "POST",
            path: "/api/v1/notifications/{notification}/resend",
            body: #"{"dry_run":true}"#,
            allowed: senders
        ),
        Row(method: "POST", path: "/api/v1/notifications/{notification}/resend", body: "{}", allowed: senders),
        Row(method: "GET", path: "/api/v1/dead-letters", allowed: senders, own: otherSenders),
        Row(method: "POST", path: "/api/v1/dead-letters/{letter}/retry", allowed: senders),
    ]

    private static let choices = [
        Row(method: "POST", path: "/api/v1/categories", body: #"{"app":"{app}","key":"more"}"#, allowed: admins),
        Row(method: "GET", path: "/api/v1/categories?app={app}", allowed: admins),
        Row(method: "GET", path: "/api/v1/categories", allowed: admins, own: [.otherAdmin]),
        Row(method: "GET", path: "/api/v1/categories/{category}?app={app}", allowed: admins),
        Row(
            method: "PATCH",
            path: "/api/v1/categories/{category}?app={app}",
            body: #"{"position":3}"#,
            allowed: admins
        ),
        Row(method: "GET", path: "/api/v1/preferences", allowed: users, own: [.otherUser]),
        Row(
            method: "PATCH",
            path: "/api/v1/preferences",
            body: #"{"master":{"enabled":null}}"#,
            allowed: users,
            own: [.otherUser]
        ),
        Row(
            method: "POST",
            path: "/api/v1/preferences/batch",
            body: #"{"app":"{app}","users":[{"user_id":"{user}","master":{"enabled":null}}]}"#,
            allowed: senders
        ),
        Row(method: "GET", path: "/api/v1/users/{user}/preferences?app={app}", allowed: senders),
        Row(
            method: "PATCH",
            path: "/api/v1/users/{user}/preferences?app={app}",
            body: #"{"master":{"enabled":null}}"#,
            allowed: senders
        ),
        Row(method: "GET", path: "/api/v1/users/{user}/preferences/history?app={app}", allowed: senders),
        Row(
            method: "PATCH",
            path: "/api/v1/installations/{installation}?app={app}",
            body: #"{"push":false}"#,
            // The key alone changes nothing: it takes the secret of the installation.
            allowed: []
        ),
        Row(method: "POST", path: "/api/v1/installations/{installation}/test?app={app}", allowed: []),
        Row(method: "DELETE", path: "/api/v1/installations/{installation}?app={app}", allowed: []),
    ]

    private static let inboxes = [
        Row(method: "GET", path: "/api/v1/inbox", allowed: users, own: [.otherUser]),
        Row(method: "GET", path: "/api/v1/inbox/counts", allowed: users, own: [.otherUser]),
        Row(method: "GET", path: "/api/v1/inbox/stream", allowed: users, own: [.otherUser], seconds: 2),
        Row(method: "GET", path: "/api/v1/inbox/{item}", allowed: users),
        Row(method: "PATCH", path: "/api/v1/inbox/{item}", body: #"{"is_seen":true}"#, allowed: users),
        Row(
            method: "POST",
            path: "/api/v1/inbox/actions",
            body: #"{"action":"see","ids":["{item}"]}"#,
            allowed: users,
            // What is not theirs is passed over, or is not found.
            own: [.otherUser]
        ),
        Row(method: "GET", path: "/api/v1/users/{user}/inbox?app={app}", allowed: senders),
        Row(method: "GET", path: "/api/v1/users/{user}/inbox/counts?app={app}", allowed: senders),
        Row(method: "GET", path: "/api/v1/users/{user}/inbox/{item}?app={app}", allowed: senders),
        Row(
            method: "PATCH",
            path: "/api/v1/users/{user}/inbox/{item}?app={app}",
            body: #"{"is_seen":true}"#,
            allowed: senders
        ),
        Row(
            method: "POST",
            path: "/api/v1/users/{user}/inbox/actions?app={app}",
            body: #"{"action":"see","ids":["{item}"]}"#,
            allowed: senders
        ),
    ]

    private static let events = [
        Row(
            method: "POST",
            path: "/api/v1/events?app={app}",
            body: #"{"events":[]}"#,
            // The key alone lets nobody report: it takes the secret of an installation.
            allowed: []
        ),
        Row(method: "GET", path: "/api/v1/events?app={app}", allowed: senders),
        Row(method: "GET", path: "/api/v1/events?user_id={user}", allowed: senders, own: otherSenders),
        Row(
            method: "POST",
            path: "/api/v1/events/query",
            body: #"{"sql":"SELECT user_id FROM mobile.push_events"}"#,
            allowed: admins,
            own: [.otherAdmin]
        ),
        Row(method: "POST", path: "/td/v1/mobile/push_events?app={app}", body: #"{"events":[]}"#, allowed: keys),
        Row(
            method: "POST",
            path: "/postback/v3/event/mobile/push_events?app={app}",
            body: #"{"type":"open","platform":"ios"}"#,
            allowed: keys
        ),
        Row(
            method: "POST",
            path: "/postback/v3/event/mobile/push_events?app={app}",
            body: #"{"type":"open","platform":"ios"}"#,
            allowed: keys,
            isWriteKey: true
        ),
    ]

    private static let operations = [
        Row(method: "GET", path: "/api/v1/webhook-dead-letters", allowed: whole),
        Row(method: "POST", path: "/api/v1/webhook-dead-letters/{letter}/retry", allowed: whole),
        Row(method: "GET", path: "/api/v1/quarantine", allowed: senders, own: otherSenders),
        Row(method: "POST", path: "/api/v1/quarantine/{work}/retry", allowed: senders),
        Row(method: "GET", path: "/api/v1/doctor?app={app}", allowed: admins),
        Row(method: "GET", path: "/api/v1/doctor", allowed: admins, own: [.otherAdmin]),
        Row(method: "GET", path: "/api/v1/problems?app={app}", allowed: admins),
        Row(method: "GET", path: "/api/v1/problems", allowed: admins, own: [.otherAdmin]),
        Row(method: "GET", path: "/api/v1/stats?app={app}", allowed: senders),
        Row(method: "GET", path: "/api/v1/stats", allowed: senders, own: otherSenders),
    ]

    private static let keysAndEnds = [
        Row(method: "GET", path: "/api/v1/keys?app={app}", allowed: admins),
        Row(method: "GET", path: "/api/v1/keys", allowed: admins, own: [.otherAdmin]),
        Row(
            method: "POST",
            path: "/api/v1/keys",
            body: #"{"app":"{app}","scope":"send","name":"x"}"#,
            allowed: admins
        ),
        Row(method: "DELETE", path: "/api/v1/keys/{key}", allowed: admins),
        Row(method: "GET", path: "/api/v1/access-keys", allowed: whole),
        Row(method: "POST", path: "/api/v1/access-keys", body: #"{"name":"x"}"#, allowed: whole),
        Row(method: "DELETE", path: "/api/v1/access-keys/{access_key}", allowed: whole),
        Row(method: "GET", path: "/api/v1/operators", allowed: whole),
        Row(
            method: "POST",
            path: "/api/v1/operators/invitations",
            body: #"{"name":"ann","role":"viewer"}"#,
            allowed: whole
        ),
        Row(method: "PATCH", path: "/api/v1/operators/{operator}", body: #"{"role":"viewer"}"#, allowed: whole),
        Row(method: "GET", path: "/api/v1/operators/sessions", allowed: whole),
        Row(method: "DELETE", path: "/api/v1/operators/sessions/{session}", allowed: whole),
        Row(method: "GET", path: "/api/v1/audit", allowed: whole),
        Row(method: "DELETE", path: "/api/v1/users/{user}/subscriptions/{topic}?app={app}", allowed: senders),
        Row(method: "DELETE", path: "/api/v1/subscriptions/{subscription}", allowed: senders),
        Row(method: "DELETE", path: "/api/v1/topics/{topic}", allowed: senders),
        Row(method: "DELETE", path: "/api/v1/notifications/{notification}", allowed: senders),
        Row(method: "POST", path: "/api/v1/notifications/{item}/recall", allowed: senders),
        Row(method: "DELETE", path: "/api/v1/categories/{category}?app={app}", allowed: admins),
        Row(method: "DELETE", path: "/api/v1/users/{user}?app={app}", allowed: senders),
        Row(method: "DELETE", path: "/api/v1/devices/{device}?app={app}", allowed: owners),
        Row(method: "DELETE", path: "/api/v1/endpoints/{endpoint}?app={app}", allowed: senders),
        Row(method: "DELETE", path: "/api/v1/apps/{app}/credentials/apns/sandbox", allowed: admins),
        Row(method: "DELETE", path: "/api/v1/apps/{app}", allowed: admins),
    ]
}
