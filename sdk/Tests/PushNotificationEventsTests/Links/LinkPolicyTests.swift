import Foundation
import PushNotificationSDKCore
import PushNotificationSDKTesting
import Testing

@Suite("Which links may be opened") struct LinkPolicyTests {
    private let policy = LinkPolicy([
        .web("example.com"), .web("*.example.org", path: "/shop"), .web("localhost:8443"), .web("xn--fsq.example"),
        .deepLink("myapp"), .deepLink("other", host: "item", path: "/view/"), .deepLink("tel"),
        // No rule can allow these.
        LinkPolicy.Rule(scheme: "javascript"), LinkPolicy.Rule(scheme: "file"), LinkPolicy.Rule(scheme: "data"),
        LinkPolicy.Rule(scheme: "https"),
    ])

    @Test(
        "pages of allowed hosts are opened in a browser",
        arguments: [
            "https://example.com", "https://example.com/", "HTTPS://EXAMPLE.COM/Promo?a=b#c",
            "https://example.com:443/x", "https://example.com/a%20b", "https://shop.example.org/shop",
            "https://a.b.example.org/shop/1?x=../..", "https://localhost:8443/", "https://xn--fsq.example/",
        ]
    )
    func web(text: String) {
        #expect(policy.decision(for: text) == .web(URL(string: text)!))
    }

    @Test("text beyond ASCII is encoded before it is opened") func unicodePath() {
        let expected = URL(string: "https://example.com/%E3%83%97%E3%83%AD%E3%83%A2?q=%E5%80%A4")!
        #expect(policy.decision(for: "https://example.com/プロモ?q=値") == .web(expected))
    }

    @Test(
        "links into allowed apps are handed over",
        arguments: ["myapp://test", "MYAPP://test/a?b=c", "myapp:promo", "other://item/view/1", "tel:+8131234567"]
    )
    func deepLinks(text: String) {
        #expect(policy.decision(for: text) == .deepLink(URL(string: text)!))
    }

    @Test(
        "what runs text or reads files is never opened",
        arguments: [
            "javascript:alert(1)", "JavaScript:alert(1)", "file:///etc/passwd", "data:text/html,x", "about:blank",
            "blob:https://example.com/1", "vbscript:x", "view-source:https://example.com",
        ]
    )
    func dangerous(text: String) {
        #expect(policy.decision(for: text) == .refused(.scheme))
    }

    @Test("schemes without a rule are refused", arguments: ["http://example.com", "ftp://example.com", "nope://x"])
    func schemes(text: String) {
        #expect(policy.decision(for: text) == .refused(.scheme))
    }

    @Test(
        "user names and passwords are refused",
        arguments: [
            "https://user@example.com", "https://user:pass@example.com/", "https://example.com@evil.test/",
            "https://example.com:443@evil.test/", "https://@example.com", "myapp://user@test",
        ]
    )
    func credentials(text: String) {
        #expect(policy.decision(for: text) == .refused(.credentials))
    }

    @Test(
        "hosts that look like an allowed one are refused",
        arguments: [
            "https://example.com.", "https://example.com.evil.test", "https://evilexample.com",
            "https://sub.example.com", "https://example.org/shop", "https://evilexample.org/shop",
            "https://.example.org/shop", "https://exаmple.com", "https://example。com", "https://ｅxample.com",
            "https://example.com\u{2024}evil.test", "https://xn--exmple-4nf.com", "https://example.com%2eevil.test",
            "https://ex%61mple.com", "https://example.com:8443", "https://example.com:0", "https://example.com:",
            "https://example.com:99999", "https://example.com:+443", "https://[::1]/", "https://127.0.0.1/",
            "https://localhost/", "https://example..com", "https://example.\u{212A}om",
        ]
    )
    func lookAlikes(text: String) {
        #expect(policy.decision(for: text) == .refused(.host))
    }

    @Test(
        "paths outside the allowed one are refused, however they are written",
        arguments: [
            "https://a.example.org/shopping", "https://a.example.org/", "https://a.example.org/shop/../admin",
            "https://a.example.org/shop/%2e%2e/admin", "https://a.example.org/shop/%2E./admin",
            "https://a.example.org/shop%2f..%2fadmin", "https://a.example.org/shop/%5c../admin",
            "https://example.com/a%00", "other://item/viewer", "other://item",
        ]
    )
    func paths(text: String) {
        #expect(policy.decision(for: text) == .refused(.path))
    }

    @Test(
        "what is no address is refused",
        arguments: [
            "", " ", "example.com", "//example.com", "/path", "https:example.com", "https:/example.com", "https://",
            "https:///example.com", "https://example.com/a b", "https://example.com\\@evil.test",
            "https://exam\nple.com", "java\tscript:alert(1)", " https://example.com", "https://example.com/\u{0}",
            ":x", "1app://x", "my app://x", "mÿapp://x", "https://example.com/<script>", "myapp",
        ]
    )
    func malformed(text: String) {
        #expect(policy.decision(for: text) == .refused(.malformed))
    }

    @Test("longer links than 2,048 bytes are refused") func long() {
        let path = String(repeating: "a", count: 2048)
        #expect(policy.decision(for: "https://example.com/\(path)") == .refused(.malformed))
    }

    @Test("without a host rule a page is refused, and without rules everything is") func empty() {
        #expect(LinkPolicy([.init(scheme: "https")]).decision(for: "https://example.com") == .refused(.host))
        #expect(LinkPolicy.nothing.decision(for: "https://example.com") == .refused(.scheme))
    }

    @Test("until the app sets a policy its own schemes are allowed and no page") func ownSchemes() {
        let information: [String: Any] = [
            "CFBundleURLTypes": [["CFBundleURLSchemes": ["MyApp", "https", "javascript"]], ["CFBundleURLName": "x"]]
        ]
        let policy = LinkPolicy.ownSchemes(information)
        #expect(policy.decision(for: "myapp://test") == .deepLink(URL(string: "myapp://test")!))
        #expect(policy.decision(for: "https://example.com") == .refused(.scheme))
        #expect(policy.decision(for: "javascript:x") == .refused(.scheme))
        #expect(LinkPolicy.ownSchemes(nil) == .nothing)
        #expect(LinkPolicy.ownSchemes(["CFBundleURLTypes": "x"]) == .nothing)
    }

    @Test("no text of any kind is a crash, and what is allowed has an allowed host") func fuzz() {
        var random = SeededRandom(3)
        let pieces = [
            "https:", "//", "/", "example.com", "@", ":", "443", "%2e", "..", "?", "#", "\\", " ", "é", "\u{301}",
            "myapp",
            "javascript:", "[", "]", "*", ".", "evil.test", "\u{0}", "\u{202E}", "xn--", "%", "?x=", "a",
        ]
        for _ in 0..<20_000 {
            let text = (0..<Int.random(in: 1...8, using: &random))
                .compactMap { _ in pieces.randomElement(using: &random) }
                .joined()
            switch policy.decision(for: text) {
            case .web(let url): #expect(url.scheme?.lowercased() == "https" && url.host?.lowercased() == "example.com")
            case .deepLink(let url): #expect(["myapp", "other", "tel"].contains(url.scheme?.lowercased()))
            case .refused: break
            }
        }
    }
}
