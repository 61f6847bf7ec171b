import Foundation

/// The app is asked for a token that speaks for the user.
package struct UserTokenRequest: Sendable {
    /// The user.
    package var user: String
    /// Takes the token, or none; the first call counts.
    package var reply: @Sendable (String?) -> Void
}

/// The token that speaks for the user, and how the app is asked for another one. Callers that come while it is asked share
/// its answer.
final class UserTokens: Sendable {
    private struct Asking {
        var user: String
        var task: Task<String?, Never>
    }

    private let context: ClientContext
    private let asking = Locked<Asking?>(nil)

    init(_ context: ClientContext) { self.context = context }

    /// Whether there is a token, or somebody to ask for one.
    func isAvailable(for user: String) -> Bool {
        context.identity.userToken(of: user) != nil || context.handlers.userTokens.handler != nil
    }

    /// Another token than the one that the server refused; `nil` where the app gives none in time, and when somebody else is
    /// the user by then.
    func token(for user: String, insteadOf refused: String?) async -> String? {
        if let known = context.identity.userToken(of: user), known != refused { return known }
        let task = asking.with { asking in
            if let asking, asking.user == user { return asking.task }
            let task = Task { await ask(user) }
            asking = Asking(user: user, task: task)
            return task
        }
        let token = await task.value
        return token == nil ? nil : context.identity.userToken(of: user)
    }

    private func ask(_ user: String) async -> String? {
        let token = await reply(for: user)
        // Kept before the next caller may ask again.
        if let token { context.identity.set(userToken: token, of: user) }
        asking.with { if $0?.user == user { $0 = nil } }
        return token
    }

    private func reply(for user: String) async -> String? {
        let requests = context.handlers.userTokens
        guard requests.handler != nil else { return nil }
        let waiting = Locked<CheckedContinuation<String?, Never>?>(nil)
        let reply: @Sendable (String?) -> Void = { token in
            waiting.replace(\.self, with: nil)?.resume(returning: token?.isEmpty == true ? nil : token)
        }
        let clock = context.environment.clock
        let deadline = clock.now + Int64(context.configuration.timeout * 1000)
        let timer = Task {
            if (try? await clock.sleep(until: deadline)) != nil { reply(nil) }
        }
        defer { timer.cancel() }
        return await withCheckedContinuation { continuation in
            waiting.with { $0 = continuation }
            requests.post(UserTokenRequest(user: user, reply: reply))
        }
    }
}
