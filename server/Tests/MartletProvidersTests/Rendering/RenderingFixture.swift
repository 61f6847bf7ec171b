import Foundation
import MartletCore
import MartletWire
import Testing

@testable import MartletProviders

/// Makes submissions, and renders them for an app whose bundle id is `com.example.app`.
enum Rendering {
    static let notification = PublicID("01890a5d-ac96-774b-bcce-b302099a8057")!  // a literal

    static let app = App(
        row: RowID(1),
        id: notification,
        name: "com.example.app",
        identity: Identity(),
        createdAt: Timestamp(milliseconds: 0)
    )

    static let token = CredentialSummary(
        kind: .token,
        topic: "com.example.app",
        keyID: "ABCD1234",
        teamID: "TEAM1234",
        expiresAt: nil
    )

    static let certificate = CredentialSummary(
        kind: .certificate,
        topic: "com.example.app",
        keyID: nil,
        teamID: "TEAM1234",
        expiresAt: nil
    )

    static func submission(
        _ content: Content,
        pushType: String? = nil,
        topic: String? = nil,
        priority: Priority? = nil,
        collapse: Submission.Collapse = .byDedupKey,
        dedup: Dedup? = nil,
        expiry: Submission.Expiry = .provider
    ) -> Submission {
        Submission(
            app: app,
            audience: .all,
            content: content,
            pushType: pushType,
            topic: topic,
            priority: priority,
            collapse: collapse,
            dedup: dedup,
            expiry: expiry
        )
    }

    static func message(
        _ submission: Submission,
        credentials: [CredentialSummary] = [token, certificate]
    ) throws -> Message {
        let context = RenderContext(notification: notification, credentials: credentials)
        return try APNsRenderer.render(submission, context: context)
    }

    /// The payload of content that is sent as the push type.
    static func payload(_ content: Content, pushType: String? = nil) throws -> JSONValue {
        try JSONValue(json: Data(message(submission(content, pushType: pushType)).payload.bytes))
    }

    /// Why a submission is refused.
    static func failure(
        _ submission: Submission,
        credentials: [CredentialSummary] = [token, certificate]
    ) throws -> Failure {
        try #require(throws: Failure.self) { try message(submission, credentials: credentials) }
    }

    /// Why content with this override for `aps` is refused.
    static func failure(aps: JSONValue, pushType: String? = nil) throws -> Failure {
        try failure(submission(Content(title: "T", overrides: [.apns: ["aps": aps]]), pushType: pushType))
    }
}
