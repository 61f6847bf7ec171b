import Crypto
import Foundation
import MartletCore
import MartletTesting
import MartletWire
import Testing

@testable import MartletSNS

@Suite("An envelope")
struct EnvelopeTests {
    private static let signer = Result { try EnvelopeSigner.make(name: "push.example.com", now: Date()) }
    private static let topic = TopicARN(region: "us-east-1", account: "123456789012", name: "news")
    private static let time = Timestamp(milliseconds: 1_795_252_448_007)
    private static let message = "Zwei Zeilen,\n\"ß\" \\ \u{1} 😀"

    private static let notification = Envelope(
        kind: .notification(
            subject: "Betreff",
            unsubscribeURL: "https://push.example.com/?Action=Unsubscribe&SubscriptionArn=x",
            attributes: [
                .init(name: "n", type: "Number", value: "1"), .init(name: "s", type: "String", value: "\"v\""),
            ]
        ),
        messageID: "d40efb6c-6a01-4f0c-a291-d89547ce6b83",
        topic: topic,
        message: message,
        timestamp: time
    )

    private static func plain(_ kind: Envelope.Kind) -> Envelope {
        Envelope(kind: kind, messageID: "m", topic: topic, message: "text", timestamp: time)
    }

    static let all: [Envelope] = [
        notification, plain(.notification(subject: nil, unsubscribeURL: "u", attributes: [])),
        plain(.subscriptionConfirmation(token: "t", subscribeURL: "s")),
        plain(.unsubscribeConfirmation(token: "t", subscribeURL: "s")),
    ]

    @Test("is signed in the order of AWS's names")
    func canonical() {
        #expect(
            Self.notification.canonicalText
                == """
                Message\n\(Self.message)\nMessageId\nd40efb6c-6a01-4f0c-a291-d89547ce6b83\nSubject\nBetreff\n\
                Timestamp\n2026-11-21T09:14:08.007Z\nTopicArn\n\(Self.topic)\nType\nNotification\n
                """
        )
        #expect(Self.all[1].canonicalText.hasPrefix("Message\ntext\nMessageId\nm\nTimestamp\n"))
        #expect(
            Self.all[2].canonicalText
                == """
                Message\ntext\nMessageId\nm\nSubscribeURL\ns\nTimestamp\n2026-11-21T09:14:08.007Z\nToken\nt\n\
                TopicArn\n\(Self.topic)\nType\nSubscriptionConfirmation\n
                """
        )
    }

    @Test("is JSON with the members of AWS's")
    func json() throws {
        let signature = EnvelopeSignature(version: .sha256, text: "c2ln", certificateURL: "https://x/c.pem")
        let value = try JSONSerialization.jsonObject(with: Data(Self.notification.json(signature)))
        let members = try #require(value as? [String: Any])
        #expect(members["Message"] as? String == Self.message)
        #expect(members["Subject"] as? String == "Betreff")
        #expect(members["SignatureVersion"] as? String == "2")
        let attributes = members["MessageAttributes"] as? [String: [String: String]]
        #expect(attributes == ["n": ["Type": "Number", "Value": "1"], "s": ["Type": "String", "Value": "\"v\""]])
        #expect(members.count == 11)
        let names = try Self.all.map { envelope in
            let value = try JSONSerialization.jsonObject(with: Data(envelope.json(signature))) as? [String: Any]
            return Set(value?.keys.map { $0 } ?? [])
        }
        let common: Set = [
            "Type", "MessageId", "TopicArn", "Message", "Timestamp", "SignatureVersion", "Signature", "SigningCertURL",
        ]
        #expect(names[1] == common.union(["UnsubscribeURL"]))
        #expect(names[2] == common.union(["Token", "SubscribeURL"]) && names[3] == names[2])
    }

    @Test("has a signature that openssl verifies with the certificate", arguments: SignatureVersion.allCases, 0..<4)
    func verifies(version: SignatureVersion, index: Int) throws {
        let (signer, envelope) = (try Self.signer.get(), Self.all[index])
        let openssl = try OpenSSL()
        defer { openssl.remove() }
        let signature = try signer.sign(envelope, version: version, certificateURL: "https://x/c.pem")
        try openssl.write("c.pem", Data(signer.certificatePEM.utf8))
        try openssl.write("text", Data(envelope.canonicalText.utf8))
        try openssl.write("sig", #require(Data(base64Encoded: signature.text)))
        try openssl.run("x509 -in c.pem -pubkey -noout -out key.pem")
        let hash = version == .sha1 ? "-sha1" : "-sha256"
        try openssl.run("dgst \(hash) -verify key.pem -signature sig text")
        try openssl.write("text", Data((envelope.canonicalText + "x").utf8))
        #expect(throws: (any Error).self) {
            try openssl.run("dgst \(hash) -verify key.pem -signature sig text")
        }
    }

    @Test("has a certificate that is valid, of the key, and named by what is in it")
    func certificate() throws {
        let signer = try Self.signer.get()
        let openssl = try OpenSSL()
        defer { openssl.remove() }
        try openssl.write("c.pem", Data(signer.certificatePEM.utf8))
        try openssl.run("verify -CAfile c.pem c.pem")
        let again = try EnvelopeSigner(certificatePEM: signer.certificatePEM, keyPEM: signer.keyPEM)
        #expect(again.certificateName == signer.certificateName)
        #expect(signer.certificateName.wholeMatch(of: /SimpleNotificationService-[0-9a-f]{32}\.pem/) != nil)
        var dumped = ""
        dump(signer, to: &dumped)
        #expect("\(signer)" == signer.certificateName && !dumped.contains("PRIVATE"))
        let other = try EnvelopeSigner.make(name: "push.example.com", now: Date())
        #expect(throws: EnvelopeSigner.PairError.self) {
            try EnvelopeSigner(certificatePEM: signer.certificatePEM, keyPEM: other.keyPEM)
        }
        #expect(throws: (any Error).self) { try EnvelopeSigner(certificatePEM: "x", keyPEM: signer.keyPEM) }
    }

    @Test("asks in AWS's words")
    func words() {
        #expect(
            Envelope.confirmationMessage(for: Self.topic)
                == """
                You have chosen to subscribe to the topic arn:aws:sns:us-east-1:123456789012:news.\nTo confirm the \
                subscription, visit the SubscribeURL included in this message.
                """
        )
        let subscription = SubscriptionARN(topic: Self.topic, id: "i")
        #expect(
            Envelope.unsubscribeMessage(for: subscription).hasPrefix("You have chosen to deactivate subscription arn:")
        )
    }

    @Test("is confirmed with a token that nobody guesses, and AWS's are read as tokens too")
    func tokens() throws {
        let vault = Vault(key: SymmetricKey(size: .bits256))
        let token = ConfirmationToken(of: PublicID(high: 1, low: 2), at: Self.time)
        let tokens = try (0..<100).map { _ in try token.text(vault) }
        #expect(Set(tokens).count == 100 && tokens.allSatisfy { $0.utf8.count == 104 })
        for token in tokens + ["abc123", String(repeating: "0a", count: 112)] { try ConfirmationToken.check(token) }
        for text in ["", "randomtoken", String(repeating: "g", count: 64), String(repeating: "0", count: 1_025)] {
            #expect(throws: SNSError(.invalidParameter, "Invalid token")) { try ConfirmationToken.check(text) }
        }
    }
}
