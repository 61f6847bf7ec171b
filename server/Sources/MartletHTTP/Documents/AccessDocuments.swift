import MartletWire

extension KeyRequest: Documented {
    static let schema = DocumentSchema(
        "KeyRequest",
        [
            .required("scope", .words(of: KeyScope.self), "What the holder may do."),
            .optional("app", .string, "The id or name of the one app it is good for; a client key needs one."),
            .required("name", .string(limit: 100), "The operator's name for it."),
        ]
    )
}

extension KeyResponse: Documented {
    static let schema = DocumentSchema(
        "Key",
        [
            .required("id", .uuid, "The id."),
            .required("scope", .words(of: KeyScope.self), "What the holder may do."),
            .optional("app_id", .uuid, "The one app it is good for."),
            .required("name", .string, "The operator's name for it."),
            .required("prefix", .string, "The first characters, to recognise it by."),
            .required("created_at", .time, "When it was made."),
            .optional("revoked_at", .time, "When it was revoked."),
            .optional("key", .string, "The key itself: only in the answer that made it."),
        ]
    )
}

extension FindingItem: Documented {
    static let schema = DocumentSchema(
        "Finding",
        [
            .required("level", .words(of: Level.self), "How bad it is."),
            .required("subject", .string, "What was looked at."),
            .required("message", .string, "What was found."),
            .optional("advice", .string, "What to change."),
        ]
    )
}

extension HealthResponse: Documented {
    static let schema = DocumentSchema("Health", [.required("status", .string, "'ok' when it is.")])
}

extension ErrorBody: Documented {
    static let schema = DocumentSchema("Error", [.required("error", .document(Detail.self), "What went wrong.")])
}

extension ErrorBody.Detail: Documented {
    static let schema = DocumentSchema(
        "ErrorDetail",
        [
            .required("code", .string, "A word that never changes."),
            .required("message", .string, "One sentence for a person."),
            .optional("hint", .string, "What to do next."),
            .optional("field", .string, "The field at fault, as a path such as audience.users[3]."),
        ]
    )
}
