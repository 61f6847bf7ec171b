import ArgumentParser
import MartletWire

extension OperatorsCommand {
    /// `martlet operators invite`.
    struct Invite: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Makes a link by which somebody becomes an operator, or sets a new password.",
            discussion: """
                Who opens the link chooses a password and is signed in. It is good once, within 15 minutes, and takes the \
                place of an earlier one for the same name. With --data and no server (--server, MARTLET_SERVER, --key, \
                MARTLET_KEY) it is made in the database itself, beside a running server or without one: for the first \
                operator, or when nobody can sign in any more; where the folder has no database yet, one is made. With the \
                name of an operator who lost their password, and without --role, the link has them choose a new one: they \
                keep their role, and all their sessions end. The link begins with the setting sns.publicURL, or else with \
                the address that the command talks to; with --data it is that of the settings host and port, which \
                --config, MARTLET_HOST and MARTLET_PORT name.

                Examples:
                  martlet operators invite ann --role sender --server https://push.example.com
                  martlet operators invite ann --role admin --data /var/lib/martlet
                  martlet operators invite ann
                """
        )

        @Argument(help: "What they will sign in with, 1 to 64 characters.")
        var name: String
        @Option(help: "'viewer', 'sender' or 'admin'. An operator who exists keeps theirs.")
        var role: OperatorRole?
        @OptionGroup var connection: ConnectionOptions

        func run() async throws {
            let settings = try await connection.settings()
            let hasServer = settings.string("server") != nil || settings.string("key") != nil
            if !hasServer, settings.string("data") != nil || settings.string("database") != nil {
                return try await makeInStore(ServeSettings(settings), settings)
            }
            let client = try await connection.client()
            let request = InvitationRequest(name: name, role: role)
            var made: Item<InvitationResponse> = try await client.call(.post, "operators/invitations", request)
            made.data.url = made.data.url ?? client.server + InvitationResponse.path(of: made.data.token)
            try show(made.data)
        }

        private func makeInStore(_ serve: ServeSettings, _ settings: Settings) async throws {
            let isNew = serve.data.lacks(serve.database)
            if isNew, role == nil {
                try serve.data.checkDatabase()
                throw CommandFailure(
                    "There is no database in \(serve.data.path), and so nobody to set a new password.",
                    hint:
                        "Give the data directory of the server, or with --role admin invite a new one's first operator."
                )
            }
            try show(try await Composition.invite(name, as: role, serve))
            if isNew { Terminal.note(serve.data.newDatabaseNote) }
            // Nobody has said where the server listens.
            if settings.string("sns.publicURL") == nil, settings.string("port") == nil || serve.port == 0 {
                Terminal.note(
                    """
                    The address \(serve.publicAddress) is assumed. If the server has another, name it with --config FILE, \
                    with MARTLET_HOST and MARTLET_PORT, or with MARTLET_SNS_PUBLIC_URL.
                    """
                )
            }
        }

        private func show(_ made: InvitationResponse) throws {
            if connection.json { return try connection.output.json(Item(made)) }
            connection.output.lines([made.url ?? made.token])
            Terminal.note(
                made.isPasswordReset
                    ? "This link sets a new password for \(made.name), who is \(made.role.withArticle) already, once, "
                        + "until \(made.expiresAt)."
                    : "This link makes \(made.name) \(made.role.withArticle), once, until \(made.expiresAt)."
            )
        }
    }
}

extension OperatorRole {
    fileprivate var withArticle: String { (self == .admin ? "an " : "a ") + rawValue }
}
