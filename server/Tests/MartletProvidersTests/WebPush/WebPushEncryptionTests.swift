import Crypto
import MartletCore
import Testing

@testable import MartletProviders

@Suite("Messages sealed for browsers")
struct WebPushEncryptionTests {
    private func bytes(_ text: String) throws -> [UInt8] { try #require(Base64URL.decode(text)) }

    @Test("the example of RFC 8291, Appendix A, byte for byte")
    func vector() throws {
        let sender = try P256.KeyAgreement.PrivateKey(
            rawRepresentation: bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")
        )
        let publicKey = try bytes(
            "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
        )
        let auth = try bytes("BTBZMqHH6r4Tts7J_aSIgg")
        let subscription = try #require(PushSubscription(bytes: publicKey + auth, vapidKeyID: "k"))
        let text = Array("When I grow up, I want to be a watermelon".utf8)

        let body = try WebPushEncryption.seal(
            text,
            paddedTo: text.count,
            for: subscription,
            with: .init(sender: sender, salt: bytes("DGv6ra1nlYgDCS1FRnbzlw"))
        )

        #expect(
            Secret.base64URL(body) == """
                DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK\
                6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN
                """
        )
    }

    @Test("a browser opens what was sealed for it, whatever its length", arguments: [0, 1, 41, 511, 512, 2_641, 3_993])
    func opened(_ count: Int) throws {
        let browser = TestBrowser()
        let text = (0..<count).map { UInt8(truncatingIfNeeded: $0 | 1) }
        let body = try WebPushEncryption.seal(
            text,
            paddedTo: WebPushPadding.length(of: count),
            for: browser.subscription()
        )
        let found = try browser.open(body)
        #expect(found.text == text)
        #expect(found.paddedCount == WebPushPadding.length(of: count))
        #expect(body.count == found.paddedCount + WebPushEncryption.overhead)
    }

    @Test("a message of 3,994 bytes is not sealed")
    func tooLong() {
        let text = [UInt8](repeating: 1, count: 3_994)
        #expect(throws: WebPushEncryption.Unsealable.self) {
            try WebPushEncryption.seal(text, paddedTo: 0, for: TestBrowser().subscription())
        }
    }

    @Test("the same message sealed twice has another sender and another salt")
    func fresh() throws {
        let subscription = TestBrowser().subscription()
        let bodies = try (0..<2).map { _ in try WebPushEncryption.seal([1], paddedTo: 0, for: subscription) }
        #expect(bodies[0].prefix(16) != bodies[1].prefix(16))
        #expect(bodies[0][21..<86] != bodies[1][21..<86])
    }

    @Test("a body that was changed on its way is not opened")
    func flipped() throws {
        let browser = TestBrowser()
        var body = try WebPushEncryption.seal([1, 2, 3], paddedTo: 512, for: browser.subscription())
        body[100] ^= 1
        #expect(throws: (any Error).self) { try browser.open(body) }
    }

    @Test(
        "lengths are padded to the next 512, up to 2,641",
        arguments: [
            (0, 512), (1, 512), (512, 512), (513, 1_024), (2_560, 2_560), (2_561, 2_641), (2_641, 2_641),
            (2_642, 2_642), (3_993, 3_993),
        ]
    )
    func padding(_ count: Int, _ padded: Int) { #expect(WebPushPadding.length(of: count) == padded) }
}
