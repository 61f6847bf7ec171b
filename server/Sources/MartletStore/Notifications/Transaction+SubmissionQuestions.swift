import MartletCore
import MartletWire

extension Transaction {
    /// Asks what a submission to named people or devices will read: what there is of its app, whom it names, their devices,
    /// and what an attempt needs of these. Users who are not there are made, as the submission would.
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
        case .endpoints(let ids):
            for id in ids {
                let endpoint = try prepare(SQL.namedEndpoint).bind(id, draft.app)
                guard endpoint.isAnswered else {
                    endpoint.ask()
                    continue
                }
                if let found = try endpoint.first(Candidate.init) { try ask(for: found) }
            }
        case .all, .topic, .tokens: break
        }
    }

    private func ask(forUser id: String, of app: RowID<App>, turn: Int) throws {
        let user = try prepare(SQL.user).bind(app, id)
        guard user.isAnswered else { return user.ask() }
        guard let row: RowID<User> = try user.first({ $0.row("id") }) else {
            guard turn == 1 else { return }
            // Its key is asked for then.
            try prepare(SQL.addUser).bind(app, id).run()
            return try prepare(SQL.user).bind(app, id).ask()
        }
        let endpoints = try prepare(SQL.userEndpoints)
            .bind(app, row, Int64(0), Acceptance.shortAudience.endpoints + 1)
        guard endpoints.isAnswered else { return endpoints.ask() }
        for found in try endpoints.all(Candidate.init) { try ask(for: found) }
    }

    private func ask(for candidate: Candidate) throws {
        try prepare(SQL.target).bind(candidate.member.endpoint).ask()
    }
}
