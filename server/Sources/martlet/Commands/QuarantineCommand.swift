import ArgumentParser
import MartletWire

/// `martlet quarantine`.
struct QuarantineCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "quarantine",
        abstract: "Work that crashed the server repeatedly, or cannot be read, and is no longer tried.",
        subcommands: [List.self, Retry.self],
        defaultSubcommand: List.self
    )

    /// `martlet quarantine list`.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists an app's quarantined work, newest first.",
            discussion: "Example: martlet quarantine list --app com.example.app"
        )

        @Option(help: "The app's name or id. Default: all that the key can see.")
        var app: String?
        @OptionGroup var page: PageOptions
        @OptionGroup var connection: ConnectionOptions

        func run() async throws {
            let path: APIPath = "quarantine"
            let work: MartletWire.List<QuarantineItem> = try await connection.client()
                .get(path.query([("app", app)] + page.parameters))
            try connection.output.show(
                work,
                head: ["SINCE", "KIND", "DELIVERIES", "REASON", "TRIES", "NOTIFICATION", "ID"],
                empty: "Nothing is quarantined."
            ) {
                [
                    $0.since.description, $0.kind.rawValue, String($0.deliveries), $0.reason.rawValue, String($0.tries),
                    $0.notificationID.description, $0.id.description,
                ]
            }
        }
    }

    /// `martlet quarantine retry`.
    struct Retry: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Tries quarantined work again.",
            discussion: "Example: martlet quarantine retry 01890a5d-ac96-774b-bcce-b302099a8057"
        )

        @Argument(help: "The ids that the list shows.")
        var ids: [String]
        @OptionGroup var connection: ConnectionOptions

        func run() async throws {
            try await connection.retry(QuarantineItem.self, ids, of: "quarantine", verb: "tried")
        }
    }
}
