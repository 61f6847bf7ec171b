import CPushNotificationSDK
import Foundation
import PushNotificationSDKCore
import Testing

@testable import PushNotificationSDKC

@Suite("An error as C is told of it")
struct ForeignErrorTests {
    private static let codes: [(PushNotificationError, Int)] = [
        (.invalidConfiguration("x"), PushSDKErrorInvalidConfiguration),
        (.permissionDenied, PushSDKErrorPermissionDenied),
        (.invalidToken, PushSDKErrorInvalidToken),
        (.networkError(URLError(.timedOut)), PushSDKErrorNetwork),
        (.serverError(statusCode: 500, message: "x"), PushSDKErrorServer),
        (.notConfigured, PushSDKErrorNotConfigured),
        (.registrationFailed("x"), PushSDKErrorRegistrationFailed),
        (.linkRefused("x"), PushSDKErrorLinkRefused),
        (.attachmentFailed("x"), PushSDKErrorAttachmentFailed),
        (.eventsRejected(count: 1, message: "x"), PushSDKErrorEventsRejected),
        (.loginRequired, PushSDKErrorLoginRequired),
    ]

    @Test("every error has the header's code and both texts", arguments: codes)
    func codesAreTheHeaders(error: PushNotificationError, code: Int) {
        let foreign = ForeignError(error)
        #expect(Int(foreign.code) == code)
        #expect(!foreign.message.isEmpty && !foreign.recoverySuggestion.isEmpty)
    }

    @Test("a text that fits is whole in the record, with a zero byte behind it")
    func shortTextsAreWhole() {
        var record = ForeignError(.registrationFailed("kurz")).record
        #expect(record.code == 7)
        #expect(text(&record).hasSuffix("kurz"))
    }

    @Test("a text that does not fit is cut between characters", arguments: ["a", "é", "日", "👩‍👩‍👧‍👦"])
    func longTextsAreCutBetweenCharacters(character: String) {
        var record = ForeignError(.registrationFailed(String(repeating: character, count: 600))).record
        let cut = text(&record)
        #expect(cut.utf8.count < Int(PushSDKErrorTextSize))
        #expect(cut.utf8.count + character.utf8.count >= Int(PushSDKErrorTextSize))
        #expect(cut.last == character.first && cut.count > 20)
    }

    private func text(_ record: inout PushSDKError) -> String {
        withUnsafeBytes(of: &record.message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
