public import Foundation
public import PushNotificationSDKCore

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
    /// FCM gave Firebase's SDK a registration token.
    case firebaseToken(String)
    /// The app, or Firebase's SDK, asked for a token and got none.
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
    /// A notification was taken off the screen by the app, its extension or its badge.
    case removed(id: String)
    /// The app had the system open a link; whether something took it.
    case opened(URL, Bool)
    /// The app shows a page in a browser of its own.
    case browsed(URL)
    /// The app called its server: the path, and the answer's status; `nil` where there was no answer.
    case called(path: String, status: Int?)
    /// The SDK called one of the app's handlers.
    case handled(HandlerCall)
    /// The app or its SDK did what the system does not allow or does not expect.
    case fault(String)
}

/// What one of the handlers that an app gives the SDK was called with.
public enum HandlerCall: Sendable, Equatable {
    /// `onNotificationReceived`.
    case received(NotificationPayload)
    /// `onNotificationActionTapped`: the action's id and the message id of its notification.
    case action(String, messageID: String?)
    /// `onError`.
    case error(PushNotificationError)
    /// `onDeepLink`: a link into the app.
    case deepLink(URL)
    /// `onRefresh`: what to reload.
    case refresh(RefreshRequest)
    /// `inbox.onUpdate`: the counts, and what changed.
    case inbox(InboxUpdate)
}
