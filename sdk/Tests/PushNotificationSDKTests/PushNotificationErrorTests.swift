import Foundation
import PushNotificationSDKCore
import Testing

@Suite struct PushNotificationErrorTests {
    static let all: [PushNotificationError] = [
        .invalidConfiguration("apiKey"), .permissionDenied, .invalidToken, .networkError(TransportError.timedOut),
        .networkError(TransportError.unreachable("offline")), .networkError(URLError(.badURL)),
        .serverError(statusCode: 401, message: "m"), .serverError(statusCode: 404, message: "m"),
        .serverError(statusCode: 422, message: "m"), .serverError(statusCode: 429, message: "m"),
        .serverError(statusCode: 500, message: "m"), .notConfigured, .registrationFailed("no entitlement"),
        .linkRefused("scheme"), .attachmentFailed("size"), .eventsRejected(count: 2, message: "m"),
        .loginRequired,
    ]

    @Test("every error says what happened and what to do, in both languages", arguments: all)
    func textIsComplete(_ error: PushNotificationError) {
        #expect(error.errorDescription?.isEmpty == false)
        #expect(error.recoverySuggestion?.isEmpty == false)
        let english = error.text(in: .english)
        let japanese = error.text(in: .japanese)
        #expect(english != japanese)
        #expect(english.description.utf8.allSatisfy { $0 < 0x80 })
        #expect(english.suggestion.utf8.allSatisfy { $0 < 0x80 })
        #expect(japanese.description.unicodeScalars.contains { $0.value > 0x3000 })
        #expect(japanese.suggestion.unicodeScalars.contains { $0.value > 0x3000 })
    }

    @Test("through any Error and NSError the same text is read", arguments: all)
    func textSurvivesErasure(_ error: PushNotificationError) {
        let erased: any Error = error
        #expect(erased.localizedDescription == error.errorDescription)
        #expect((erased as NSError).domain == PushNotificationError.errorDomain)
        #expect((erased as NSError).code == error.errorCode)
    }

    @Test func theCodesAreDistinctAndNeverChange() {
        let codes: [(PushNotificationError, Int)] = [
            (.invalidConfiguration(""), 1), (.permissionDenied, 2), (.invalidToken, 3),
            (.networkError(TransportError.timedOut), 4), (.serverError(statusCode: 500, message: ""), 5),
            (.notConfigured, 6), (.registrationFailed(""), 7), (.linkRefused(""), 8), (.attachmentFailed(""), 9),
            (.eventsRejected(count: 1, message: ""), 10), (.loginRequired, 11),
        ]
        for (error, code) in codes { #expect(error.errorCode == code) }
    }

    @Test("the first preferred language decides")
    func language() {
        let cases: [([String], ErrorLanguage)] = [
            (["ja"], .japanese), (["ja-JP", "en"], .japanese), (["JA_JP"], .japanese), (["en-US", "ja"], .english),
            (["jam-JM"], .english), ([], .english), (["fr"], .english),
        ]
        for (preferred, language) in cases { #expect(ErrorLanguage(preferred: preferred) == language) }
    }

    @Test("what to do follows the status")
    func adviceFollowsStatus() {
        func suggestion(_ status: Int) -> String {
            PushNotificationError.serverError(statusCode: status, message: "").text(in: .english).suggestion
        }
        #expect(suggestion(401) == suggestion(403))
        #expect(suggestion(429) == suggestion(503))
        #expect(Set([401, 404, 422, 500].map(suggestion)).count == 4)
    }

    @Test func errorsAreComparedByWhatTheySay() {
        for (index, one) in Self.all.enumerated() {
            for (other, two) in Self.all.enumerated() { #expect((one == two) == (index == other)) }
        }
    }
}
