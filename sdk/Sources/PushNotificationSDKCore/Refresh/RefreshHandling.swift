public import Foundation

extension Notification.Name {
    /// Posted on the main thread beside ``PushNotificationSDK/onRefresh``, with or without a handler there. Its `userInfo`
    /// has the texts `action`, `device_id`, `date` and `cache_key`. Who does not listen yet misses it.
    public static let refreshDashboard = Notification.Name("RefreshDashboard")
}

/// What the app says about reloading. It outlives a client: an app may say it before it configures the SDK.
package final class RefreshHandling: Sendable {
    private struct State {
        var handler: ((RefreshRequest) -> Void)?
        var zone: ((String) -> TimeZone?)?
        var isActionOptional = false
    }

    /// A wish, and the clock and the time zone of the phone that had it.
    package struct Due: Sendable {
        /// What is to be reloaded.
        package var wish: RefreshWish
        /// Tells what day it is when it is.
        package var clock: any SDKClock
        /// Where the phone is.
        package var timeZone: @Sendable () -> TimeZone
    }

    /// What is to be reloaded.
    package let wishes = Mailbox<Due>()
    private let state = Locked(State())

    /// Nothing said yet.
    package init() {}

    /// The app's handler, called on the main thread.
    package var handler: ((RefreshRequest) -> Void)? {
        get { state.with { $0.handler } }
        set {
            let old = state.replace(\.handler, with: newValue)
            wishes.handler = newValue == nil ? nil : { [weak self] due in self?.fulfil(due) }
            // Last: the end of what it captured is the app's code, and may set this again.
            withExtendedLifetime(old) {}
        }
    }

    /// The time zone of an observed device, by its id; asked on the main thread. Without an answer it is the phone's.
    package var zone: ((String) -> TimeZone?)? {
        get { state.with { $0.zone } }
        set { state.replace(\.zone, with: newValue) }
    }

    /// Whether a tapped push needs no action.
    package var isActionOptional: Bool {
        get { state.with { $0.isActionOptional } }
        set { state.with { $0.isActionOptional = newValue } }
    }

    /// Has something reloaded: by the app's handler, or the next one, and by who listens to the process's notifications now.
    package func post(_ due: Due) {
        wishes.post(due)
        DispatchQueue.main.async { [self] in
            let request = request(due)
            NotificationCenter.default.post(
                name: .refreshDashboard,
                object: nil,
                userInfo: [
                    "action": request.action, "device_id": request.deviceID, "date": request.date,
                    "cache_key": request.cacheKey,
                ]
            )
        }
    }

    /// Takes the handlers away, and what waits for them.
    package func forget() {
        wishes.forget()
        state.replace(\.self, with: State())
    }

    /// The day is taken when the handler is called: a wish that waited over midnight is about the new day.
    private func fulfil(_ due: Due) {
        handler?(request(due))
    }

    private func request(_ due: Due) -> RefreshRequest {
        let zone = zone?(due.wish.deviceID) ?? due.timeZone()
        return RefreshRequest(due.wish, today: ObservedDay.text(of: due.clock.now, in: zone))
    }
}
