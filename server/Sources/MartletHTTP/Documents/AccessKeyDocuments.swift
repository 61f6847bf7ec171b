import MartletCore
import MartletWire

extension AccessKeyRequest: Documented {
    static let schema = DocumentSchema(
        "AccessKeyRequest",
        [
            .required("name", .string(limit: 100), "The operator's name for it."),
            .optional(
                "allow",
                .list(of: .string(limit: AccessPermission.longest)),
                "What it may do: rules such as publish:arn:aws:sns:us-east-1:123456789012:news; absent is everything."
            ),
        ]
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
            .optional("allow", .list(of: .string), "What it may do; absent is everything."),
            .optional("secret_access_key", .string, "What signs requests: only in the answer that made it."),
        ]
    )
}
