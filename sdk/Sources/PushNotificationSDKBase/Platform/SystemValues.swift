/// A notification as the system hands it over.
package struct ReceivedNotification: Sendable, Hashable {
    /// The identifier of the system's request.
    package var identifier: String
    package var payload: NotificationPayload
    /// Whether it came as a push, and not from the app itself.
    package var isRemote: Bool
    /// When the device took it, by its clock: UTC milliseconds since 1970, where the system says so.
    package var date: Int64?

    package init(identifier: String, payload: NotificationPayload, isRemote: Bool = true) {
        self.identifier = identifier
        self.payload = payload
        self.isRemote = isRemote
    }

    /// What tells it from every other message: the payload's id, else the request's.
    package var messageKey: String { payload.messageID ?? identifier }

    /// What tells it from every other one that the device showed: senders repeat message ids, and a notification that takes
    /// another one's place has its identifier.
    package var shownKey: String { "\(messageKey) \(identifier) \(date ?? 0)" }

    /// What the app is told of once in a launch. Where a push without an alert wakes the app, the system gives neither
    /// date nor identifier: its content tells it from others of the same message id.
    package var toldKey: String { payload.showsAlert ? shownKey : "\(messageKey) \(payload.hashValue)" }
}

/// What a person did with a notification.
package struct PersonResponse: Sendable {
    /// What was done.
    package enum Action: Sendable, Hashable {
        /// The notification itself was tapped.
        case tap
        /// It was dismissed.
        case dismiss
        /// A button of its category was tapped.
        case button(String)
    }

    package var notification: ReceivedNotification
    /// What was done with it.
    package var action: Action
    /// The session of the scene that the app shows the outcome in, where the system says so; scenes can only be asked on
    /// the main thread.
    package var sceneID: @MainActor @Sendable () -> String? = { nil }

    package init(_ notification: ReceivedNotification, _ action: Action) {
        self.notification = notification
        self.action = action
    }
}
