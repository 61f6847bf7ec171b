public import Foundation

/// Something that happened on a phone, in the order in which it did.
public enum PhoneEvent: Sendable, Equatable {
    /// The app's process started; in front or in the background.
    case started(inFront: Bool)
    /// The app went to another state.
    case became(AppState)
    /// The system asks the user.
    case asked
    /// The user answered.
    case answered(allows: Bool)
    /// APNs gave a token, in hexadecimal.
    case token(String)
    /// The app asked for a token and got none.
    case noToken
    /// The service extension ran for a notification; whether its time ran out.
    case extensionRan(id: String, expired: Bool)
    /// A notification shows.
    case shown(id: String)
    /// A push came that nobody sees.
    case silent(id: String)
    /// The app was told of something in the background.
    case told(id: String)
    /// The user tapped; the action's id.
    case acted(id: String, action: String)
    /// A notification left the screen without anybody being told.
    case cleared(id: String)
    /// The app had the system open a link; whether something took it.
    case opened(URL, Bool)
    /// The app or its SDK did what the system does not allow or does not expect.
    case fault(String)
}
