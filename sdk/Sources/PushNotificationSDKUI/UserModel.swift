import PushNotificationSDKCore

/// Says whose inbox and preferences a source has.
@MainActor
package protocol UserSource {
    /// The user who is logged in.
    var user: String? { get }
    /// Hints that somebody logged in or out.
    var userChanges: AsyncStream<Void> { get }
}

/// A model of what belongs to the user who is logged in. When that is somebody else it forgets what it has, and reads what
/// is theirs.
@MainActor
protocol UserModel: ChangingModel, Sendable {
    /// Says who is logged in.
    var users: any UserSource { get }
    /// Whose things it has.
    var user: String? { get set }
    /// Why what it has may be old, or is missing.
    var trouble: PushNotificationError? { get }

    /// Forgets everything, and shows what is kept of the user.
    func reset()
    func load() async
}

extension UserModel {
    /// Begins anew where somebody else is the user by now.
    ///
    /// - Returns: whether that is so.
    @discardableResult
    func adoptUser() -> Bool {
        guard users.user != user else { return false }
        user = users.user
        reset()
        return true
    }

    /// Whether somebody is still the user. Where somebody else is, theirs is read.
    func isStill(_ owner: String?) -> Bool {
        if adoptUser() { Task { await load() } }
        return user == owner
    }

    /// Reads anew when somebody else logs in, or the same user where nothing could be read, until the task is cancelled.
    func follow(_ changes: AsyncStream<Void>) async {
        for await _ in changes {
            // Nobody waits for the answer: what the next change takes away goes at once.
            if adoptUser() || trouble != nil { Task { await load() } }
        }
    }
}
