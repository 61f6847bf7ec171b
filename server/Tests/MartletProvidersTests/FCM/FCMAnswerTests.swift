import MartletCore
import MartletWire
import Testing

@testable import MartletProviders

/// An answer of FCM with what it means.
struct FCMAnswerRow: Sendable, CustomTestStringConvertible {
    var name: String
    var status: Int
    var body: String
    var retryAfter: String?
    var outcome: Outcome
    var reaction = FCMVerdict.Reaction.none
    var isUnknown = false

    var testDescription: String { name }

    static let sentAt = Timestamp(milliseconds: 1_700_000_000_000)

    /// An error as FCM writes it.
    static func error(_ status: String, code: String? = nil, message: String = "m", more: String...) -> String {
        var details = more
        if let code {
            details.insert(
                #"{"@type":"type.googleapis.com/google.firebase.fcm.v1.FcmError","errorCode":"\#(code)"}"#,
                at: 0
            )
        }
        return
            #"{"error":{"code":400,"message":"\#(message)","status":"\#(status)","details":[\#(details.joined(separator: ","))]}}"#
    }

    static func field(_ name: String) -> String {
        #"{"@type":"type.googleapis.com/google.rpc.BadRequest","fieldViolations":[{"field":"\#(name)","description":"d"}]}"#
    }

    static func quota(_ subject: String) -> String {
        #"{"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{"subject":"\#(subject)"}]}"#
    }

    private static func rejected(_ reason: String, _ meaning: Outcome.Meaning = .nothing) -> Outcome {
        .rejected(.init(reason: reason, meaning: meaning))
    }

    private static func retry(_ reason: String, _ kind: Outcome.Retry.Kind, _ seconds: Int? = nil) -> Outcome {
        .retry(.init(reason: reason, kind: kind, after: seconds.map { .seconds($0) }))
    }

    private static let notToken = "The registration token is not a valid FCM registration token"

    static let all: [FCMAnswerRow] = [
        .init(name: "accepted", status: 200, body: #"{"name":"projects/p/messages/1"}"#, outcome: .accepted),
        .init(name: "another 2xx", status: 204, body: "", outcome: .accepted, isUnknown: true),
        .init(
            name: "a violation of message.token",
            status: 400,
            body: error("INVALID_ARGUMENT", more: field("message.token")),
            outcome: rejected("INVALID_ARGUMENT", .badToken)
        ),
        .init(
            name: "a violation of message.fid",
            status: 400,
            body: error("INVALID_ARGUMENT", more: field("message.fid")),
            outcome: rejected("INVALID_ARGUMENT", .badToken)
        ),
        .init(
            name: "the words without a field",
            status: 400,
            body: error("INVALID_ARGUMENT", code: "INVALID_ARGUMENT", message: notToken),
            outcome: rejected("INVALID_ARGUMENT", .badToken)
        ),
        .init(
            name: "another field",
            status: 400,
            body: error("INVALID_ARGUMENT", code: "INVALID_ARGUMENT", more: field("message.android.ttl")),
            outcome: rejected("INVALID_ARGUMENT"),
            reaction: .defect
        ),
        .init(
            name: "too big",
            status: 400,
            body: error("INVALID_ARGUMENT", code: "INVALID_ARGUMENT", message: "Message is too big"),
            outcome: rejected("payload_too_large"),
            reaction: .defect
        ),
        .init(
            name: "unregistered",
            status: 404,
            body: error("NOT_FOUND", code: "UNREGISTERED"),
            outcome: rejected("UNREGISTERED", .unregistered(since: sentAt))
        ),
        .init(
            name: "another sender",
            status: 403,
            body: error("PERMISSION_DENIED", code: "SENDER_ID_MISMATCH"),
            outcome: rejected("SENDER_ID_MISMATCH", .wrongTopic)
        ),
        .init(
            name: "a device of another service without its key",
            status: 401,
            body: error("UNAUTHENTICATED", code: "THIRD_PARTY_AUTH_ERROR"),
            outcome: retry("THIRD_PARTY_AUTH_ERROR", .rateLimited, 600),
            reaction: .noteThirdParty
        ),
        .init(
            name: "the same by the name that it had",
            status: 401,
            body: error("UNAUTHENTICATED", code: "APNS_AUTH_ERROR"),
            outcome: retry("APNS_AUTH_ERROR", .rateLimited, 600),
            reaction: .noteThirdParty
        ),
        .init(
            name: "a device whose refusal says nothing of the bearer",
            status: 401,
            body: error("UNAUTHENTICATED", code: "UNSPECIFIED_ERROR"),
            outcome: retry("UNSPECIFIED_ERROR", .provider, nil),
            isUnknown: true
        ),
        .init(
            name: "an expired bearer",
            status: 401,
            body: error("UNAUTHENTICATED"),
            outcome: retry("UNAUTHENTICATED", .connection, 0),
            reaction: .renewToken
        ),
        .init(
            name: "the project's quota",
            status: 429,
            body: error("RESOURCE_EXHAUSTED", code: "QUOTA_EXCEEDED", more: quota("project:123")),
            retryAfter: "7",
            outcome: retry("QUOTA_EXCEEDED", .rateLimited, 7),
            reaction: .slowDown(for: .seconds(7))
        ),
        .init(
            name: "the project's quota for longer than an hour",
            status: 429,
            body: error("RESOURCE_EXHAUSTED", code: "QUOTA_EXCEEDED", more: quota("project:123")),
            retryAfter: "7200",
            outcome: retry("QUOTA_EXCEEDED", .rateLimited, 3_600),
            reaction: .slowDown(for: .seconds(3_600))
        ),
        .init(
            name: "the project's quota until a date",
            status: 429,
            body: error("RESOURCE_EXHAUSTED", code: "QUOTA_EXCEEDED", more: quota("project:123")),
            retryAfter: "Tue, 14 Nov 2023 22:13:40 GMT",
            outcome: retry("QUOTA_EXCEEDED", .rateLimited, 20),
            reaction: .slowDown(for: .seconds(20))
        ),
        .init(
            name: "the project's quota without a time",
            status: 429,
            body: error("RESOURCE_EXHAUSTED", code: "QUOTA_EXCEEDED", more: quota("project:123")),
            outcome: retry("QUOTA_EXCEEDED", .rateLimited, 60),
            reaction: .slowDown(for: .seconds(60))
        ),
        .init(
            name: "a device's quota",
            status: 429,
            body: error("RESOURCE_EXHAUSTED", code: "QUOTA_EXCEEDED", more: quota("device:abc")),
            outcome: retry("QUOTA_EXCEEDED", .rateLimited, 60)
        ),
        .init(
            name: "somebody's quota, once",
            status: 429,
            body: error("RESOURCE_EXHAUSTED", code: "QUOTA_EXCEEDED"),
            outcome: retry("QUOTA_EXCEEDED", .rateLimited, 60)
        ),
        .init(
            name: "internal",
            status: 500,
            body: error("INTERNAL", code: "INTERNAL"),
            outcome: retry("INTERNAL", .provider, 10)
        ),
        .init(
            name: "unavailable",
            status: 503,
            body: error("UNAVAILABLE", code: "UNAVAILABLE"),
            retryAfter: "30",
            outcome: retry("UNAVAILABLE", .provider, 30)
        ),
        .init(
            name: "unavailable without a time",
            status: 503,
            body: error("UNAVAILABLE", code: "UNAVAILABLE"),
            outcome: retry("UNAVAILABLE", .provider, 10)
        ),
        .init(
            name: "unavailable for less than ten seconds",
            status: 503,
            body: error("UNAVAILABLE", code: "UNAVAILABLE"),
            retryAfter: "0",
            outcome: retry("UNAVAILABLE", .provider, 10)
        ),
        .init(
            name: "unavailable, as the detail says",
            status: 503,
            body: error(
                "UNAVAILABLE",
                more: #"{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"13.2s"}"#
            ),
            outcome: retry("UNAVAILABLE", .provider, 14)
        ),
        .init(name: "a proxy's page", status: 502, body: "<html>", outcome: retry("HTTP 502", .provider, 10)),
        .init(
            name: "a proxy's refusal",
            status: 400,
            body: "<html>",
            outcome: retry("HTTP 400", .provider),
            isUnknown: true
        ),
        .init(
            name: "a proxy's page that says that there is nothing",
            status: 404,
            body: "<html>",
            outcome: retry("HTTP 404", .provider),
            isUnknown: true
        ),
        .init(
            name: "a proxy's JSON that says that there is nothing",
            status: 404,
            body: #"{"message":"no Route matched with those values"}"#,
            outcome: retry("HTTP 404", .provider),
            isUnknown: true
        ),
        .init(
            name: "a proxy's page that forbids",
            status: 403,
            body: "<html>",
            outcome: retry("HTTP 403", .provider),
            isUnknown: true
        ),
        .init(
            name: "a refusal that is not known",
            status: 409,
            body: error("ABORTED"),
            outcome: rejected("ABORTED"),
            isUnknown: true
        ),
        .init(
            name: "too large for the way",
            status: 413,
            body: "",
            outcome: rejected("payload_too_large"),
            reaction: .defect
        ),
    ]
}

@Suite("Answers of FCM")
struct FCMAnswerTests {
    static let summary = CredentialSummary(
        kind: .serviceAccount,
        topic: "martlet-test",
        keyID: "k1",
        teamID: "push@martlet-test.iam.gserviceaccount.com",
        expiresAt: nil
    )

    private let context = FCMAnswerContext(credential: summary, sentAt: FCMAnswerRow.sentAt)

    @Test("an answer has its outcome and its reaction", arguments: FCMAnswerRow.all)
    func table(row: FCMAnswerRow) {
        let answer = FCMAnswer(
            status: row.status,
            body: Array(row.body.utf8),
            date: nil,
            retryAfter: row.retryAfter,
            now: FCMAnswerRow.sentAt
        )
        let verdict = answer.verdict(in: context)
        #expect(verdict.outcome == row.outcome)
        #expect(verdict.reaction == row.reaction)
        #expect(verdict.isUnknown == row.isUnknown)
    }

    @Test(
        "what an operator has to mend pauses the queue, and says what to do",
        arguments: [
            (404, FCMAnswerRow.error("NOT_FOUND"), "project_id"),
            (403, FCMAnswerRow.error("PERMISSION_DENIED"), "Messaging API"), (302, "", "redirect"),
        ]
    )
    func misconfigured(status: Int, body: String, words: String) {
        let answer = FCMAnswer(
            status: status,
            body: Array(body.utf8),
            date: nil,
            retryAfter: nil,
            now: FCMAnswerRow.sentAt
        )
        guard case .misconfigured(let found) = answer.verdict(in: context).outcome else {
            Issue.record("not misconfigured")
            return
        }
        #expect(found.advice.contains(words))
    }

    @Test("401 after a new access token is the account's fault, and a foreign device's is not")
    func refusedAgain() {
        var context = context
        context.mayRenewToken = false
        let answer = FCMAnswer(status: 401, error: "UNAUTHENTICATED")
        guard case .misconfigured = answer.verdict(in: context).outcome else {
            Issue.record("not misconfigured")
            return
        }
        let foreign = FCMAnswer(status: 401, error: "UNAUTHENTICATED", errorCode: "THIRD_PARTY_AUTH_ERROR")
        #expect(foreign.verdict(in: context).reaction == .noteThirdParty)
    }

    @Test("a quota of nobody in particular is the project's when another device was refused just before")
    func quotaOfProject() {
        var context = context
        context.isQuotaOfProject = true
        let open = FCMAnswer(status: 429, error: "RESOURCE_EXHAUSTED", errorCode: "QUOTA_EXCEEDED")
        #expect(open.verdict(in: context).reaction == .slowDown(for: .seconds(60)))
        let device = FCMAnswer(status: 429, error: "RESOURCE_EXHAUSTED", quotaSubjects: ["device:a"])
        #expect(device.verdict(in: context).reaction == .none)
    }

    @Test(
        "any body can be read, and what is recorded is short and printable",
        arguments: [
            "", "{", "[]", "null", #"{"error":1}"#, #"{"error":{"status":""}}"#, #"{"error":{"details":{}}}"#,
            #"{"error":{"details":[1,null,{"@type":5}]}}"#,
            #"{"error":{"status":"\u0000\u0007é","details":[{"@type":"x.FcmError","errorCode":7}]}}"#,
        ]
    )
    func strange(body: String) {
        let answer = FCMAnswer(
            status: 400,
            body: Array(body.utf8),
            date: "x",
            retryAfter: "-1",
            now: FCMAnswerRow.sentAt
        )
        #expect(answer.recordedReason.utf8.count <= 64)
        #expect(answer.recordedReason.utf8.allSatisfy { (0x20...0x7E).contains($0) })
        #expect(answer.retryAfter == nil)
    }
}
