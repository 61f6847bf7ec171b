import Crypto
import Foundation
import HTTPTypes
import MartletWire
import Testing

@testable import MartletCore
@testable import MartletHTTP

/// One request that must be refused.
struct BadRequest: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var body: String
    var status: Int
    var code: ErrorCode
    var field: String?

    init(_ description: String, _ body: String, _ status: Int, _ code: ErrorCode, _ field: String? = nil) {
        testDescription = description
        self.body = body
        self.status = status
        self.code = code
        self.field = field
    }
}

@Suite("Bad input is refused with code and field, and nothing is written")
struct BadInputTests {
    static let to = #""audience":{"users":["a"]}"#

    static let notifications: [BadRequest] = [
        .init("no body", "", 400, .malformedRequest),
        .init("malformed JSON", #"{"audience":{"#, 400, .malformedRequest),
        .init("two members of one name", #"{"title":"a","title":"b",\#(to)}"#, 400, .malformedRequest),
        .init("not UTF-8 surrogates", #"{"title":"\ud800",\#(to)}"#, 400, .malformedRequest),
        .init("too deep", #"{\#(to),"data":"# + String(repeating: #"{"a":"#, count: 70), 400, .malformedRequest),
        .init("a list in place of an object", "[]", 400, .malformedRequest),
        .init("a title that is a number", #"{\#(to),"title":7}"#, 400, .malformedRequest, "title"),
        .init("a title that is null", #"{\#(to),"title":null}"#, 400, .malformedRequest, "title"),
        .init("a badge that is no word of ours", #"{\#(to),"badge":"1"}"#, 422, .invalidValue, "badge"),
        .init("a broken number", #"{\#(to),"badge":1.5}"#, 400, .malformedRequest, "badge"),
        .init("a badge for nobody", #"{\#(to),"badge":{}}"#, 400, .malformedRequest, "badge.by_user"),
        .init("a badge by something else", #"{\#(to),"badge":{"users":{}}}"#, 400, .unknownField, "badge.users"),
        .init(
            "a user's badge that is text",
            #"{\#(to),"badge":{"by_user":{"ann":"3"}}}"#,
            400,
            .malformedRequest,
            "badge.by_user.ann"
        ),
        .init(
            "a user's badge that is negative",
            #"{\#(to),"title":"t","badge":{"by_user":{"ann":-1}}}"#,
            422,
            .invalidValue,
            "badge.by_user.ann"
        ),
        .init(
            "a user's badge over 31 bits",
            #"{\#(to),"title":"t","badge":{"by_user":{"ann":2147483648}}}"#,
            422,
            .invalidValue,
            "badge.by_user.ann"
        ),
        .init(
            "badges of too many users",
            #"{\#(to),"title":"t","badge":{"by_user":{"# + (0...1_000).map { #""u\#($0)":1"# }.joined(separator: ",")
                + "}}}",
            422,
            .invalidValue,
            "badge.by_user"
        ),
        .init(
            "a badge of an empty user id",
            #"{\#(to),"title":"t","badge":{"by_user":{"":1}}}"#,
            422,
            .invalidValue,
            "badge.by_user."
        ),
        .init(
            "nothing for who has no badge",
            #"{\#(to),"badge":{"by_user":{"ann":1}}}"#,
            422,
            .invalidValue,
            "badge.by_user"
        ),
        .init(
            "a delivery id of the sender's own too",
            #"{\#(to),"title":"t","delivery_id":true,"data":{"delivery_id":"x"}}"#,
            422,
            .invalidValue,
            "data.delivery_id"
        ),
        .init(
            "a user that is a number",
            #"{"audience":{"users":["a",2]}}"#,
            400,
            .malformedRequest,
            "audience.users[1]"
        ),
        .init("no audience", #"{"title":"a"}"#, 400, .malformedRequest, "audience"),
        .init("an unknown field", #"{\#(to),"titel":"a"}"#, 400, .unknownField, "titel"),
        .init("an unknown field inside", #"{"audience":{"user":["a"]}}"#, 400, .unknownField, "audience.user"),
        .init("an unknown platform", #"{\#(to),"overrides":{"sms":{}}}"#, 400, .unknownField, "overrides.sms"),
        .init("nobody", #"{"audience":{}}"#, 422, .invalidValue, "audience"),
        .init("an empty list", #"{"audience":{"users":[]},"title":"a"}"#, 422, .invalidValue, "audience"),
        .init("not all", #"{"audience":{"all":false}}"#, 422, .invalidValue, "audience"),
        .init("two kinds", #"{"audience":{"users":["a"],"all":true}}"#, 422, .invalidValue, "audience"),
        .init(
            "a platform without tokens",
            #"{"audience":{"users":["a"],"platform":"ios"}}"#,
            422,
            .invalidValue,
            "audience.platform"
        ),
        .init("an empty user id", #"{"audience":{"users":[""]},"title":"a"}"#, 422, .invalidValue, "audience.users[0]"),
        .init(
            "an endpoint that is no id",
            #"{"audience":{"endpoints":["x"]}}"#,
            422,
            .invalidValue,
            "audience.endpoints[0]"
        ),
        .init(
            "a token of odd length",
            #"{"audience":{"tokens":["aa","abc"]},"title":"a"}"#,
            422,
            .invalidValue,
            "audience.tokens[1]"
        ),
        .init(
            "a token that is not hex",
            #"{"audience":{"tokens":["zz"]},"title":"a"}"#,
            422,
            .invalidValue,
            "audience.tokens[0]"
        ),
        .init("a topic that is not a bundle id", #"{\#(to),"title":"a","topic":"a b"}"#, 422, .invalidValue, "topic"),
        .init("an unknown push type", #"{\#(to),"title":"a","push_type":"sms"}"#, 422, .invalidValue, "push_type"),
        .init(
            "priority 10 on background",
            #"{\#(to),"push_type":"background","priority":10,"overrides":{"apns":{"aps":{"content-available":1}}}}"#,
            422,
            .invalidValue,
            "priority"
        ),
        .init("priority 7", #"{\#(to),"title":"a","priority":7}"#, 422, .invalidValue, "priority"),
        .init("a priority of another type", #"{\#(to),"priority":true}"#, 400, .malformedRequest, "priority"),
        .init("a payload too large", #"{\#(to),"body":"\#(long)"}"#, 413, .payloadTooLarge, "body"),
        .init(
            "data too large",
            #"{\#(to),"title":"a","data":{"x":"\#(long)"}}"#,
            413,
            .payloadTooLarge,
            "data"
        ),
        .init("aps in data", #"{\#(to),"title":"a","data":{"aps":{}}}"#, 422, .invalidValue, "data.aps"),
        .init(
            "send-at in the past",
            #"{\#(to),"title":"a","send_at":"2020-01-01T00:00:00Z"}"#,
            422,
            .invalidValue,
            "send_at"
        ),
        .init("a time that is none", #"{\#(to),"title":"a","send_at":"tomorrow"}"#, 422, .invalidValue, "send_at"),
        .init(
            "expired already",
            #"{\#(to),"title":"a","expires_at":"2020-01-01T00:00:00Z"}"#,
            422,
            .invalidValue,
            "expires_at"
        ),
        .init(
            "an expiry that is far away",
            #"{\#(to),"title":"a","expires_at":"2100-01-01T00:00:00Z"}"#,
            422,
            .invalidValue,
            "expires_at"
        ),
        .init(
            "two expiries",
            #"{\#(to),"title":"a","expires_at":"2030-01-01T00:00:00Z","ttl_seconds":9}"#,
            422,
            .invalidValue,
            "ttl_seconds"
        ),
        .init("a negative lifetime", #"{\#(to),"title":"a","ttl_seconds":-1}"#, 422, .invalidValue, "ttl_seconds"),
        .init(
            "a long collapse id",
            #"{\#(to),"title":"a","collapse_id":"\#(String(repeating: "c", count: 65))"}"#,
            422,
            .invalidValue,
            "collapse_id"
        ),
        .init("an empty collapse id", #"{\#(to),"title":"a","collapse_id":""}"#, 422, .invalidValue, "collapse_id"),
        .init("an empty dedup key", #"{\#(to),"title":"a","dedup":{"key":""}}"#, 422, .invalidValue, "dedup.key"),
        .init(
            "a negative cooldown",
            #"{\#(to),"title":"a","dedup":{"key":"k","cooldown_seconds":-1}}"#,
            422,
            .invalidValue,
            "dedup.cooldown_seconds"
        ),
        .init(
            "too many attempts",
            #"{\#(to),"title":"a","retry":{"max_attempts":51}}"#,
            422,
            .invalidValue,
            "retry.max_attempts"
        ),
        .init("an image over http", #"{\#(to),"title":"a","image":"http://x/y"}"#, 422, .invalidValue, "image"),
        .init("an app that is none", #"{\#(to),"title":"a","app":"com.none"}"#, 404, .notFound, "app"),
        .init("a category that is none", #"{\#(to),"title":"a","category":"folow"}"#, 422, .invalidValue, "category"),
        .init("an inbox that is text", #"{\#(to),"title":"a","inbox":"yes"}"#, 400, .malformedRequest, "inbox"),
        .init("an unknown field of an item", #"{\#(to),"title":"a","inbox":{"ky":1}}"#, 400, .unknownField, "inbox.ky"),
        .init("an item that says nothing", #"{\#(to),"badge":1,"inbox":true}"#, 422, .invalidValue, "inbox"),
        .init("an empty key", #"{\#(to),"title":"a","inbox":{"key":""}}"#, 422, .invalidValue, "inbox.key"),
        .init(
            "an item that has left",
            #"{\#(to),"title":"a","inbox":{"expires_at":"2020-01-01T00:00:00Z"}}"#,
            422,
            .invalidValue,
            "inbox.expires_at"
        ),
        .init(
            "an item that is too long",
            #"{\#(to),"title":"a","inbox":{"content":{"body":"\#(long)\#(long)"}}}"#,
            422,
            .invalidValue,
            "inbox.content"
        ),
        .init(
            "an item's image over http",
            #"{\#(to),"title":"a","inbox":{"content":{"title":"a","image":"http://x/y"}}}"#,
            422,
            .invalidValue,
            "inbox.content.image"
        ),
    ]

    static let long = String(repeating: "x", count: 5_000)

    @Test("sent as a notification", arguments: notifications)
    func refusesNotification(_ bad: BadRequest) async throws {
        try await Harness.run { server in
            let before = try await server.contents()
            let answer = try await server.call(.post, "/api/v1/notifications", key: server.send, text: bad.body)
            #expect(answer.status == bad.status, "\(answer.text)")
            #expect(answer.code == bad.code.rawValue, "\(answer.text)")
            #expect(answer.field == bad.field, "\(answer.text)")
            #expect(answer.json["error"]["message"].stringValue?.isEmpty == false)
            #expect(try await server.contents() == before)
        }
    }

    static let id = #""installation_id":"01890a5d-ac96-774b-bcce-b302099a8057""#

    static let registrations: [BadRequest] = [
        .init("no token", "{\(id)}", 400, .malformedRequest, "token"),
        .init("no installation", #"{"token":"aa"}"#, 400, .malformedRequest, "installation_id"),
        .init(
            "an installation that is no id",
            #"{"installation_id":"x","token":"aa"}"#,
            422,
            .invalidValue,
            "installation_id"
        ),
        .init("a token of odd length", #"{\#(id),"token":"abc"}"#, 422, .invalidValue, "token"),
        .init("a token that is not hex", #"{\#(id),"token":"xyzz"}"#, 422, .invalidValue, "token"),
        .init(
            "a previous token that is not hex",
            #"{\#(id),"token":"aa","previous_token":"g0"}"#,
            422,
            .invalidValue,
            "previous_token"
        ),
        .init(
            "a platform that is none",
            #"{\#(id),"token":"aa","platform":"symbian"}"#,
            422,
            .invalidValue,
            "platform"
        ),
        .init(
            "an environment that is none",
            #"{\#(id),"token":"aa","environment":"beta"}"#,
            422,
            .invalidValue,
            "environment"
        ),
        .init("a user id that is empty", #"{\#(id),"token":"aa","user_id":""}"#, 422, .invalidValue, "user_id"),
        .init(
            "a model that is long",
            #"{\#(id),"token":"aa","device_model":"\#(long)"}"#,
            422,
            .invalidValue,
            "device_model"
        ),
        .init("an unknown field", #"{\#(id),"token":"aa","playerId":"x"}"#, 400, .unknownField, "playerId"),
    ]

    @Test("sent as a registration", arguments: registrations)
    func refusesRegistration(_ bad: BadRequest) async throws {
        try await Harness.run { server in
            let before = try await server.contents()
            let answer = try await server.call(.post, "/api/v1/tokens", key: server.sdk, text: bad.body)
            #expect(answer.status == bad.status, "\(answer.text)")
            #expect(answer.code == bad.code.rawValue, "\(answer.text)")
            #expect(answer.field == bad.field, "\(answer.text)")
            #expect(try await server.contents() == before)
        }
    }

    static let apps: [BadRequest] = [
        .init("a name with a slash", #"{"name":"a/b"}"#, 422, .invalidValue, "name"),
        .init("a name that is a path's", #"{"name":".."}"#, 422, .invalidValue, "name"),
        .init(
            "a name that is an id",
            #"{"name":"01890a5d-ac96-774b-bcce-b302099a8057"}"#,
            422,
            .invalidValue,
            "name"
        ),
        .init("a name that is taken", #"{"name":"com.example.app"}"#, 409, .conflict, "name"),
        .init(
            "signed without a way to check",
            #"{"name":"b","identity":{"mode":"signed"}}"#,
            422,
            .invalidValue,
            "identity.mode"
        ),
        .init("a short secret", #"{"name":"b","identity":{"secret":"short"}}"#, 422, .invalidValue, "identity.secret"),
        .init(
            "a key set over http",
            #"{"name":"b","identity":{"jwks_url":"http://x/"}}"#,
            422,
            .invalidValue,
            "identity.jwks_url"
        ),
        .init(
            "an empty key set",
            #"{"name":"b","identity":{"jwks":{"keys":[]}}}"#,
            422,
            .invalidValue,
            "identity.jwks"
        ),
        .init(
            "two ways to check",
            #"{"name":"b","identity":{"jwks":{},"jwks_url":"https://x/"}}"#,
            422,
            .invalidValue,
            "identity"
        ),
        .init("an empty issuer", #"{"name":"b","identity":{"issuer":""}}"#, 422, .invalidValue, "identity.issuer"),
    ]

    @Test("sent as an app", arguments: apps)
    func refusesApp(_ bad: BadRequest) async throws {
        try await Harness.run { server in
            let before = try await server.contents()
            let answer = try await server.call(.post, "/api/v1/apps", key: server.admin, text: bad.body)
            #expect(answer.status == bad.status, "\(answer.text)")
            #expect(answer.code == bad.code.rawValue, "\(answer.text)")
            #expect(answer.field == bad.field, "\(answer.text)")
            #expect(try await server.contents() == before)
        }
    }
}
