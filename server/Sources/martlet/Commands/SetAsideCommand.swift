import ArgumentParser
import MartletWire

/// `martlet set-aside`.
struct SetAsideCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set-aside",
        abstract: "Work that crashed its worker again and again, or cannot be read, and is tried no more.",
        subcommands: [List.self, Retry.self],
        defaultSubcommand: List.self
    )

    /// `martlet set-aside list`.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists an app's work that is set aside, newest first.",
            discussion: "Example: martlet set-aside list --app com.example.app"
        )

        @Option(help: "The app's name or id; absent means all that the key can see.")
        var app: String?
        @OptionGroup var page: PageOptions
        @OptionGroup var connection: ConnectionOptions

        func run() async throws {
            let path: APIPath = "set-aside"
            let work: MartletWire.List<SetAsideItem> = try await connection.client()
                .get(path.query([("app", app)] + page.parameters))
            try connection.output.show(
                work,
                head: ["SINCE", "KIND", "DELIVERIES", "REASON", "TRIES", "NOTIFICATION", "ID"],
                empty: "Nothing is set aside."
            ) {
                [
                    $0.since.description, $0.kind.rawValue, String($0.deliveries), $0.reason.rawValue, String($0.tries),
                    $0.notificationID.description, $0.id.description,
                ]
            }
        }
    }

    /// `martlet set-aside retry`.
    struct Retry: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Has work tried again, with all its tries before it.",
            discussion: "Example: martlet set-aside retry 01890a5d-ac96-774b-bcce-b302099a8057"
        )

        @Argument(help: "The ids that the list shows.")
        var ids: [String]
        @OptionGroup var connection: ConnectionOptions

        func run() async throws {
            let client = try await connection.client()
            var retried: [SetAsideItem] = []
            for id in ids {
                let work: Item<SetAsideItem> = try await client.call(.post, "set-aside/\(id)/retry")
                retried.append(work.data)
                if !connection.json { connection.output.lines(["\(id) is being tried again."]) }
            }
            if connection.json { try connection.output.json(MartletWire.List(retried)) }
        }
    }
}
