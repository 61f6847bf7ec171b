import Foundation

extension PushNotificationSDK {
    /// Asked for a token that speaks for the user who is logged in, where the SDK has none or the server refused the one that
    /// it has: once, and again when the app comes to the front. Called on the main thread with the user and with what takes the token, or `nil` where there
    /// is none; an answer that takes longer than ``SDKConfiguration/timeout`` comes too late.
    ///
    ///     PushNotificationSDK.onUserTokenNeeded = { user, reply in
    ///         Task { reply(try? await account.pushToken(for: user)) }
    ///     }
    public static var onUserTokenNeeded: ((String, @escaping @Sendable (String?) -> Void) -> Void)? {
        get {
            handlers.userTokens.handler.map { handler in { handler(UserTokenRequest(user: $0, reply: $1)) } }
        }
        set {
            handlers.userTokens.handler = newValue.map { handler in { handler($0.user, $0.reply) } }
            // One that is set late is asked what nobody could be asked before.
            if newValue != nil { client?.userTokensAreAvailable() }
        }
    }
}
