import Foundation
import MartletCore
import Testing

@testable import MartletProviders

@Suite("Access tokens")
struct AccessTokenTests {
    private static let start = Timestamp(milliseconds: 1_700_000_000_000)

    private func at(_ seconds: Int) -> Timestamp { Self.start + .seconds(seconds) }

    private func token(_ text: String = "a", at second: Int = 0, life: Int = 3_599) -> AccessToken {
        AccessToken(text: text, obtainedAt: at(second), expiresAt: at(second + life))
    }

    private func state(_ token: AccessToken) -> AccessTokenState {
        var state = AccessTokenState()
        state.obtained(token)
        return state
    }

    @Test("without a token one is asked for")
    func first() { #expect(AccessTokenState().decision(at: Self.start) == .renew) }

    @Test("a token is renewed 225 s before its end, and used meanwhile, until 10 s before it")
    func renewal() {
        let token = token()
        let state = state(token)
        #expect(state.decision(at: at(3_373)) == .use(token))
        #expect(state.decision(at: at(3_374)) == .useAndRenew(token))
        #expect(state.decision(at: at(3_588)) == .useAndRenew(token))
        #expect(state.decision(at: at(3_589)) == .renew)
    }

    @Test("of a short-lived token the last quarter is left for renewal")
    func shortLived() {
        let token = token(life: 100)
        #expect(state(token).decision(at: at(74)) == .use(token))
        #expect(state(token).decision(at: at(76)) == .useAndRenew(token))
    }

    @Test("after a failure the endpoint rests, each time for longer, and a token that is good is used on")
    func failures() {
        var state = AccessTokenState()
        let problem = AccessTokenProblem.unavailable(reason: "HTTP 503")
        state.failed(problem, after: nil, at: at(0))
        #expect(state.decision(at: at(9)) == .rest(until: at(10), problem))
        #expect(state.decision(at: at(10)) == .renew)
        state.failed(problem, after: nil, at: at(10))
        #expect(state.decision(at: at(29)) == .rest(until: at(30), problem))
        state.failed(problem, after: .seconds(90), at: at(30))
        #expect(state.decision(at: at(119)) == .rest(until: at(120), problem))
        for _ in 0..<20 { state.failed(problem, after: nil, at: at(200)) }
        #expect(state.decision(at: at(799)) == .rest(until: at(800), problem))

        let good = token(at: 200)
        state.obtained(good)
        state.failed(problem, after: nil, at: at(3_600))
        #expect(state.decision(at: at(3_601)) == .use(good))
    }

    @Test("a refused token is replaced; a replacement that is refused at once is not")
    func refused() {
        let first = token()
        var state = state(first)
        let mayHelp = state.refused(first, at: at(10))
        #expect(mayHelp)
        #expect(state.decision(at: at(10)) == .renew)
        #expect(!state.mayAdopt(first, at: at(10)))
        let second = token("b", at: 11)
        state.obtained(second)
        // Others that were under way with the first one change nothing.
        let late = state.refused(first, at: at(12))
        #expect(late)
        #expect(state.decision(at: at(12)) == .use(second))
        let again = state.refused(second, at: at(12))
        #expect(!again)
        let muchLater = state.refused(second, at: at(11 + 61))
        #expect(muchLater)
    }

    @Test("a token of a clock that was set back is not used")
    func setBack() {
        #expect(state(token(at: 100)).decision(at: at(39)) == .renew)
    }

    @Test("what processes share can be read back, and nothing else is")
    func shared() {
        let token = token("ya29.x y")
        #expect(AccessToken(shared: token.shared) == token)
        for text in ["", "x", "12", "x y"] {
            #expect(AccessToken(shared: .init(text: text, issuedAt: Self.start)) == nil)
        }
    }

    // MARK: The endpoint's answers

    private func verdict(_ answer: TokenAnswer, isCorrected: Bool = false) -> TokenAnswer.Verdict {
        answer.verdict(for: "push@p", signedAt: Self.start, isCorrected: isCorrected, now: Self.start)
    }

    @Test("a token lasts as long as the answer says")
    func granted() {
        let body = Array(#"{"access_token":"ya29.a","expires_in":3599,"token_type":"Bearer"}"#.utf8)
        let answer = TokenAnswer(status: 200, body: body, date: nil, retryAfter: nil, now: Self.start)
        #expect(verdict(answer) == .token(token("ya29.a")))
    }

    @Test(
        "an error of the endpoint's own is waited for",
        arguments: [
            TokenAnswer(status: 503), TokenAnswer(status: 500), TokenAnswer(status: 408), TokenAnswer(status: 429),
            TokenAnswer(status: 400, error: "temporarily_unavailable"), TokenAnswer(status: 200),
            TokenAnswer(status: 403), TokenAnswer(status: 302),
        ]
    )
    func unavailable(answer: TokenAnswer) {
        guard case .problem(.unavailable, nil) = verdict(answer) else {
            Issue.record("\(verdict(answer))")
            return
        }
    }

    @Test("a grant that is refused is tried once with the endpoint's time, where that is another")
    func clock() {
        let off = TokenAnswer(status: 400, error: "invalid_grant", date: at(600))
        #expect(verdict(off) == .correctClock(to: at(600)))
        for answer in [off, TokenAnswer(status: 400, error: "invalid_grant", date: at(10))] {
            guard case .problem(.misconfigured, _) = verdict(answer, isCorrected: answer == off) else {
                Issue.record("\(verdict(answer))")
                continue
            }
        }
    }

    @Test("a refusal names the account", arguments: ["invalid_grant", "invalid_scope", "invalid_client"])
    func refusal(error: String) {
        guard case .problem(.misconfigured(let found), _) = verdict(TokenAnswer(status: 401, error: error)) else {
            Issue.record("not misconfigured")
            return
        }
        #expect(found.reason == error)
        #expect(found.advice.contains("push@p"))
    }
}
