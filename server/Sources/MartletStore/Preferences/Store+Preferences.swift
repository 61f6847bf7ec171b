public import MartletCore
public import MartletWire

extension Store {
    /// What a person chose; nothing for who is not known.
    public func preferences(of user: String, _ app: RowID<App>) async throws -> UserPreferences {
        try await read { transaction in
            guard let row = try transaction.user(user, of: app) else { return UserPreferences() }
            return try transaction.preferences(of: row, app)
        }
    }

    /// Changes what people chose, field by field, in one transaction; says what became of each, by position. Each choice
    /// that differs is recorded.
    public func changePreferences(_ drafts: [PreferencesDraft], of app: RowID<App>, actor: String) async throws
        -> [Result<UserPreferences, Failure>]
    {
        try await write { transaction in
            try transaction.requireApp(app)
            try transaction.lockSequences(of: app)
            return try drafts.map { draft in
                do {
                    return .success(try transaction.change(draft, of: app, actor: actor))
                } catch let failure as Failure where failure.code == .conflict {
                    // Found out before anything of it is written.
                    return .failure(failure)
                }
            }
        }
    }

    /// A person's changes, newest first; a page's key is a change's number.
    public func preferenceHistory(of user: String, _ app: RowID<App>, _ page: PageRequest) async throws -> Page<
        PreferenceChange
    > {
        try await read { transaction in
            guard let row = try transaction.user(user, of: app) else { return Page(items: [], next: nil) }
            let rows = try transaction.prepare(SQL.preferenceHistory)
                .bind(row, page.after ?? .max, page.count + 1)
                .all(PreferenceChange.init)
            return Page(rows, page, key: \.revision)
        }
    }
}

extension Transaction {
    /// What a user chose.
    fileprivate func preferences(of user: RowID<User>, _ app: RowID<App>) throws -> UserPreferences {
        var found = UserPreferences()
        found.revision =
            try prepare(SQL.lastChangeOfUser).bind(user).first { $0.int("id") } ?? 0
        try prepare("SELECT category_id, enabled, push, inbox FROM preferences WHERE user_id = ?").bind(user)
            .forEach { row in
                let choice = ChannelChoice(row, "enabled", "push", "inbox")
                let category = row.row("category_id") as RowID<MartletCore.Category>
                if category.rawValue == 0 { found.master = choice } else { found.categories[category] = choice }
            }
        try prepare(
            """
            SELECT locale, time_zone FROM endpoints WHERE app_id = ? AND user_id = ? AND status <> 2
            ORDER BY registered_at DESC, id DESC
            """
        )
        .bind(app, user)
        .forEach { row in
            found.locale = found.locale ?? row.optionalText("locale")
            found.timeZone = found.timeZone ?? row.optionalText("time_zone")
        }
        return found
    }

    /// Changes what one person chose.
    ///
    /// - Throws: `Failure` with ``ErrorCode/conflict``; nothing of it is written then.
    fileprivate func change(_ draft: PreferencesDraft, of app: RowID<App>, actor: String) throws -> UserPreferences {
        var user = try user(draft.user, of: app)
        let known = try user.map { try preferences(of: $0, app) } ?? UserPreferences()
        if let revision = draft.revision, revision != known.revision {
            throw Failure(
                .conflict,
                "The preferences were changed meanwhile: their revision is \(known.revision), not \(revision).",
                hint: "Read them again, and send what is to change with the new revision.",
                field: "If-Match"
            )
        }
        var changed = known
        func apply(
            _ patch: ChannelPatch,
            to before: ChannelChoice,
            of category: RowID<MartletCore.Category>?
        ) throws -> ChannelChoice {
            let after = before.applying(patch)
            guard after != before else { return before }
            let row = try user ?? makeUser(draft.user, of: app)
            user = row
            try write(after, of: row, category)
            changed.revision = try recordPreferenceChange(
                of: row,
                app,
                category,
                from: before,
                to: after,
                actor: actor
            )
            return after
        }
        if let patch = draft.master { changed.master = try apply(patch, to: known.master, of: nil) }
        for (category, patch) in draft.categories.sorted(by: { $0.key < $1.key }) {
            let after = try apply(patch, to: known.categories[category] ?? ChannelChoice(), of: category)
            changed.categories[category] = after.isEmpty ? nil : after
        }
        return changed
    }

    /// Writes a choice, and no row for one that leaves all open.
    private func write(
        _ choice: ChannelChoice,
        of user: RowID<User>,
        _ category: RowID<MartletCore.Category>?
    ) throws {
        let category = category?.rawValue ?? 0
        guard !choice.isEmpty else {
            try prepare("DELETE FROM preferences WHERE user_id = ? AND category_id = ?").bind(user, category).run()
            return
        }
        try prepare(
            """
            INSERT INTO preferences (user_id, category_id, enabled, push, inbox) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (user_id, category_id) DO UPDATE
                SET enabled = excluded.enabled, push = excluded.push, inbox = excluded.inbox
            """
        )
        .bind(user, category, choice.enabled, choice.push, choice.inbox)
        .run()
    }
}

extension PreferenceChange {
    fileprivate init(_ row: Row) {
        self.init(
            revision: row.int("id"),
            category: row.optionalText("key"),
            before: ChannelChoice(row, "before_enabled", "before_push", "before_inbox"),
            after: ChannelChoice(row, "after_enabled", "after_push", "after_inbox"),
            actor: row.text("actor"),
            at: UTCTime(row.time("at"))
        )
    }
}
