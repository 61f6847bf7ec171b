import Foundation
import PushNotificationSDKBase
import UserNotifications

#if !os(tvOS)
    /// The work on one notification, in the order that matters: the delivery is written down first, then it is uploaded and
    /// files are fetched, then the content is handed over.
    final class RichNotification: Sendable {
        private struct State {
            var download: AttachmentDownload?
            var upload: Task<Void, Never>?
            var isOver = false
        }

        private let notification: ReceivedNotification
        private let handoff: ContentHandoff
        private let spool: EventSpool?
        private let badge: SharedBadge?
        private let configuration: SDKConfiguration?
        private let uploadTimeout: TimeInterval
        private let trust: ServerTrustHandler?
        private let environment: ExtensionEnvironment
        private let deadline: Int64
        private let state = Locked(State())

        init(
            _ notification: ReceivedNotification,
            handoff: ContentHandoff,
            spool: EventSpool?,
            badge: SharedBadge?,
            configuration: SDKConfiguration?,
            uploadTimeout: TimeInterval,
            trust: ServerTrustHandler?,
            environment: ExtensionEnvironment
        ) {
            self.notification = notification
            self.handoff = handoff
            self.spool = spool
            self.badge = badge
            self.configuration = configuration
            // Not more than all the work has.
            self.uploadTimeout = min(uploadTimeout, environment.time)
            self.trust = trust
            self.environment = environment
            deadline = environment.clock.monotonic + Int64(environment.time * 1000)
        }

        func begin(defaultCategory: String?) {
            reportDelivery()
            let badge = notification.payload.badge == nil ? badge?.countUp() : nil
            handoff.change { content in
                if content.categoryIdentifier.isEmpty, let defaultCategory {
                    content.categoryIdentifier = defaultCategory
                }
                if let badge { content.badge = NSNumber(value: badge) }
            }
            fetch(notification.payload.attachmentAddresses[...])
        }

        /// The time is up.
        func expire() {
            let (download, upload) = state.with { state in
                state.isOver = true
                return (state.download, state.upload)
            }
            handoff.finish()
            download?.cancel()
            upload?.cancel()
        }

        /// Everything was tried but the upload, which may still be under way: the system ends the process when it has the
        /// content.
        private func finish() {
            guard let upload = state.with({ $0.upload }) else { return handoff.finish() }
            Task {
                await upload.value
                handoff.finish()
            }
        }

        private func reportDelivery() {
            guard let spool, notification.payload.isCounted else { return }
            let event = PushEvent.delivery(of: notification, at: environment.clock.now, in: spool.context())
            // The notification matters more than its event: where the disk cannot be written, the next launch of the app
            // still finds the notification in the notification center.
            try? spool.write(event)
            guard let destination = destination(spool), let call = destination.call(for: [event]) else { return }
            let upload = Task { [transport = environment.transport(trust)] in
                guard let answer = try? await transport.send(call), (200..<300).contains(answer.status),
                    let receipt = destination.receipts(answer, count: 1)?.first, receipt != .later
                else { return }
                spool.setUploaded(event)
            }
            state.with { $0.upload = upload }
        }

        /// The app's server, where the extension knows it, and as whom the app registered there.
        private func destination(_ spool: EventSpool) -> MartletDestination? {
            guard uploadTimeout > 0, let configuration, let access = spool.access(),
                access.server == configuration.server
            else { return nil }
            return MartletDestination { [uploadTimeout] in
                MartletDestination.Access(
                    url: configuration.endpoint("events"),
                    apiKey: configuration.apiKey,
                    installationSecret: access.installationSecret,
                    timeout: uploadTimeout
                )
            }
        }

        /// Tries the addresses, one after the other, until one gives a file.
        private func fetch(_ addresses: ArraySlice<String>) {
            let left = TimeInterval(deadline - environment.clock.monotonic) / 1000
            guard let address = addresses.first, left > 0 else { return finish() }
            let download = AttachmentDownload(into: environment.folder, time: left, rewrite: environment.rewrite)
            guard state.with({ begins(download, &$0) }) else { return }
            download.begin(address) { [self] result in
                switch result {
                case .success(let file):
                    attach(file)
                    finish()
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
                if !handoff.change({ $0.attachments = [attachment] }) {
                    try? FileManager.default.removeItem(at: file.url)
                }
            } catch {
                try? FileManager.default.removeItem(at: file.url)
                report(.failed("the system did not take the file."))
            }
        }

        /// Leaves the reason for the app's error handler.
        private func report(_ refusal: AttachmentRefusal) {
            try? spool?.write(refusal: refusal, time: environment.clock.now)
        }
    }
#endif
