import MartletCore

/// What is asked of preferences for each notification, page and batch.
extension SQL {
    /// The number of an app's last preference change: app.
    static let lastPreferenceChange = "SELECT preference_change FROM app_sequences WHERE app_id = ?"

    /// Draws numbers of preference changes, and says the last of them: app, how many.
    static let drawPreferenceChanges = """
        INSERT INTO app_sequences (app_id, preference_change) VALUES (?, ?)
        ON CONFLICT (app_id) DO UPDATE
            SET preference_change = app_sequences.preference_change + excluded.preference_change
        RETURNING preference_change
        """

    /// The first change of a category's default after a mark: category, app, mark. Those of all apps stand together, and are
    /// few.
    static let firstDefaultChange = """
        SELECT before_enabled, before_push, before_inbox FROM preference_changes /*+ preference_changes_user */
        WHERE user_id = 0 AND category_id = ? AND app_id = ? AND id > ? ORDER BY id LIMIT 1
        """

    /// The last change of a user: user.
    static let lastChangeOfUser = """
        SELECT id FROM preference_changes WHERE user_id = ? ORDER BY id DESC LIMIT 1
        """

    /// A user's changes, newest first: user, before, limit.
    static let preferenceHistory = """
        SELECT p.id, c.key, p.before_enabled, p.before_push, p.before_inbox, p.after_enabled, p.after_push, p.after_inbox,
            p.actor, p.at
        FROM preference_changes p /*+ preference_changes_user */ LEFT JOIN categories c ON c.id = p.category_id
        WHERE p.user_id = ? AND p.id < ? ORDER BY p.id DESC LIMIT ?
        """

    /// What users of a range chose over all and for a category: first, last, category.
    static let choices = """
        SELECT user_id, category_id, enabled, push, inbox FROM preferences
        WHERE user_id BETWEEN ? AND ? AND category_id IN (0, ?)
        """

    /// The same of a run of users: category, users.
    static let choicesRun = """
        SELECT user_id, category_id, enabled, push, inbox FROM preferences
        WHERE user_id IN (\(users(from: 2))) AND category_id IN (0, ?1)
        """

    /// What an app's users changed after a mark, over all and for a category: app, mark, category.
    static let laterChanges = """
        SELECT user_id, id, category_id, before_enabled, before_push, before_inbox FROM preference_changes
        WHERE app_id = ? AND id > ? AND category_id IN (0, ?)
        """

    /// The same of a run of users: mark, category, users.
    static let laterChangesRun = """
        SELECT user_id, id, category_id, before_enabled, before_push, before_inbox
        FROM preference_changes /*+ preference_changes_user */
        WHERE user_id IN (\(users(from: 3))) AND id > ?1 AND category_id IN (0, ?2)
        """

    /// Changes that need not be known any more: before, limit.
    static let oldPreferenceChanges = """
        SELECT app_id, id FROM preference_changes WHERE at < ? ORDER BY at, app_id, id LIMIT ?
        """
    /// One of them: app, number.
    static let deletePreferenceChange = "DELETE FROM preference_changes WHERE app_id = ? AND id = ?"

    private static func users(from first: Int) -> String {
        (0..<run).map { "?\(first + $0)" }.joined(separator: ", ")
    }
}
