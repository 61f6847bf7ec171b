import MartletWire

/// Events, as far as the person consents, of pushes that have an id to count them by.
///
/// What happens while the answer cannot be read is recorded, which then means that it waits in memory, and is kept or
/// thrown away when the answer is read.
struct ConsentingEvents: EventSink {
    private let events: any EventSink
    private let consent: ConsentSwitch

    init(_ events: any EventSink, _ consent: ConsentSwitch) {
        self.events = events
        self.consent = consent
    }

    func record(_ type: EventType, _ notification: ReceivedNotification?, value: String?) {
        guard notification?.payload.isCounted ?? true, consent.answer ?? true else { return }
        events.record(type, notification, value: value)
    }

    func found(_ notification: ReceivedNotification) {
        if notification.payload.isCounted, consent.answer ?? true { events.found(notification) }
    }

    /// Does nothing where the person answered otherwise meanwhile.
    func setEnabled(_ isEnabled: Bool) {
        consent.settle(only: isEnabled) { events.setEnabled($0) }
    }

    /// Writes the person's answer down and obeys it.
    func settle() {
        consent.settle { events.setEnabled($0) }
    }

    /// The storage can be read now.
    func didBecomeReadable() {
        if consent.isOwed { settle() }
        if consent.isOn { events.didBecomeReadable() } else { discard() }
    }

    func didBecomeActive() {
        // An answer that was given before the storage could be written.
        if consent.isOwed { settle() }
        if consent.isOn { events.didBecomeActive() } else { discard() }
    }

    func flush(ignoringBackoff: Bool) async {
        if consent.isOn { await events.flush(ignoringBackoff: ignoringBackoff) } else { discard() }
    }

    /// The service extension knows nothing of consent: what it saw meanwhile goes unread.
    private func discard() {
        if consent.isTakenBack { setEnabled(false) }
    }
}
