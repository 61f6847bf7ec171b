import ArgumentParser
import MartletWire

/// `martlet dead-letters`.
struct DeadLettersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dead-letters",
        abstract: "Deliveries that used up their attempts.",
        subcommands: [List.self, Retry.self],
        defaultSubcommand: List.self
    )

    /// `martlet dead-letters list`.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists an app's dead letters, newest first.",
            discussion: "Example: martlet dead-letters list --app com.example.app"
        )

        @Option(help: "The app's name or id. Default: all that the key can see.")
        var app: String?
        @OptionGroup var page: PageOptions
        @OptionGroup var connection: ConnectionOptions

        func run() async throws {
            let path: APIPath = "dead-letters"
            let letters: MartletWire.List<DeadLetterItem> = try await connection.client()
                .get(path.query([("app", app)] + page.parameters))
            try connection.output.show(
                letters,
                head: ["DIED AT", "USER", "REASON", "ATTEMPTS", "NOTIFICATION", "ID"],
                empty: "There are no dead letters."
            ) {
                [
                    $0.diedAt.description, $0.userID, $0.reason, String($0.attempts), $0.notificationID.description,
                    $0.id.description,
                ]
            }
        }
    }

    /// `martlet dead-letters retry`.
    struct Retry: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Sends dead letters again, with new attempts.",
            discussion: "Example: martlet dead-letters retry 01890a5d-ac96-774b-bcce-b302099a8057"
        )

        @Argument(help: "The dead letters' ids.")
        var ids: [String]
        @OptionGroup var connection: ConnectionOptions

        func run() async throws {
            try await connection.retry(DeadLetterItem.self, ids, of: "dead-letters", verb: "sent")
        }
    }
}
