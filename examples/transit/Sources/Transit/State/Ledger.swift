/// Who was told what: the journal's lines in sum.
package struct Ledger: Sendable, Equatable {
    /// Drawn when the file is made; part of every key, so that a new file's keys are not those of a lost one.
    package private(set) var epoch = ""
    /// When the last feed that was used was made.
    package private(set) var feedMade: Int?
    package private(set) var alerts: [String: AlertState] = [:]
    /// Requests without an answer, the oldest first.
    package private(set) var pending: [Intent] = []

    package init() {}

    package mutating func apply(_ record: StateRecord) {
        switch record {
        case .began(let epoch): self.epoch = epoch
        case .feed(let made): feedMade = made
        case .version(let alert, let number, let fingerprint, let severity):
            var state = alerts[alert] ?? AlertState(version: number, fingerprint: fingerprint, severity: severity)
            state.version = number
            state.fingerprint = fingerprint
            state.severity = severity
            state.quietSince = nil
            alerts[alert] = state
        case .intent(let intent): apply(intent)
        case .accepted(let key, let alert, let notification):
            // One that was dropped while it was on its way counts too: it has to be cancelled at the end.
            alerts[alert]?.notifications.append(notification)
            pending.removeAll { $0.key == key }
        case .dropped(let key, _): pending.removeAll { $0.key == key }
        case .cancelled(let alert): alerts[alert]?.notifications = []
        case .quiet(let alert, let at): alerts[alert]?.quietSince = at
        case .forgotten(let alert): alerts[alert] = nil
        case .alert(let id, let state): alerts[id] = state
        }
    }

    /// The lines that make the same state; for a new file in place of a long one.
    package var compacted: [StateRecord] {
        var records: [StateRecord] = [.began(epoch: epoch)]
        if let feedMade { records.append(.feed(made: feedMade)) }
        for (id, state) in alerts.sorted(by: { $0.key < $1.key }) { records.append(.alert(id: id, state)) }
        // The sums above hold what these did to them, and applying them again changes nothing.
        return records + pending.map { .intent($0) }
    }

    private mutating func apply(_ intent: Intent) {
        pending.append(intent)
        guard var state = alerts[intent.alert] else { return }
        state.parts = max(state.parts, Self.part(of: intent.key) ?? state.parts + 1)
        for rider in intent.riders {
            state.told[rider] = intent.purpose == .tell ? max(intent.version, state.told[rider] ?? 0) : nil
        }
        alerts[intent.alert] = state
    }

    private static func part(of key: String) -> Int? {
        key.split(separator: "-").last.flatMap { $0.hasPrefix("p") ? Int($0.dropFirst()) : nil }
    }
}
