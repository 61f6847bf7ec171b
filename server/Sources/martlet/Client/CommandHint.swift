import MartletWire

/// Hints of the REST interface in the words of commands, for who is at a prompt.
enum CommandHint {
    /// What stands alike in every hint.
    private static let known = [
        ("GET /api/v1/categories lists", "'martlet categories list' shows"),
        ("POST /api/v1/categories makes", "'martlet categories create' makes"),
        ("GET …/missed says", "'martlet missed' says"),
        ("Send its id or name, or use", "Give --app, or use"),
        ("Send user_id or endpoint_id", "Give --user or --endpoint"),
        ("Send p8 with key_id and team_id", "Give --p8 with --key-id and --team-id"),
        ("or p12 with password, or certificate with private_key", "or --p12, or --certificate with --private-key"),
    ]

    /// What a hint says where it names a path; `nil` where there is no command for that.
    static func words(for hint: String) -> String? {
        var words = hint
        for (field, flag) in known { words = words.replacing(field, with: flag) }
        words.replace(#/PATCH /api/v1/categories/(\S+) with is_archived false/#) { match in
            "'martlet categories update \(match.output.1) --restore'"
        }
        words.replace(#/Change it: PATCH /api/v1/topics/(\S+)/#) { match in
            "No command changes these; 'martlet topics show \(match.output.1)' shows them."
        }
        words.replace(#/Change it: PATCH /api/v1/subscriptions/(\S+)/#) { match in
            "Remove it before you add the other: martlet subscriptions remove \(match.output.1)"
        }
        words.replace(#/PUT /api/v1/apps/(.+)/credentials, or martlet apps credentials set\./#) { match in
            "martlet apps credentials set \(match.output.1)"
        }
        words.replace(#/PUT /api/v1/apps/.+/credentials with platform webpush and a subject\./#) { _ in
            "martlet apps credentials set APP --webpush-subject mailto:push@example.com"
        }
        words.replace(#/, or DELETE /api/v1/notifications/\S+/#) { _ in "." }
        return words.contains("/api/v1/") ? nil : words
    }
}

extension ErrorBody.Detail {
    /// The same with a hint that names commands.
    var inCommands: ErrorBody.Detail {
        var detail = self
        detail.hint = hint.flatMap(CommandHint.words)
        return detail
    }
}
