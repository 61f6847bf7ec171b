/// A destination with its own queue: what one destination has taken, another may still have to.
package struct UploadQueue: Sendable {
    /// What waits for it.
    package let store: EventStore
    /// What sends it.
    package let uploader: EventUploader

    /// Whether it goes to the app's own server, to which the service extension uploads too.
    package let isOwnServer: Bool

    package init(_ store: EventStore, _ uploader: EventUploader, isOwnServer: Bool = false) {
        self.isOwnServer = isOwnServer
        self.store = store
        self.uploader = uploader
    }

    /// Adds events.
    func add(_ events: [PushEvent]) {
        store.append(contentsOf: events)
        uploader.recorded()
    }
}
