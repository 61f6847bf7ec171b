import Foundation

/// One call that somebody waits for: sent again where that may help, and over within the app's time limit, attempts and
/// waits together.
struct RepeatedCall: Sendable {
    /// Makes other header fields after a 401, once; `nil` where there are none.
    typealias Renewal = @Sendable () async -> [String: String]?

    private let context: ClientContext
    private var call: HTTPCall
    private let renewal: Renewal
    private let policy = RetryPolicy()

    init(_ call: HTTPCall, in context: ClientContext, renewal: @escaping Renewal = { nil }) {
        self.call = call
        self.context = context
        self.renewal = renewal
    }

    /// The server's answer to the last attempt, which is a success.
    ///
    /// - Throws: ``PushNotificationError``: `networkError`, `serverError`.
    func answer() async throws(PushNotificationError) -> HTTPAnswer {
        let clock = context.environment.clock
        let deadline = clock.monotonic + Int64(context.configuration.timeout * 1000)
        var call = call
        var (attempt, isRenewed) = (1, false)
        while true {
            call.timeout = max(1, TimeInterval(deadline - clock.monotonic) / 1000)
            let (result, retryAfter) = try await once(call)
            switch result {
            case .success(let answer): return answer
            case .failure(.serverError(401, let message)):
                guard !isRenewed, let headers = await renewal() else {
                    throw .serverError(statusCode: 401, message: message)
                }
                isRenewed = true
                call.headers = headers
            case .failure(let error):
                guard error.isTemporary,
                    let wait = policy.wait(
                        after: attempt,
                        retryAfter: retryAfter,
                        random: context.environment.random()
                    ),
                    clock.monotonic + wait < deadline, (try? await clock.sleep(until: clock.now + wait)) != nil
                else { throw error }
                attempt += 1
            }
        }
    }

    /// One attempt, and after how many milliseconds the server wants another.
    private func once(
        _ call: HTTPCall
    ) async throws(PushNotificationError) -> (Result<HTTPAnswer, PushNotificationError>, Int64?) {
        do throws(TransportError) {
            let answer = try await context.environment.transport.send(call)
            guard !(200..<300).contains(answer.status) else { return (.success(answer), nil) }
            return (.failure(PushNotificationError(answer)), answer.retryAfter(now: context.environment.clock.now))
        } catch {
            // Whoever gave up waits for nothing more.
            if Task.isCancelled { throw .networkError(error) }
            return (.failure(.networkError(error)), nil)
        }
    }
}
