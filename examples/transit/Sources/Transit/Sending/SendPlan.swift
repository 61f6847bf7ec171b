package import Foundation

/// Compares what riders should know with what they were told, and says what is to be written into the journal.
///
/// It looks at nothing else, so a backend that was killed goes on by planning again.
package struct SendPlan: Sendable {
    package var settings: SendSettings
    /// Seconds after which an alert that nobody has any more is forgotten: longer than Martlet keeps idempotency keys.
    private static let memory = 48 * 60 * 60

    package init(settings: SendSettings) { self.settings = settings }

    /// - Parameters:
    ///   - known: the alerts of the feed.
    ///   - gone: alerts that are not in the feed any more.
    package func records(
        for ledger: Ledger,
        known: [ServiceAlert],
        gone: Set<String>,
        matcher: AlertMatcher,
        now: Date
    ) throws -> [StateRecord] {
        var records: [StateRecord] = []
        let live = known.filter { !$0.isOver(at: now) }
        // What is severe is asked for first.
        for alert in live.sorted(by: { ($1.severity, $0.id) < ($0.severity, $1.id) }) {
            records += try telling(alert, ledger: ledger, matcher: matcher, now: now)
        }
        let over = Set(known.filter { $0.isOver(at: now) }.map(\.id))
        for id in gone.union(over).subtracting(live.map(\.id)).sorted() {
            guard let state = ledger.alerts[id] else { continue }
            records += try ending(id, state, ledger: ledger, now: now)
        }
        return records
    }

    private func telling(
        _ alert: ServiceAlert,
        ledger: Ledger,
        matcher: AlertMatcher,
        now: Date
    ) throws -> [StateRecord] {
        let old = ledger.alerts[alert.id]
        let affected = matcher.affected(by: alert, now: now)
        guard old != nil || !affected.isEmpty else { return [] }
        let fingerprint = AlertContent(alert).fingerprint
        var records: [StateRecord] = []
        var state = old ?? AlertState(version: 0, fingerprint: "", severity: alert.severity)
        let isNew = state.fingerprint != fingerprint || (state.quietSince != nil && !affected.isEmpty)
        let isEscalated = old.map { alert.severity > $0.severity } ?? true
        if isNew {
            state.version += 1
            records.append(
                .version(alert: alert.id, number: state.version, fingerprint: fingerprint, severity: alert.severity)
            )
            records += ledger.pending.filter { $0.alert == alert.id && $0.purpose == .tell }
                .map { .dropped(key: $0.key, reason: "another version came") }
        }
        let riders = affected.map { matcher.riders[$0] }
        let untold = riders.filter { state.told[$0.id] ?? 0 < state.version }
        records += try intents(
            for: alert,
            to: untold,
            state: &state,
            epoch: ledger.epoch,
            escalated: isEscalated,
            now: now
        )
        if isNew {
            let left = Set(state.told.keys).subtracting(riders.map(\.id))
            records += try removals(.remove, of: alert.id, from: left.sorted(), state: &state, epoch: ledger.epoch)
        }
        return records
    }

    private struct Group: Hashable {
        var language: String?
        var isLouder: Bool
    }

    private func intents(
        for alert: ServiceAlert,
        to riders: [Rider],
        state: inout AlertState,
        epoch: String,
        escalated: Bool,
        now: Date
    ) throws -> [StateRecord] {
        let message = AlertMessage(alert, settings: settings)
        let groups = Dictionary(grouping: riders) { rider in
            Group(
                language: alert.header.best(for: rider.language)?.language,
                isLouder: escalated || state.told[rider.id] == nil
            )
        }
        func order(_ group: Group) -> String { "\(group.isLouder ? 0 : 1)\(group.language ?? "")" }
        var records: [StateRecord] = []
        for (group, riders) in groups.sorted(by: { order($0.key) < order($1.key) }) {
            for part in Self.parts(riders.map(\.id), settings.partSize) {
                let body = try message.body(
                    to: part,
                    version: state.version,
                    language: group.language,
                    isLouder: group.isLouder,
                    now: now
                )
                records.append(intent(.tell, alert.id, part, body, &state, epoch))
            }
        }
        return records
    }

    private func ending(_ id: String, _ state: AlertState, ledger: Ledger, now: Date) throws -> [StateRecord] {
        var state = state
        let pending = ledger.pending.filter { $0.alert == id }
        var records: [StateRecord] = pending.filter { $0.purpose == .tell }
            .map { .dropped(key: $0.key, reason: "the alert is over") }
        let now = Int(now.timeIntervalSince1970)
        guard state.told.isEmpty else {
            return try records
                + removals(.end, of: id, from: state.told.keys.sorted(), state: &state, epoch: ledger.epoch)
        }
        if let since = state.quietSince {
            if pending.isEmpty, now - since > Self.memory { records.append(.forgotten(alert: id)) }
        } else {
            records.append(.quiet(alert: id, at: now))
        }
        return records
    }

    private func removals(
        _ purpose: Intent.Purpose,
        of alert: String,
        from riders: [String],
        state: inout AlertState,
        epoch: String
    ) throws -> [StateRecord] {
        try Self.parts(riders, settings.partSize).map { part in
            let body = try AlertMessage.removal(of: alert, from: part, version: state.version, settings: settings)
            return intent(purpose, alert, part, body, &state, epoch)
        }
    }

    private func intent(
        _ purpose: Intent.Purpose,
        _ alert: String,
        _ riders: [String],
        _ body: String,
        _ state: inout AlertState,
        _ epoch: String
    ) -> StateRecord {
        state.parts += 1
        let key = AlertNames(alert).idempotencyKey(epoch: epoch, version: state.version, part: state.parts)
        return .intent(
            Intent(key: key, purpose: purpose, alert: alert, version: state.version, riders: riders, body: body)
        )
    }

    private static func parts(_ riders: [String], _ size: Int) -> [[String]] {
        stride(from: 0, to: riders.count, by: max(1, size)).map { Array(riders[$0..<min($0 + size, riders.count)]) }
    }
}
