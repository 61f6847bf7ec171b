import MartletCore
import MartletWire

extension MartletCore.Category {
    /// What ``init(_:)`` reads, of categories c.
    static let columns = """
        c.id, c.app_id, c.key, c.names, c.default_enabled, c.default_push, c.default_inbox, c.is_push_required,
        c.is_inbox_required, c.bypasses_quiet_hours, c.is_exempt_from_caps, c.position, c.archived_at, c.created_at
        """

    /// A category from a row of these columns.
    init(_ row: Row) throws {
        var required: Set<ChannelName> = []
        if row.flag("is_push_required") { required.insert(.push) }
        if row.flag("is_inbox_required") { required.insert(.inbox) }
        self.init(
            row: row.row("id"),
            app: row.row("app_id"),
            key: row.text("key"),
            names: try row.json("names"),
            defaults: ChannelChoice(row, "default_enabled", "default_push", "default_inbox"),
            required: required,
            bypassesQuietHours: row.flag("bypasses_quiet_hours"),
            isExemptFromCaps: row.flag("is_exempt_from_caps"),
            position: row.count("position"),
            archivedAt: row.optionalTime("archived_at"),
            createdAt: row.time("created_at")
        )
    }
}

extension ChannelChoice {
    /// A choice from its three columns.
    init(_ row: Row, _ enabled: StaticString, _ push: StaticString, _ inbox: StaticString) {
        func value(_ column: StaticString) -> Bool? { row.optionalInt(column).map { $0 != 0 } }
        self.init(enabled: value(enabled), push: value(push), inbox: value(inbox))
    }
}

extension Transaction {
    /// One category, archived or not, or `nil`.
    func category(_ row: RowID<MartletCore.Category>) throws -> MartletCore.Category? {
        try prepare("SELECT \(MartletCore.Category.columns) FROM categories c WHERE c.id = ?").bind(row)
            .first(MartletCore.Category.init)
    }

    /// An app's categories, by position and age.
    func categories(of app: RowID<App>) throws -> [MartletCore.Category] {
        try prepare(
            "SELECT \(MartletCore.Category.columns) FROM categories c WHERE c.app_id = ? ORDER BY c.position, c.id"
        )
        .bind(app)
        .all(MartletCore.Category.init)
    }

    /// A category with the defaults that it had at a mark: as it is now, with the later changes undone.
    func category(_ category: MartletCore.Category, asOf mark: Int64) throws -> MartletCore.Category {
        var known = category
        let before = try prepare(SQL.firstDefaultChange).bind(category.row, category.app, mark)
            .first { ChannelChoice($0, "before_enabled", "before_push", "before_inbox") }
        if let before { known.defaults = before }
        return known
    }
}
