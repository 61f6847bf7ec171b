import UserNotifications

/// Where the app stands on the phone.
public enum AppState: String, Sendable, CaseIterable {
    /// Not running, and the system may start it in the background.
    case notRunning
    /// Not running, because the user swiped it away: only the user starts it again.
    case swipedAway
    /// Running or suspended, not in front.
    case background
    /// In front.
    case foreground
}

/// What the system does with a push: a decision without a phone.
struct ArrivalPlan: Equatable {
    /// The service extension is given the content first.
    var runsExtension = false
    /// The app says whether and how it shows.
    var asksApp = false
    /// It shows in Notification Center and on the lock screen.
    var shows = false
    /// The number on the icon changes, unless the app is asked.
    var setsBadge = false
    /// The app is told of `content-available`, and started for it if need be.
    var tellsApp = false
}

extension ArrivalPlan {
    /// - Parameters:
    ///   - payload: what the system reads of the push.
    ///   - permission: what the user allows.
    ///   - hasExtension: whether the app brought a service extension.
    init(_ payload: SystemPayload, permission: NotificationPermission, state: AppState, hasExtension: Bool) {
        let mayAlert = permission.mayNotify && permission.granted.contains(.alert)
        let isVisible = payload.hasAlert && mayAlert
        let isHeard = payload.content.sound != nil && permission.mayNotify && permission.granted.contains(.sound)
        let isCounted = payload.content.badge != nil && permission.mayNotify && permission.granted.contains(.badge)
        runsExtension = isVisible && payload.isMutable && hasExtension
        if state == .foreground {
            // Apple asks the app about everything that the user would notice.
            asksApp = isVisible || isHeard || isCounted
        } else {
            shows = isVisible
            setsBadge = isCounted
        }
        // An app that the user swiped away is not started for a push in the background.
        tellsApp = payload.isContentAvailable && state != .swipedAway
    }
}
