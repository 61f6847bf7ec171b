package import MartletWire

/// What a client tells of what happened: recorded, kept and uploaded behind it. Calls may come from any thread and
/// return without waiting for the network.
package protocol EventSink: Sendable {
    /// Records one event at the current time, for the current user, installation and token.
    ///
    /// A second `delivery` of one message is not recorded; opens, actions and dismissals were counted once already.
    ///
    /// - Parameters:
    ///   - type: what happened.
    ///   - notification: to which push; `nil` for ``EventType/tokenRegister``.
    ///   - value: the link, or the identifier of the tapped action.
    func record(_ type: EventType, _ notification: ReceivedNotification?, value: String?)
    /// Records the delivery of a notification that the notification center still shows: at its time, for whoever was
    /// logged in then.
    func found(_ notification: ReceivedNotification)
    /// The person's consent was given or taken back. Off discards what is queued and records nothing.
    func setEnabled(_ isEnabled: Bool)
    /// The storage can be read now: what was held until then is kept, and spooled events are imported.
    func didBecomeReadable()
    /// The app came to the front: spooled events are imported, uploads resume.
    func didBecomeActive()
    /// Uploads what is queued and returns when that was tried once.
    ///
    /// - Parameter ignoringBackoff: whether it is tried also while the wait after a failure is not over.
    func flush(ignoringBackoff: Bool) async
}

/// What happens to the links of notifications and of links that the system hands to the app.
package protocol LinkSink: Sendable {
    /// A notification was tapped: its link, if it has one and it is allowed, is opened.
    ///
    /// - Parameter sceneID: the session of the scene that the tap came to, where the system says so.
    func open(_ notification: ReceivedNotification, in sceneID: String?)
    /// The system opened the app by a link.
    ///
    /// - Returns: whether the link was taken.
    func open(_ link: SystemLink) -> Bool
}

/// What happens to pushes that say that something has changed.
package protocol RefreshSink: Sendable {
    /// A push arrived while the app was in a state.
    func received(_ notification: ReceivedNotification, in state: ApplicationState)
    /// A push was tapped.
    func tapped(_ notification: ReceivedNotification)
    /// The app came to the front.
    func didBecomeActive()
    /// The install is another one: what waits goes.
    func forget()
}

/// Records nothing.
package struct NoEvents: EventSink {
    /// Records nothing.
    package init() {}
    package func record(_ type: EventType, _ notification: ReceivedNotification?, value: String?) {}
    package func found(_ notification: ReceivedNotification) {}
    package func setEnabled(_ isEnabled: Bool) {}
    package func didBecomeReadable() {}
    package func didBecomeActive() {}
    package func flush(ignoringBackoff: Bool) async {}
}

/// Opens nothing.
package struct NoLinks: LinkSink {
    /// Opens nothing.
    package init() {}
    package func open(_ notification: ReceivedNotification, in sceneID: String?) {}
    package func open(_ link: SystemLink) -> Bool { false }
}

/// Reloads nothing.
package struct NoRefresh: RefreshSink {
    /// Reloads nothing.
    package init() {}
    package func received(_ notification: ReceivedNotification, in state: ApplicationState) {}
    package func tapped(_ notification: ReceivedNotification) {}
    package func didBecomeActive() {}
    package func forget() {}
}
