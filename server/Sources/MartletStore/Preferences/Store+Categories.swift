public import MartletCore
public import MartletWire

extension Store {
    /// Makes a category.
    ///
    /// - Throws: `Failure` with ``ErrorCode/conflict`` when the key is taken, naming `key` when the app has
    ///   ``Category/limit`` already.
    public func createCategory(_ request: CategoryRequest, of app: RowID<App>, actor: String) async throws
        -> MartletCore.Category
    {
        try request.validate()
        return try await writeConfiguration { transaction in
            try transaction.requireApp(app)
            // Whoever makes another one for the app waits until this one counts.
            try transaction.lockSequences(of: app)
            let known = try transaction.categories(of: app)
            guard !known.contains(where: { $0.key == request.key }) else {
                throw Failure(.conflict, "There is a category '\(request.key)' already.", field: "key")
            }
            guard known.count < Category.limit else {
                throw Failure(
                    .conflict,
                    "The app has \(Category.limit) categories, the maximum.",
                    hint: "Archived ones count: give one of them another meaning.",
                    field: "key"
                )
            }
            let last = known.map(\.position).max() ?? -1
            return try transaction.insert(request, of: app, position: request.position ?? last + 1)
        }
    }

    /// An app's categories, by position and age; archived ones too.
    public func categories(of app: RowID<App>) async throws -> [MartletCore.Category] {
        try await known(app, in: knownCategories) { try $0.categories(of: app) } ?? []
    }

    /// Changes a category. A change of what holds by default is recorded as a preference change of nobody.
    ///
    /// - Throws: `Failure` with ``ErrorCode/notFound``.
    public func updateCategory(_ category: RowID<MartletCore.Category>, _ change: CategoryUpdate, actor: String)
        async throws -> MartletCore.Category
    {
        if let names = change.names { try Category.validate(names: names) }
        return try await writeConfiguration { transaction in
            guard let known = try transaction.category(category) else { throw Failure.notFound("category") }
            let changed = change.applied(to: known, at: transaction.now)
            if changed.defaults != known.defaults {
                try transaction.recordPreferenceChange(
                    of: nil,
                    known.app,
                    category,
                    from: known.defaults,
                    to: changed.defaults,
                    actor: actor
                )
            }
            if changed != known { try transaction.update(changed) }
            return changed
        }
    }
}

extension Transaction {
    fileprivate func insert(
        _ request: CategoryRequest,
        of app: RowID<App>,
        position: Int
    ) throws -> MartletCore.Category {
        let (defaults, required) = (request.default ?? ChannelChoice(), request.required ?? [])
        let row: RowID<MartletCore.Category> = try prepare(
            """
            INSERT INTO categories (app_id, key, names, default_enabled, default_push, default_inbox, is_push_required,
                is_inbox_required, bypasses_quiet_hours, is_exempt_from_caps, position, created_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id
            """
        )
        .bind(
            app,
            request.key,
            try encodedJSON(request.names ?? [:]),
            defaults.enabled,
            defaults.push,
            defaults.inbox,
            required.contains(.push),
            required.contains(.inbox),
            request.bypassQuietHours ?? false,
            request.exemptFromCaps ?? false,
            position,
            now
        )
        .one { $0.row("id") }
        guard let made = try category(row) else { throw Failure.notFound("category") }
        return made
    }

    fileprivate func update(_ category: MartletCore.Category) throws {
        try prepare(
            """
            UPDATE categories SET names = ?, default_enabled = ?, default_push = ?, default_inbox = ?,
                is_push_required = ?, is_inbox_required = ?, bypasses_quiet_hours = ?, is_exempt_from_caps = ?,
                position = ?, archived_at = ?
            WHERE id = ?
            """
        )
        .bind(
            try encodedJSON(category.names),
            category.defaults.enabled,
            category.defaults.push,
            category.defaults.inbox,
            category.required.contains(.push),
            category.required.contains(.inbox),
            category.bypassesQuietHours,
            category.isExemptFromCaps,
            category.position,
            category.archivedAt,
            category.row
        )
        .run()
    }
}

extension Store {
    /// Forgets a person, and removes their devices.
    public func eraseUser(_ user: String, of app: RowID<App>) async throws {
        try await eraseUser(user, of: app, keepsDevices: false)
    }
}
