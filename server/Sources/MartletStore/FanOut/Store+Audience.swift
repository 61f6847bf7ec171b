public import MartletCore
import MartletWire

extension Store {
    /// Reads the next part of a fan-out's audience, by user and then by endpoint; a user's endpoints may stand in two
    /// parts. Users that do not exist are made, because a suppression names them; tokens that are not registered become
    /// endpoints of nobody. Of a hold it reads the endpoints that its people have now.
    public func audience(of fanOut: FanOut, limit: Int) async throws -> AudiencePage {
        let app = fanOut.notification.app
        let cursor = fanOut.cursor
        let limit = max(limit, 1)
        if cursor.isAmongMoved { return try await movedAudience(of: fanOut, limit: limit) }
        if let hold = fanOut.hold {
            return try await read { transaction in
                let page = try transaction.people(of: hold, app, after: cursor, limit: limit)
                return try transaction.adding(choicesFor: fanOut, to: page)
            }
        }
        let start = Int(cursor.major)
        switch fanOut.notification.audience {
        case .all:
            return try await read { transaction in
                let page = try transaction.everybody(app, after: cursor, limit: limit)
                return try transaction.adding(choicesFor: fanOut, to: page)
            }
        case .topic:
            return try await topicAudience(of: fanOut, limit: limit)
        case .users(let ids):
            // Those that the page may reach; what does not exist is made in a write of its own, as a rule none. Who was
            // erased is named no more, also where the fan-out was leased before.
            let window = Array(ids.dropFirst(start).prefix(limit))
            let missing = try await read { transaction in
                try window.filter { try $0 != Audience.erasedUser && transaction.user($0, of: app) == nil }
            }
            if !missing.isEmpty {
                let notification = fanOut.notification.row
                try await write { transaction in
                    let named = try transaction.usersNamed(by: notification)
                    for id in missing where named.contains(Array(id.utf8)) { _ = try transaction.makeUser(id, of: app) }
                }
            }
            return try await read { transaction in
                let page = try transaction.endpoints(
                    ofUsers: window,
                    app,
                    after: cursor,
                    total: ids.count,
                    limit: limit
                )
                return try transaction.adding(choicesFor: fanOut, to: page)
            }
        case .endpoints(let ids):
            let window = Array(ids.dropFirst(start).prefix(limit))
            return try await read { transaction in
                var page = try transaction.candidates(window, app)
                page.next = FanOut.Cursor(after: start + window.count, of: ids.count)
                return try transaction.adding(choicesFor: fanOut, to: page)
            }
        case .tokens(let tokens, let platform):
            let window = Array(tokens.dropFirst(start).prefix(limit))
            let next = FanOut.Cursor(after: start + window.count, of: tokens.count)
            let page = try await tokenAudience(of: fanOut, window, platform, next: next)
            guard page.unknownEndpoints > 0 else { return page }
            try await write { transaction in
                for token in window { try transaction.makeEndpoint(app, platform, token: token) }
            }
            return try await tokenAudience(of: fanOut, window, platform, next: next)
        }
    }

    private func tokenAudience(
        of fanOut: FanOut,
        _ tokens: [String],
        _ platform: Platform,
        next: FanOut.Cursor?
    ) async throws -> AudiencePage {
        try await read { transaction in
            var page = try transaction.candidates(tokens, fanOut.notification.app, platform)
            page.next = next
            return try transaction.adding(choicesFor: fanOut, to: page)
        }
    }
}

extension Transaction {
    /// An audience that is named, as far as a short one goes; `nil` for one that cannot be read, which the fan-out
    /// quarantines.
    ///
    /// - Parameter targets: gets what an attempt needs of its endpoints, where that was read with them.
    func namedAudience(
        of draft: NotificationDraft,
        targets: inout [RowID<Endpoint>: TargetState]
    ) throws -> AudiencePage? {
        do {
            switch draft.audience {
            case .all, .topic: return nil
            case .users(let ids):
                var page = AudiencePage()
                for id in ids { try read(id, of: draft.app, into: &page, &targets) }
                return page
            case .endpoints(let ids):
                let select = try prepare(SQL.device)
                return try candidates(ids) { id in
                    try select.bind(id, draft.app).first { row in
                        let candidate = try Candidate(row)
                        targets[candidate.member.endpoint] = try TargetState(row)
                        return candidate
                    }
                }
            case .tokens(let tokens, let platform):
                for token in tokens { try makeEndpoint(draft.app, platform, token: token) }
                return try candidates(tokens, draft.app, platform)
            }
        } catch let failure as Failure {
            guard failure.code == .internalError else { throw failure }
            return nil
        }
    }

    /// Reads the endpoints of a person, who is made where there is none; where the part would hold too many, it goes on.
    private func read(
        _ user: String,
        of app: RowID<App>,
        into page: inout AudiencePage,
        _ targets: inout [RowID<Endpoint>: TargetState]
    ) throws {
        var isKnown = false
        try prepare(SQL.person).bind(app, user, Acceptance.shortAudience.endpoints + 1).forEach { row in
            isKnown = true
            guard !row.isNull("id") else { return page.usersWithoutEndpoint.append(row.row("person_id")) }
            let candidate = try Candidate(row)
            page.candidates.append(candidate)
            targets[candidate.member.endpoint] = try TargetState(row)
        }
        if !isKnown { page.usersWithoutEndpoint.append(try makeUser(user, of: app)) }
        let count = page.candidates.count + page.usersWithoutEndpoint.count
        if count > Acceptance.shortAudience.endpoints { page.next = FanOut.Cursor() }
    }

    /// Endpoints of nobody by key, then the others by user and key. The cursor's major key is 0 among the first.
    func everybody(_ app: RowID<App>, after cursor: FanOut.Cursor, limit: Int) throws -> AudiencePage {
        var found: [Candidate] = []
        if cursor.major == 0 {
            found = try prepare(SQL.anonymousEndpoints).bind(app, cursor.minor, limit + 1).all(Candidate.init)
        }
        if found.count <= limit {
            let position = cursor.major == 0 ? FanOut.Cursor() : cursor
            found += try prepare(SQL.usersEndpoints)
                .bind(app, position.major, position.minor, limit + 1 - found.count)
                .all(Candidate.init)
        }
        let page = Array(found.prefix(limit))
        let next = found.count > limit ? page.last.map { FanOut.Cursor(after: $0.member) } : nil
        return AudiencePage(candidates: page, next: next)
    }

    /// The endpoints that the people of a hold have now; the cursor is as among named users.
    fileprivate func people(
        of hold: Hold,
        _ app: RowID<App>,
        after cursor: FanOut.Cursor,
        limit: Int
    ) throws -> AudiencePage {
        let window = Array(hold.people.dropFirst(Int(cursor.major)).prefix(limit))
        return try endpoints(of: window, app, after: cursor, total: hold.people.count, limit: limit) { $0 }
    }

    /// The endpoints of named users. The cursor's major key is the index of a user, its minor key the last endpoint
    /// that was read of that user.
    fileprivate func endpoints(
        ofUsers ids: [String],
        _ app: RowID<App>,
        after cursor: FanOut.Cursor,
        total: Int,
        limit: Int
    ) throws -> AudiencePage {
        try endpoints(of: ids, app, after: cursor, total: total, limit: limit) { id in
            try user(id, of: app).map(Subject.user)
        }
    }

    /// The endpoints of people, as many as the part may hold; what `find` does not find is passed over.
    func endpoints<Name>(
        of people: [Name],
        _ app: RowID<App>,
        after cursor: FanOut.Cursor,
        total: Int,
        limit: Int,
        _ find: (Name) throws -> Subject?
    ) throws -> AudiencePage {
        var page = AudiencePage()
        var minor = cursor.minor
        for (offset, name) in people.enumerated() {
            let index = cursor.major + Int64(offset)
            let capacity = limit - page.candidates.count - page.usersWithoutEndpoint.count - page.unknownEndpoints
            guard capacity > 0 else {
                page.next = FanOut.Cursor(major: index, minor: minor)
                return page
            }
            switch try find(name) {
            case nil: continue
            case .endpoint(let endpoint):
                let found = try prepare(SQL.candidate).bind(endpoint, app).first(Candidate.init)
                if let found { page.candidates.append(found) } else { page.unknownEndpoints += 1 }
            case .user(let user):
                let found = try prepare(SQL.userEndpoints).bind(app, user, minor, limit + 1).all(Candidate.init)
                page.candidates += found.prefix(capacity)
                guard found.count <= capacity else {
                    page.next = FanOut.Cursor(major: index, minor: found[capacity - 1].member.endpoint.rawValue)
                    return page
                }
                if found.isEmpty, minor == 0 { page.usersWithoutEndpoint.append(user) }
                minor = 0
            }
        }
        page.next = FanOut.Cursor(after: Int(cursor.major) + people.count, of: total)
        return page
    }

    func candidates(_ ids: [PublicID], _ app: RowID<App>) throws -> AudiencePage {
        let select = try prepare(SQL.namedEndpoint)
        return try candidates(ids) { try select.bind($0, app).first(Candidate.init) }
    }

    func candidates(_ tokens: [String], _ app: RowID<App>, _ platform: Platform) throws -> AudiencePage {
        let select = try prepare("\(Candidate.select) WHERE app_id = ? AND platform = ? AND token = ?")
        return try candidates(tokens) { try select.bind(app, platform.code, $0).first(Candidate.init) }
    }

    fileprivate func candidates<Name>(_ names: [Name], _ find: (Name) throws -> Candidate?) throws -> AudiencePage {
        var page = AudiencePage()
        for name in names {
            if let candidate = try find(name) { page.candidates.append(candidate) } else { page.unknownEndpoints += 1 }
        }
        return page
    }
}

extension FanOut.Cursor {
    /// The position in a list of which this many were read; `nil` at its end.
    init?(after index: Int, of total: Int) {
        guard index < total else { return nil }
        self.init(major: Int64(index), minor: 0)
    }

    /// The position behind a member of everybody.
    fileprivate init(after member: Member) {
        self.init(major: member.user?.rawValue ?? 0, minor: member.endpoint.rawValue)
    }
}

extension Candidate {
    /// Endpoints with the columns that ``init(_:)`` reads.
    static let select = "SELECT \(columns) FROM endpoints"

    /// What ``init(_:)`` reads.
    static let columns = "id, user_id, platform, environment, status, has_push, permission"

    /// A candidate from its columns.
    init(_ row: Row) throws {
        self.init(
            member: Member(endpoint: row.row("id"), user: row.optionalRow("user_id")),
            platform: try row.code("platform"),
            environment: try row.optionalCode("environment"),
            status: try row.code("status"),
            hasPush: row.flag("has_push"),
            isDenied: row.int("permission") == PermissionName.denied.code
        )
    }
}
