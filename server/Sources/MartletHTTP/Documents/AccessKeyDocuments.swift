import MartletWire

extension AccessKeyRequest: Documented {
    static let schema = DocumentSchema(
        "AccessKeyRequest",
        [.required("name", .string(limit: 100), "The operator's name for it.")]
    )
}

extension AccessKeyResponse: Documented {
    static let schema = DocumentSchema(
        "AccessKey",
        [
            .required("access_key_id", .string, "What requests to the SNS interface name."),
            .required("name", .string, "The operator's name for it."),
            .required("created_at", .time, "When it was made."),
            .optional("revoked_at", .time, "When it was revoked."),
            .optional("secret_access_key", .string, "What signs requests: only in the answer that made it."),
        ]
    )
}
