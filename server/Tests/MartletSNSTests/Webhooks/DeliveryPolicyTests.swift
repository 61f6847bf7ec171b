import MartletCore
import Testing

@testable import MartletSNS
@testable import MartletWebhooks

@Suite("A delivery policy")
struct DeliveryPolicyTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var subscription: String?
        var topic: String?
        /// In seconds.
        var delays: [Double]

        var testDescription: String { subscription ?? topic ?? "none" }
    }

    private static func healthy(_ members: String) -> String { #"{"healthyRetryPolicy":{\#(members)}}"# }

    static let rows = [
        Row(delays: [20, 20, 20]),
        Row(subscription: healthy(#""numRetries":0"#), delays: []),
        Row(subscription: healthy(#""numRetries":2,"minDelayTarget":1,"maxDelayTarget":9"#), delays: [1, 9]),
        Row(subscription: healthy(#""numRetries":1,"minDelayTarget":1,"maxDelayTarget":9"#), delays: [1]),
        Row(
            subscription: healthy(
                #""numRetries":8,"numNoDelayRetries":2,"numMinDelayRetries":1,"numMaxDelayRetries":2,"minDelayTarget":10,"maxDelayTarget":30"#
            ),
            delays: [0, 0, 10, 10, 20, 30, 30, 30]
        ),
        Row(
            subscription: healthy(
                #""numRetries":4,"minDelayTarget":1,"maxDelayTarget":13,"backoffFunction":"arithmetic""#
            ),
            delays: [1, 3, 7, 13]
        ),
        Row(
            subscription: healthy(
                #""numRetries":4,"minDelayTarget":2,"maxDelayTarget":16,"backoffFunction":"geometric""#
            ),
            delays: [2, 4, 8, 16]
        ),
        Row(
            subscription: healthy(
                #""numRetries":4,"minDelayTarget":3,"maxDelayTarget":10,"backoffFunction":"exponential""#
            ),
            delays: [3, 4, 6, 10]
        ),
        // The hour that all retries together have.
        Row(
            subscription: healthy(#""numRetries":100,"minDelayTarget":1000,"maxDelayTarget":1000"#),
            delays: [
                1000, 1000, 1000,
            ]
        ),
        Row(topic: #"{"http":{"defaultHealthyRetryPolicy":{"numRetries":1,"minDelayTarget":5}}}"#, delays: [5]),
        Row(
            subscription: healthy(#""numRetries":2"#),
            topic: #"{"http":{"defaultHealthyRetryPolicy":{"numRetries":1,"minDelayTarget":5,"maxDelayTarget":5}}}"#,
            delays: [5, 5]
        ),
        Row(
            subscription: healthy(#""numRetries":2"#),
            topic: #"{"http":{"defaultHealthyRetryPolicy":{"numRetries":1},"disableSubscriptionOverrides":true}}"#,
            delays: [20]
        ),
        Row(subscription: "nonsense", topic: "[]", delays: [20, 20, 20]),
        Row(
            subscription: healthy(#""numRetries":1000000,"numNoDelayRetries":-5"#),
            delays: Array(repeating: 20, count: 100)
        ),
    ]

    @Test("says when it is tried again", arguments: rows)
    func delays(_ row: Row) {
        let policy = DeliveryPolicy(subscription: row.subscription, topic: row.topic)
        #expect(policy.delays == row.delays.map { Duration.milliseconds(Int64($0 * 1_000)) })
        #expect(policy.delay(afterAttempts: 1) == policy.delays.first)
        #expect(policy.delay(afterAttempts: policy.delays.count + 1) == nil)
        #expect(policy.delay(afterAttempts: 0) == nil)
    }

    @Test("says how often a second and under which content type; a line break is in none")
    func rest() {
        let text =
            #"{"throttlePolicy":{"maxReceivesPerSecond":7},"requestPolicy":{"headerContentType":"application/json"}}"#
        let policy = DeliveryPolicy(subscription: text, topic: nil)
        #expect(policy.receivesPerSecond == 7)
        #expect(policy.contentType == "application/json")
        let bad = DeliveryPolicy(subscription: #"{"requestPolicy":{"headerContentType":"a/b\r\nx: y"}}"#, topic: nil)
        #expect(bad.contentType == DeliveryPolicy.standardContentType)
        #expect(DeliveryPolicy().receivesPerSecond == nil)
    }

    static let answers: [(WebhookAnswer, Int, String)] = [
        (.status(200), 1, "delivered"), (.status(204), 4, "delivered"), (.status(503), 1, "retry"),
        (.status(503), 4, "dead"), (.status(429), 3, "retry"), (.status(404), 1, "dead"), (.status(400), 1, "dead"),
        (.status(301), 1, "dead"), (.status(100), 1, "dead"), (.failed("x"), 1, "retry"), (.failed("x"), 4, "dead"),
        (.refused("x"), 1, "dead"), (.cancelled, 1, "deferred"), (.busy, 1, "deferred a second"),
        (.busy, 4, "deferred a second"),
    ]

    @Test("decides what an answer comes to", arguments: answers)
    func outcome(_ answer: WebhookAnswer, attempts: Int, expected: String) {
        let now = Timestamp(milliseconds: 1_000)
        let found =
            switch answer.outcome(afterAttempts: attempts, DeliveryPolicy(), now: now) {
            case .delivered: "delivered"
            case .retry(let at, _): at == now + .seconds(20) ? "retry" : "retry at another time"
            case .deferred(now): "deferred"
            case .deferred(let until): until == now + .seconds(1) ? "deferred a second" : "deferred to another time"
            case .dead: "dead"
            }
        #expect(found == expected)
    }
}

@Suite("A webhook URL")
struct WebhookURLTests {
    static let good: [(String, String)] = [
        ("http://Example.com", "http://example.com/"),
        ("HTTPS://example.com:8443/a?b=c", "https://example.com:8443/a?b=c"),
        ("http://127.0.0.1:80/x", "http://127.0.0.1:80/x"), ("https://[2001:DB8::1]/", "https://[2001:db8::1]/"),
        ("https://user:p%40ss@example.com/a", "https://example.com/a"),
        ("http://example.com?x", "http://example.com/?x"),
    ]

    @Test("is read in one way", arguments: good)
    func reads(_ text: String, _ expected: String) { #expect(WebhookURL(text)?.text == expected) }

    static let bad = [
        "", "example.com", "ftp://example.com/", "http://", "http:///x", "http://a b/", "http://ex\u{e4}mple.com/",
        "http://example.com:99999/", "http://a@b@c/", "http://@example.com/", "http://example.com/#f",
        "http://127.1/\\",
        "http://example.com\\@evil.com/", "http://example.com\r\nx: y/", "http://[::1/", "http://example.com:/",
        "http://" + String(repeating: "a", count: 2_100),
    ]

    @Test("has no second reading", arguments: bad)
    func refuses(_ text: String) { #expect(WebhookURL(text) == nil) }

    @Test("presents its user and password, whatever bytes they are, where no line can end")
    func authorization() {
        #expect(WebhookURL("http://u:p@example.com/")?.authorization == "Basic dTpw")
        let odd = WebhookURL("http://u:%0d%0aX-Y%3a1@example.com/")?.authorization
        #expect(odd.map(HeaderText.isSafe) == true)
        #expect(odd == "Basic dToNClgtWTox")
    }

    @Test("waits in the queue of its host")
    func queue() {
        #expect(WebhookDelivery.queue(of: "https://u:p@Example.com:8443/a@b?c") == "example.com:8443")
        #expect(WebhookDelivery.queue(of: "http://example.com") == "example.com")
    }

    @Test("gets no header field with a line break in it")
    func fields() throws {
        let topic = TopicARN(region: "us-east-1\r\nevil: 1", account: "1", name: "n")
        let request = WebhookRequest(
            to: try #require(WebhookURL("http://example.com/")),
            kind: "Notification",
            messageID: "m",
            topic: topic,
            subscription: nil,
            isRaw: false,
            contentType: "text/plain\nevil: 2",
            body: []
        )
        #expect(!request.fields.map(\.name).contains { $0 == "Content-Type" || $0 == "x-amz-sns-topic-arn" })
        #expect(!request.fields.contains { $0.value.contains("evil") })
    }

    static let shown: [(String, String)] = [
        ("https://user:secret@example.com/a?b=c@d:e", "https://user:****@example.com/a?b=c@d:e"),
        ("http://user:a:b%40c@example.com", "http://user:****@example.com"),
        ("https://:secret@example.com/", "https://:****@example.com/"),
        // Without a password the name is the secret.
        ("https://token@example.com/", "https://****@example.com/"),
        ("https://token:@example.com/", "https://****@example.com/"),
        ("https://@example.com/", "https://****@example.com/"),
        ("https://example.com:8443/x:y@z", "https://example.com:8443/x:y@z"),
        ("https://example.com?a:b@c", "https://example.com?a:b@c"), ("no address", "no address"),
        ("https://user:****@example.com/a#c2VhbGVk", "https://user:****@example.com/a"),
    ]

    @Test("is shown without its password", arguments: shown)
    func masks(_ text: String, _ expected: String) { #expect(WebhookURL.masked(text) == expected) }
}
