import Foundation
import MartletCore
import MartletWire
import Testing

@testable import MartletProviders

@Suite("Answers of APNs")
struct AnswerTests {
    private func context(tokenAge: Duration? = .seconds(1_800), kind: CredentialKind = .token)
        -> APNsAnswerContext
    {
        let now = Timestamp(milliseconds: 1_700_000_000_000)
        return APNsAnswerContext(
            credential: kind == .token ? Rendering.token : Rendering.certificate,
            environment: .production,
            tokenIssuedAt: tokenAge.map { now - $0 },
            now: now
        )
    }

    @Test("a documented answer has its outcome and its reaction", arguments: AnswerRow.documented)
    func documented(row: AnswerRow) {
        let answer = APNsAnswer(
            status: row.status,
            reason: row.reason,
            timestamp: row.timestamp.map(Timestamp.init(milliseconds:))
        )
        let verdict = answer.verdict(in: context())
        #expect(row.matches(verdict.outcome), "\(verdict.outcome)")
        #expect(verdict.reaction == row.reaction)
        #expect(verdict.isUnknown == false)
    }

    @Test("an undocumented answer goes by its status", arguments: AnswerRow.undocumented)
    func undocumented(row: AnswerRow) {
        let answer = APNsAnswer(
            status: row.status,
            reason: row.reason,
            timestamp: row.timestamp.map(Timestamp.init(milliseconds:))
        )
        let verdict = answer.verdict(in: context())
        #expect(row.matches(verdict.outcome), "\(verdict.outcome)")
        #expect(verdict.reaction == .none)
        #expect(verdict.isUnknown)
    }

    @Test(
        "what is said against another app's topic disables no endpoint and pauses nobody",
        arguments: ["DeviceTokenNotForTopic", "Unregistered", "TopicDisallowed", "InvalidProviderToken", "Forbidden"]
    )
    func foreignTopic(reason: String) throws {
        let row = try #require(APNsAnswerTable.rows[reason])
        let answer = APNsAnswer(status: row.status, reason: reason, timestamp: nil)
        var context = context()
        let own = answer.verdict(in: context).outcome
        context.isTopicForeign = true
        let foreign = answer.verdict(in: context).outcome
        #expect(foreign == .rejected(.init(reason: reason, meaning: .nothing)))
        #expect(own != foreign)
    }

    @Test("every reason that Apple documents has a code of ours")
    func codes() {
        for reason in APNsAnswerTable.rows.keys {
            #expect(ReasonCode(ofProvider: reason) != .other, "\(reason)")
        }
    }

    @Test("the table of the code and of this test have the same reasons")
    func sameReasons() {
        let reasons = Set(AnswerRow.documented.compactMap(\.reason))
        #expect(Set(APNsAnswerTable.rows.keys) == reasons)
        for row in AnswerRow.documented {
            if let reason = row.reason { #expect(APNsAnswerTable.rows[reason]?.status == row.status) }
        }
    }

    @Test("a fresh token that counts as expired is a matter of clocks, with the difference")
    func freshTokenExpired() throws {
        let date = Timestamp(milliseconds: 1_700_000_000_000 + 7_200_000)
        let cases: [(Timestamp?, String)] = [
            (date, "7200 s behind"), (Timestamp(milliseconds: 1_699_999_000_000), "1000 s ahead of"),
            (nil, "NTP"), (Timestamp(milliseconds: 1_700_000_000_000), "the clocks agree"),
        ]
        for (date, words) in cases {
            let answer = APNsAnswer(status: 403, reason: "ExpiredProviderToken", date: date)
            let verdict = answer.verdict(in: context(tokenAge: .seconds(1_199)))
            guard case .misconfigured(let found) = verdict.outcome else {
                Issue.record("\(verdict.outcome)")
                continue
            }
            #expect(found.advice.contains(words))
            #expect(verdict.reaction == .none)
        }
    }

    @Test("a token of twenty minutes or more that counts as expired is renewed")
    func oldTokenExpired() {
        let answer = APNsAnswer(status: 403, reason: "ExpiredProviderToken")
        for age: Duration? in [.seconds(1_200), .seconds(3_000), nil] {
            #expect(answer.verdict(in: context(tokenAge: age)).reaction == .renewToken)
        }
    }

    @Test("a token that a clock which was set back has put into the future is renewed, and pauses nothing")
    func tokenOfFuture() {
        let answer = APNsAnswer(status: 403, reason: "InvalidProviderToken")
        let verdict = answer.verdict(in: context(tokenAge: .seconds(-61)))
        #expect(verdict.outcome == .retry(.init(reason: "InvalidProviderToken", kind: .connection, after: .zero)))
        #expect(verdict.reaction == .renewToken)
        guard case .misconfigured = answer.verdict(in: context(tokenAge: .seconds(-60))).outcome else {
            Issue.record("a little ahead is no other token's matter")
            return
        }
    }

    @Test("a body is read leniently and its reason is bounded")
    func bodies() {
        func answer(_ body: String, retryAfter: String? = nil) -> APNsAnswer {
            APNsAnswer(status: 400, body: Array(body.utf8), date: nil, retryAfter: retryAfter, now: RetryAfterRow.now)
        }
        #expect(answer(#"{"reason":"BadTopic","timestamp":7}"#).timestamp == Timestamp(milliseconds: 7))
        #expect(answer(#"{"reason":"BadTopic"}"#).reason == "BadTopic")
        #expect(answer(#"{"reason":7,"timestamp":"x"}"#) == APNsAnswer(status: 400))
        #expect(answer("").recordedReason == "HTTP 400")
        #expect(answer("<html>").reason == nil)
        #expect(answer(#"{"reason":""}"#).recordedReason == "HTTP 400")
        #expect(answer(#"{"reason":"a b\nc"}"#).reason == "a?b?c")
        #expect(answer("{\"reason\":\"\(String(repeating: "x", count: 500))\"}").reason?.utf8.count == 64)
    }

    @Test("retry-after is passed on where something is tried again")
    func retryAfter() {
        let answer = APNsAnswer(status: 503, reason: "ServiceUnavailable", retryAfter: .seconds(17))
        let expected = Outcome.Retry(reason: "ServiceUnavailable", kind: .provider, after: .seconds(17))
        #expect(answer.verdict(in: context()).outcome == .retry(expected))
    }

    @Test("no advice shows a placeholder for a credential that has its ids")
    func advice() {
        for row in AnswerRow.documented {
            let answer = APNsAnswer(status: row.status, reason: row.reason)
            if case .misconfigured(let found) = answer.verdict(in: context()).outcome {
                #expect(!found.advice.contains("?"))
                #expect(found.advice.count > 20)
            }
        }
    }

    @Test(
        "a date of HTTP is read",
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
            ("Thu, 29 Feb 2024 23:59:59 GMT", 1_709_251_199), ("Fri, 31 Dec 2100 00:00:00 GMT", 4_133_894_400),
        ] as [(String, Int64)]
    )
    func dates(text: String, seconds: Int64) {
        #expect(HTTPDate.parse(text) == Timestamp(milliseconds: seconds * 1_000))
    }

    @Test(
        "other texts are no date",
        arguments: [
            "", "yesterday", "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 06 Foo 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 25:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT",
        ]
    )
    func badDates(text: String) { #expect(HTTPDate.parse(text) == nil) }
}
