@testable import MartletStore

extension QueryPlanTests {
    /// What is asked of preferences for each notification, page and batch.
    static let preferences = [
        Expectation(
            name: "the last preference change of an app",
            sql: SQL.lastPreferenceChange,
            plan: ["SEARCH app_sequences USING INTEGER PRIMARY KEY (rowid=?)"]
        ),
        Expectation(
            name: "the first change of a category's default",
            sql: SQL.firstDefaultChange,
            plan: ["SEARCH preference_changes USING INDEX preference_changes_user (user_id=? AND id>?)"]
        ),
        Expectation(
            name: "the last change of a user",
            sql: SQL.lastChangeOfUser,
            plan: ["SEARCH preference_changes USING COVERING INDEX preference_changes_user (user_id=?)"]
        ),
        Expectation(
            name: "a user's changes",
            sql: SQL.preferenceHistory,
            plan: [
                "SEARCH p USING INDEX preference_changes_user (user_id=? AND id<?)",
                "SEARCH c USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN",
            ]
        ),
        Expectation(
            name: "what users of a range chose",
            sql: SQL.choices,
            plan: ["SEARCH preferences USING PRIMARY KEY (user_id>? AND user_id<?)"]
        ),
        Expectation(
            name: "what a run of users chose",
            sql: SQL.choicesRun,
            plan: ["SEARCH preferences USING PRIMARY KEY (user_id=? AND category_id=?)"]
        ),
        Expectation(
            name: "what people changed since",
            sql: SQL.laterChanges,
            plan: ["SEARCH preference_changes USING PRIMARY KEY (app_id=? AND id>?)"]
        ),
        Expectation(
            name: "what a run of users changed since",
            sql: SQL.laterChangesRun,
            plan: ["SEARCH preference_changes USING INDEX preference_changes_user (user_id=? AND id>?)"]
        ),
        Expectation(
            name: "preference changes that are old",
            sql: SQL.oldPreferenceChanges,
            plan: ["SEARCH preference_changes USING COVERING INDEX preference_changes_age (at<?)"]
        ),
        Expectation(
            name: "one preference change that is old",
            sql: SQL.deletePreferenceChange,
            plan: ["SEARCH preference_changes USING PRIMARY KEY (app_id=? AND id=?)"]
        ),
        Expectation(
            name: "a user's name in events",
            sql: SQL.eraseEvents,
            plan: ["SEARCH push_events USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)"]
        ),
        Expectation(
            name: "a user's withdrawals",
            sql: SQL.eraseWithdrawals,
            plan: [
                "SEARCH withdrawals USING PRIMARY KEY (notification_id=? AND user_id=?)", "LIST SUBQUERY 1",
                "SEARCH e USING PRIMARY KEY (user_id=?)", "SEARCH i USING PRIMARY KEY (app_id=? AND id=?)",
            ]
        ),
    ]
}
