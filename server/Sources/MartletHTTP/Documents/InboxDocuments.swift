import MartletWire

/// What several documents say of an item's text.
private enum ItemRow {
    static let title: DocumentSchema.Row = (.string, "The first line.")
    static let subtitle: DocumentSchema.Row = (.string, "The second line.")
    static let body: DocumentSchema.Row = (.string, "The text.")
    static let image: DocumentSchema.Row = (.string(limit: 2048), "An image to show, by its https address.")
    static let deepLink: DocumentSchema.Row = (.string(limit: 2048), "Where a tap leads.")
    static let data: DocumentSchema.Row = (.map(of: .any), "The app's own values.")
}

extension InboxItemRequest: Documented {
    static let schema = document("InboxItemRequest") { field in
        switch field {
        case .key:
            (.string(limit: 256), "A later item of the same key takes the place of this one, for each person.")
        case .expiresAt: (.time, "When it leaves the inbox; absent is after 90 days; at most a year.")
        case .content:
            (.document(InboxContentRequest.self), "What it says, where that is not what the push says; at most 8 KiB.")
        }
    }
}

extension InboxContentRequest: Documented {
    static let schema = document("InboxContentRequest") { field in
        switch field {
        case .title: ItemRow.title
        case .subtitle: ItemRow.subtitle
        case .body: ItemRow.body
        case .image: ItemRow.image
        case .deepLink: ItemRow.deepLink
        case .data: ItemRow.data
        }
    }
}

extension InboxItemResponse: Documented {
    static let schema = document("InboxItem") { field in
        switch field {
        case .id: (.uuid, "The id, which is the notification's.")
        case .category: (.string, "The category's key.")
        case .title: ItemRow.title
        case .subtitle: ItemRow.subtitle
        case .body: ItemRow.body
        case .image: ItemRow.image
        case .deepLink: ItemRow.deepLink
        case .data: ItemRow.data
        case .publishedAt: (.time, "When it was published.")
        case .expiresAt: (.time, "When it leaves.")
        case .isSeen: (.boolean, "Whether the person saw it in a list.")
        case .isRead: (.boolean, "Whether the person read it; who read it saw it too.")
        case .isArchived: (.boolean, "Whether the person put it away; who did so read it too.")
        }
    }
}

extension InboxCountsResponse: Documented {
    static let schema = document("InboxCounts") { field in
        switch field {
        case .unread: (.integer(), "Those that were not read.")
        case .unseen: (.integer(), "Those that were not seen.")
        case .revision: (.integer(), "A number that grows with each change of the inbox.")
        }
    }
}

extension InboxItemUpdate: Documented {
    static let schema = document("InboxItemUpdate") { field in
        switch field {
        case .isSeen: (.boolean, "Whether the person saw it; false takes back that they read or archived it too.")
        case .isRead: (.boolean, "Whether the person read it; true says that they saw it too.")
        case .isArchived: (.boolean, "Whether the person put it away; true says that they read it too.")
        case .installationID: (.uuid, "The installation on which the person did it; badge_sync does not tell it.")
        }
    }
}

extension InboxActionRequest: Documented {
    static let schema = document("InboxActionRequest") { field in
        switch field {
        case .action:
            (.words(of: InboxAction.self), "What is done: see, read and archive with 'all', every one with 'ids'.")
        case .ids:
            (.list(of: .uuid).of(1...limit), "The items, at most 100; those that are not the person's are passed over.")
        case .all: (.boolean, "true, in place of ids: all that are not newer than 'up_to'.")
        case .upTo: (.uuid, "The newest item that the person saw in the list; required with 'all'.")
        case .category: (.categoryKey, "With 'all': only those of this category.")
        case .installationID: (.uuid, "The installation on which the person did it; badge_sync does not tell it.")
        }
    }
}

extension InboxChange: Documented {
    static let schema = document("InboxChange") { field in
        switch field {
        case .unread: (.integer(), "Those that were not read.")
        case .unseen: (.integer(), "Those that were not seen.")
        case .revision: (.integer(), "A number that grows with each change of the inbox; the event's id too.")
        case .ids:
            (.list(of: .uuid), "The newest items, at most 20, what changed first; a hint, some may be missing.")
        }
    }
}
