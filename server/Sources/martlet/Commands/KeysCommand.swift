import ArgumentParser
import Foundation
import MartletWire

/// `martlet keys`.
struct KeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "Manages the keys of backends and apps.",
        subcommands: [List.self, Create.self, Revoke.self],
        defaultSubcommand: List.self
    )

    /// `martlet keys list`.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists the keys by their first characters, revoked ones too.",
            discussion: """
                The time of a key's last use is exact to ten minutes.

                Examples:
                  martlet keys list --app com.example.app
                  martlet keys list --sns
                """
        )

        @Flag(help: "The access keys of the SNS interface instead.")
        var sns = false
        @Option(help: "Only the keys of this app.")
        var app: String?
        @OptionGroup var page: PageOptions
        @OptionGroup var connection: ConnectionOptions

        func validate() throws {
            guard !sns || app == nil else {
                throw ValidationError("Access keys are valid for all apps: leave out --app.")
            }
        }

        func run() async throws {
            if sns { return try await AccessKeys.list(page, connection) }
            let keys: MartletWire.List<KeyResponse> = try await connection.client()
                .get(APIPath("keys").query([("app", app)] + page.parameters))
            try connection.output.show(keys, columns: Self.columns, empty: "There are no keys.")
        }

        private static let columns: [Column<KeyResponse>] = [
            ("PREFIX", { $0.prefix + "…" }), ("SCOPE", \.scope.rawValue), ("NAME", \.name),
            ("APP", { $0.appID?.description ?? "all" }), ("MADE", \.createdAt.description),
            ("LAST USED", \.lastUsedAt?.description), ("EXPIRES", \.expiresAt?.description),
            ("REVOKED", \.revokedAt?.description), ("ID", \.id.description),
        ]
    }

    /// `martlet keys create`.
    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Creates a key and shows it once.",
            discussion: """
                A 'send' key is for backends, a 'client' key goes into an app, an 'admin' key may do everything. With \
                --admin and --data the key is made in the database itself, without a server: for the first key, or \
                when all are lost. --sns makes an access key id and a secret for clients of Amazon SNS, such as boto3; \
                with --allow it may do only what one of these rules says: actions of SNS, and behind a colon the ARN of a \
                topic, a platform application or an endpoint, '*' for any run of characters in both; 'sns:' before an \
                action may be there or not. A rule for an \
                application is one for its endpoints, and one for a topic one for its subscriptions. From the time that \
                --expires names, a key is refused as a revoked one is.

                Examples:
                  martlet keys create --scope send --app com.example.app --name backend
                  martlet keys create --scope send --name contractor --expires 90d
                  martlet keys create --admin --data /var/lib/martlet
                  martlet keys create --sns --name worker --expires 2027-03-01
                  martlet keys create --sns --name news --allow 'publish:arn:aws:sns:us-east-1:123456789012:news'
                  martlet keys create --sns --allow 'get*,list*:*' --allow '*:arn:aws:sns:*:app/APNS/shop'
                """
        )

        @Option(help: "'send', 'client' or 'admin'.")
        var scope: KeyScope?
        @Flag(help: "The same as --scope admin.")
        var admin = false
        @Flag(help: "Create an access key for the SNS interface.")
        var sns = false
        @Option(
            help: "What an access key may do, as ACTION[,ACTION…]:ARN; repeatable. Default: everything."
        )
        var allow: [String] = []
        @Option(help: "The one app that the key is valid for. Default: all.")
        var app: String?
        @Option(help: "Your name for the key.")
        var name: String?
        @Option(help: "When it expires: in how long, such as 90d or 12h, or a day such as 2027-03-01. Default: never.")
        var expires: String?
        @OptionGroup var connection: ConnectionOptions

        mutating func validate() throws {
            _ = try expiry()
            if sns {
                guard scope == nil, !admin, app == nil else {
                    throw ValidationError("An access key has neither scope nor app: give --sns without them.")
                }
                return
            }
            guard allow.isEmpty else { throw ValidationError("--allow is for access keys: use it with --sns.") }
            guard (scope == nil) == admin else { throw ValidationError("Give one of --scope, --admin and --sns.") }
        }

        func run() async throws {
            let expiry = try expiry()
            if sns {
                return try await AccessKeys.create(name ?? "command line", allow: allow, expiry: expiry, connection)
            }
            let settings = try await connection.settings()
            if admin, app == nil, connection.access.server == nil, connection.access.key == nil,
                settings.string("data") != nil || settings.string("database") != nil
            {
                return try await makeInStore(ServeSettings(settings), expiry)
            }
            let request = KeyRequest(
                scope: scope ?? .admin,
                app: app,
                name: name ?? "command line",
                expiresAt: expiry
            )
            let made: Item<KeyResponse> = try await connection.client().call(.post, "keys", request)
            try show(made.data)
        }

        private func expiry() throws -> UTCTime? { try expires.map { try KeyExpiryFlag.time($0, now: Date()) } }

        private func makeInStore(_ serve: ServeSettings, _ expiry: UTCTime?) async throws {
            let name = name ?? "command line"
            let isNew = serve.data.lacks(serve.database)
            let secret = try await Composition.makeAdminKey(
                in: serve.data,
                serve.database,
                name: name,
                expiresAt: expiry
            )
            var data = ["key": secret, "scope": "admin"]
            data["expires_at"] = expiry?.description
            try connection.output.say(secret, data: data)
            if !connection.json { Terminal.note("This key is shown once: keep it now.") }
            if isNew { Terminal.note(serve.data.newDatabaseNote) }
        }

        private func show(_ key: KeyResponse) throws {
            if connection.json { return try connection.output.json(Item(key)) }
            connection.output.lines([key.key ?? ""])
            let end = key.expiresAt.map { " It expires at \($0)." } ?? ""
            Terminal.note("This \(key.scope.rawValue) key (\(key.id)) is shown once: keep it now.\(end)")
        }
    }

    /// `martlet keys revoke`.
    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Revokes a key from now on.",
            discussion: """
                The last admin key that is good for all apps is revoked with --force only: without one nobody can \
                administer the server, until 'martlet keys create --admin --data DIR' makes another.

                Examples:
                  martlet keys revoke 01890a5d-ac96-774b-bcce-b302099a8057
                  martlet keys revoke MKIAQWERTYUIOPASDFGH
                """
        )

        @Argument(help: "The key's id, or an access key's.")
        var id: String
        @Flag(help: "Revoke it even if it is the last admin key.")
        var force = false
        @OptionGroup var connection: ConnectionOptions

        func run() async throws {
            let key: APIPath = "keys/\(id)"
            let path = AccessKeys.isID(id) ? "access-keys/\(id)" : key.query([("force", force ? "true" : nil)])
            try await connection.client().perform(.delete, path)
            try connection.output.say("Revoked \(id).", data: ["revoked": id])
        }
    }
}

/// When a new key expires, as a flag says it.
enum KeyExpiryFlag {
    /// The moment that lies so far ahead, such as `90d`, or that a day or a time names.
    ///
    /// - Throws: `ValidationError` for any other text, and for what is past.
    static func time(_ text: String, now: Date) throws -> UTCTime {
        let now = Int64(now.timeIntervalSince1970)
        let ahead = EventFilterOptions.seconds(text).map { UTCTime(milliseconds: (now + $0) * 1_000) }
        guard let time = ahead ?? UTCTime(text) ?? UTCTime("\(text)T00:00:00Z") else {
            throw ValidationError("--expires is 90d, 12h, 2027-03-01 or 2027-03-01T12:00:00Z, and not '\(text)'.")
        }
        guard time.milliseconds > now * 1_000 else { throw ValidationError("--expires must be in the future.") }
        return time
    }
}
