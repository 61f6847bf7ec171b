import MartletWire

/// Events, as far as the person consents.
struct ConsentingEvents: EventSink {
    private let events: any EventSink
    private let consent: ConsentSwitch

    init(_ events: any EventSink, _ consent: ConsentSwitch) {
        self.events = events
        self.consent = consent
    }

    func record(_ type: EventType, _ notification: ReceivedNotification?, value: String?) {
        if consent.isOn { events.record(type, notification, value: value) }
    }

    func found(_ notification: ReceivedNotification) {
        if consent.isOn { events.found(notification) }
    }

    func setEnabled(_ isEnabled: Bool) {
        events.setEnabled(isEnabled)
    }

    func didBecomeActive() {
        if consent.isOn { events.didBecomeActive() } else { discard() }
    }

    func flush() async {
        if consent.isOn { await events.flush() } else { discard() }
    }

    /// The service extension knows nothing of consent: what it saw meanwhile goes unread.
    private func discard() {
        if consent.isTakenBack { events.setEnabled(false) }
    }
}
