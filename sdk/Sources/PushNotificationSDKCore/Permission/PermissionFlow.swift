import Foundation

/// Asks for permission. Callers that come while the system's prompt is shown share its answer.
final class PermissionFlow: Sendable {
    typealias Answer = Result<Bool, PushNotificationError>
    typealias Completion = @Sendable (Answer) -> Void

    private let platform: any Platform
    private let log: Log
    /// The callers that wait; `nil` when nothing is under way.
    private let waiting = Locked<[Completion]?>(nil)

    init(_ platform: any Platform, log: Log) {
        self.platform = platform
        self.log = log
    }

    /// What the person allowed, asked where nobody asked before. The completion is called once, on the main thread.
    ///
    /// - Parameter before: called with what was allowed before, unless the caller shares another one's prompt.
    func request(
        _ options: AuthorizationOptions,
        before: @escaping @Sendable (AuthorizationStatus) -> Void = { _ in },
        completion: @escaping Completion
    ) {
        let begins = waiting.with { waiting in
            defer { waiting = (waiting ?? []) + [completion] }
            return waiting == nil
        }
        guard begins else { return }
        Task {
            let answer = await decide(options, before)
            if answer == .success(true) { await platform.registerForRemoteNotifications() }
            let waiting = waiting.with { waiting in
                defer { waiting = nil }
                return waiting ?? []
            }
            DispatchQueue.main.async { for completion in waiting { completion(answer) } }
        }
    }

    private func decide(
        _ options: AuthorizationOptions,
        _ before: @Sendable (AuthorizationStatus) -> Void
    ) async -> Answer {
        let status = await platform.authorizationStatus()
        before(status)
        if let answer = status.answer(to: options) { return answer }
        do {
            return .success(try await platform.requestAuthorization(options))
        } catch {
            // The system's one reason not to ask is that notifications are not allowed here at all.
            log(.error, "The system could not ask for permission: \(error.localizedDescription)")
            return .failure(.permissionDenied)
        }
    }
}

extension AuthorizationStatus {
    /// What a request comes to without asking; `nil` where the person is asked.
    func answer(to options: AuthorizationOptions) -> PermissionFlow.Answer? {
        switch self {
        case .notDetermined: nil
        case .denied: .failure(.permissionDenied)
        // Quiet notifications on trial become full ones by asking.
        case .provisional: options.contains(.provisional) ? .success(true) : nil
        case .authorized, .ephemeral: .success(true)
        }
    }
}
