import ArgumentParser
import MartletWire

/// `martlet topics`.
struct TopicsCommand: AsyncParsableCommand, Listed {
    static let configuration = CommandConfiguration(
        commandName: "topics",
        abstract: "Manages topics, to which users and devices subscribe.",
        subcommands: [ListCommand<Self>.self, Create.self, Show.self, Delete.self],
        defaultSubcommand: ListCommand<Self>.self
    )

    /// A topic as pairs.
    static func pairs(_ topic: TopicResponse) -> [(String, String?)] {
        let counts = topic.subscriptions
        return [
            ("name", topic.name), ("id", topic.id.description), ("app", topic.appID?.description ?? "the server"),
            ("region", topic.region), ("subscriptions", "\(counts.confirmed), and \(counts.pending) not confirmed"),
            ("attributes", words(topic.attributes)), ("tags", words(topic.tags)), ("made", topic.createdAt.description),
        ]
    }

    private static func words(_ values: [String: String]) -> String? {
        guard !values.isEmpty else { return nil }
        return values.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: ", ")
    }

    static let list = ListRow<TopicResponse, Paged<AllAppsOptions>>(
        abstract: "Lists topics, of one app or all that the key can see.",
        discussion: "Example: martlet topics list --app com.example.app",
        path: { _ in "topics" },
        empty: { _ in "There are no topics: martlet topics create --help" },
        columns: [
            ("NAME", \.name), ("REGION", \.region), ("SUBSCRIPTIONS", \.subscriptions.confirmed.description),
            ("APP", { $0.appID?.description ?? "the server" }), ("MADE", \.createdAt.description),
            ("ID", \.id.description),
        ]
    )

    /// `martlet topics create`.
    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Creates a topic, or returns the one of that name.",
            discussion: "Example: martlet topics create line-4 --app com.example.app --tag team=transit"
        )

        @Argument(help: "The name: letters, digits, '_' and '-'.")
        var name: String
        @Option(help: "The app's name or id; without one, and with a key of all apps, the topic is the server's own.")
        var app: String?
        @Option(
            name: .customLong("tag"),
            help: ArgumentHelp("A tag; repeatable.", valueName: "key=value")
        )
        var tags: [String] = []
        @OptionGroup var connection: ConnectionOptions

        func run() async throws {
            var words: [String: String] = [:]
            for tag in tags {
                let (key, value) = try NamedValue.parse(tag, flag: "--tag")
                words[key] = value
            }
            let request = TopicRequest(name: name, app: app, tags: words.isEmpty ? nil : words)
            let topic: Item<TopicResponse> = try await connection.client().call(.post, "topics", request)
            try connection.output.show(topic.data, pairs: TopicsCommand.pairs(topic.data))
        }
    }

    /// `martlet topics show`.
    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Shows a topic.",
            discussion: "Example: martlet topics show line-4 --app com.example.app"
        )

        @OptionGroup var topic: TopicOptions
        @OptionGroup var connection: ConnectionOptions

        func run() async throws {
            let found: Item<TopicResponse> = try await connection.client().get(topic.path)
            try connection.output.show(found.data, pairs: TopicsCommand.pairs(found.data))
        }
    }

    /// `martlet topics delete`.
    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Deletes a topic with its subscriptions; what was accepted for it is still delivered.",
            discussion: "Example: martlet topics delete line-4 --app com.example.app --yes"
        )

        @OptionGroup var topic: TopicOptions
        @Flag(help: "Really delete it: its subscriptions cannot be restored.")
        var yes = false
        @OptionGroup var connection: ConnectionOptions

        func run() async throws {
            guard yes else { throw CommandFailure.notDeleted("\(topic.topic) with its subscriptions") }
            let client = try await connection.client()
            let found: Item<TopicResponse> = try await client.get(topic.path)
            try await client.perform(.delete, "topics/\(found.data.id)")
            try connection.output.say("Deleted \(found.data.name).", data: found.data)
        }
    }
}
