import Foundation
import NIOCore
import Testing

@testable import MartletSimulator

@Suite("Checks of messages:send at the simulated FCM")
struct SendCheckTests {
    /// A request, and its answer: `200`, or status, error code and the field or a part of the message.
    struct Row: Sendable, CustomTestStringConvertible {
        var name: String
        var answer: String
        var message: String
        var change: @Sendable (inout SendCheck, inout FCMRegistry) -> Void
        var testDescription: String { name }

        init(
            _ name: String,
            _ answer: String,
            _ message: String = #""token":"\#(FCMFixture.token)""#,
            change: @escaping @Sendable (inout SendCheck, inout FCMRegistry) -> Void = { _, _ in }
        ) {
            self.name = name
            self.answer = answer
            self.message = message
            self.change = change
        }
    }

    private static let token = #""token":"\#(FCMFixture.token)""#

    static let access: [Row] = [
        Row("a good message", "200"),
        Row("another path, without a bearer", "404 NOT_FOUND") { check, _ in
            check = check.with(path: "/v1/projects/shop/messages", authorization: .some(nil))
        },
        Row("GET", "404 NOT_FOUND") { check, _ in check = check.with(method: "GET") },
        Row("a query", "200") { check, _ in check = check.with(path: "/v1/projects/shop/messages:send?alt=json") },
        Row("no bearer, and no JSON", "401 UNAUTHENTICATED CREDENTIALS_MISSING", "!") { check, _ in
            check = check.with(authorization: .some(nil))
        },
        Row("an unknown bearer", "401 UNAUTHENTICATED ACCESS_TOKEN_TYPE_UNSUPPORTED") { check, _ in
            check = check.with(authorization: "Bearer x")
        },
        Row("an expired bearer", "401 UNAUTHENTICATED ACCESS_TOKEN_EXPIRED") { $1.expireAccess() },
        Row("another project's bearer, and no JSON", "403 PERMISSION_DENIED IAM_PERMISSION_DENIED", "!") { check, _ in
            check = check.with(path: "/v1/projects/other/messages:send")
        },
    ]

    static let schema: [Row] = [
        Row("no JSON", "400 INVALID_ARGUMENT", "!"),
        Row("an unknown member", "400 INVALID_ARGUMENT message", #"\#(token),"colour":"red""#),
        Row(
            "a number in data",
            "400 INVALID_ARGUMENT message.data[1].value",
            #"\#(token),"data":{"a":"b","n":12}"#
        ),
        Row(
            "a deep unknown member",
            "400 INVALID_ARGUMENT message.android.notification",
            #"\#(token),"android":{"notification":{"x":1}}"#
        ),
        Row("camel case", "200", #"\#(token),"android":{"collapseKey":"a","directBootOk":true}"#),
        Row("a text as number", "200", #"\#(token),"android":{"notification":{"notification_count":"3"}}"#),
        Row("an enum in lower case", "200", #"\#(token),"android":{"priority":"high"}"#),
        Row("null counts as absent", "200", #"\#(token),"notification":null"#),
        Row(
            "a wrong enum",
            "400 INVALID_ARGUMENT message.android.priority",
            #"\#(token),"android":{"priority":"MAX"}"#
        ),
        Row("a wrong duration", "400 INVALID_ARGUMENT message.android.ttl", #"\#(token),"android":{"ttl":"60"}"#),
        Row("types come before the target", "400 INVALID_ARGUMENT message.data", #""data":[]"#),
    ]

    static let rules: [Row] = [
        Row("no target", "400 INVALID_ARGUMENT", #""data":{}"#),
        Row("two targets", "400 INVALID_ARGUMENT message", #"\#(token),"topic":"news""#),
        Row("a FID", "200", #""fid":"\#(FCMFixture.fid)""#),
        Row("a FID as token", "200", #""token":"\#(FCMFixture.fid)""#),
        Row("a topic", "200", #""topic":"news""#),
        Row("a topic with a blank", "400 INVALID_ARGUMENT message.topic", #""topic":"n ews""#),
        Row("a reserved name", "400 INVALID_ARGUMENT message.data[0].key", #"\#(token),"data":{"from":"x"}"#),
        Row("google…", "400 INVALID_ARGUMENT message.data[0].key", #"\#(token),"data":{"google.a":"x"}"#),
        Row(
            "gcm.notification.…",
            "400 INVALID_ARGUMENT message.data[0].key",
            #"\#(token),"data":{"gcm.notification.e":"1"}"#
        ),
        Row("the longest time", "200", #"\#(token),"android":{"ttl":"2419200s"}"#),
        Row("too long a time", "400 INVALID_ARGUMENT message.android.ttl", #"\#(token),"android":{"ttl":"2419201s"}"#),
        Row(
            "no colour",
            "400 INVALID_ARGUMENT message.android.notification.color",
            #"\#(token),"android":{"notification":{"color":"red"}}"#
        ),
        Row(
            "a link that is not https",
            "400 INVALID_ARGUMENT message.webpush.fcm_options.link",
            #"\#(token),"webpush":{"fcm_options":{"link":"http://example.com"}}"#
        ),
        Row("4,096 bytes", "200", #"\#(token),"data":{"k":"\#(String(repeating: "x", count: 4_095))"}"#),
        Row("4,097 bytes", "400 TOO_BIG", #"\#(token),"data":{"k":"\#(String(repeating: "x", count: 4_096))"}"#),
        Row(
            "2,049 bytes to a topic",
            "400 TOO_BIG",
            #""topic":"a","data":{"k":"\#(String(repeating: "x", count: 2_048))"}"#
        ),
        Row(
            "size comes before the token",
            "400 TOO_BIG",
            #""token":"x","data":{"k":"\#(String(repeating: "x", count: 4_096))"}"#
        ),
    ]

    static let devices: [Row] = [
        Row("a malformed token: no field", "400 INVALID_TOKEN", #""token":"x""#),
        Row("a malformed FID: a field", "400 INVALID_TOKEN message.fid", #""fid":"x""#),
        Row("an unknown token where all are known", "404 UNREGISTERED") { $1.knownTokensOnly = true },
        Row("an unregistered token of another sender", "404 UNREGISTERED") {
            $1.register(FCMDevice(token: FCMFixture.token, project: "other", state: .unregistered))
        },
        Row("another sender's token", "403 SENDER_ID_MISMATCH") {
            $1.register(FCMDevice(token: FCMFixture.token, project: "other"))
        },
        Row("an iPhone without an APNs key", "401 THIRD_PARTY_AUTH_ERROR") {
            $1.register(FCMDevice(token: FCMFixture.token, project: "shop", platform: .ios))
            $1.register(project: "shop", hasAPNsKey: false)
        },
        Row("the project's quota", "429 QUOTA_EXCEEDED project:shop 60") {
            $1.register(project: "shop", perMinute: 1)
            _ = $1.takeFromProject("shop", now: FCMFixture.now * 1_000)
        },
        Row("the device's quota", "429 QUOTA_EXCEEDED device:\(FCMFixture.token) 60") {
            $1.perDeviceMinute = 1
            _ = $1.takeFromDevice(FCMFixture.token, now: FCMFixture.now * 1_000)
        },
        Row("a bad token takes no quota", "400 INVALID_TOKEN", #""token":"x""#) {
            $1.register(project: "shop", perMinute: 1)
            _ = $1.takeFromProject("shop", now: FCMFixture.now * 1_000)
        },
    ]

    @Test("each fault is answered by the first check that fails", arguments: access + schema + rules + devices)
    func answers(row: Row) throws {
        var fixture = try FCMFixture()
        let bearer = fixture.registry.grant(fixture.account, now: FCMFixture.now * 1_000)
        var check = SendCheck(
            method: "POST",
            path: "/v1/projects/shop/messages:send",
            authorization: "Bearer \(bearer)",
            body: Array((row.message == "!" ? "!" : #"{"message":{\#(row.message)}}"#).utf8),
            now: FCMFixture.now * 1_000
        )
        row.change(&check, &fixture.registry)
        let verdict = check.verdict(in: &fixture.registry)
        let error = verdict.error
        let parts: [String?] = [
            error.map { "\($0.code.status)" } ?? "200", error?.code.rawValue,
            error?.violation.flatMap { $0.field.isEmpty ? nil : $0.field }, error?.reason, error?.quotaSubject,
            error?.retryAfter.map { "\($0)" },
        ]
        #expect(parts.compactMap { $0 }.joined(separator: " ") == row.answer, "\(error?.text ?? "")")
    }

    @Test("wrong types and unknown names are worded as Google words them")
    func words() throws {
        func description(_ body: String) throws -> String {
            let tree = try #require(JSONTree(Array(body.utf8)))
            let violation = #expect(throws: FieldViolation.self) { try SchemaCheck().check(tree) }
            return violation?.description ?? ""
        }
        #expect(
            try description(#"{"message":{"data":{"n":12}}}"#)
                == "Invalid value at 'message.data[0].value' (TYPE_STRING), 12"
        )
        #expect(
            try description(#"{"message":{"x":1}}"#)
                == "Invalid JSON payload received. Unknown name \"x\" at 'message': Cannot find field."
        )
        #expect(
            try description(#"{"x":1}"#) == "Invalid JSON payload received. Unknown name \"x\": Cannot find field."
        )
    }

    @Test("errors are Google's JSON")
    func documents() throws {
        func document(_ error: FCMError) throws -> JSONValue {
            try JSONDecoder().decode(JSONValue.self, from: Data((error.answer.body ?? ByteBuffer()).readableBytesView))
        }
        let quota = try document(FCMError(.quotaExceeded, quotaSubject: "project:shop", retryAfter: 5))
        #expect(quota["error"]?["status"] == .string("RESOURCE_EXHAUSTED"))
        guard case .array(let details)? = quota["error"]?["details"] else {
            Issue.record("there are no details")
            return
        }
        #expect(details.map { $0["errorCode"]?.text } == ["QUOTA_EXCEEDED", nil])
        #expect(details[1]["@type"] == .string("type.googleapis.com/google.rpc.QuotaFailure"))
        #expect(try document(FCMError(.notFound))["error"]?["details"] == nil)
        #expect(try document(FCMError(.invalidGrant))["error"] == .string("invalid_grant"))
    }
}

extension SendCheck {
    fileprivate func with(method: String? = nil, path: String? = nil, authorization: String?? = nil) -> SendCheck {
        SendCheck(
            method: method ?? self.method,
            path: path ?? self.path,
            authorization: authorization ?? self.authorization,
            body: body,
            now: now
        )
    }
}
