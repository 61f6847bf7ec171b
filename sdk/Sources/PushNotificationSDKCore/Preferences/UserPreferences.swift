import Foundation
import MartletWire

/// The preferences of the user who is logged in: read, changed in the order of the calls, and kept for when there is no
/// connection. A call begins when it is made, for whoever is the user then.
final class UserPreferences: Sendable {
    private static let path = "preferences"

    private let calls: UserCalls
    private let file: UserFile<PreferencesResponse>
    /// Changes, one after the other: the last switch of two is the one that stands.
    private let changes = JobQueue()

    init(_ calls: UserCalls) {
        self.calls = calls
        file = UserFile(calls.context, kind: "preferences")
    }

    /// What was read last, while its user is logged in.
    var cached: NotificationPreferences? {
        guard let user = calls.context.identity.userID else { return nil }
        return file.value(of: user).map(NotificationPreferences.init)
    }

    func load() throws(PushNotificationError) -> UserWork<NotificationPreferences> {
        let user = try calls.user()
        return { [self] () async throws(PushNotificationError) in
            let request = UserRequest("GET", Self.path)
            return try take(try await calls.value(PreferencesResponse.self, for: request, of: user), of: user)
        }
    }

    func set(_ change: PreferencesChange) throws(PushNotificationError) -> UserWork<NotificationPreferences> {
        let user = try calls.user()
        return changes.begin { [self] () async throws(PushNotificationError) in
            var request = UserRequest("PATCH", Self.path)
            request.body = try? JSONEncoder().encode(change.update)
            return try take(try await calls.value(PreferencesResponse.self, for: request, of: user), of: user)
        }
    }

    /// Somebody logged in or out.
    func forgetOthers() { file.forgetOthers() }

    private func take(
        _ response: PreferencesResponse,
        of user: String
    ) throws(PushNotificationError) -> NotificationPreferences {
        let isKept: Void? = file.change(of: user) { kept in
            // An answer that was overtaken on its way says what is not so any more.
            if kept?.revision ?? 0 <= response.revision { kept = response }
        }
        guard isKept != nil else { throw .loginRequired }
        return NotificationPreferences(response)
    }
}
