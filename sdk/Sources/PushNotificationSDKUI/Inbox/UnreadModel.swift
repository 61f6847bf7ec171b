import PushNotificationSDKCore

/// How many items are not read, as it is kept: with what the server said last and each mark since.
@MainActor
package final class UnreadModel: ChangingModel {
    package var onChange: () -> Void = {}
    package private(set) var unread = 0

    private let source: any InboxSource
    /// Of whom the server was asked for the number; `nil` where it did not answer.
    private var counted: String?

    package init(_ source: any InboxSource) { self.source = source }

    /// Counts, until the task is cancelled.
    package func run() async {
        let (updates, userChanges) = (source.updates, source.userChanges)
        let marks = InboxModel.marked.stream()
        async let marked: Void = follow(marks)
        async let followed: Void = followUsers(userChanges)
        await count()
        for await _ in updates { take() }
        await marked
        await followed
    }

    private func count() async {
        take()
        let user = source.user
        counted = user
        // Without an answer what is kept stays, and where nobody is logged in nothing is kept.
        if (try? await source.counts()) == nil, counted == user { counted = nil }
        take()
    }

    private func follow(_ marks: AsyncStream<Void>) async {
        for await _ in marks { take() }
    }

    private func followUsers(_ changes: AsyncStream<Void>) async {
        for await _ in changes {
            take()
            // Nobody waits for the answer: the number that the next change takes away goes at once.
            if source.user != counted { Task { await count() } }
        }
    }

    private func take() {
        let kept = source.cached?.counts?.unread ?? 0
        guard kept != unread else { return }
        unread = kept
        onChange()
    }
}
