import ArgumentParser
import MartletWire

/// `martlet operators`.
struct OperatorsCommand: AsyncParsableCommand, Listed {
    static let configuration = CommandConfiguration(
        commandName: "operators",
        abstract: "Manages the people who use the console.",
        subcommands: [
            ListCommand<Self>.self, Invite.self, Disable.self, Enable.self, Role.self, ListCommand<Sessions>.self,
            EndSession.self,
        ],
        defaultSubcommand: ListCommand<Self>.self
    )

    static let list = ListRow<OperatorResponse, PageOptions>(
        abstract: "Lists the operators, oldest first.",
        discussion: "Example: martlet operators list",
        path: { _ in "operators" },
        empty: { _ in "There are no operators: martlet operators invite NAME --role admin" },
        columns: [
            ("NAME", \.name), ("ROLE", \.role.rawValue), ("STATE", { $0.isDisabled ? "disabled" : "active" }),
            ("SINCE", \.createdAt.description), ("ID", \.id.description),
        ]
    )

    /// `martlet operators sessions`.
    enum Sessions: Listed {
        static let list = ListRow<OperatorSessionItem, PageOptions>(
            name: "sessions",
            abstract: "Lists who is signed in, from where.",
            discussion: "Example: martlet operators sessions",
            path: { _ in "operators/sessions" },
            empty: { _ in "Nobody is signed in." },
            columns: [
                ("NAME", \.operatorName), ("FROM", \.address), ("SIGNED IN", \.createdAt.description),
                ("LAST USED", \.usedAt.description), ("BROWSER", { String($0.userAgent.prefix(40)) }),
                ("ID", \.id.description),
            ]
        )
    }

    /// `martlet operators end-session`.
    struct EndSession: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "end-session",
            abstract: "Signs somebody out of one browser.",
            discussion: "Example: martlet operators end-session 01890a5d-ac96-774b-bcce-b302099a8057"
        )

        @Argument(help: "The session's id, as 'martlet operators sessions' shows it.")
        var id: String
        @OptionGroup var connection: ConnectionOptions

        func run() async throws {
            try await connection.client().perform(.delete, "operators/sessions/\(id)")
            try connection.output.say("Ended \(id).", data: ["ended": id])
        }
    }

    /// `martlet operators disable`.
    struct Disable: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Keeps an operator from signing in, and ends their sessions.",
            discussion: "Example: martlet operators disable ann"
        )

        @Argument(help: "The operator's name or id.")
        var name: String
        @OptionGroup var connection: ConnectionOptions

        func run() async throws {
            try await OperatorLookup(connection).change(name, OperatorUpdate(isDisabled: true))
        }
    }

    /// `martlet operators enable`.
    struct Enable: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lets an operator sign in again.",
            discussion: "Example: martlet operators enable ann"
        )

        @Argument(help: "The operator's name or id.")
        var name: String
        @OptionGroup var connection: ConnectionOptions

        func run() async throws {
            try await OperatorLookup(connection).change(name, OperatorUpdate(isDisabled: false))
        }
    }

    /// `martlet operators role`.
    struct Role: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Changes what an operator may do.",
            discussion: """
                A 'viewer' reads, with tokens and the texts of pushes masked; a 'sender' sends as well; an 'admin' may \
                do everything. The last admin stays one.

                Example: martlet operators role ann sender
                """
        )

        @Argument(help: "The operator's name or id.")
        var name: String
        @Argument(help: "'viewer', 'sender' or 'admin'.")
        var role: OperatorRole
        @OptionGroup var connection: ConnectionOptions

        func run() async throws {
            try await OperatorLookup(connection).change(name, OperatorUpdate(role: role))
        }
    }
}
