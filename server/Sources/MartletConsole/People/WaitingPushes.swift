import MartletCore
import MartletStore
import MartletWire

/// What waits to be sent to a person, and for whom.
extension ConsoleService {
    /// In how many of the newest sends it is looked for. Ours: some milliseconds each.
    private static let sendsLookedAt = 5

    /// The pushes that wait, as entries of their timeline, the newest first.
    func waiting(for person: Person, _ words: TimelineWords) async throws -> [PageValues] {
        let page = PageRequest(count: Self.sendsLookedAt)
        var values: [PageValues] = []
        for sent in try await store.notifications(person.app.row, state: .sending, page).items {
            let lines = try await store.whyFacts(of: sent.row, user: person.user).lines
            let waiting = lines.filter { $0.state == .pending }
            guard !waiting.isEmpty else { continue }
            let pauses = try await store.pauses(.holding(sent.row))
            let stops = QueueStops(pauses: pauses, breakers: breakers.standing(of: sent.app, at: clock.now()))
            var words = words
            if words.isUnmasked { words.titles[sent.id] = sent.content.title ?? sent.content.body }
            values += waiting.map { words.values(of: stops.apply(to: $0), in: sent, pauses, person) }
        }
        return values
    }
}

extension TimelineWords {
    /// A push that waits: since its notification began, and for a provider whose queue is paused where it is.
    fileprivate func values(
        of line: DeliveryReport,
        in sent: MartletCore.Notification,
        _ pauses: [Pause],
        _ person: Person
    ) -> PageValues {
        let entry = TimelineEntry(
            at: sent.beginsAt,
            kind: .delivery,
            what: DeliveryState.pending.rawValue,
            notification: sent.id,
            endpoint: line.endpoint
        )
        var values = values(of: entry, person)
        if let pause = pauses.first(where: { $0.queue == line.waiting?.queue }) {
            values["entry_what"] = texts["people.waits_paused", ["platform": texts.platforms(of: [pause])]]
            values["entry_sentence"] = [["said": texts.cause(of: pause), "is_english": false] as PageValues]
            values["has_sentence"] = true
            values["is_bare"] = false
        } else if !line.waitingSentences.isEmpty {
            values["entry_sentence"] = texts.said(line.waitingSentences)
            values["has_sentence"] = true
            values["is_bare"] = false
        }
        return values
    }
}
