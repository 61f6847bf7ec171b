import Foundation
import MartletWire

/// Who and what events of this install are about. The device is asked once, when it is first needed.
package final class EventSubject: Sendable {
    private struct State {
        var facts: DeviceFacts?
    }

    private let identity: Identity
    private let platform: any Platform
    private let state = Locked(State())

    /// A subject; nothing is read or asked yet.
    package init(identity: Identity, platform: any Platform) {
        self.identity = identity
        self.platform = platform
    }

    /// What is known now, without waiting.
    package var now: EventContext {
        var context = EventContext()
        context.userID = identity.userID
        // Before the first unlock there is no id; it is added when the event is sent.
        context.installationID = (try? identity.installationID())?.description
        context.apnsToken = identity.apnsToken
        context.fcmToken = (try? identity.fcmToken()) ?? nil
        let facts = state.with { $0.facts }
        context.deviceModel = facts?.model
        context.osVersion = facts?.osVersion
        context.appVersion = facts?.appVersion
        return context
    }

    /// What is known now, with the user of an earlier time.
    ///
    /// - Parameter time: UTC milliseconds since 1970, by the device's clock.
    package func then(at time: Int64) -> EventContext {
        var context = now
        context.userID = identity.userID(at: time)
        return context
    }

    /// What is known once the device has been asked.
    package func complete() async -> EventContext {
        if state.with({ $0.facts }) == nil {
            let facts = await platform.deviceFacts()
            state.with { $0.facts = facts }
        }
        return now
    }
}
