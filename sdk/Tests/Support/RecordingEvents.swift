import Foundation
package import MartletWire
package import PushNotificationSDKCore

/// Writes down which events a client records.
package final class RecordingEvents: EventSink {
    /// One call.
    package struct Entry: Sendable, Equatable {
        /// What happened.
        package var type: EventType
        /// To which message.
        package var message: String?
        /// The link or the button.
        package var value: String?

        package init(_ type: EventType, _ message: String? = nil, value: String? = nil) {
            self.type = type
            self.message = message
            self.value = value
        }
    }

    /// The events, in order.
    package let recorded = Journal<Entry>()
    /// How consent was changed.
    package let consents = Journal<Bool>()

    /// Nothing yet.
    package init() {}

    package func record(_ type: EventType, _ notification: ReceivedNotification?, value: String?) {
        recorded.add(Entry(type, notification?.messageKey, value: value))
    }

    package func found(_ notification: ReceivedNotification) { record(.delivery, notification, value: nil) }

    package func setEnabled(_ isEnabled: Bool) { consents.add(isEnabled) }
    package func didBecomeReadable() {}
    package func didBecomeActive() {}
    package func flush(ignoringBackoff: Bool) async {}
}

extension EventSink {
    /// Uploads as the app itself asks for it.
    package func flush() async { await flush(ignoringBackoff: true) }
}
