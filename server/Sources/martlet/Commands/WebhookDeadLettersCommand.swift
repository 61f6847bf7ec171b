import ArgumentParser
import MartletWire

/// `martlet webhook-dead-letters`.
struct WebhookDeadLettersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "webhook-dead-letters",
        abstract: "Messages that subscribed webhook URLs did not accept.",
        subcommands: [List.self, Retry.self],
        defaultSubcommand: List.self
    )

    /// `martlet webhook-dead-letters list`.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists them, newest first.",
            discussion: "Example: martlet webhook-dead-letters list --limit 20"
        )

        @OptionGroup var page: PageOptions
        @OptionGroup var connection: ConnectionOptions

        func run() async throws {
            let path: APIPath = "webhook-dead-letters"
            let letters: MartletWire.List<WebhookDeadLetterItem> = try await connection.client()
                .get(path.query(page.parameters))
            try connection.output.show(
                letters,
                head: ["DIED AT", "URL", "REASON", "ATTEMPTS", "TOPIC", "ID"],
                empty: "There are no dead letters of webhook URLs."
            ) {
                [$0.diedAt.description, $0.url, $0.reason, String($0.attempts), $0.topic, $0.id.description]
            }
        }
    }

    /// `martlet webhook-dead-letters retry`.
    struct Retry: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Sends them again, with new attempts.",
            discussion: "Example: martlet webhook-dead-letters retry 01890a5d-ac96-774b-bcce-b302099a8057"
        )

        @Argument(help: "The dead letters' ids.")
        var ids: [String]
        @OptionGroup var connection: ConnectionOptions

        func run() async throws {
            try await connection.retry(WebhookDeadLetterItem.self, ids, of: "webhook-dead-letters", verb: "sent")
        }
    }
}
