import MartletPhone
import PushNotificationSDKCore
import Testing

@Suite("Rules by which the SDK opens nothing are told from the others") struct LinkTrialTests {
    @Test(
        "hosts, with a port or everything below them, and schemes of apps",
        arguments: [
            .web("example.com"), .web("EXAMPLE.com"), .web("*.example.com"), .web("localhost:8443"),
            .web("xn--fsq.example"), .web("example.com", path: "/shop"), .deepLink("game"), .deepLink("tel"),
            .deepLink("My-App.2"), .deepLink("game", host: "item", path: "/view/"),
        ] as [LinkPolicy.Rule]
    )
    func opens(rule: LinkPolicy.Rule) {
        #expect(rule.opensAnything)
    }

    @Test(
        "addresses in place of hosts, names that are none, and schemes that no rule can allow",
        arguments: [
            "", "*", "*.", ".", "http://x/", "https://example.com", "example.com/", "example.com/shop", "example.com?",
            "example.com.", "user@example.com", "example.com:", "example.com:443", "example.com:x", "a b",
            "プロモ.example",
            "[::1]", "game://",
        ].map { LinkPolicy.Rule.web($0) }
            + ["", "http", "https", "javascript", "file", "data", "1app", "my app", "game:", "http://x"].map {
                LinkPolicy.Rule.deepLink($0)
            }
    )
    func opensNothing(rule: LinkPolicy.Rule) {
        #expect(!rule.opensAnything)
    }
}
