import ArgumentParser
import MartletWire

/// `martlet preferences`.
struct PreferencesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "preferences",
        abstract: "What a user wants, and what they wanted before.",
        subcommands: [Show.self, Set.self, ListCommand<History>.self]
    )

    /// Prints what a user wants: the choice over all first.
    static func show(_ one: PreferencesResponse, _ output: Output) throws {
        guard !output.isJSON else { return try output.json(Item(one)) }
        var rows: [[String?]] = [
            ["(everything)", state(one.master, .push), state(one.master, .inbox), one.master.words]
        ]
        rows += one.categories.map { category in
            [category.key, state(category.push), state(category.inbox), category.choice.words]
        }
        output.table(Table(head: ["CATEGORY", "PUSH", "INBOX", "CHOSEN"], rows: rows))
        let facts = [("revision", one.revision > 0 ? String(one.revision) : nil), ("locale", one.locale)]
        output.lines(Table.pairs(facts + [("time zone", one.timeZone)]))
    }

    private static func state(_ state: ChannelState) -> String {
        "\(state.isOn ? "on" : "off") (\(state.source.rawValue))"
    }

    private static func state(_ master: ChannelChoice, _ channel: ChannelName) -> String {
        let own = channel == .push ? master.push : master.inbox
        return master.enabled == false || own == false ? "off" : "on"
    }

    /// `martlet preferences show`.
    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Shows what a user wants: each category, whether it is on, and what says so.",
            discussion: "Example: martlet preferences show amira --app com.example.app"
        )

        @OptionGroup var person: PersonOptions
        @OptionGroup var connection: ConnectionOptions

        func run() async throws {
            let path: APIPath = "users/\(person.user)/preferences"
            let found: Item<PreferencesResponse> = try await connection.client().get(path.query(person.parameters))
            try PreferencesCommand.show(found.data, connection.output)
        }
    }

    /// `martlet preferences set`.
    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Changes what a user wants; what is not said stays.",
            discussion: """
                Without --category it is the choice over all categories, which changes none of their own.

                Examples:
                  martlet preferences set amira --app com.example.app --category follow --push off
                  martlet preferences set amira --app com.example.app --enabled default
                """
        )

        @OptionGroup var person: PersonOptions
        @Option(name: .customLong("category"), help: "A category by its key; repeatable.")
        var categories: [String] = []
        @OptionGroup var switches: SwitchOptions
        @OptionGroup var connection: ConnectionOptions

        func validate() throws {
            guard switches.patch != nil else {
                throw ValidationError("Say what changes: --enabled, --push or --inbox, each on, off or default.")
            }
        }

        func run() async throws {
            var update = PreferencesUpdate()
            if categories.isEmpty {
                update.master = switches.patch
            } else {
                update.categories = Dictionary(categories.map { ($0, switches.patch ?? ChannelPatch()) }) { $1 }
            }
            let after: Item<PreferencesResponse> = try await connection.client()
                .call(.patch, APIPath("users/\(person.user)/preferences").query(person.parameters), update)
            try PreferencesCommand.show(after.data, connection.output)
        }
    }

    /// `martlet preferences history`.
    enum History: Listed {
        static let list = ListRow<PreferenceChange, Paged<PersonOptions>>(
            name: "history",
            abstract: "Lists the changes of what a user wants, newest first.",
            discussion: "Example: martlet preferences history amira --app com.example.app",
            path: { "users/\($0.subject.user)/preferences/history" },
            empty: { "\($0.subject.user) never chose anything." },
            columns: [
                ("AT", \.at.description), ("CATEGORY", { $0.category ?? "(everything)" }),
                ("BEFORE", { $0.before.words ?? "default" }), ("AFTER", { $0.after.words ?? "default" }),
                ("BY", \.actor), ("REVISION", \.revision.description),
            ]
        )
    }
}
