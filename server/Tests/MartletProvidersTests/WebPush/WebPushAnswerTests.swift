import MartletCore
import MartletWire
import Testing

@testable import MartletProviders

@Suite("What push services' answers mean")
struct WebPushAnswerTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var service: Environment
        var answer: WebPushAnswer
        var outcome: Outcome
        var testDescription: String { "\(service.rawValue) \(answer.status) \(answer.recordedReason)" }

        init(_ service: Environment, _ answer: WebPushAnswer, _ outcome: Outcome) {
            (self.service, self.answer, self.outcome) = (service, answer, outcome)
        }
    }

    private static let sent = Timestamp(milliseconds: 1_700_000_000_000)

    private static func rejected(_ reason: String, _ meaning: Outcome.Meaning = .nothing) -> Outcome {
        .rejected(.init(reason: reason, meaning: meaning))
    }

    private static func retry(_ reason: String, _ kind: Outcome.Retry.Kind, after: Duration? = nil) -> Outcome {
        .retry(.init(reason: reason, kind: kind, after: after))
    }

    private static let gone = Outcome.Meaning.unregistered(since: sent)

    /// What every service means by RFC 8030's statuses.
    static let common: [Row] = [Environment.google, .mozilla, .microsoft, .apple, .otherService].flatMap { service in
        // Hosts that are no known service share a queue: what one of them says is about itself.
        let trouble: Outcome.Retry.Kind = service == .otherService ? .host : .provider
        let tooMany: Outcome.Retry.Kind = service == .otherService ? .rateLimited : .overloaded
        return [
            Row(service, .init(status: 200), .accepted),
            Row(service, .init(status: 201), .accepted),
            Row(service, .init(status: 202), .accepted),
            Row(service, .init(status: 203), .accepted),
            Row(service, .init(status: 204), .accepted),
            Row(service, .init(status: 299), .accepted),
            Row(service, .init(status: 301), rejected("HTTP 301")),
            Row(service, .init(status: 302), rejected("HTTP 302")),
            Row(service, .init(status: 400), rejected("HTTP 400")),
            Row(service, .init(status: 404), rejected("HTTP 404", gone)),
            Row(service, .init(status: 404, text: "\n<!DOCTYPE html><p>x"), retry("ProxyPage 404", .host)),
            Row(service, .init(status: 404, text: "<HTML><p>x"), retry("ProxyPage 404", .host)),
            Row(service, .init(status: 404, text: "<!-- x --><html>"), retry("ProxyPage 404", .host)),
            Row(service, .init(status: 404, text: "Blocked <b>here</b>", isHTML: true), retry("ProxyPage 404", .host)),
            Row(
                service,
                .init(status: 410, text: "it has expired", isHTML: true),
                rejected("HTTP 410", gone)
            ),
            Row(service, .init(status: 404, text: "{}", isHTML: true), rejected("HTTP 404", gone)),
            Row(service, .init(status: 404, isHTML: true), rejected("HTTP 404", gone)),
            Row(service, .init(status: 404, text: "<no such subscription>"), rejected("HTTP 404", gone)),
            Row(service, .init(status: 400, text: "<html>"), retry("ProxyPage 400", .host)),
            Row(service, .init(status: 403, text: "<html>"), retry("ProxyPage 403", trouble)),
            Row(service, .init(status: 407, text: "<?xml version='1.0'?>"), retry("ProxyPage 407", trouble)),
            Row(service, .init(status: 410, text: "<html><p>x"), retry("ProxyPage 410", .host)),
            Row(service, .init(status: 413, text: "<html>"), retry("ProxyPage 413", .host)),
            Row(service, .init(status: 429, text: "<html>"), retry("HTTP 429", tooMany)),
            Row(service, .init(status: 502, text: "<html>"), retry("HTTP 502", trouble)),
            Row(service, .init(status: 410), rejected("HTTP 410", gone)),
            Row(service, .init(status: 413), rejected("HTTP 413")),
            Row(
                service,
                .init(status: 429, retryAfter: .seconds(7)),
                retry("HTTP 429", tooMany, after: .seconds(7))
            ),
            Row(service, .init(status: 500), retry("HTTP 500", trouble)),
            Row(service, .init(status: 503, retryAfter: .seconds(1)), retry("HTTP 503", trouble, after: .seconds(1))),
        ]
    }

    /// What only one of them means.
    static let own: [Row] = [
        Row(
            .google,
            .init(
                status: 403,
                text: "the VAPID credentials in the authorization header do not correspond to the credentials used"
            ),
            rejected("VapidKeyMismatch", .wrongTopic)
        ),
        Row(.mozilla, .init(status: 410, errno: 102), rejected("errno 102", gone)),
        Row(.mozilla, .init(status: 404, errno: 103), rejected("errno 103", gone)),
        Row(.mozilla, .init(status: 410, errno: 105), rejected("errno 105", gone)),
        Row(.mozilla, .init(status: 410, errno: 106), rejected("errno 106", gone)),
        Row(.mozilla, .init(status: 413, errno: 104), rejected("errno 104")),
        // Not a refusal: what it says of the subscription counts for nothing.
        Row(.mozilla, .init(status: 384, errno: 103), rejected("errno 103")),
        Row(.mozilla, .init(status: 400, errno: 111), rejected("errno 111")),
        Row(.mozilla, .init(status: 400, errno: 112), rejected("errno 112")),
        Row(.mozilla, .init(status: 400, errno: 113), rejected("errno 113")),
        Row(
            .mozilla,
            .init(status: 401, errno: 109, text: "VAPID public key mismatch"),
            rejected("VapidKeyMismatch", .wrongTopic)
        ),
        Row(.mozilla, .init(status: 503, errno: 201), retry("errno 201", .provider)),
        Row(.mozilla, .init(status: 503, errno: 202), retry("errno 202", .provider, after: .zero)),
        Row(
            .mozilla,
            .init(status: 503, errno: 202, retryAfter: .seconds(5)),
            retry("errno 202", .provider, after: .seconds(5))
        ),
        Row(
            .mozilla,
            .init(status: 429, errno: 201, retryAfter: .seconds(120)),
            retry("errno 201", .overloaded, after: .seconds(120))
        ),
        Row(.microsoft, .init(status: 201, notificationStatus: "received"), .accepted),
        Row(.microsoft, .init(status: 201, notificationStatus: "dropped"), retry("WNSDropped", .rateLimited)),
        Row(
            .microsoft,
            .init(status: 200, notificationStatus: "channelthrottled"),
            retry("WNSThrottled", .rateLimited)
        ),
        Row(
            .microsoft,
            .init(status: 406, retryAfter: .seconds(60)),
            retry("HTTP 406", .overloaded, after: .seconds(60))
        ),
        Row(.google, .init(status: 406), rejected("HTTP 406")),
        Row(.apple, .init(status: 400, reason: "VapidPkHashMismatch"), rejected("VapidPkHashMismatch", .wrongTopic)),
        Row(.apple, .init(status: 400, reason: "BadTtl"), rejected("BadTtl")),
        Row(.apple, .init(status: 400, reason: "BadUrgency"), rejected("BadUrgency")),
        Row(.apple, .init(status: 400, reason: "BadWebPushTopic"), rejected("BadWebPushTopic")),
        Row(.apple, .init(status: 400, reason: "BadWebPushRequest"), rejected("BadWebPushRequest")),
        Row(.apple, .init(status: 403, reason: "BadAuthorizationHeader"), rejected("BadAuthorizationHeader")),
        Row(.apple, .init(status: 400, reason: "BadVapidPublicKey"), rejected("BadVapidPublicKey")),
        Row(.otherService, .init(status: 401), rejected("HTTP 401")),
        Row(.otherService, .init(status: 403), rejected("HTTP 403")),
    ]

    @Test("each row ends in its outcome", arguments: common + own)
    func outcomes(_ row: Row) {
        #expect(WebPushVerdict.outcome(of: row.answer, at: row.service, sentAt: Self.sent) == row.outcome)
    }

    @Test(
        "a refusal of the app's token pauses that service, with advice",
        arguments: [
            (Environment.google, WebPushAnswer(status: 403)), (.google, WebPushAnswer(status: 401)),
            (.mozilla, WebPushAnswer(status: 401, errno: 109)), (.microsoft, WebPushAnswer(status: 401)),
            (.apple, WebPushAnswer(status: 403, reason: "BadJwtToken")),
        ]
    )
    func misconfigured(_ service: Environment, _ answer: WebPushAnswer) {
        let outcome = WebPushVerdict.outcome(of: answer, at: service, sentAt: Self.sent)
        guard case .misconfigured(let misconfiguration) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(misconfiguration.reason == answer.recordedReason)
        #expect(misconfiguration.advice.contains("subject"))
    }

    @Test("a refusal that does not speak of the subscription or of its size is our mistake; another status is unknown")
    func strange() {
        let mistakes: [(Environment, WebPushAnswer)] = [
            (.apple, .init(status: 400, reason: "BadTtl")), (.apple, .init(status: 400, reason: "BadUrgency")),
            (.apple, .init(status: 400, reason: "BadWebPushTopic")),
            (.apple, .init(status: 400, reason: "BadWebPushRequest")),
            (.apple, .init(status: 403, reason: "BadAuthorizationHeader")),
            (.apple, .init(status: 400, reason: "BadVapidPublicKey")),
            (.mozilla, .init(status: 400, errno: 111)), (.mozilla, .init(status: 400, errno: 112)),
            (.mozilla, .init(status: 400, errno: 113)), (.microsoft, .init(status: 400)), (.google, .init(status: 400)),
        ]
        for (service, answer) in mistakes { #expect(strangeness(answer, service) == .defect, "\(service) \(answer)") }
        let others: [(Environment, WebPushAnswer)] = [
            (.apple, .init(status: 201)), (.apple, .init(status: 410)), (.apple, .init(status: 503)),
            (.apple, .init(status: 400, reason: "VapidPkHashMismatch")),
            (.apple, .init(status: 403, reason: "BadJwtToken")), (.google, .init(status: 413)),
            (.mozilla, .init(status: 413, errno: 104)), (.otherService, .init(status: 400)),
            (.otherService, .init(status: 302)),
        ]
        for (service, answer) in others { #expect(strangeness(answer, service) == nil, "\(service) \(answer)") }
        #expect(strangeness(.init(status: 302), .google) == .unknown)
    }

    private func strangeness(_ answer: WebPushAnswer, _ service: Environment) -> WebPushVerdict.Strangeness? {
        let outcome = WebPushVerdict.outcome(of: answer, at: service, sentAt: Self.sent)
        return WebPushVerdict.strangeness(of: answer, at: service, outcome)
    }

    @Test("what is read of an answer is bounded, and what cannot be read counts as absent")
    func reading() {
        func answer(_ body: String, _ fields: [String: String] = [:]) -> WebPushAnswer {
            WebPushAnswer(status: 410, body: Array(body.utf8), now: Self.sent) { fields[$0] }
        }
        #expect(answer(#"{"errno":103,"message":"expired"}"#).errno == 103)
        #expect(answer(#"{"reason":"BadTtl"}"#).reason == "BadTtl")
        #expect(answer(#"{"reason":"a b","errno":"x"}"#).recordedReason == "HTTP 410")
        #expect(answer("<html>").recordedReason == "HTTP 410")
        for row in RetryAfterRow.all {
            #expect(answer("{", ["retry-after": row.text]).retryAfter == row.delay, "\(row.text)")
        }
        #expect(answer("", ["x-wns-notificationstatus": "Dropped"]).notificationStatus == "dropped")
        #expect(answer("<p>x", ["content-type": "Text/HTML; charset=utf-8"]).isPage)
        #expect(!answer("x", ["content-type": "text/plain"]).isPage)
    }
}
