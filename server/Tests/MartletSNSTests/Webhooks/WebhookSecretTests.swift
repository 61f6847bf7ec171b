import Crypto
import Foundation
import HTTPTypes
import MartletTesting
import MartletWire
import Testing

@testable import MartletCore
@testable import MartletSNS

@Suite("What a webhook URL must not tell")
struct WebhookSecretTests {
    /// Whether a text stands in a file of a folder.
    private func stands(_ text: String, in folder: String) throws -> Bool {
        try FileManager.default.contentsOfDirectory(atPath: folder).contains { name in
            try Data(contentsOf: URL(filePath: "\(folder)/\(name)")).range(of: Data(text.utf8)) != nil
        }
    }

    @Test("a password in a URL stands in no file of the database, and is presented all the same")
    func sealed() async throws {
        let folder = try TemporaryFolder()
        var settings = SNSSettings()
        settings.privateHosts = try PrivateHostPolicy(allowing: ["127.0.0.1"])
        try await Harness.run(settings: settings, file: "\(folder.path)/martlet.sqlite") { server in
            let topic = try await server.makeTopic("news")
            let address = "http://user:correct-horse@127.0.0.1:9/hook"
            let subscription = try await server.subscribe(topic, address)
            // The same address is the same subscription, another password is another one.
            #expect(try await server.subscribe(topic, address) == subscription)
            let other = try await server.subscribe(topic, "http://user:battery-staple@127.0.0.1:9/hook")
            #expect(other != subscription)
            let alone = try await server.subscribe(topic, "http://token-alone@127.0.0.1:9/hook")
            let shown = try await server.call("ListSubscriptionsByTopic", [("TopicArn", topic)]).all("Endpoint")
            let masked = "http://user:****@127.0.0.1:9/hook"
            #expect(shown == [masked, masked, "http://****@127.0.0.1:9/hook"])
            #expect(try await server.subscriptionAttributes(subscription)["Endpoint"] == masked)
            // An end keeps its subscription aside for a while.
            for arn in [subscription, alone] {
                #expect(try await server.call("Unsubscribe", [("SubscriptionArn", arn)]).status == 200)
            }
        }
        for secret in ["correct-horse", "battery-staple", "token-alone"] {
            #expect(try !stands(secret, in: folder.path))
        }
        #expect(try stands("127.0.0.1:9/hook", in: folder.path))
    }

    @Test("an address is stored sealed with its host and path, and opens to what was subscribed")
    func forms() throws {
        let vault = Vault(key: SymmetricKey(size: .bits256))
        for url in [
            "https://user:secret@example.com/a?b=c@d:e", "http://user:a:b%40c@example.com",
            "https://token@example.com/",
            "https://example.com:8443/x:y@z", "https://user:\(String(repeating: "p", count: 2_000))@example.com/",
        ] {
            let stored = try WebhookAddress.sealed(url, vault)
            #expect(try WebhookAddress.sealed(url, vault) == stored)
            #expect(try WebhookAddress.sealed(stored, vault) == stored)
            #expect(try WebhookAddress.opened(stored, vault) == url)
            #expect(try WebhookAddress.opened(url, vault) == url)
            #expect(WebhookURL.masked(stored) == WebhookURL.masked(url))
            #expect(WebhookDelivery.queue(of: stored) == WebhookDelivery.queue(of: url))
            let draft = SubscriptionDraft(topic: RowID(1), subject: .webhook(stored), address: stored)
            #expect(throws: Never.self) { try draft.validate() }
            guard stored != url else { continue }
            let elsewhere = stored.replacing("example.com", with: "evil.example")
            #expect(throws: Failure.self) { try WebhookAddress.opened(elsewhere, vault) }
            let other = Vault(key: SymmetricKey(size: .bits256))
            #expect(throws: Failure.self) { try WebhookAddress.opened(stored, other) }
            #expect(try WebhookAddress.sealed(url, other) != stored)
        }
    }

    @Test("links lead to the server's own address, whatever a request calls it")
    func links() async throws {
        try await WebhookStage.run { stage in
            let pending = try await stage.subscribe(isPending: true)
            let arn = "arn:aws:sns:eu-west-1:123456789012:news"
            let token = try stage.token(of: pending)
            let link = "/?Action=ConfirmSubscription&TopicArn=\(arn)&Token=\(token)"
            #expect(try await stage.get(link, host: "evil.example").status == 200)
            try await stage.publish()
            #expect(try await stage.round() == 1)
            let end = "/?Action=Unsubscribe&SubscriptionArn=\(arn):\(pending.id)"
            #expect(try await stage.get(end, host: "evil.example").status == 200)
            #expect(try await stage.round() == 1)
            let envelopes = try stage.receiver.all.map { try ReadEnvelope($0.body) }
            #expect(envelopes.map { $0["Type"] } == ["Notification", "UnsubscribeConfirmation"])
            #expect(envelopes[0]["UnsubscribeURL"].hasPrefix("\(stage.url)/?"))
            #expect(envelopes[1]["SubscribeURL"].hasPrefix("\(stage.url)/?"))
            #expect(envelopes.allSatisfy { $0["SigningCertURL"].hasPrefix("\(stage.url)/Simple") })
        }
    }

    @Test("a call says that it can go on and what encodings it takes, as Amazon's do")
    func fields() async throws {
        try await WebhookStage.run { stage in
            _ = try await stage.subscribe()
            try await stage.publish()
            #expect(try await stage.round() == 1)
            let got = try #require(stage.receiver.all.first)
            #expect(got.fields[values: .connection] == ["Keep-Alive"])
            #expect(got.field("accept-encoding") == "gzip,deflate")
        }
    }
}
