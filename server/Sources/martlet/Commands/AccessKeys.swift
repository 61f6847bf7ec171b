import MartletWire

/// What `martlet keys` does about the access keys of the SNS interface.
enum AccessKeys {
    /// Whether a text is an access key's id and not that of another key, which is a UUID.
    static func isID(_ text: String) -> Bool { text.hasPrefix("MKIA") }

    /// Makes one and shows it, once.
    ///
    /// - Parameter allow: what it may do; nothing is everything.
    static func create(
        _ name: String,
        allow: [String],
        expiry: UTCTime?,
        _ connection: ConnectionOptions
    ) async throws {
        let request = AccessKeyRequest(name: name, allow: allow.isEmpty ? nil : allow, expiresAt: expiry)
        let made: Item<AccessKeyResponse> = try await connection.client().call(.post, "access-keys", request)
        if connection.json { return try connection.output.json(Made(data: made.data)) }
        connection.output.lines(
            Table.pairs([
                ("access key id", made.data.accessKeyID), ("secret access key", made.data.secretAccessKey),
                ("may do", shown(made.data.allow)), ("expires", made.data.expiresAt?.description),
            ])
        )
        Terminal.note("The secret is shown once: keep it now.")
    }

    /// Lists them.
    static func list(_ page: PageOptions, _ connection: ConnectionOptions) async throws {
        let path: APIPath = "access-keys"
        let keys: List<AccessKeyResponse> = try await connection.client().get(path.query(page.parameters))
        try connection.output.show(keys, columns: columns, empty: "There are no access keys.")
    }

    private static let columns: [Column<AccessKeyResponse>] = [
        ("ACCESS KEY ID", \.accessKeyID), ("NAME", \.name), ("MADE", \.createdAt.description),
        ("LAST USED", \.lastUsedAt?.description), ("EXPIRES", \.expiresAt?.description),
        ("REVOKED", \.revokedAt?.description), ("MAY DO", { shown($0.allow) }),
    ]

    private static func shown(_ allow: [String]?) -> String { allow?.joined(separator: " ") ?? "everything" }

    /// A new key as JSON: as every command prints things, and the two names of AWS's own tools beside it, so that
    /// scripts can read them without knowing this one.
    private struct Made: Encodable {
        var data: AccessKeyResponse

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(data.accessKeyID, forKey: .accessKeyID)
            try container.encodeIfPresent(data.secretAccessKey, forKey: .secretAccessKey)
            try container.encode(data, forKey: .data)
        }

        enum CodingKeys: String, CodingKey {
            case accessKeyID = "access_key_id"
            case secretAccessKey = "secret_access_key"
            case data
        }
    }
}
