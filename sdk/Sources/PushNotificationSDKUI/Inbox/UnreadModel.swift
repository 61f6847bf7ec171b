import PushNotificationSDKCore

/// How many items are not read, as it is kept: with what the server said last and each mark since.
@MainActor
package final class UnreadModel: ChangingModel {
    package var onChange: () -> Void = {}
    package private(set) var unread = 0

    private let source: any InboxSource

    package init(_ source: any InboxSource) { self.source = source }

    /// Counts, until the task is cancelled.
    package func run() async {
        let updates = source.updates
        let marks = InboxModel.marked.stream()
        take()
        async let marked: Void = follow(marks)
        // Without an answer what is kept stays, and where nobody is logged in nothing is kept.
        _ = try? await source.counts()
        take()
        for await _ in updates { take() }
        await marked
    }

    private func follow(_ marks: AsyncStream<Void>) async {
        for await _ in marks { take() }
    }

    private func take() {
        let kept = source.cached?.counts?.unread ?? 0
        guard kept != unread else { return }
        unread = kept
        onChange()
    }
}
