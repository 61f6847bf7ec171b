import MartletCore
import MartletWire
import Testing

@testable import MartletSNS

@Suite struct MobileAttributesTests {
    private static let prefix = "AWS.SNS.MOBILE."

    private func read(_ values: [(String, String)], type: String = "String") throws -> MobileAttributes {
        let attributes = values.map { AttributeCase(name: Self.prefix + $0.0, type: type, text: $0.1) }
        let form = try PublishingForm.of([("Message", "m")] + PublishingForm.attributes(attributes))
        return try PublishedMessage(form).mobile
    }

    @Test("a time to live is each platform's own; 0 is now or never, none is the provider's")
    func timeToLive() throws {
        let now = Timestamp(milliseconds: 1_000)
        let mobile = try read([("APNS.TTL", "60"), ("APNS_SANDBOX.TTL", "0"), ("FCM.TTL", "7")])
        #expect(mobile.expiry(for: .apns, now: now) == .at(Timestamp(milliseconds: 61_000)))
        #expect(mobile.expiry(for: .apnsSandbox, now: now) == .immediate)
        #expect(mobile.expiry(for: .gcm, now: now) == .at(Timestamp(milliseconds: 8_000)))
        #expect(mobile.expiry(for: .voIP, now: now) == .provider)
    }

    @Test("numbers are taken as texts are")
    func numbers() throws {
        let mobile = try read([("APNS.TTL", "60"), ("APNS.PRIORITY", "5")], type: "Number")
        #expect(mobile.timesToLive == ["APNS": 60])
        #expect(mobile.priority == .normal)
    }

    @Test("topic, push type, priority and collapse id are read; others are other platforms'")
    func headers() throws {
        let mobile = try read([
            ("APNS.TOPIC", "com.example.app.voip"), ("APNS.PUSH_TYPE", "voip"), ("APNS.PRIORITY", "10"),
            ("APNS.COLLAPSE_ID", "a b"), ("WNS.Type", "wns/raw"), ("PREFERRED_AUTHENTICATION_METHOD", "token"),
        ])
        #expect(mobile.topic == "com.example.app.voip")
        #expect(mobile.pushType == "voip")
        #expect(mobile.priority == .high)
        #expect(mobile.collapseID == "a b")
        #expect(mobile.timesToLive.isEmpty)
    }

    @Test(
        "a value that cannot become a header field is refused with the attribute's name",
        arguments: [
            ("APNS.TTL", "-1"), ("APNS.TTL", "1.5"), ("APNS.TTL", "99999999999999999999"), ("APNS.TTL", "31622401"),
            ("GCM.TTL", "soon"), ("APNS.PRIORITY", "7"), ("APNS.PRIORITY", "high"), ("APNS.COLLAPSE_ID", "a\r\nx: y"),
            ("APNS.TOPIC", "\u{0}"), ("APNS.PUSH_TYPE", "alért"), ("APNS.COLLAPSE_ID", " a"), ("APNS.TTL", "٣"),
        ]
    )
    func refusals(_ name: String, _ value: String) {
        let refusal = PublishingForm.refusal { try read([(name, value)]) }
        #expect(refusal?.code == .invalidParameter)
        #expect(refusal?.message.hasPrefix("Invalid parameter: \(Self.prefix)\(name) Reason: ") == true)
    }

    @Test("bytes are no header field")
    func bytes() {
        let attribute = AttributeCase(name: Self.prefix + "APNS.TOPIC", type: "Binary", bytes: "AAE=")
        let parameters = [("Message", "m")] + PublishingForm.attributes([attribute])
        #expect(PublishingForm.refusal(parameters)?.code == .invalidParameter)
    }
}
