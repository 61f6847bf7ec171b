import HTTPTypes
import MartletTesting
import MartletWire
import Testing

@testable import MartletCore
@testable import MartletHTTP

@Suite("Numbers and empty notifications over REST")
struct NumberTests {
    private static let path = "/api/v1/notifications"
    private static let numbers = #"{"a":17055628018016613580,"b":3.14159265358979323846,"c":1.10,"d":1e5,"e":-0}"#

    private static func body(_ data: String, _ more: String = "") -> String {
        """
        {"audience":{"users":["ann"]},"title":"t","data":\(data),"inbox":true\(more)}
        """
    }

    @Test(
        "keep their digits in what is stored, rendered and put into inboxes",
        arguments: ["", #","overrides":{"apns":{"payload":{"aps":{"alert":"t"},"x":\#(numbers)}}}"#]
    )
    func kept(overrides: String) async throws {
        try await Harness.run { server in
            try await server.setIdentity("signed")
            try await server.device(of: "ann", token: "aa")
            let body = Self.body(Self.numbers, overrides)
            let sent = try await server.call(.post, Self.path, key: server.send, text: body)
            #expect(sent.status == 202, "\(sent.text)")
            let id = try #require(sent.data["id"].stringValue)
            let rendered = try await server.call(.get, "\(Self.path)/\(id)/messages", key: server.send)
            let inbox = try await server.own("ann", "inbox")
            let preview = try await server.call(.post, "\(Self.path)/preview", key: server.send, text: body)
            for member in Self.numbers.dropFirst().dropLast().split(separator: ",") {
                for answer in [rendered, inbox, preview] {
                    #expect(answer.text.contains(member), "\(member): \(answer.text)")
                }
            }
        }
    }

    @Test("two bodies that differ in a digit alone are two requests")
    func told() async throws {
        try await Harness.run { server in
            let headers = ["Idempotency-Key": "k"]
            for (data, status) in [("1705562801801661358", 202), ("1705562801801661359", 422)] {
                let body = Self.body(#"{"id":\#(data)0}"#)
                let answer = try await server.call(.post, Self.path, key: server.send, text: body, headers: headers)
                #expect(answer.status == status, "\(answer.text)")
            }
        }
    }

    @Test(
        "are refused at their field where a small one is meant",
        arguments: [
            (#""badge":17055628018016613580"#, "badge"), (#""ttl_seconds":17055628018016613580"#, "ttl_seconds"),
            (#""overrides":{"apns":{"aps":{"badge":17055628018016613580}}}"#, "overrides.apns.aps.badge"),
        ]
    )
    func small(member: String, field: String) async throws {
        try await Harness.run { server in
            let body = #"{"audience":{"users":["ann"]},"title":"t",\#(member)}"#
            let answer = try await server.call(.post, Self.path, key: server.send, text: body)
            #expect([400, 422].contains(answer.status) && answer.field == field, "\(answer.text)")
        }
    }

    @Test(
        "what shows nothing and carries nothing is refused",
        arguments: [
            #""title":"""#, #""title":"","body":"   ""#, #""sound":"""#, #""body":"\u200b\n""#, #""data":{}"#,
            #""title":" ","overrides":{"fcm":{"notification":{"title":""}},"apns":{}}"#,
            #""title":"","push_type":"alert""#,
            // What only says how a push is shown or delivered.
            ##""overrides":{"fcm":{"android":{"notification":{"channel_id":"alerts","color":"#00695c"}}}}"##,
            #""overrides":{"fcm":{"android":{"priority":"HIGH","notification":{"channelId":"a","title":""}}}}"#,
            #""overrides":{"fcm":{"android":{}}}"#, #""overrides":{"fcm":{"message":{}}}"#,
            #""overrides":{"fcm":{"message":{"data":{},"apns":{"payload":{}}},"validate_only":true}}"#,
            #""overrides":{"apns":{"aps":{"interruption-level":"active","relevance-score":0.5}}}"#,
            #""overrides":{"apns":{"aps":{"alert":{}}}}"#, #""overrides":{"webpush":{"payload":{}}}"#,
            #""overrides":{"apns":{"aps":{"alert":{"title":""},"mutable-content":1}}}"#,
            #""overrides":{"apns":{"text":"{\"aps\":{\"alert\":\"\"}}"}}"#,
            #""overrides":{"webpush":{"notification":{"title":"","tag":"t","requireInteraction":true}}}"#,
        ]
    )
    func empty(content: String) async throws {
        try await Harness.run { server in
            let body = #"{"audience":{"all":true},\#(content)}"#
            let answer = try await server.call(.post, Self.path, key: server.send, text: body)
            #expect(answer.status == 422 && answer.field == "body", "\(answer.text)")
            let many = try await server.call(
                .post,
                "\(Self.path)/batch",
                key: server.send,
                text: #"{"notifications":[\#(body)]}"#
            )
            #expect(many.text.contains("The notification is empty"), "\(many.text)")
        }
    }

    @Test(
        "what shows or carries something is sent",
        arguments: [
            #""title":"","data":{"k":null}"#, #""badge":0"#, #""sound":"default""#, #""push_type":"background""#,
            #""overrides":{"apns":{"payload":{}}}"#, #""title":"","body":"b""#,
            #""overrides":{"apns":{"text":"{}"}}"#, #""overrides":{"apns":{"payload":{"aps":{}}}}"#,
            // The app's own values may be called as what styles a push.
            #""overrides":{"apns":{"payload":{"category":"x"}}}"#,
            #""overrides":{"apns":{"payload":{"order":{"tag":"x"}}}}"#,
            #""data":{"priority":"x"}"#, #""overrides":{"apns":{"aps":{"content-available":1}}}"#,
            #""overrides":{"apns":{"aps":{"alert":{"loc-key":"K"}}}}"#, #""overrides":{"apns":{"aps":{"badge":0}}}"#,
            #""overrides":{"fcm":{"notification":{"title":"w"}}}"#,
        ]
    )
    func sent(content: String) async throws {
        try await Harness.run { server in
            let body = #"{"audience":{"all":true},\#(content)}"#
            let answer = try await server.call(.post, Self.path, key: server.send, text: body)
            #expect(answer.status == 202, "\(answer.text)")
        }
    }
}
