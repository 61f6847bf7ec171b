import MartletWire

extension DocumentSchema {
    /// What a device says about itself; the bound is `DeviceInfo`'s.
    fileprivate static let deviceFields: [Field] = [
        .optional("device_model", .string(limit: 100), "The hardware, such as iPhone16,1."),
        .optional("os_version", .string(limit: 100), "The operating system's version."),
        .optional("app_version", .string(limit: 100), "The app's version."),
        .optional("locale", .string(limit: 100), "The language and region, such as ja-JP."),
        .optional("time_zone", .string(limit: 100), "The IANA time zone, such as Asia/Tokyo."),
    ]

    /// What every registration says about its token.
    fileprivate static let tokenFields: [Field] = [
        .required("token", .string(limit: 4096), "The provider's token; at Apple its bytes in hexadecimal."),
        .optional("platform", .platform, "Absent is 'apns'."),
        .optional("environment", .words(of: EnvironmentName.self), "Absent lets the server find out."),
        .optional("previous_token", .string(limit: 4096), "The token that this one takes the place of."),
    ]
}

extension TokenRegistrationRequest: Documented {
    static let schema = DocumentSchema(
        "TokenRegistrationRequest",
        [
            .optional("app", .string, "The id or name of the app; absent takes the key's."),
            .required("installation_id", .uuid, "Made by the SDK; it lives as long as the install."),
        ] + DocumentSchema.tokenFields + [
            .optional("user_id", .string(limit: 256).orNull, "The user; null after a logout; absent leaves it."),
            .optional("permission", .words(of: PermissionName.self), "What the person allowed the app to show."),
        ] + DocumentSchema.deviceFields
    )
}

extension TokenRegistrationResponse: Documented {
    static let schema = DocumentSchema(
        "TokenRegistration",
        [
            .required("endpoint_id", .uuid, "The endpoint's id."),
            .required("installation_id", .uuid, "The installation's id."),
            .optional("installation_secret", .string, "Only when this call issued it. Every later call presents it."),
            .optional("user_id", .string, "Who the device belongs to now."),
            .required("platform", .platform, "The provider."),
            .optional("environment", .words(of: EnvironmentName.self), "The provider's environment, once known."),
            .required("is_active", .boolean, "Whether pushes are made to it."),
            .required("created_at", .time, "When the endpoint was first seen."),
            .required("registered_at", .time, "When the token was last registered."),
        ]
    )
}

extension DeviceRequest: Documented {
    static let schema = DocumentSchema(
        "DeviceRequest",
        [
            .optional("app", .string, "The id or name of the app; with a user token the token says it."),
            .optional("user_id", .string(limit: 256), "The user; with a user token its subject."),
        ] + DocumentSchema.tokenFields + DocumentSchema.deviceFields
    )
}

extension DeviceUpdate: Documented {
    static let schema = DocumentSchema(
        "DeviceUpdate",
        [
            .optional("is_active", .boolean, "Whether pushes are made to it."),
            .optional("user_id", .string(limit: 256).orNull, "Another user, for server keys only; null for nobody."),
        ] + DocumentSchema.deviceFields
    )
}

extension DeviceResponse: Documented {
    static let schema = DocumentSchema(
        "Device",
        [
            .required("id", .uuid, "The endpoint's id."),
            .optional("user_id", .string, "Who it belongs to, once known."),
            .required("device_token", .string, "The provider's token."),
            .required("platform", .platform, "The provider."),
            .optional("environment", .words(of: EnvironmentName.self), "The provider's environment, once known."),
            .optional("installation_id", .uuid, "The installation, where the SDK registered it."),
            .required("is_active", .boolean, "Whether pushes are made to it."),
            .optional("inactive_reason", .string, "Why not: a word of ours, or the provider's reason."),
        ] + DocumentSchema.deviceFields + [
            .optional("permission", .words(of: PermissionName.self), "What the person allowed the app to show."),
            .optional("custom_user_data", .string, "What a client of the SNS interface keeps with it."),
            .required("created_at", .time, "When it was first seen."),
            .required("last_seen_at", .time, "When its token was last registered."),
        ]
    )
}
