package import MartletWire

/// What became of the wish to cancel a notification. A pure value.
package enum CancelOutcome: String, Sendable, Hashable {
    case cancelled
    /// Nothing was left to cancel, and nothing is recorded of it.
    case wasDone = "was_done"
    /// Somebody had cancelled it before, and nothing more is recorded of it.
    case wasCancelled = "was_cancelled"

    /// - Parameters:
    ///   - before: how it stood when it was asked for.
    ///   - after: how it stands now.
    package init(before: NotificationStatus, after: NotificationStatus) {
        switch (before, after) {
        case (.cancelled, _): self = .wasCancelled
        case (_, .cancelled): self = .cancelled
        default: self = .wasDone
        }
    }
}
