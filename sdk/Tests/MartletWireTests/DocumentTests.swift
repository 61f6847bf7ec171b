import Foundation
import MartletWire
import Testing

@Suite("Documents on the wire")
struct DocumentTests {
    func encode(_ value: some Encodable) throws -> JSONValue { try JSONValue(json: JSONEncoder().encode(value)) }

    @Test("absent, null and a value are three things")
    func nullable() throws {
        for (text, expected) in [
            (#"{"key":"k"}"#, NullablePatch<Int>.unset), (#"{"key":"k","cooldown_seconds":null}"#, .null),
            (#"{"cooldown_seconds":60,"key":"k"}"#, .value(60)),
        ] {
            let found = try JSONDecoder().decode(DedupRequest.self, from: Data(text.utf8))
            #expect(found.cooldownSeconds == expected)
            #expect(try encode(found) == JSONValue(json: Data(text.utf8)))
        }
    }

    @Test("a registration uses the names of the interface, and leaves out what is not said")
    func registration() throws {
        let id = PublicID(high: 0x0190_0000_0000_7000, low: 0x8000_0000_0000_0001)
        var request = TokenRegistrationRequest(installationID: id, token: "aa", userID: .null)
        request.deviceModel = "iPhone16,1"
        #expect(
            try encode(request) == [
                "installation_id": .string(id.description), "token": "aa", "user_id": .null,
                "device_model": "iPhone16,1",
            ]
        )
    }

    @Test("an operating system is read as its provider, and a priority by word or number")
    func words() throws {
        #expect(
            try JSONDecoder().decode([PlatformName].self, from: Data(#"["ios","android","web","fcm"]"#.utf8)) == [
                .apns, .fcm, .webpush, .fcm,
            ]
        )
        #expect(try encode([PlatformName.apns]) == ["apns"])
        let priorities = try JSONDecoder().decode([Priority].self, from: Data(#"["high",5,"low"]"#.utf8))
        #expect(priorities == [.high, .normal, .low])
        #expect(try encode(priorities) == [10, 5, 1])
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([Priority].self, from: Data("[7]".utf8))
        }
    }

    @Test("a client keeps error codes that it does not know")
    func unknownCodes() throws {
        let text = #"{"error":{"code":"brand_new","message":"m"}}"#
        let body = try JSONDecoder().decode(ErrorBody.self, from: Data(text.utf8))
        #expect(body.error.code.rawValue == "brand_new")
        #expect(body.error.field == nil)
    }
}
