/// What changes a notification before it shows. The system makes one in a process of its own for every notification.
@available(tvOS, unavailable)
open class UNNotificationServiceExtension: NSObject {
    /// The system calls this.
    public override init() {
        super.init()
    }

    /// Changes the content and hands it over, within some 30 seconds.
    open func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        // Apple's hands over nothing; the system shows the original when the time is up.
    }

    /// The time is up: the last chance to hand something over. Comes on another thread than `didReceive`.
    open func serviceExtensionTimeWillExpire() {}
}
