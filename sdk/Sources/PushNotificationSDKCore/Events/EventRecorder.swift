import Foundation
package import MartletWire

/// Writes down what happens and has it uploaded. An event is in every queue when a call returns; the network is never
/// waited for.
package final class EventRecorder: EventSink {
    private struct State {
        var isEnabled = true
        var isClosed = false
        /// What happened before the storage could be read: without the installation's id it cannot be told whether it
        /// was counted.
        var held: [PushEvent] = []
        /// What the service extension was told last.
        var told: EventContext?
    }

    private let lanes: [EventLane]
    private let subject: EventSubject
    private let counted: OnceLedger
    private let spool: (@Sendable () -> EventSpool?)?
    private let storage: any KeyValueStore
    private let clock: any SDKClock
    private let report: @Sendable (PushNotificationError) -> Void
    private let log: Log
    private let state = Locked(State())
    /// Held while events are looked up in what was counted, and added; and while all are thrown away.
    private let adding = NSLock()

    /// A recorder; nothing is read by making one.
    ///
    /// - Parameters:
    ///   - lanes: the destinations, each with its queue.
    ///   - spool: what app and service extension share, found when it is first needed.
    package init(
        _ lanes: [EventLane],
        about subject: EventSubject,
        spool: (@Sendable () -> EventSpool?)?,
        environment: PushEnvironment,
        report: @escaping @Sendable (PushNotificationError) -> Void,
        log: Log
    ) {
        self.lanes = lanes
        self.subject = subject
        self.spool = spool
        storage = environment.storage
        counted = OnceLedger(storage, key: "martlet.counted")
        clock = environment.clock
        self.report = report
        self.log = log
    }

    package func record(_ type: EventType, _ notification: ReceivedNotification?, value: String?) {
        let message = notification.map(MessageReference.init) ?? MessageReference()
        add([PushEvent(id: UUID(), type: type, time: clock.now, message: message, value: value, context: subject.now)])
    }

    package func found(_ notification: ReceivedNotification) {
        let time = min(notification.date ?? clock.now, clock.now)
        let message = MessageReference(notification)
        add([PushEvent(id: UUID(), type: .delivery, time: time, message: message, context: subject.then(at: time))])
    }

    package func setEnabled(_ isEnabled: Bool) {
        state.with { state in
            state.isEnabled = isEnabled
            if !isEnabled { state.held = [] }
        }
        guard !isEnabled else { return }
        _ = spool?()?.drain { _ in }
        // Behind whoever is adding just now.
        adding.withLock {
            for lane in lanes {
                lane.store.removeAll()
                lane.uploader.forget()
            }
        }
    }

    package func didBecomeActive() {
        tellExtension()
        collect()
        for lane in lanes { lane.uploader.resume() }
    }

    package func flush() async {
        // The app flushes when it leaves the screen: from then on the extension is on its own.
        tellExtension()
        collect()
        for lane in lanes { await lane.uploader.flush() }
    }

    /// Ends uploading for good: another client has taken over the queue.
    package func close() {
        state.with { $0.isClosed = true }
        for lane in lanes { lane.uploader.close() }
    }

    /// What waits and what was lost, for each destination.
    package var tallies: [EventTally] { lanes.map(\.store.tally) }

    /// Firebase's token, where the app has one, becomes part of every event from now on.
    package func set(fcmToken token: String?) {
        if subject.set(fcmToken: token), token != nil { record(.tokenRegister, nil, value: nil) }
    }

    /// Brings in what the service extension saw. Each of its events counts once, whoever else saw the same.
    package func collect() {
        // Files are deleted when their events are in the queue, so it has to be there.
        guard storage.isReadable, !state.with({ $0.isClosed }) else { return }
        add([])
        guard let spool = spool?() else { return }
        let here = subject.now
        let damaged = try? spool.drain { events in
            add(
                events.map { event in
                    var event = event
                    // The extension knows who was the user when the app last told it; the app knows who was then.
                    event.context.userID = subject.then(at: event.time).userID
                    event.context.apnsToken = event.context.apnsToken ?? here.apnsToken
                    event.context.fcmToken = event.context.fcmToken ?? here.fcmToken
                    return event
                }
            )
            // A recorder that was closed meanwhile added nothing: the next one finds the files.
            guard storage.isReadable, !state.with({ $0.isClosed }) else { throw StorageUnreadable() }
        } refused: {
            report(.attachmentFailed($0))
        }
        if let damaged, damaged > 0 { log(.warning, "\(damaged) files of the service extension held no event") }
    }

    /// Tells the service extension who this install is, when that changed.
    package func tellExtension() {
        guard let spool = spool?() else { return }
        let now = subject.now
        guard state.with({ $0.told != now }) else { return }
        do {
            try spool.write(now)
            state.with { $0.told = now }
        } catch {
            log(.warning, "the app group cannot be written")
        }
    }

    private func add(_ events: [PushEvent]) {
        let isReadable = storage.isReadable
        let events = state.with { state -> [PushEvent] in
            guard state.isEnabled, !state.isClosed else { return [] }
            let events = state.held + events
            state.held = isReadable ? [] : events.suffix(SegmentedEventStore.bound)
            return isReadable ? events : []
        }
        guard !events.isEmpty else { return }
        let context = subject.now
        // One at a time, so that what two saw at once is not sent by the first and then added by the second.
        adding.withLock {
            // The consent may have been taken back since.
            guard state.with({ $0.isEnabled && !$0.isClosed }) else { return }
            var keys: Set<String> = []
            let new = events.compactMap { event -> PushEvent? in
                var event = event
                event.context = event.context.sent(by: context)
                guard let key = Self.onceKey(of: event) else { return event }
                guard !counted.contains(key), keys.insert(key).inserted else { return nil }
                // After a crash before the key is kept, the same event comes again with the same id.
                event.id = EventIdentity.once(key, installationID: event.context.installationID)
                return event
            }
            for lane in lanes { lane.add(new) }
            counted.insert(contentsOf: Array(keys))
        }
    }

    /// What an event is counted once by: a notification is delivered and dismissed once, and opened once for each of
    /// its actions.
    private static func onceKey(of event: PushEvent) -> String? {
        switch event.type {
        case .delivery, .dismiss: event.message.key.map { "\(event.type.rawValue) \($0)" }
        case .open: event.message.key.map { "\(event.type.rawValue) \($0) \(event.value ?? "")" }
        case .linkOpen, .deeplinkOpen, .tokenRegister: nil
        }
    }
}
