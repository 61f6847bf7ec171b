import CryptoExtras
import Foundation
import MartletCore
import MartletTesting
import MartletWire
import Testing

@testable import MartletSNS

@Suite("Publishing to Android")
struct GooglePublishTests {
    private static let made = Result {
        let key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        let members: JSONValue = [
            "type": "service_account", "project_id": "martlet-test", "private_key_id": "k1",
            "private_key": .string(key.pkcs8PEMRepresentation), "client_email": "push@martlet-test",
            "token_uri": "https://oauth2.googleapis.com/token",
        ]
        return String(decoding: try members.json(), as: UTF8.self)
    }

    private static var account: String { get throws { try made.get() } }

    private static func structured(_ texts: [String: String]) throws -> [(String, String)] {
        let message = try JSONValue.object(texts.mapValues(JSONValue.string)).json()
        return [("MessageStructure", "json"), ("Message", String(decoding: message, as: UTF8.self))]
    }

    /// What the last push said, without its target.
    private static func sent(_ harness: Harness) throws -> JSONValue {
        let attempt = try #require(harness.pushes.attempts.last)
        let body = attempt.message.payload.filled(
            badge: nil,
            deliveryID: PublicID(high: 0x7000, low: 0x8000_0000_0000_0000),
            target: #""token":"t""#,
            secondsToLive: 5
        )
        let json = try JSONValue(json: Data(body))
        return try #require(json.objectValue?["message"])
    }

    @Test(
        "a text for Google's service is translated and sent, under either name of the platform",
        arguments: ["GCM", "FCM"]
    )
    func sends(platform: String) async throws {
        try await Harness.run(delivers: true, hasGoogle: true) { harness in
            let application = try await harness.makeApplication(
                "droid",
                platform,
                [("PlatformCredential", try Self.account)]
            )
            #expect(application.contains(":app/\(platform)/droid"))
            let endpoint = try await harness.makeEndpoint(application, token: "abc:def")
            let text = #"{"notification":{"title":"T"},"data":{"n":1},"time_to_live":60}"#
            let id = try await harness.publish(("TargetArn", endpoint), Self.structured([platform: text]))
            #expect(try await harness.outcome(of: id) == ["accepted"])
            let message = try Self.sent(harness).objectValue
            #expect(message?["notification"] == ["title": "T"])
            #expect(message?["data"]?.objectValue?["n"] == "1")
            #expect(message?["android"]?.objectValue?["ttl"] == "60s")
        }
    }

    @Test("a plain message is data, and what FCM would refuse is refused in AWS's words")
    func plainAndRefused() async throws {
        try await Harness.run(delivers: true, hasGoogle: true) { harness in
            let application = try await harness.makeApplication(
                "droid",
                "GCM",
                [("PlatformCredential", try Self.account)]
            )
            let endpoint = try await harness.makeEndpoint(application, token: "abc:def")
            let id = try await harness.publish(("TargetArn", endpoint), [("Message", "hello")])
            #expect(try await harness.outcome(of: id) == ["accepted"])
            #expect(try Self.sent(harness).objectValue?["data"]?.objectValue?["default"] == "hello")
            let head = "Invalid parameter: Message Reason: Invalid notification for protocol GCM: Notification is "
            let long = String(repeating: "a", count: 4_096)
            let cases = [
                (#"{"data":{"from":"x"}}"#, "malformed"), ("[1]", "malformed"), (#"{"to":"x"}"#, "malformed"),
                (#"{"data":{"a":"\#(long)"}}"#, "too long"), ("{}", "malformed"),
                (#"{"notification":{"title":"","android_channel_id":"c"},"priority":"high"}"#, "malformed"),
            ]
            for (text, problem) in cases {
                let message = try Self.structured(["GCM": text])
                let reply = try await harness.call("Publish", [("TargetArn", endpoint)] + message)
                #expect(reply.error == ("InvalidParameter", head + problem), "\(text.prefix(40))")
            }
        }
    }

    @Test("an account that is none creates nothing; a key of the interface before sends nothing")
    func credentials() async throws {
        try await Harness.run(delivers: true, hasGoogle: true) { harness in
            let members = [("Name", "bad"), ("Platform", "GCM")] + Harness.map([("PlatformCredential", "{}")])
            let reply = try await harness.call("CreatePlatformApplication", members)
            #expect(reply.error.code == "InvalidParameter")
            let legacy = try await harness.makeApplication("old", "GCM", [("PlatformCredential", "AIzaSy-legacy")])
            let endpoint = try await harness.makeEndpoint(legacy, token: "abc:def")
            let id = try await harness.publish(("TargetArn", endpoint), [("Message", "hello")])
            #expect(try await harness.outcome(of: id) == ["suppressed no_credential"])
        }
    }
}
