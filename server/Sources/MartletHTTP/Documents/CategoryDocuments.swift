import MartletWire

/// What several documents say of a category.
private enum CategoryRow {
    static let key: DocumentSchema.Row = (
        .categoryKey, "The key: 1 to 64 characters of a–z, 0–9, '_', '.', '-'; it never changes."
    )
    static let names: DocumentSchema.Row = (.map(of: .string(limit: 200)), "What people read, by locale such as pt-BR.")
    static let defaults = "What holds for who has chosen nothing; what it leaves open is on."
    static let required: DocumentSchema.Row = (
        .list(of: .words(of: ChannelName.self)), "The channels that nobody can switch off."
    )
    static let bypassQuietHours: DocumentSchema.Row = (
        .boolean, "Whether it is sent in quiet hours too. It changes nothing yet: nobody has quiet hours."
    )
    static let exemptFromCaps: DocumentSchema.Row = (.boolean, "Whether caps do not count it.")
    static let position: DocumentSchema.Row = (.integer(0...1_000_000), "Where it stands in a settings screen.")
    static let isArchived: DocumentSchema.Row = (
        .boolean, "Whether nothing is sent with it any more, and no settings screen shows it."
    )
}

extension CategoryRequest: Documented {
    static let schema = document("CategoryRequest") { field in
        switch field {
        case .app: (.string, "The id or name of the app; absent takes the key's.")
        case .key: CategoryRow.key
        case .names: CategoryRow.names
        case .default: (.document(ChannelChoice.self), CategoryRow.defaults)
        case .required: CategoryRow.required
        case .bypassQuietHours: CategoryRow.bypassQuietHours
        case .exemptFromCaps: CategoryRow.exemptFromCaps
        case .position: (CategoryRow.position.schema, "Where it stands in a settings screen; absent is last.")
        }
    }
}

extension CategoryUpdate: Documented {
    static let schema = document("CategoryUpdate") { field in
        switch field {
        case .names: (CategoryRow.names.schema, "What people read, by locale; replaces all of them.")
        case .default: (.document(ChannelPatch.self), CategoryRow.defaults)
        case .required: CategoryRow.required
        case .bypassQuietHours: CategoryRow.bypassQuietHours
        case .exemptFromCaps: CategoryRow.exemptFromCaps
        case .position: CategoryRow.position
        case .isArchived: CategoryRow.isArchived
        }
    }
}

extension CategoryResponse: Documented {
    static let schema = document("Category") { field in
        switch field {
        case .appID: (.uuid, "Whose it is.")
        case .key: CategoryRow.key
        case .names: CategoryRow.names
        case .default: (.document(ChannelChoice.self), CategoryRow.defaults)
        case .required: CategoryRow.required
        case .bypassQuietHours: CategoryRow.bypassQuietHours
        case .exemptFromCaps: CategoryRow.exemptFromCaps
        case .position: CategoryRow.position
        case .isArchived: CategoryRow.isArchived
        case .createdAt: (.time, "When it was made.")
        }
    }
}

extension ChannelChoice: Documented {
    static let schema = document("ChannelChoice") { field in
        switch field {
        case .enabled: (.boolean, "Whether there is anything at all; absent is the default.")
        case .push: (.boolean, "Whether there are pushes; absent is the default.")
        case .inbox: (.boolean, "Whether there are inbox items; absent is the default.")
        }
    }
}

extension ChannelPatch: Documented {
    static let schema = document("ChannelPatch") { field in
        switch field {
        case .enabled: (.boolean.orNull, "Whether there is anything at all; absent leaves it, null is the default.")
        case .push: (.boolean.orNull, "Whether there are pushes; absent leaves it, null is the default.")
        case .inbox: (.boolean.orNull, "Whether there are inbox items; absent leaves it, null is the default.")
        }
    }
}
