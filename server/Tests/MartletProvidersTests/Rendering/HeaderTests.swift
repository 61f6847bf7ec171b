import MartletCore
import MartletWire
import Testing

@testable import MartletProviders

@Suite("Header fields of a message")
struct HeaderTests {
    private let content = Content(title: "T")

    private func headers(_ submission: Submission, credentials: [CredentialSummary] = [Rendering.token]) throws
        -> [String: String]
    {
        try Rendering.message(submission, credentials: credentials).headers
    }

    @Test("an absent expiration and 0 differ")
    func expiration() throws {
        let at = Submission.Expiry.at(Timestamp(milliseconds: 1_700_000_000_999))
        #expect(try headers(Rendering.submission(content))["apns-expiration"] == nil)
        #expect(try headers(Rendering.submission(content, expiry: .immediate))["apns-expiration"] == "0")
        #expect(try headers(Rendering.submission(content, expiry: at))["apns-expiration"] == "1700000000")
        let past = Submission.Expiry.at(Timestamp(milliseconds: 0))
        #expect(try headers(Rendering.submission(content, expiry: past))["apns-expiration"] == "1")
    }

    @Test("a push to talk push always has expiration 0, and no expiry")
    func pushToTalk() throws {
        let plain = Rendering.submission(Content(data: ["k": 1]), pushType: "pushtotalk")
        #expect(try headers(plain)["apns-expiration"] == "0")
        var dated = plain
        dated.expiry = .at(Timestamp(milliseconds: 1_700_000_000_000))
        #expect(try Rendering.failure(dated).detail.field == "expires_at")
    }

    @Test("the collapse id is the one named, the dedup key, or none")
    func collapseID() throws {
        let dedup = Dedup(key: "alert-1")
        #expect(try headers(Rendering.submission(content))["apns-collapse-id"] == nil)
        #expect(try headers(Rendering.submission(content, dedup: dedup))["apns-collapse-id"] == "alert-1")
        let named = Rendering.submission(content, collapse: .id("mine"), dedup: dedup)
        #expect(try headers(named)["apns-collapse-id"] == "mine")
        let off = Rendering.submission(content, collapse: .off, dedup: dedup)
        #expect(try headers(off)["apns-collapse-id"] == nil)
    }

    @Test(
        "a collapse id that is no header value is refused",
        arguments: ["", String(repeating: "x", count: 65), "é", "a\nb", " a", "a "]
    )
    func badCollapseID(id: String) throws {
        let failure = try Rendering.failure(Rendering.submission(content, collapse: .id(id)))
        #expect(failure.detail.field == "collapse_id")
    }

    @Test("64 bytes of collapse id pass")
    func longestCollapseID() throws {
        let id = String(repeating: "x", count: 64)
        #expect(try headers(Rendering.submission(content, collapse: .id(id)))["apns-collapse-id"] == id)
    }

    @Test("a topic is the app's, with or without the push type's suffix")
    func topic() throws {
        let data = Content(data: ["k": 1])
        for topic in ["com.example.app", "com.example.app.voip"] {
            let headers = try headers(Rendering.submission(data, pushType: "voip", topic: topic))
            #expect(headers["topic-suffix"] == ".voip")
        }
        for topic in ["com.example.app.complication", "", "com.example.other\r\nx: y", "a_b"] {
            let failure = try Rendering.failure(Rendering.submission(data, pushType: "voip", topic: topic))
            #expect(failure.detail.field == "topic")
            #expect(failure.detail.hint?.contains("com.example.app.voip") == true)
        }
    }

    @Test("with a signing key a topic may be another app's of the team; with a certificate it may not")
    func foreignTopic() throws {
        let data = Content(data: ["k": 1])
        for topic in ["com.example.other", "com.example.other.voip"] {
            let submission = Rendering.submission(data, pushType: "voip", topic: topic)
            let headers = try headers(submission)
            #expect(headers["apns-topic"] == "com.example.other.voip")
            #expect(headers["topic-suffix"] == nil)
            #expect(throws: Failure.self) { _ = try self.headers(submission, credentials: [Rendering.certificate]) }
        }
        let watch = Rendering.submission(content, topic: "com.example.app.watchkitapp")
        #expect(try headers(watch)["apns-topic"] == "com.example.app.watchkitapp")
    }

    @Test("where sandbox and production have different topics, a named one is fixed")
    func twoTopics() throws {
        var other = Rendering.token
        other.topic = "com.example.dev"
        let submission = Rendering.submission(Content(data: ["k": 1]), pushType: "voip", topic: "com.example.dev")
        let headers = try headers(submission, credentials: [Rendering.token, other])
        #expect(headers["apns-topic"] == "com.example.dev.voip")
        #expect(headers["topic-suffix"] == nil)
    }
}
