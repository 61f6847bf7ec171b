import ArgumentParser
import MartletWire

/// `martlet apps`.
struct AppsCommand: AsyncParsableCommand, Listed {
    static let configuration = CommandConfiguration(
        commandName: "apps",
        abstract: "Manages apps.",
        subcommands: [
            ListCommand<Self>.self, Create.self, Show.self, Resume.self, Delete.self, CredentialsCommand.self,
        ],
        defaultSubcommand: ListCommand<Self>.self
    )

    static let list = ListRow<AppResponse, PageOptions>(
        abstract: "Lists the apps.",
        discussion: "Example: martlet apps list --json",
        path: { _ in "apps" },
        empty: { _ in "There are no apps yet: martlet apps create --help" },
        columns: [
            ("NAME", \.name), ("IDENTITY", \.identity.mode.rawValue), ("MADE", \.createdAt.description),
            ("ID", \.id.description),
        ]
    )

    /// `martlet apps resume`.
    struct Resume: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Sends again what a paused delivery queue holds back.",
            discussion: """
                A queue is paused when the provider refuses the credential; storing another one resumes it by itself. \
                'martlet apps show' names the paused queues.

                Example: martlet apps resume com.example.app apns/production
                """
        )

        @Argument(help: "The app's name or id.")
        var app: String
        @Argument(help: "The provider and environment, such as apns/production or webpush/google.")
        var queue: String
        @OptionGroup var connection: ConnectionOptions

        func run() async throws {
            let parts = queue.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2 else {
                throw CommandFailure("'\(queue)' is not a queue.", hint: "Such as apns/production or webpush/google.")
            }
            try await connection.client().perform(.delete, "apps/\(app)/pauses/\(parts[0])/\(parts[1])")
            if !connection.json { connection.output.lines(["\(queue) of \(app) sends again."]) }
        }
    }

    /// `martlet apps show`.
    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Shows an app, its credentials, and why its pushes wait, if they do.",
            discussion: "Example: martlet apps show com.example.app"
        )

        @Argument(help: "The app's name or id.")
        var app: String
        @OptionGroup var connection: ConnectionOptions

        func run() async throws {
            let client = try await connection.client()
            let found: Item<AppResponse> = try await client.get("apps/\(app)")
            let credentials: List<CredentialResponse> = try await client.get("apps/\(app)/credentials")
            let pauses: List<PauseResponse> = try await client.get("apps/\(app)/pauses")
            let breakers: List<BreakerResponse> = try await client.get("apps/\(app)/breakers")
            let details = AppDetails(
                app: found.data,
                credentials: credentials.data,
                pauses: pauses.data,
                breakers: breakers.data
            )
            if connection.json { try connection.output.json(Item(details)) } else { details.show(connection.output) }
        }
    }

    /// `martlet apps delete`.
    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Deletes an app with its devices, credentials and notifications.",
            discussion: "Example: martlet apps delete com.example.app --yes"
        )

        @Argument(help: "The app's name or id.")
        var app: String
        @Flag(help: "Really delete it: nothing of it can be restored.")
        var yes = false
        @OptionGroup var connection: ConnectionOptions

        func run() async throws {
            guard yes else { throw CommandFailure.notDeleted("\(app) with everything that belongs to it") }
            let client = try await connection.client()
            let found: Item<AppResponse> = try await client.get("apps/\(app)")
            try await client.perform(.delete, "apps/\(found.data.id)")
            try connection.output.say("Deleted \(found.data.name).", data: found.data)
        }
    }
}

/// An app with what belongs to it.
struct AppDetails: Codable, Sendable {
    var app: AppResponse
    var credentials: [CredentialResponse]
    var pauses: [PauseResponse]
    var breakers: [BreakerResponse]

    /// Prints it for people.
    func show(_ output: Output) {
        output.lines(
            Table.pairs([
                ("name", app.name), ("id", app.id.description), ("identity", app.identity.mode.rawValue),
                ("issuer", app.identity.issuer), ("audience", app.identity.audience),
                ("user tokens", app.identity.verification?.rawValue ?? "not accepted"),
                ("key set", app.identity.jwksURL), ("made", app.createdAt.description),
            ])
        )
        if credentials.isEmpty {
            output.lines(["", "It has no credential: martlet apps credentials set --help"])
        } else {
            output.lines([""])
            output.table(Table(credentials, columns: CredentialsCommand.list.columns))
        }
        for pause in pauses {
            let queue = "\(pause.platform.rawValue)/\(pause.environment.rawValue)"
            output.lines(["", "\(queue) is paused since \(pause.since): \(pause.reason)", pause.advice])
        }
        for breaker in breakers {
            let queue = "\(breaker.platform.rawValue)/\(breaker.environment.rawValue)"
            let next = breaker.probeAt.map { ", next try at \($0)" } ?? ""
            let reason = TextWidth.printable(breaker.reason ?? "")
            output.lines(["", "\(queue) is \(breaker.state.rawValue) since \(breaker.since)\(next): \(reason)"])
        }
    }
}
