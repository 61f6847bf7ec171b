import ArgumentParser
import MartletWire

/// `martlet categories`.
struct CategoriesCommand: AsyncParsableCommand, Listed {
    static let configuration = CommandConfiguration(
        commandName: "categories",
        abstract: "Manages the kinds of notification that people can switch.",
        subcommands: [ListCommand<Self>.self, Create.self, Update.self, Archive.self],
        defaultSubcommand: ListCommand<Self>.self
    )

    /// A category as pairs.
    static func pairs(_ one: CategoryResponse) -> [(String, String?)] {
        [
            ("key", one.key), ("app", one.appID.description), ("names", names(one.names)),
            ("default", one.default.words ?? "on"), ("required", words(one.required)),
            ("in quiet hours", one.bypassQuietHours ? "sent too" : nil),
            ("caps", one.exemptFromCaps ? "do not count it" : nil), ("position", String(one.position)),
            ("archived", one.isArchived ? "yes" : nil), ("made", one.createdAt.description),
        ]
    }

    static func names(_ names: [String: String]) -> String? {
        guard !names.isEmpty else { return nil }
        return names.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", ")
    }

    private static func words(_ channels: [ChannelName]) -> String? {
        channels.isEmpty ? nil : channels.map(\.rawValue).joined(separator: ", ")
    }

    static let list = ListRow<CategoryResponse, AppOptions>(
        abstract: "Lists an app's categories, by position.",
        discussion: "Example: martlet categories list --app com.example.app",
        path: { _ in "categories" },
        empty: { _ in "There are no categories: martlet categories create --help" },
        columns: [
            ("KEY", \.key), ("NAMES", { names($0.names) }), ("DEFAULT", { $0.default.words ?? "on" }),
            ("REQUIRED", { words($0.required) }), ("POSITION", \.position.description),
            ("STATE", { $0.isArchived ? "archived" : "active" }),
        ]
    )

    /// What can be said of a category, as flags.
    struct Values: ParsableArguments {
        @Option(
            name: .customLong("name"),
            help: ArgumentHelp("What people read in a settings screen; repeatable.", valueName: "locale=text")
        )
        var names: [String] = []
        @OptionGroup(title: "What holds for who chose nothing") var defaults: SwitchOptions
        @Option(
            name: .customLong("require"),
            help: "A channel that nobody can switch off: 'push' or 'inbox'; repeatable."
        )
        var required: [ChannelName] = []
        @Option(help: "Where it stands in a settings screen.")
        var position: Int?

        /// The names by locale; `nil` where there are none.
        func namesByLocale() throws -> [String: String]? {
            guard !names.isEmpty else { return nil }
            var all: [String: String] = [:]
            for name in names {
                let (locale, text) = try NamedValue.parse(name, flag: "--name")
                all[locale] = text
            }
            return all
        }
    }

    /// `martlet categories create`.
    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Creates a category.",
            discussion: """
                Examples:
                  martlet categories create follow --app com.example.app --name en='New followers' --name ja=フォロー
                  martlet categories create security --app com.example.app --require push --require inbox
                  martlet categories create tips --app com.example.app --enabled off
                """
        )

        @Argument(help: "The key: a–z, 0–9, '_', '.' and '-'.")
        var key: String
        @OptionGroup var app: AppOptions
        @OptionGroup var values: Values
        @OptionGroup var connection: ConnectionOptions

        func run() async throws {
            var request = CategoryRequest(app: app.app, key: key, names: try values.namesByLocale())
            if let patch = values.defaults.patch {
                request.default = ChannelChoice(
                    enabled: patch.enabled.value,
                    push: patch.push.value,
                    inbox: patch.inbox.value
                )
            }
            request.required = values.required.isEmpty ? nil : values.required
            request.position = values.position
            let made: Item<CategoryResponse> = try await connection.client().call(.post, "categories", request)
            try connection.output.show(made.data, pairs: CategoriesCommand.pairs(made.data))
        }
    }

    /// `martlet categories update`.
    struct Update: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Changes a category; what is not said stays.",
            discussion: """
                --name and --require replace all names and all required channels.

                Examples:
                  martlet categories update follow --app com.example.app --push off
                  martlet categories update follow --app com.example.app --restore
                """
        )

        @Argument(help: "The category's key.")
        var key: String
        @OptionGroup var app: AppOptions
        @OptionGroup var values: Values
        @Flag(help: "Nothing is required any more.")
        var requireNothing = false
        @Flag(help: "Take it back from the archive.")
        var restore = false
        @OptionGroup var connection: ConnectionOptions

        func validate() throws {
            guard values.required.isEmpty || !requireNothing else {
                throw ValidationError("Give --require or --require-nothing, not both.")
            }
        }

        func run() async throws {
            var change = CategoryUpdate()
            change.names = try values.namesByLocale()
            change.default = values.defaults.patch
            change.required = requireNothing ? [] : values.required.isEmpty ? nil : values.required
            change.position = values.position
            change.isArchived = restore ? false : nil
            guard change.changesSomething else {
                throw CommandFailure("Nothing was changed.", hint: "Say what changes: martlet categories update --help")
            }
            let path = APIPath("categories/\(key)").query(app.parameters)
            let after: Item<CategoryResponse> = try await connection.client().call(.patch, path, change)
            try connection.output.show(after.data, pairs: CategoriesCommand.pairs(after.data))
        }
    }

    /// `martlet categories archive`.
    struct Archive: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Archives a category: nothing is sent with it any more; what people chose is kept.",
            discussion: "Example: martlet categories archive follow --app com.example.app"
        )

        @Argument(help: "The category's key.")
        var key: String
        @OptionGroup var app: AppOptions
        @OptionGroup var connection: ConnectionOptions

        func run() async throws {
            var change = CategoryUpdate()
            change.isArchived = true
            let path = APIPath("categories/\(key)").query(app.parameters)
            let after: Item<CategoryResponse> = try await connection.client().call(.patch, path, change)
            try connection.output.say(
                "\(key) is archived. Take it back with: martlet categories update \(key) --restore",
                data: after.data
            )
        }
    }
}

extension CategoryUpdate {
    /// Whether it says anything.
    fileprivate var changesSomething: Bool {
        names != nil || `default` != nil || required != nil || position != nil || isArchived != nil
    }
}
