import MartletCore
import MartletWire

extension Transaction {
    /// Reads the item of a notification that a person opened on a device to which it was delivered.
    ///
    /// Their other devices are spared it only where users are proven: in other apps anybody can claim to be one.
    func readItem(openedBy event: EventDraft, in app: RowID<App>) throws {
        guard event.type == .open, let installation = event.installation,
            let id = event.messageID.flatMap({ PublicID($0) })
        else { return }
        let notification = try prepare(SQL.itemByID).bind(app, id)
            .first { $0.row("notification_id") as RowID<Notification> }
        guard let notification else { return }
        for member in try members(of: installation, in: app) {
            guard let user = member.user,
                try isDelivered(notification, to: member),
                let item = try presentItem(id, of: user, in: app), item.isLive
            else { continue }
            let isProven = try self.app(.row(app))?.identity.mode == .signed
            guard try mark(item, as: .read, of: user, in: app, withdraws: isProven) else { continue }
            try write(SQL.touchInboxes, [user])
            try planBadgeSync(of: user, in: app, readOn: installation)
        }
    }

    /// A person's item, or the newer one that took its place under its key.
    private func presentItem(_ id: PublicID, of user: RowID<User>, in app: RowID<App>) throws -> FoundInboxItem? {
        if let item = try ownedItem(id, of: user, in: app) { return item }
        let newer = try prepare(SQL.newerVersion).bind(app, id, user).first { try $0.publicID("public_id") }
        return try newer.flatMap { try ownedItem($0, of: user, in: app) }
    }

    private func members(of installation: PublicID, in app: RowID<App>) throws -> [Member] {
        try prepare(
            """
            SELECT e.id, e.user_id FROM installations i
            JOIN endpoints e ON e.app_id = i.app_id AND e.installation_id = i.id AND e.status <> 2
            WHERE i.app_id = ? AND i.public_id = ?
            """
        )
        .bind(app, installation)
        .all { Member(endpoint: $0.row("id"), user: $0.optionalRow("user_id")) }
    }

    /// Whether a notification has a result at an endpoint, or is under way there: its answer may come after the event.
    private func isDelivered(_ notification: RowID<Notification>, to member: Member) throws -> Bool {
        if try !settled([member], of: notification).isEmpty { return true }
        return try !waiting([member.endpoint], of: notification).isEmpty
    }
}
