import Foundation
import PushNotificationSDKCore
import Testing

@Suite struct SDKConfigurationTests {
    @Test(
        "an address that is https with a host is taken",
        arguments: [
            "https://api.example.com", "HTTPS://API.EXAMPLE.COM", "https://api.example.com:8443/push/",
            "https://xn--r8jz45g.jp", "https://[::1]",
        ]
    )
    func addressIsTaken(_ address: String) throws {
        let url = try #require(URL(string: address))
        let configuration = try SDKConfiguration(apiURL: url, apiKey: "12345678")
        #expect(configuration.apiURL == url)
    }

    @Test(
        "every other address is refused",
        arguments: [
            "http://api.example.com", "ftp://api.example.com", "api.example.com", "https:///path", "https://",
            "https://user:secret@api.example.com", "https://user@api.example.com", "file:///etc/hosts",
            "https://api.example.com?x=1", "https://api.example.com#top", "httpss://api.example.com",
        ]
    )
    func addressIsRefused(_ address: String) throws {
        let url = try #require(URL(string: address))
        #expect { try SDKConfiguration(apiURL: url, apiKey: "12345678") } throws: { error in
            guard case PushNotificationError.invalidConfiguration(let text) = error else { return false }
            return text.hasPrefix("apiURL") && !text.contains("secret")
        }
    }

    @Test(
        "a key has 8 to 1,024 printable ASCII characters",
        arguments: ["12345678", "mk_~!@#$%^&*()", "a1b2c3d4-e5f6", String(repeating: "k", count: 1024)]
    )
    func keyIsTaken(_ key: String) throws {
        #expect(try SDKConfiguration.valid(apiKey: key).apiKey == key)
    }

    @Test(
        "every other key is refused, and its text is not in the error",
        arguments: [
            "", "1234567", " 12345678", "12345678 ", "1234 5678", "12345678\n", "１２３４５６７８", "1234567é",
            "1234567\u{7F}8", String(repeating: "k", count: 1025),
        ]
    )
    func keyIsRefused(_ key: String) throws {
        #expect { try SDKConfiguration.valid(apiKey: key) } throws: { error in
            guard case PushNotificationError.invalidConfiguration(let text) = error else { return false }
            return text.hasPrefix("apiKey") && (key.isEmpty || !text.contains(key))
        }
    }

    @Test("5 and 120 seconds are the limits of the timeout", arguments: [5, 5.5, 30, 119.9, 120])
    func timeoutIsTaken(_ timeout: TimeInterval) throws {
        #expect(try SDKConfiguration.valid(timeout: timeout).timeout == timeout)
    }

    @Test(
        "every other timeout is refused",
        arguments: [4.999, 120.001, 0, -1, .nan, .infinity, -.infinity, .greatestFiniteMagnitude]
    )
    func timeoutIsRefused(_ timeout: TimeInterval) throws {
        #expect(throws: PushNotificationError.self) { try SDKConfiguration.valid(timeout: timeout) }
    }

    @Test(
        "a user id that the server would refuse is refused",
        arguments: [" \u{7F}", "a\nb", String(repeating: "x", count: 257)]
    )
    func userIsRefused(_ user: String) {
        #expect(throws: PushNotificationError.self) { try SDKConfiguration.valid(player: user) }
    }

    @Test("an empty user id is nobody's") func emptyUser() throws {
        #expect(try SDKConfiguration.valid(player: "") == .valid())
        #expect(try SDKConfiguration.valid(player: "").playerAccountId == nil)
    }

    @Test func aUserIDOf256BytesIsTaken() throws {
        #expect(try SDKConfiguration.valid(player: String(repeating: "x", count: 256)).playerAccountId?.count == 256)
    }

    @Test("no way of printing a configuration shows the key or the user")
    func printingIsRedacted() throws {
        let configuration = try SDKConfiguration.valid(apiKey: "very-secret-key", player: "player-12345")
        var dumped = ""
        dump(configuration, to: &dumped)
        var nested = ""
        dump(["configuration": [configuration]], to: &nested)
        let texts = [
            "\(configuration)", configuration.debugDescription, String(reflecting: configuration),
            String(describing: Optional(configuration)), dumped, nested,
        ]
        for text in texts {
            #expect(!text.contains("very-secret-key"))
            #expect(!text.contains("player-12345"))
            #expect(text.contains("https://api.example.com") || text.contains("redacted"))
        }
    }

    @Test func configurationsAreEqualWhenEverythingIs() throws {
        let one = try SDKConfiguration.valid()
        var other = try SDKConfiguration.valid()
        #expect(one == other)
        other.appGroup = "group.com.example"
        #expect(one != other)
        let others = [
            try SDKConfiguration.valid(apiKey: "another-key"), try .valid(player: "p"), try .valid(timeout: 31),
        ]
        #expect(!others.contains(one))
    }

    @Test("the paths of the interface stand behind the address, which may hold them already")
    func endpoints() throws {
        let addresses = [
            "https://a.example": "https://a.example/api/v1/tokens",
            "https://a.example/": "https://a.example/api/v1/tokens",
            "https://a.example/push": "https://a.example/push/api/v1/tokens",
            "https://a.example/api/v1": "https://a.example/api/v1/tokens",
            "https://a.example/push/api/v1/": "https://a.example/push/api/v1/tokens",
        ]
        for (address, expected) in addresses {
            let url = try #require(URL(string: address))
            let configuration = try SDKConfiguration(apiURL: url, apiKey: "12345678")
            #expect(configuration.endpoint("tokens").absoluteString == expected)
        }
    }

    @Test("typed throws: the error needs no cast, and plain try still works")
    func typedThrows() throws {
        func plain() throws -> SDKConfiguration { try SDKConfiguration.valid() }
        _ = try plain()
        do {
            _ = try SDKConfiguration(apiURL: URL(string: "http://a.example")!, apiKey: "12345678")
            Issue.record("http was taken")
        } catch {
            #expect(error == .invalidConfiguration("apiURL must begin with https://"))
        }
    }
}
