import Foundation
import MartletCore
import MartletStore
import MartletTesting
import MartletWire
import Testing

@testable import MartletSNS

@Suite struct PublishTests {
    /// What seed S1's worker sends.
    private static let refresh = #"""
        {"aps": {"alert": {"title": "\u30c7\u30fc\u30bf\u66f4\u65b0\u5b8c\u4e86", \#
        "body": "新しい分析結果が利用可能です"}, "sound": "default", "badge": 1}, \#
        "device_id": "1cf67321", "date": "2025-10-13", "action": "refresh_dashboard"}
        """#

    private static func structured(_ parts: [String: String]) throws -> [(String, String)] {
        let json = try JSONValue.object(parts.mapValues(JSONValue.string)).json()
        return [("Message", String(decoding: json, as: UTF8.self)), ("MessageStructure", "json")]
    }

    private static func device(_ id: String) -> [(String, String)] {
        PublishingForm.attributes([AttributeCase(name: "device_id", type: "String", text: id)])
    }

    @Test("a filtered message reaches the one phone, byte for byte with its id at the end, and the other stays silent")
    func filtered() async throws {
        try await Harness.run(delivers: true) { harness in
            let application = try await harness.makeApplication()
            let topic = try await harness.makeTopic("watchme-dashboard-updates")
            for (number, device) in ["1cf67321", "other"].enumerated() {
                let endpoint = try await harness.makeEndpoint(application, token: Harness.token(number))
                try await harness.subscribe(endpoint, to: topic, filter: #"{"device_id":["\#(device)"]}"#)
            }
            let message = try Self.structured(["default": "Dashboard updated", "APNS": Self.refresh])
            let id = try await harness.publish(("TopicArn", topic), message + Self.device("1cf67321"))
            #expect(try await harness.outcome(of: id) == ["accepted"])
            #expect(harness.payloads(Harness.token(0)) == [Self.refresh])
            let sent = try #require(harness.pushes.attempts.first).message.payload.bytes
            #expect(String(decoding: sent, as: UTF8.self) == #"\#(Self.refresh.dropLast()),"message_id":"\#(id)"}"#)
            #expect(harness.payloads(Harness.token(1)).isEmpty)
            let headers = try #require(harness.pushes.attempts.first).message.headers
            #expect(headers["apns-push-type"] == "alert")
            #expect(headers["apns-priority"] == "10")
            #expect(headers["apns-expiration"] == nil)
        }
    }

    @Test("a plain text is an alert; to a topic without subscribers it is accepted too")
    func plain() async throws {
        try await Harness.run(delivers: true) { harness in
            let topic = try await harness.makeTopic("news")
            let lonely = try await harness.publish(("TargetArn", topic), [("Message", "m")])
            #expect(PublicID(lonely) != nil)
            let endpoint = try await harness.makeEndpoint(try await harness.makeApplication(), token: Harness.token(1))
            let id = try await harness.publish(("TargetArn", endpoint), [("Message", "a \"b\"\n"), ("Subject", "s")])
            #expect(try await harness.outcome(of: id) == ["accepted"])
            #expect(harness.payloads(Harness.token(1)) == [#"{"aps":{"alert":"a \"b\"\n"}}"#])
            let (status, shown) = try await harness.rest(.GET, "/api/v1/notifications/\(id)")
            #expect(status == 200)
            #expect(shown.objectValue?["data"]?.objectValue?["title"] == "s")
        }
    }

    @Test("an endpoint that is off is told to the publisher before the message is read, and skipped by a topic")
    func disabled() async throws {
        try await Harness.run(delivers: true) { harness in
            let application = try await harness.makeApplication()
            let off = try await harness.makeEndpoint(application, token: Harness.token(1), enabled: false)
            let on = try await harness.makeEndpoint(application, token: Harness.token(2))
            let broken = [("TargetArn", off), ("Message", "{"), ("MessageStructure", "json")]
            let reply = try await harness.call("Publish", broken)
            #expect(reply.status == 400)
            #expect(reply.error == ("EndpointDisabled", "Endpoint is disabled"))
            let topic = try await harness.makeTopic("news")
            for endpoint in [off, on] { try await harness.subscribe(endpoint, to: topic) }
            let id = try await harness.publish(("TopicArn", topic), [("Message", "m")])
            #expect(try await harness.outcome(of: id).sorted() == ["accepted", "suppressed device_off"])
            let update = [("PlatformApplicationArn", application)] + Harness.map([("Enabled", "false")])
            #expect(try await harness.call("SetPlatformApplicationAttributes", update).status == 200)
            let stopped = try await harness.call("Publish", [("TargetArn", on), ("Message", "m")])
            #expect(stopped.error == ("PlatformApplicationDisabled", "Platform application is disabled"))
            try await harness.publish(("TopicArn", topic), [("Message", "m")])
            let all = try await harness.store.notifications(nil, state: nil, PageRequest()).items
            #expect(all.map(\.id) == [PublicID(id)])
        }
    }

    @Test("reserved attributes become headers: expiry, push type, topic, priority, collapse id")
    func headers() async throws {
        try await Harness.run(delivers: true) { harness in
            let endpoint = try await harness.makeEndpoint(try await harness.makeApplication(), token: Harness.token(1))
            func headers(_ values: [(String, String)]) async throws -> [String: String] {
                let attributes = values.map {
                    AttributeCase(name: "AWS.SNS.MOBILE.APNS.\($0.0)", type: "String", text: $0.1)
                }
                let parameters = [("Message", "m")] + PublishingForm.attributes(attributes)
                let id = try await harness.publish(("TargetArn", endpoint), parameters)
                _ = try await harness.outcome(of: id)
                return try #require(harness.pushes.attempts.last).message.headers
            }
            let soon = harness.clock.now().seconds + 60
            #expect(try await headers([("TTL", "60")])["apns-expiration"] == String(soon))
            #expect(try await headers([("TTL", "0")])["apns-expiration"] == "0")
            let all = try await headers([
                ("PUSH_TYPE", "voip"), ("TOPIC", "com.example.app.voip"), ("PRIORITY", "10"), ("COLLAPSE_ID", "c"),
            ])
            #expect(all["apns-push-type"] == "voip")
            #expect(all["apns-collapse-id"] == "c")
            #expect(all["topic-suffix"] == ".voip")
            #expect(try await headers([("PRIORITY", "5")])["apns-priority"] == "5")
        }
    }

    @Test("a silent payload is a background push; a VoIP application's is a call")
    func pushTypes() async throws {
        try await Harness.run(delivers: true) { harness in
            for (number, platform) in ["APNS", "APNS_VOIP_SANDBOX"].enumerated() {
                let application = try await harness.makeApplication("shop", platform)
                let endpoint = try await harness.makeEndpoint(application, token: Harness.token(number))
                let message = try Self.structured([platform: #"{"aps":{"content-available":1},"n":1}"#])
                _ = try await harness.outcome(of: harness.publish(("TargetArn", endpoint), message))
            }
            let types = harness.pushes.attempts.map { $0.message.headers["apns-push-type"] }
            #expect(types == ["background", "voip"])
        }
    }

    @Test("each application gets the payload of its own platform, or the default")
    func words() async throws {
        try await Harness.run(delivers: true) { harness in
            let topic = try await harness.makeTopic("news")
            let platforms = ["APNS", "APNS_SANDBOX", "APNS_VOIP"]
            for (number, platform) in platforms.enumerated() {
                let application = try await harness.makeApplication("shop", platform)
                let endpoint = try await harness.makeEndpoint(application, token: Harness.token(number))
                try await harness.subscribe(endpoint, to: topic)
            }
            let message = try Self.structured([
                "default": "d", "APNS": #"{"aps":{"alert":"p"}}"#, "APNS_SANDBOX": #"{"aps":{"alert":"s"}}"#,
            ])
            try await harness.publish(("TopicArn", topic), message)
            await harness.pushes.untilAttempts(3)
            let payloads = (0..<3).map { harness.payloads(Harness.token($0)) }
            #expect(
                payloads == [[#"{"aps":{"alert":"p"}}"#], [#"{"aps":{"alert":"s"}}"#], [#"{"aps":{"alert":"d"}}"#]]
            )
        }
    }

    @Test("an app of another interface with both environments gets the payload of either, APNS before APNS_SANDBOX")
    func bothEnvironments() async throws {
        try await Harness.run(delivers: true) { harness in
            let topic = try await Self.makeBank(harness).topic
            let sandbox = ["default": "d", "APNS_SANDBOX": #"{"aps":{"alert":"s"}}"#]
            var both = sandbox
            both["APNS"] = #"{"aps":{"alert":"p"}}"#
            for parts in [sandbox, both] {
                let id = try await harness.publish(("TopicArn", topic), Self.structured(parts))
                #expect(try await harness.outcome(of: id) == ["accepted", "accepted"])
            }
            for number in 0..<2 {
                #expect(harness.payloads(Harness.token(number)) == [sandbox["APNS_SANDBOX"], both["APNS"]])
            }
        }
    }

    /// An app of another interface with both environments, and a topic with an endpoint of each.
    private static func makeBank(_ harness: Harness) async throws -> (topic: String, applications: [String]) {
        _ = try await harness.rest(.POST, "/api/v1/apps", ["name": "bank"])
        let credential: JSONValue = [
            "platform": "apns", "p8": .string(Harness.signingKey), "key_id": "ABCD123456",
            "team_id": "TEAM123456", "bundle_id": "com.example.bank",
        ]
        #expect(try await harness.rest(.PUT, "/api/v1/apps/bank/credentials", credential).0 == 200)
        let topic = try await harness.makeTopic("news")
        let applications = ["APNS", "APNS_SANDBOX"].map { "arn:aws:sns:us-east-1:123456789012:app/\($0)/bank" }
        for (number, application) in applications.enumerated() {
            let endpoint = try await harness.makeEndpoint(application, token: Harness.token(number))
            try await harness.subscribe(endpoint, to: topic)
        }
        return (topic, applications)
    }

    @Test("a disabled application gets nothing of a topic's message, and the app's other environment gets it")
    func disabledEnvironment() async throws {
        try await Harness.run(delivers: true) { harness in
            let (topic, applications) = try await Self.makeBank(harness)
            func set(_ application: String, _ isEnabled: String) async throws {
                let update = [("PlatformApplicationArn", application)] + Harness.map([("Enabled", isEnabled)])
                #expect(try await harness.call("SetPlatformApplicationAttributes", update).status == 200)
            }
            for (number, application) in applications.enumerated() {
                try await set(application, "false")
                let id = try await harness.publish(("TopicArn", topic), [("Message", "\(number)")])
                let outcome = try await harness.outcome(of: id)
                #expect(outcome.sorted() == ["accepted", "suppressed endpoint_disabled"])
                #expect(harness.payloads(Harness.token(number)).count == number)
                try await set(application, "true")
            }
            let id = try await harness.publish(("TopicArn", topic), [("Message", "both")])
            #expect(try await harness.outcome(of: id) == ["accepted", "accepted"])
            #expect(harness.pushes.attempts.count == 4)
        }
    }

    @Test("a payload that APNs would refuse is refused to one endpoint, and recorded where it went to a topic")
    func unsendable() async throws {
        try await Harness.run(delivers: true) { harness in
            let application = try await harness.makeApplication()
            let endpoint = try await harness.makeEndpoint(application, token: Harness.token(1))
            let topic = try await harness.makeTopic("news")
            try await harness.subscribe(endpoint, to: topic)
            let head = "Invalid parameter: Message Reason: Invalid notification for protocol APNS: Notification is "
            let long = #"{"aps":{"alert":""# + String(repeating: "a", count: 4_096) + #""}}"#
            let cases = [(long, "too long", "payload_too_large"), ("[1]", "malformed", "invalid_value")]
            for (payload, problem, reason) in cases {
                let message = try Self.structured(["default": "d", "APNS": payload])
                let reply = try await harness.call("Publish", [("TargetArn", endpoint)] + message)
                #expect(reply.error == ("InvalidParameter", head + problem))
                let id = try await harness.publish(("TopicArn", topic), message)
                #expect(try await harness.outcome(of: id) == ["rejected \(reason)"])
            }
            for empty in try [[("Message", "  ")], Self.structured(["APNS": #"{"aps":{"alert":""}}"#])] {
                let reply = try await harness.call("Publish", [("TargetArn", endpoint)] + empty)
                #expect(reply.error == ("InvalidParameter", head + "malformed"))
            }
            let foreign = try await harness.call("Publish", [("TargetArn", endpoint)] + Self.structured(["GCM": "{}"]))
            #expect(foreign.error.message == "Invalid parameter: JSON must contain an entry for 'default' or 'APNS'.")
            #expect(harness.pushes.attempts.isEmpty)
        }
    }

    @Test("an application that nothing can be sent through accepts, and says what became of it")
    func withoutProvider() async throws {
        try await Harness.run(delivers: true) { harness in
            let application = try await harness.makeApplication("droid", "GCM", [("PlatformCredential", "{}")])
            let endpoint = try await harness.makeEndpoint(application, token: "droid-token")
            let message = try Self.structured(["GCM": #"{"data":{"n":1}}"#])
            let id = try await harness.publish(("TargetArn", endpoint), message)
            let outcome = try await harness.outcome(of: id)
            #expect(outcome == ["suppressed no_credential"])
        }
    }

    @Test("seed S2: a user's two devices, one of them off; a new token; a topic for one post")
    func social() async throws {
        try await Harness.run(delivers: true) { harness in
            let application = try await harness.makeApplication("social")
            let data = #"{"user_uid":"u1"}"#
            let phone = try await harness.makeEndpoint(application, token: Harness.token(1), userData: data)
            let tablet = try await harness.makeEndpoint(application, token: Harness.token(2), userData: data)
            let off = [("EndpointArn", tablet)] + Harness.map([("Enabled", "false")])
            #expect(try await harness.call("SetEndpointAttributes", off).status == 200)
            let topic = try await harness.makeTopic("staging_u1_20220404")
            for endpoint in [phone, tablet] { try await harness.subscribe(endpoint, to: topic) }
            let id = try await harness.publish(("TopicArn", topic), [("Message", "posted")])
            #expect(try await harness.call("DeleteTopic", [("TopicArn", topic)]).status == 200)
            #expect(try await harness.outcome(of: id).sorted() == ["accepted", "suppressed device_off"])
            let moved = [("EndpointArn", phone)] + Harness.map([("Enabled", "true"), ("Token", Harness.token(3))])
            #expect(try await harness.call("SetEndpointAttributes", moved).status == 200)
            let second = try await harness.publish(("TargetArn", phone), [("Message", "followed")])
            #expect(try await harness.outcome(of: second) == ["accepted"])
            #expect(harness.pushes.attempts.map(\.token) == [Harness.token(1), Harness.token(3)])
            #expect(try await harness.call("DeleteEndpoint", [("EndpointArn", phone)]).status == 200)
            let gone = try await harness.call("Publish", [("TargetArn", phone), ("Message", "m")])
            #expect(
                gone.error.message
                    == "Invalid parameter: TargetArn Reason: No endpoint found for the target arn specified"
            )
        }
    }
}
