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
        var held: [Entry] = []
        /// What the service extension was told last.
        var told: Told?
        /// Whether what an earlier version left for this install was taken over.
        var isTakenOver = false
    }

    private struct Told: Equatable {
        var context: EventContext
        var access: ExtensionAccess?
    }

    /// Something that happened, and what it is counted once by.
    private struct Entry {
        var event: PushEvent
        var onceKey: String?
    }

    private let queues: [UploadQueue]
    private let subject: EventSubject
    private let counted: OnceLedger
    private let spool: (@Sendable () -> EventSpool?)?
    private let server: String
    private let access: @Sendable () -> ExtensionAccess?
    private let storage: any KeyValueStore
    private let clock: any SDKClock
    private let report: @Sendable (PushNotificationError) -> Void
    private let log: Log
    private let state = Locked(State())
    /// Held while events are looked up in what was counted, and added; and while all are thrown away.
    private let adding = NSLock()
    /// Held while the service extension is told something.
    private let telling = NSLock()
    /// Held while what an earlier version left is taken over.
    private let takingOver = NSLock()

    /// A recorder; nothing is read by making one.
    ///
    /// - Parameters:
    ///   - queues: the destinations, each with its queue.
    ///   - spool: what app and service extension share, found when it is first needed.
    ///   - server: the app's own server, as ``SDKConfiguration/server`` has it.
    ///   - access: what the service extension uploads with, once the installation is registered.
    package init(
        _ queues: [UploadQueue],
        about subject: EventSubject,
        spool: (@Sendable () -> EventSpool?)?,
        server: String = "",
        access: @escaping @Sendable () -> ExtensionAccess? = { nil },
        environment: PushEnvironment,
        report: @escaping @Sendable (PushNotificationError) -> Void,
        log: Log
    ) {
        self.queues = queues
        self.subject = subject
        self.spool = spool
        self.server = server
        self.access = access
        storage = environment.storage
        counted = OnceLedger(storage, key: "martlet.counted")
        clock = environment.clock
        self.report = report
        self.log = log
    }

    package func record(_ type: EventType, _ notification: ReceivedNotification?, value: String?) {
        let message = notification.map(MessageReference.init) ?? MessageReference()
        let event = PushEvent(
            id: UUID(),
            type: type,
            time: clock.now,
            message: message,
            value: value,
            context: subject.now
        )
        add([Entry(event: event, onceKey: Self.onceKey(of: event, notification))])
        // The installation's secret may be new.
        if type == .tokenRegister { tellExtension() }
    }

    package func found(_ notification: ReceivedNotification) {
        let time = min(notification.date ?? clock.now, clock.now)
        let message = MessageReference(notification)
        let event = PushEvent(
            id: UUID(),
            type: .delivery,
            time: time,
            message: message,
            context: subject.then(at: time)
        )
        add([Entry(event: event, onceKey: Self.onceKey(of: event, notification))])
    }

    package func setEnabled(_ isEnabled: Bool) {
        state.with { state in
            state.isEnabled = isEnabled
            if !isEnabled { state.held = [] }
        }
        guard !isEnabled else { return tellExtension() }
        if let spool = sharedSpool() {
            // Behind whoever is telling the extension just now.
            telling.withLock {
                spool.withdraw()
                state.with { $0.told = nil }
            }
            _ = spool.drain({ _ in })
        }
        // Behind whoever is adding just now.
        adding.withLock {
            for queue in queues {
                queue.store.removeAll()
                queue.uploader.forget()
            }
        }
    }

    /// Takes away what was recorded and counted, and what the service extension saw and was told: the install is
    /// another one.
    func forget() {
        state.with { $0.held = [] }
        if let spool = sharedSpool() {
            // Behind whoever is telling the extension just now.
            telling.withLock {
                spool.removeAll()
                state.with { $0.told = nil }
            }
        }
        // Behind whoever is adding just now.
        adding.withLock {
            for queue in queues {
                queue.store.forget()
                queue.uploader.forget()
            }
            counted.removeAll()
        }
    }

    package func didBecomeReadable() { collect() }

    package func didBecomeActive() {
        collect()
        tellExtension()
        for queue in queues { queue.uploader.resume() }
    }

    package func flush(ignoringBackoff: Bool) async {
        // The app flushes when it leaves the screen: from then on the extension is on its own.
        collect()
        tellExtension()
        for queue in queues { await queue.uploader.flush(ignoringBackoff: ignoringBackoff) }
    }

    /// Ends uploading for good: another client has taken over the queue.
    package func close() {
        state.with { $0.isClosed = true }
        for queue in queues { queue.uploader.close() }
    }

    /// What waits and what was lost, for each destination.
    package var tallies: [EventTally] { queues.map(\.store.tally) }

    /// Brings in what the service extension saw. Each of its events counts once, whoever else saw the same.
    package func collect() {
        // Files are deleted when their events are in the queue, so it has to be there.
        guard storage.isReadable, !state.with({ $0.isClosed }) else { return }
        add([])
        guard let spool = sharedSpool() else { return }
        dropForeign(spool)
        let here = subject.now
        let damaged = try? spool.drain { events in
            for isUploaded in [true, false] {
                let events = events.filter { $0.isUploaded == isUploaded }.map(\.event)
                add(
                    events.map { event in
                        var event = event
                        // The extension knows who was the user when the app last told it; the app knows who was then.
                        event.context.userID = subject.then(at: event.time).userID
                        event.context.apnsToken = event.context.apnsToken ?? here.apnsToken
                        event.context.fcmToken = event.context.fcmToken ?? here.fcmToken
                        return Entry(event: event, onceKey: Self.onceKey(of: event, nil))
                    },
                    isUploaded: isUploaded
                )
            }
            // A recorder that was closed meanwhile added nothing: the next one finds the files.
            guard storage.isReadable, !state.with({ $0.isClosed }) else { throw StorageUnreadable() }
        } refused: {
            report(.attachmentFailed($0))
        }
        if let damaged, damaged > 0 { log(.warning, "\(damaged) files of the service extension held no event") }
    }

    /// Takes over what an earlier version left for this install, which is forgotten next; what else names it goes.
    func takeOver() {
        guard let spool = sharedSpool(), let id = subject.now.installationID else { return }
        spool.removeEarlier(of: id)
    }

    /// What app and service extension share, with what an earlier version left for this install.
    private func sharedSpool() -> EventSpool? {
        guard let spool = spool?() else { return nil }
        takingOver.withLock {
            // Before the first unlock nobody can tell whose it is.
            guard !state.with({ $0.isTakenOver }), storage.isReadable, let id = subject.now.installationID else {
                return
            }
            spool.takeOver(of: id)
            state.with { $0.isTakenOver = true }
        }
        return spool
    }

    /// What was seen for another server is not for this one.
    private func dropForeign(_ spool: EventSpool) {
        if let access = spool.access(), access.server != server { _ = spool.drain({ _ in }) }
    }

    /// Tells the service extension who this install is and what it uploads with, when that changed.
    package func tellExtension() {
        guard let spool = sharedSpool() else { return }
        telling.withLock { tell(spool) }
    }

    private func tell(_ spool: EventSpool) {
        let told = Told(context: subject.now, access: access())
        guard state.with({ $0.isEnabled && !$0.isClosed && $0.told != told }) else { return }
        // Told of this server, it says no more for which one it saw what it has left.
        dropForeign(spool)
        do throws(StorageUnreadable) {
            try spool.write(told.context)
            if let access = told.access { try spool.write(access) } else { spool.withdraw() }
            state.with { $0.told = told }
        } catch {
            log(.warning, "the app group cannot be written")
        }
    }

    /// - Parameter isUploaded: whether the service extension uploaded them to the app's own server.
    private func add(_ entries: [Entry], isUploaded: Bool = false) {
        let isReadable = storage.isReadable
        let entries = state.with { state -> [Entry] in
            guard state.isEnabled, !state.isClosed else { return [] }
            guard !isUploaded else { return isReadable ? entries : [] }
            let entries = state.held + entries
            state.held = isReadable ? [] : entries.suffix(EventStore.bound)
            return isReadable ? entries : []
        }
        guard !entries.isEmpty else { return }
        let context = subject.now
        // One at a time, so that what two saw at once is not sent by the first and then added by the second.
        adding.withLock {
            // The consent may have been taken back since.
            guard state.with({ $0.isEnabled && !$0.isClosed }) else { return }
            var keys: Set<String> = []
            let new = entries.compactMap { entry -> PushEvent? in
                var event = entry.event
                event.context = event.context.sent(by: context)
                guard let key = entry.onceKey else { return event }
                guard !counted.contains(key), keys.insert(key).inserted else { return nil }
                // After a crash before the key is kept, the same event comes again with the same id.
                event.id = EventIdentity.once(key, installationID: event.context.installationID)
                return event
            }
            for queue in queues where !isUploaded || !queue.isOwnServer { queue.add(new) }
            counted.insert(contentsOf: Array(keys))
        }
    }

    /// What an event is counted once by: a message is delivered once, and what the device showed is dismissed once, and
    /// opened once for each of its actions.
    private static func onceKey(of event: PushEvent, _ notification: ReceivedNotification?) -> String? {
        switch event.type {
        case .delivery: event.message.deliveryKey
        case .open, .dismiss: notification.map { "\(event.type.rawValue) \($0.shownKey) \(event.value ?? "")" }
        case .linkOpen, .deeplinkOpen, .tokenRegister: nil
        }
    }
}
