package import Foundation

/// What the app says about reloading. It outlives a client: an app may say it before it configures the SDK.
package final class RefreshHandling: Sendable {
    private struct State {
        var handler: ((RefreshRequest) -> Void)?
        var zone: ((String) -> TimeZone?)?
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

    /// Takes the handlers away, and what waits for them.
    package func forget() {
        wishes.forget()
        state.replace(\.self, with: State())
    }

    /// The day is taken when the handler is called: a wish that waited over midnight is about the new day.
    private func fulfil(_ due: Due) {
        let zone = zone?(due.wish.deviceID) ?? due.timeZone()
        handler?(RefreshRequest(due.wish, today: ObservedDay.text(of: due.clock.now, in: zone)))
    }
}
