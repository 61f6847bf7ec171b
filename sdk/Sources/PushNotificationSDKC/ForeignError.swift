import CPushNotificationSDK
import Foundation
import PushNotificationSDKCore

/// An error as C is told of it.
struct ForeignError {
    /// One of the header's codes, which are those of `PushNotificationError.errorCode`.
    let code: Int32
    /// What went wrong, in the language of the person.
    let message: String
    /// What to do about it, in the language of the person.
    let recoverySuggestion: String

    /// The façade's error in C's words.
    init(_ error: PushNotificationError) {
        code = Int32(error.errorCode)
        message = error.localizedDescription
        recoverySuggestion = error.recoverySuggestion ?? ""
    }

    /// The error in the header's form: the texts cut between characters where they do not fit.
    var record: PushSDKError {
        var record = PushSDKError()
        record.code = code
        withUnsafeMutableBytes(of: &record.message) { Self.copy(message, into: $0) }
        withUnsafeMutableBytes(of: &record.recoverySuggestion) { Self.copy(recoverySuggestion, into: $0) }
        return record
    }

    /// Hands over the error in the header's form, which is there until the call returns.
    func withRecord(_ body: (UnsafePointer<PushSDKError>?) -> Void) {
        // An optional already: the toolchain of Linux has not what converts pointers where Objective-C is on.
        withUnsafePointer(to: record) { body(Optional($0)) }
    }

    /// Copies as many whole characters as fit before the zero byte; the place is all zeros already.
    static func copy(_ text: String, into place: UnsafeMutableRawBufferPointer) {
        var length = 0
        for character in text {
            let bytes = character.utf8
            guard length + bytes.count < place.count else { return }
            for byte in bytes {
                place[length] = byte
                length += 1
            }
        }
    }
}
