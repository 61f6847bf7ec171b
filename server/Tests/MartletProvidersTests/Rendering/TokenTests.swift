import MartletCore
import MartletProviders
import MartletWire
import Testing

@Suite("Apple's device tokens")
struct TokenTests {
    @Test("hexadecimal tokens of any even length up to 200 bytes are taken, in lower case")
    func normalizes() throws {
        #expect(try APNsToken.normalize("AB01", field: "f") == "ab01")
        let longest = String(repeating: "ab", count: 200)
        #expect(try APNsToken.normalize(longest, field: "f") == longest)
    }

    @Test(
        "anything else is refused with the field",
        arguments: ["", "a", "abc", "zz", "ab 1", "ａｂ", String(repeating: "ab", count: 201)]
    )
    func refuses(token: String) {
        #expect { try APNsToken.normalize(token, field: "f") } throws: { ($0 as? Failure)?.detail.field == "f" }
    }

    @Test(
        "what is known to be something else is said to be that",
        arguments: [
            ("{length = 32, bytes = 0x67df1234 0a0a0a0a ... 0a0a0a0a }", "description of the token's bytes"),
            ("<67df1234 0a0a0a0a>", "description of the token's bytes"),
            ("dGVzdA:APA91bHPRgkF", "registration token of FCM"), ("https://fcm.example/abc", "browser's subscription"),
            (String(repeating: "a", count: 71), "this one has 71"), ("undefined", "only hexadecimal digits"),
            ("hello", "only hexadecimal digits"), ("ExponentPushToken[xxxx]", "token of Expo's push service"),
        ]
    )
    func saysWhatItIs(token: String, words: String) {
        #expect { try APNsToken.normalize(token, field: "f") } throws: {
            ($0 as? Failure)?.detail.message.contains(words) == true
        }
    }
}
