package import Foundation
package import MartletWireBase

/// One row of the events table, as it was when it happened.
package struct PushEvent: Sendable, Equatable {
    /// What the event is known by: sent twice, it counts once.
    package var id: UUID
    /// What happened.
    package var type: EventType
    /// When: UTC milliseconds since 1970, by the device's clock.
    package var time: Int64
    /// The notification.
    package var message: MessageReference
    /// The address that was opened, or the id of the action that was tapped.
    package var value: String?
    /// Whose it is, and on what.
    package var context: EventContext

    package init(
        id: UUID,
        type: EventType,
        time: Int64,
        message: MessageReference = MessageReference(),
        value: String? = nil,
        context: EventContext = EventContext()
    ) {
        self.id = id
        self.type = type
        self.time = time
        self.message = message
        self.value = value
        self.context = context
    }
}

extension PushEvent {
    /// The delivery of a notification, as the service extension sees it. Where the extension knows the installation it has
    /// the id that the app gives to the same delivery.
    package static func delivery(of notification: ReceivedNotification, at time: Int64, in context: EventContext)
        -> Self
    {
        let message = MessageReference(notification)
        let id = message.deliveryKey.map { EventIdentity.once($0, installationID: context.installationID) }
        return PushEvent(id: id ?? UUID(), type: .delivery, time: time, message: message, context: context)
    }
}

/// The notification that an event belongs to.
package struct MessageReference: Sendable, Equatable {
    /// The notification's id, which the server puts into every payload.
    package var messageID: String?
    /// The campaign's id.
    package var campaignID: String?
    /// The id under which the device shows the notification: it stands in where a payload has no id.
    package var requestID: String?

    /// A notification by what its payload says.
    package init(messageID: String? = nil, campaignID: String? = nil, requestID: String? = nil) {
        self.messageID = messageID
        self.campaignID = campaignID
        self.requestID = requestID
    }

    /// What tells one notification from another on this device; `nil` when nothing does.
    package var key: String? { messageID ?? requestID.map { "request:\($0)" } }

    /// What its delivery is counted once by, in the app and in its service extension.
    package var deliveryKey: String? { key.map { "\(EventType.delivery.rawValue) \($0)" } }
}

/// Whose event it is and on what: the columns that are the same for everything that happens now.
package struct EventContext: Sendable, Equatable {
    /// The user, once one is known.
    package var userID: String?
    /// The installation.
    package var installationID: String?
    /// Apple's token in hexadecimal.
    package var apnsToken: String?
    /// Firebase's token, where the app has one.
    package var fcmToken: String?
    /// The hardware, such as `iPhone16,1`.
    package var deviceModel: String?
    /// The operating system's version.
    package var osVersion: String?
    /// The app's version.
    package var appVersion: String?

    /// A context in which nothing is known.
    package init() {}
}

extension EventContext {
    /// The context as it is sent by an install: a server takes events only from the installation that sends them, and
    /// what was not known when the event happened is added. Who the user was is never made up afterwards.
    package func sent(by current: EventContext) -> EventContext {
        var context = self
        context.installationID = current.installationID ?? installationID
        context.deviceModel = deviceModel ?? current.deviceModel
        context.osVersion = osVersion ?? current.osVersion
        context.appVersion = appVersion ?? current.appVersion
        return context
    }
}

extension MessageReference {
    /// The message of a notification that the system handed over.
    package init(_ notification: ReceivedNotification) {
        self.init(
            messageID: notification.payload.messageID,
            campaignID: notification.payload.campaignID,
            requestID: notification.identifier
        )
    }
}
