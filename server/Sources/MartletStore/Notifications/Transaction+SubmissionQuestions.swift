import MartletCore
import MartletWire

extension Transaction {
    /// Asks what a submission to named people or devices will read: what there is of its app, whom it names, and their
    /// devices with what an attempt needs of them. Users who are not there are made, as the submission would.
    func ask(for request: SubmitRequest, turn: Int) throws {
        let draft = request.draft
        guard Acceptance(draft, gate: request.gate, now: now).readsAudience else { return }
        if turn == 0 {
            try prepare(SQL.hasApp).bind(draft.app).ask()
            try prepare(SQL.lastPreferenceChange).bind(draft.app).ask()
            for queue in request.reservation?.queues ?? [] {
                try prepare(SQL.isPaused).bind(queue.app, queue.platform.code, queue.environment.code).ask()
            }
        }
        switch draft.audience {
        case .users(let ids): for id in ids { try ask(forUser: id, of: draft.app, turn: turn) }
        case .endpoints(let ids): for id in ids { try prepare(SQL.device).bind(id, draft.app).ask() }
        case .all, .topic, .tokens: break
        }
    }

    private func ask(forUser id: String, of app: RowID<App>, turn: Int) throws {
        let limit = Acceptance.shortAudience.endpoints + 1
        let person = try prepare(SQL.person).bind(app, id, limit)
        if turn == 1, try !person.exists() { try addUser(id, of: app) }
        // Again, once somebody is made: what is known of others counts no more then.
        try prepare(SQL.person).bind(app, id, limit).ask()
    }

    /// Makes a user with others, where there is the app.
    func addUser(_ id: String, of app: RowID<App>) throws {
        if try prepare(SQL.hasApp).bind(app).exists() { try prepare(SQL.addUser).bind(app, id).run() }
    }
}
