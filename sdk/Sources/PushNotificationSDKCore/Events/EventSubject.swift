import Foundation
import MartletWire

/// Who and what events of this install are about. The device is asked once, when it is first needed.
package final class EventSubject: Sendable {
    private struct State {
        var facts: DeviceFacts?
        var fcmToken: String?
        var hasReadToken = false
    }

    private static let tokenKey = "martlet.fcm-token"

    private let identity: Identity
    private let platform: any Platform
    private let storage: any KeyValueStore
    private let state = Locked(State())

    /// A subject; nothing is read or asked yet.
    package init(identity: Identity, platform: any Platform, storage: any KeyValueStore) {
        self.identity = identity
        self.platform = platform
        self.storage = storage
    }

    /// What is known now, without waiting.
    package var now: EventContext {
        var context = EventContext()
        context.userID = identity.userID
        // Before the first unlock there is no id; it is added when the event is sent.
        context.installationID = (try? identity.installationID())?.description
        context.apnsToken = identity.apnsToken
        context.fcmToken = fcmToken
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

    /// Firebase's token, where the app has one; it outlives the process.
    package var fcmToken: String? {
        if let known = state.with({ $0.hasReadToken ? .some($0.fcmToken) : nil }) { return known }
        let stored: Data?
        do throws(StorageUnreadable) {
            stored = try storage.data(for: Self.tokenKey)
        } catch {
            // It is asked again with the next event.
            return nil
        }
        return state.with { state in
            if !state.hasReadToken { state.fcmToken = stored.map { String(decoding: $0, as: UTF8.self) } }
            state.hasReadToken = true
            return state.fcmToken
        }
    }

    /// Sets Firebase's token.
    ///
    /// - Returns: whether it is another one than before.
    package func set(fcmToken token: String?) -> Bool {
        let before = fcmToken
        state.with { state in
            state.fcmToken = token
            state.hasReadToken = true
        }
        if let token { try? storage.set(token, for: Self.tokenKey) } else { try? storage.remove(Self.tokenKey) }
        return before != token
    }
}
