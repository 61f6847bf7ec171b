import AsyncHTTPClient
import Foundation
import MartletTesting
import MartletWire
import NIOCore
import NIOHTTP1
import Testing

@testable import MartletCore
@testable import MartletSNS

/// Signed calls of a client that means ill or is broken: each is answered in SNS's words, and the next call is served.
@Suite("A signed call") struct HostileCallTests {
    private static let head = "Action=CreateTopic&Version=2010-03-31&Name=news"
    private static let long = String(repeating: "a", count: 1_000_000)

    private static let calls: [(String, body: String, code: String?, status: Int)] = [
        ("with a parameter's name of a million bytes", "\(head)&\(long)=1", nil, 200),
        ("with a million dots", "\(head)&\(String(repeating: ".", count: 1_000_000))=1", "MalformedInput", 400),
        (
            "with an entry far behind",
            "\(head)&Attributes.entry.999999.key=DisplayName"
                + "&Attributes.entry.999999.value=x", nil, 200
        ),
        ("with a number beyond all", "\(head)&Attributes.entry.9999999999.key=DisplayName", "MalformedInput", 400),
        ("with a key and no value", "\(head)&Attributes.entry.1.key=DisplayName", "ValidationError", 400),
        (
            "with a key twice",
            "\(head)&Attributes.entry.1.key=DisplayName&Attributes.entry.1.value=a"
                + "&Attributes.entry.2.key=DisplayName&Attributes.entry.2.value=b", "MalformedInput", 400
        ),
        ("with two operations", "\(head)&Action=DeleteTopic", "MalformedInput", 400),
        ("with bytes that are not UTF-8", "\(head)&DataProtectionPolicy=%FF", "MalformedInput", 400),
        ("with an overlong form", "\(head)&DataProtectionPolicy=%C0%80", "MalformedInput", 400),
        ("with half a surrogate pair", "\(head)&DataProtectionPolicy=%ED%A0%80", "MalformedInput", 400),
        ("with half an escape", "\(head)&DataProtectionPolicy=%4", "MalformedInput", 400),
        ("with a NUL in a name", "\(head)%00", "InvalidParameter", 400),
        ("with 2,001 parameters", head + String(repeating: "&a", count: 1_998), "MalformedInput", 400),
        (
            "with more than a mebibyte", "\(head)&x=\(long)\(String(repeating: "a", count: 50_000))",
            "RequestEntityTooLarge", 413
        ),
        ("with no operation", "Version=2010-03-31", "MissingAction", 400),
        ("with a form in JSON", #"{"Action":"ListTopics"}"#, "MissingAction", 400),
    ]

    @Test("of any form is answered", arguments: calls.indices)
    func forms(index: Int) async throws {
        let (name, body, code, status) = Self.calls[index]
        try await Harness.run { harness in
            let reply = try await harness.post(Array(body.utf8))
            #expect(reply.status == status, "\(name): \(reply.body.prefix(500))")
            #expect(reply["Code"] == code, "\(name)")
            #expect(reply.type == "text/xml" && reply.body.utf8.count < 3_000, "\(name)")
            #expect(try await harness.call("ListTopics").status == 200)
        }
    }

    @Test("with raw bytes that are no text is refused")
    func bytes() async throws {
        try await Harness.run { harness in
            let reply = try await harness.post(Array("\(Self.head)&DisplayName=".utf8) + [0xFF, 0xFE, 0x00])
            #expect(reply.status == 400 && reply["Code"] == "MalformedInput")
        }
    }

    @Test("whose body breaks gets one answer, and no cache is to keep an answer")
    func brokenBody() async throws {
        try await Harness.run { server in
            let port = try #require(UInt16(exactly: server.port))
            let type = "Content-Type: application/x-www-form-urlencoded\r\n"
            let head = "POST / HTTP/1.1\r\nHost: a\r\n\(type)Transfer-Encoding: chunked\r\n\r\n"
            let text = try await blocking {
                let connection = try RawConnection(port: port)
                try connection.send(head + "zz\r\n{}\r\n0\r\n\r\n")
                return connection.read(seconds: 10)
            }
            #expect(text.components(separatedBy: "HTTP/1.1 ").count == 2, "\(text)")
            #expect(text.hasPrefix("HTTP/1.1 400"), "\(text)")
            let response = try await HTTPClient.shared.execute(
                HTTPClientRequest(url: server.url + "/"),
                timeout: .seconds(60)
            )
            #expect(response.headers.first(name: "cache-control") == "no-store")
        }
    }

    @Test("gets back as XML what XML cannot carry")
    func forbiddenCharacters() async throws {
        try await Harness.run { harness in
            let application = try await harness.makeApplication()
            let data = "a\u{0}\u{1}\u{1F}\u{FFFE}\u{FFFF}]]><b>&\r\n\t\u{1F600}"
            let endpoint = try await harness.makeEndpoint(application, token: Harness.token(1), userData: data)
            let reply = try await harness.call("GetEndpointAttributes", [("EndpointArn", endpoint)])
            let marks = String(repeating: "\u{FFFD}", count: 5)
            #expect(reply.entries["CustomUserData"] == "a\(marks)]]><b>&\r\n\t\u{1F600}")
            let unseen = reply.body.unicodeScalars.filter { $0.value < 0x20 && !"\t\n".unicodeScalars.contains($0) }
            #expect(unseen.isEmpty)
        }
    }

    @Test("puts no field of its own into a push or a call to a webhook URL")
    func headerInjection() async throws {
        try await Harness.run { harness in
            let topic = try await harness.makeTopic("news")
            for name in ["TOPIC", "PUSH_TYPE", "COLLAPSE_ID", "PRIORITY", "TTL"] {
                let attribute = AttributeCase(
                    name: "AWS.SNS.MOBILE.APNS.\(name)",
                    type: "String",
                    text: "10\r\napns-expiration: 0"
                )
                let parameters = [("TopicArn", topic), ("Message", "m")] + PublishingForm.attributes([attribute])
                let reply = try await harness.call("Publish", parameters)
                #expect(reply["Code"] == "InvalidParameter", "\(name): \(reply.body)")
            }
            let policy = #"{"requestPolicy":{"headerContentType":"text/plain\r\nx: y"}}"#
            let subscription = try await harness.subscribe(topic, "https://hooks.example.com/")
            let parameters = [
                ("SubscriptionArn", subscription), ("AttributeName", "DeliveryPolicy"), ("AttributeValue", policy),
            ]
            #expect(try await harness.call("SetSubscriptionAttributes", parameters)["Code"] == "InvalidParameter")
            for address in ["https://hooks.example.com/\r\nx: y", "https://hooks.example.com\r\n/", "https://a b/"] {
                let call = [("TopicArn", topic), ("Protocol", "https"), ("Endpoint", address)]
                #expect(try await harness.call("Subscribe", call)["Code"] == "InvalidParameter", "\(address)")
            }
        }
    }

    @Test("with documents as deep or as long as a request can hold is refused, and not worked on")
    func documents() async throws {
        try await Harness.run { harness in
            let topic = try await harness.makeTopic("news")
            let deep = { (open: String) in String(repeating: open, count: 250_000 / open.utf8.count) }
            let stars = String(repeating: "*", count: 200_000)
            let policies = [
                deep(#"{"a":"#), deep("["), deep(#"{"$or":[{"#), #"{"a":[{"wildcard":"\#(stars)"}]}"#,
                #"{"a":["\#(String(repeating: "x", count: 262_145))"]}"#,
            ]
            for policy in policies {
                let call =
                    [("TopicArn", topic), ("Protocol", "https"), ("Endpoint", "https://hooks.example.com/")]
                    + Harness.map([("FilterPolicy", policy), ("FilterPolicyScope", "MessageBody")])
                let reply = try await harness.call("Subscribe", call)
                #expect(reply["Code"] == "InvalidParameter", "\(policy.prefix(20))")
            }
            for name in ["Policy", "DeliveryPolicy"] {
                for value in [deep(#"{"a":"#), deep("[")] {
                    let call = [("TopicArn", topic), ("AttributeName", name), ("AttributeValue", value)]
                    let reply = try await harness.call("SetTopicAttributes", call)
                    #expect(reply["Code"] == "InvalidParameter", "\(name)")
                }
            }
            for message in [deep("["), #"{"default":"d","a":"# + deep("["), #"{"default":"d","a":"# + deep(#"{"a":"#)] {
                let call = [("TopicArn", topic), ("MessageStructure", "json"), ("Message", message)]
                #expect(try await harness.call("Publish", call)["Code"] == "InvalidParameter")
            }
            let sizes = [(262_144, nil), (262_145, "InvalidParameter")] as [(Int, String?)]
            for (size, code) in sizes {
                let call = [("TopicArn", topic), ("Message", String(repeating: "m", count: size))]
                #expect(try await harness.call("Publish", call)["Code"] == code)
            }
        }
    }

    @Test("with a token of no page is refused", arguments: ["x", "LTE=", "OTk5OTk5OTk5OTk5OTk5OTk5OTk5", "AA=="])
    func pageToken(token: String) async throws {
        try await Harness.run { harness in
            let reply = try await harness.call("ListTopics", [("NextToken", token)])
            #expect(reply.error == ("InvalidParameter", "Invalid parameter: NextToken"))
        }
    }
}
