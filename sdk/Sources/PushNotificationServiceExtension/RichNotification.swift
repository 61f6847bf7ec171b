import Foundation
import PushNotificationSDKCore
import UserNotifications

/// The work on one notification, in the order that matters: the delivery is written down first, then files are fetched,
/// then the content is handed over.
final class RichNotification: Sendable {
    private struct State {
        var download: AttachmentDownload?
        var isOver = false
    }

    private let notification: ReceivedNotification
    private let handoff: ContentHandoff
    private let container: URL?
    private let environment: ExtensionEnvironment
    private let deadline: Int64
    private let state = Locked(State())

    init(
        _ notification: ReceivedNotification,
        handoff: ContentHandoff,
        container: URL?,
        environment: ExtensionEnvironment
    ) {
        self.notification = notification
        self.handoff = handoff
        self.container = container
        self.environment = environment
        deadline = environment.clock.now + Int64(environment.time * 1000)
    }

    func begin(defaultCategory: String?, countsBadge: Bool) {
        reportDelivery()
        let badge = countsBadge && notification.payload.badge == nil ? container.map { SharedBadge($0).countUp() } : nil
        handoff.change { content in
            if content.categoryIdentifier.isEmpty, let defaultCategory { content.categoryIdentifier = defaultCategory }
            if let badge { content.badge = NSNumber(value: badge) }
        }
        fetch(notification.payload.attachmentAddresses[...])
    }

    /// The time is up.
    func expire() {
        let download = state.with { state in
            state.isOver = true
            return state.download
        }
        handoff.finish()
        download?.cancel()
    }

    private func reportDelivery() {
        guard let spool = container.map(EventSpool.init) else { return }
        // The notification matters more than its event: where the disk cannot be written, the next launch of the app
        // still finds the notification in the notification center.
        try? spool.write(.delivery(of: notification, at: environment.clock.now, in: spool.context()))
    }

    /// Tries the addresses, one after the other, until one gives a file.
    private func fetch(_ addresses: ArraySlice<String>) {
        let left = TimeInterval(deadline - environment.clock.now) / 1000
        guard let address = addresses.first, left > 0 else { return handoff.finish() }
        let download = AttachmentDownload(into: environment.folder, time: left, rewrite: environment.rewrite)
        guard state.with({ begins(download, &$0) }) else { return }
        download.begin(address) { [self] result in
            switch result {
            case .success(let file):
                attach(file)
                handoff.finish()
            case .failure(let refusal):
                report(refusal)
                fetch(addresses.dropFirst())
            }
        }
    }

    private func begins(_ download: AttachmentDownload, _ state: inout State) -> Bool {
        guard !state.isOver else { return false }
        state.download = download
        return true
    }

    private func attach(_ file: AttachmentFile) {
        do {
            let attachment = try UNNotificationAttachment(identifier: "martlet", url: file.url, options: nil)
            // Handed over already: nobody else would remove the file.
            if !handoff.change({ $0.attachments = [attachment] }) { try? FileManager.default.removeItem(at: file.url) }
        } catch {
            try? FileManager.default.removeItem(at: file.url)
            report(.failed("the system did not take the file."))
        }
    }

    /// Leaves the reason for the app's error handler.
    private func report(_ refusal: AttachmentRefusal) {
        try? container.map(EventSpool.init)?.write(refusal: refusal, time: environment.clock.now)
    }
}
