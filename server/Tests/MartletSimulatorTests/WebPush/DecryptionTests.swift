import Foundation
import Testing

@testable import MartletSimulator

@Suite("Opening messages as a browser does")
struct DecryptionTests {
    /// RFC 8291, Appendix A.
    private static let vector = (
        text: "When I grow up, I want to be a watermelon", privateKey: "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94",
        publicKey: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        authSecret: "BTBZMqHH6r4Tts7J_aSIgg",
        body:
            "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3"
            + "jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )

    private func keys() throws -> UserAgentKeys {
        try UserAgentKeys(
            privateKey: try #require(Base64URL.decode(Self.vector.privateKey)),
            authSecret: try #require(Base64URL.decode(Self.vector.authSecret))
        )
    }

    @Test("the example of RFC 8291, Appendix A, is opened")
    func example() throws {
        let keys = try keys()
        #expect(Base64URL.encode(keys.publicKey) == Self.vector.publicKey)
        let body = Array(try #require(Base64URL.decode(Self.vector.body)))
        #expect(String(decoding: try keys.open(body), as: UTF8.self) == Self.vector.text)
    }

    @Test("any flipped bit of salt, key, record or tag is noticed")
    func flipped() throws {
        let keys = try keys()
        let body = Array(try #require(Base64URL.decode(Self.vector.body)))
        for index in body.indices where !(16...21).contains(index) {
            var changed = body
            changed[index] ^= 1
            #expect(throws: DecryptionFailure.self) { try keys.open(changed) }
        }
    }

    @Test("padding is taken off, and an empty message is one")
    func padding() throws {
        let keys = UserAgentKeys()
        #expect(try keys.open(try WebPushFixture.seal("hello", for: keys, padding: 300)) == Array("hello".utf8))
        #expect(try keys.open(try WebPushFixture.seal("", for: keys)).isEmpty)
    }

    @Test("what is not one last record is refused")
    func records() throws {
        let keys = UserAgentKeys()
        let good = try WebPushFixture.seal("hello", for: keys)
        func failure(_ body: [UInt8]) -> DecryptionFailure? {
            do {
                _ = try keys.open(body)
                return nil
            } catch {
                return error
            }
        }
        #expect(failure(try WebPushFixture.seal("hello", for: keys, recordSize: 18)) == .secondRecord)
        #expect(failure(try WebPushFixture.seal("hello", for: keys, recordSize: 17)) == .recordSize)
        #expect(failure(try WebPushFixture.seal("hello", for: keys, delimiter: 1)) == .padding)
        #expect(failure(Array(good.prefix(20))) == .tooShort)
        #expect(failure(Array(good.prefix(102))) == .tooShort)
        #expect(failure(try WebPushFixture.seal("hello", for: UserAgentKeys())) == .authentication)
        var otherKey = good
        otherKey[21] = 5
        #expect(failure(otherKey) == .keyID)
        var shortKey = good
        shortKey[20] = 64
        #expect(failure(shortKey) == .keyID)
        #expect(failure(good) == nil)
    }
}
