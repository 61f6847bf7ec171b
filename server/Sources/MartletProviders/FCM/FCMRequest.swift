import MartletCore
import MartletTransport
import MartletWire

/// Makes requests of FCM: `POST /v1/projects/<project>/messages:send`.
enum FCMRequest {
    /// What all requests of a push have in common; each has a body of its own, which names the device.
    static func template(
        authority: String,
        token: AccessToken,
        permit: HTTP2Permit = HTTP2Permit(),
        body: [UInt8] = []
    ) -> HTTP2RequestTemplate {
        HTTP2RequestTemplate(
            authority: authority,
            headers: [
                // The same for an hour, so it is worth its place in the table of the connection.
                HTTP2Header("authorization", "Bearer \(token.text)"), HTTP2Header("content-type", "application/json"),
            ],
            body: body,
            permit: permit
        )
    }

    static func path(of project: String) -> String { "/v1/projects/\(project)/messages:send" }

    /// The requests of a run of targets.
    static func burst(_ count: Int, project: String, template: HTTP2RequestTemplate) -> HTTP2Burst.Builder {
        var requests = HTTP2Burst.Builder(template: template, capacity: count)
        let path = Array(path(of: project).utf8)
        for _ in 0..<count {
            requests.write(path)
            requests.endValue()
        }
        return requests
    }

    /// The body that a target gets.
    static func body(of push: Push, target: Push.Target, at now: Timestamp) -> [UInt8] {
        let left = push.message.headers[FCMHeader.expiresAt].flatMap { Int64($0) }.map { $0 - now.seconds }
        return push.message.payload.filled(
            badge: target.badge,
            deliveryID: target.id,
            target: FCMToken.member(for: target.token),
            secondsToLive: left.map { min(max($0, 0), FCMShape.longestLife) }
        )
    }
}
