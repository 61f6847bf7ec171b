import Foundation
import MartletWire

/// The marks that the server has yet to hear of, in order. They outlive the process, and go with the login of their user.
final class InboxMarks: Sendable {
    /// What is told of marks that the server has done, before they wait no more, and of the counts that it answered with.
    typealias Confirm = @Sendable (ArraySlice<InboxJob>, InboxCountsResponse?) -> Void

    private let calls: UserCalls
    private let file: UserFile<[InboxJob]>
    private let queue = JobQueue()
    /// How often the server could not take marks, and why it could not the last time.
    private let failures = Locked<(count: Int, last: PushNotificationError?)>((0, nil))

    init(_ calls: UserCalls) {
        self.calls = calls
        file = UserFile(calls.context, kind: "inbox-marks")
    }

    /// What waits.
    func waiting(of user: String) -> [InboxJob] { file.value(of: user) ?? [] }

    /// Adds marks.
    ///
    /// - Returns: whether there was room for all of them.
    func add(_ jobs: [InboxJob], of user: String) -> Bool {
        let isAdded = file.change(of: user) { waiting in
            var all = waiting ?? []
            defer { waiting = all.isEmpty ? nil : all }
            return all.add(jobs)
        }
        // Somebody else is the user by now: the next step says so.
        return isAdded ?? true
    }

    /// Sends what waits; marks that the server cannot be reached with stay.
    ///
    /// - Parameter jobs: whose refusal is told.
    /// - Throws: ``PushNotificationError``, other than that the server cannot take them now.
    func send(of user: String, waitingFor jobs: [InboxJob], confirm: @escaping Confirm)
        async throws(PushNotificationError)
    {
        let result = await sent(of: user, confirm)
        if let refusal = jobs.lazy.compactMap({ result.refused[$0.number] }).first { throw refusal }
        if let stopped = result.stopped, !stopped.isTemporary { throw stopped }
    }

    /// Sends all that waits.
    ///
    /// - Throws: ``PushNotificationError``, where something still waits.
    func sendAll(of user: String, confirm: @escaping Confirm) async throws(PushNotificationError) {
        guard !waiting(of: user).isEmpty else { return }
        if let stopped = await sent(of: user, confirm).stopped { throw stopped }
    }

    /// Somebody logged in or out.
    func forgetOthers() { file.forgetOthers() }

    /// What became of the marks.
    private struct Sent: Sendable {
        /// What the server refuses for good.
        var refused: [UUID: PushNotificationError] = [:]
        /// Why something still waits.
        var stopped: PushNotificationError?
    }

    private func sent(of user: String, _ confirm: @escaping Confirm) async -> Sent {
        let before = failures.with { $0.count }
        do throws(PushNotificationError) {
            return try await queue.begin { [self] () async throws(PushNotificationError) in
                // What waited while another attempt failed has failed with it.
                let (count, last) = failures.with { $0 }
                if count > before, let last, last.isTemporary { return Sent(stopped: last) }
                let sent = await sendInTurn(of: user, confirm)
                if let stopped = sent.stopped { failures.with { $0 = ($0.count + 1, stopped) } }
                return sent
            }()
        } catch {
            return Sent(stopped: error)
        }
    }

    private func sendInTurn(of user: String, _ confirm: Confirm) async -> Sent {
        var sent = Sent()
        var width = InboxActionRequest.limit
        while let (action, jobs) = waiting(of: user).firstRequest(width: width) {
            do throws(PushNotificationError) {
                confirm(jobs, try await answer(to: action, of: user))
                remove(jobs, of: user)
                width = min(width * 2, InboxActionRequest.limit)
            } catch {
                guard error.isAboutTheRequest else {
                    sent.stopped = error
                    return sent
                }
                // One item may have left the inbox; the others are not lost with it.
                guard jobs.count == 1 else {
                    width = jobs.count / 2
                    continue
                }
                for job in jobs { sent.refused[job.number] = error }
                remove(jobs, of: user)
            }
        }
        return sent
    }

    private func answer(
        to action: InboxActionRequest,
        of user: String
    ) async throws(PushNotificationError) -> InboxCountsResponse? {
        var request = UserRequest("POST", "inbox/actions")
        var action = action
        action.installationID = try? calls.context.identity.installationID()
        request.body = try? JSONEncoder().encode(action)
        return try await calls.answer(to: request, of: user).value(InboxCountsResponse.self)
    }

    private func remove(_ jobs: ArraySlice<InboxJob>, of user: String) {
        let numbers = Set(jobs.map(\.number))
        file.change(of: user) { waiting in
            let left = (waiting ?? []).filter { !numbers.contains($0.number) }
            waiting = left.isEmpty ? nil : left
        }
    }
}

extension PushNotificationError {
    /// Whether the server does not want the request itself, now or later.
    fileprivate var isAboutTheRequest: Bool {
        guard case .serverError(let status, _) = self else { return false }
        return (400..<500).contains(status) && ![401, 403, 408, 425, 429].contains(status)
    }
}
