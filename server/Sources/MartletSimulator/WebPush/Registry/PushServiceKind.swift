import Foundation

/// Whose push service a subscription is at.
package enum PushServiceKind: String, Sendable, Codable, CaseIterable {
    case google, mozilla, microsoft, apple
    /// Any other, by RFC 8030 alone; its addresses are the simulator's own.
    case other

    /// The origin of its addresses; `nil` for the simulator's own.
    var origin: String? {
        switch self {
        case .google: "https://fcm.googleapis.com"
        case .mozilla: "https://updates.push.services.mozilla.com"
        case .microsoft: "https://wns2-par02p.notify.windows.com"
        case .apple: "https://web.push.apple.com"
        case .other: nil
        }
    }

    /// The path of its addresses, before the token.
    var path: String {
        switch self {
        case .google: "/fcm/send/"
        case .mozilla: "/wpush/v2/"
        case .microsoft: "/w/?token="
        case .apple: "/"
        case .other: "/push/"
        }
    }
}

/// A browser's subscription as its push service knows it.
struct PushSubscription: Sendable {
    enum State: String, Sendable, Codable { case active, gone, missing }

    /// Who takes the messages.
    enum Agent: Sendable {
        /// The simulator itself, with these keys.
        case simulated(UserAgentKeys)
        /// A real browser, by its id here, and its name for the subscription.
        case browser(agent: String, channel: String)
    }

    let id: String
    let service: PushServiceKind
    let origin: String
    /// The key that `subscribe()` was called with; `nil` for none.
    let applicationServerKey: Data?
    let agent: Agent
    var state = State.active
    /// Bytes of a body at most.
    var sizeLimit = PushCheck.sizeLimit
    /// Messages that were accepted.
    var messages = 0

    var endpoint: String { origin + service.path + id }
}
