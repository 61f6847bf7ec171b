public import MartletCore
import MartletStore
import MartletWire

extension Submitter {
    /// Sends what a notification said to those who missed it, as a notification of its own that leaves no inbox item. Nobody
    /// gets it who has it on a device, from this notification or from one that sent it again: these share a dedup key.
    ///
    /// - Throws: `Failure` with ``ErrorCode/conflict`` while the notification is under way, after it was taken back, and where
    ///   nobody is left; naming `reasons` where there are more devices than an audience may name; as
    ///   ``submit(_:idempotency:)`` does.
    public func resend(
        _ notification: Notification,
        of app: App,
        for reasons: ResendReasons,
        idempotency: IdempotencyRecord?
    ) async throws -> Resent {
        if let idempotency, let known = try await repeated(idempotency) { return try await resent(known) }
        let targets = try await targets(again: notification, for: reasons)
        let submission = Submission(again: notification, of: app, targets, now: clock.now())
        return try await resent(try await submit(submission, idempotency: idempotency))
    }

    /// For how many devices ``resend(_:of:for:idempotency:)`` would be now; sends nothing.
    ///
    /// - Throws: as that does.
    package func countResend(_ notification: Notification, for reasons: ResendReasons) async throws -> Int {
        try await targets(again: notification, for: reasons).endpoints.count
    }

    private func targets(again notification: Notification, for reasons: ResendReasons) async throws -> ResendTargets {
        guard notification.isOver else {
            throw Failure(
                .conflict,
                "The notification is still going on.",
                hint: """
                    Wait until it is done, or cancel it: martlet notifications cancel \(notification.id), or DELETE \
                    /api/v1/notifications/\(notification.id).
                    """
            )
        }
        let targets = try await store.resendTargets(
            of: notification.row,
            for: reasons,
            limit: Audience.limit,
            among: nil
        )
        try Self.check(targets)
        return targets
    }

    private static func check(_ targets: ResendTargets) throws(Failure) {
        if targets.isRecalled { throw Failure(.conflict, "The notification was taken back.") }
        guard !targets.isOver else {
            throw .invalid(
                "reasons",
                "There are more than \(Audience.limit) devices to send it to again.",
                hint: "Name fewer reasons at a time, or send a new notification with a dedup key."
            )
        }
        guard !targets.endpoints.isEmpty else {
            throw Failure(
                .conflict,
                "There is nobody to send it to again.",
                hint: "GET …/missed says who missed it, and why; they have it by now, or no device."
            )
        }
    }

    private func resent(_ submitted: Submitted) async throws -> Resent {
        let audience = try await store.notification(submitted.id)?.audience
        return Resent(id: submitted.id, count: audience?.count ?? 0, isRepeated: submitted.isRepeated)
    }
}
