extension PushNotificationSDK {
    /// How many events wait to be uploaded, and how many were lost on the way.
    public struct EventQueue: Sendable, Equatable {
        /// Events that wait, at most 1,000.
        public let waiting: Int
        /// Events that were dropped unsent because newer ones needed the room, since the install.
        public let dropped: Int
        /// Stored events that could not be read again, since the install.
        public let damaged: Int
    }

    /// The state of the queue for the app's own server; `nil` before the SDK is configured.
    ///
    /// The first use in a launch reads the queue from the disk.
    public static var eventQueue: EventQueue? { client?.eventQueue }

    /// Uploads what waits now, and returns when the queue is empty or a try has failed. The SDK does so by itself
    /// about two seconds after an event, and when the app leaves the screen. This call does not wait for the time that the
    /// SDK itself waits after a failure.
    public static func uploadEvents() async {
        await client?.events.flush(ignoringBackoff: true)
    }

    /// Uploads what waits now.
    ///
    /// - Parameter completion: called on the main thread when the queue is empty or a try has failed.
    public static func uploadEvents(completion: @escaping () -> Void) {
        let done = MainCompletion<Void>(completion)
        Task {
            await uploadEvents()
            done(())
        }
    }
}

extension PushClient {
    /// The state of the queue for the app's own server; `nil` where the recorder is not the SDK's own.
    var eventQueue: PushNotificationSDK.EventQueue? {
        guard let tally = recorder?.tallies.first else { return nil }
        return PushNotificationSDK.EventQueue(waiting: tally.waiting, dropped: tally.dropped, damaged: tally.damaged)
    }
}
