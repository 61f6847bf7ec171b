import Foundation
import UserNotifications

#if !os(tvOS)
    /// The content of a notification until it is handed over, which happens once, whoever comes first: the download, a
    /// failure, or the system's last call on another thread.
    final class ContentHandoff: @unchecked Sendable {  // everything is touched under the lock
        private let lock = NSLock()
        private let content: UNNotificationContent
        private let mutable: UNMutableNotificationContent?
        private var handler: ((UNNotificationContent) -> Void)?

        init(_ content: UNNotificationContent, _ handler: @escaping (UNNotificationContent) -> Void) {
            self.content = content
            self.handler = handler
            mutable = content.mutableCopy() as? UNMutableNotificationContent
        }

        /// Changes the content, unless it is handed over.
        ///
        /// - Returns: whether it was changed.
        @discardableResult
        func change(_ body: (UNMutableNotificationContent) -> Void) -> Bool {
            lock.lock()
            defer { lock.unlock() }
            guard handler != nil, let mutable else { return false }
            body(mutable)
            return true
        }

        /// Hands the content over, the first time.
        func finish() {
            lock.lock()
            let handler = handler
            self.handler = nil
            lock.unlock()
            handler?(mutable ?? content)
        }
    }
#endif
