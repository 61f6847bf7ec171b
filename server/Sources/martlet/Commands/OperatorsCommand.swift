import ArgumentParser
import MartletWire

/// `martlet operators`.
struct OperatorsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "operators",
        abstract: "Manages the people who use the console.",
        subcommands: [
            List.self, Invite.self, Disable.self, Enable.self, Role.self, Sessions.self, EndSession.self,
        ],
        defaultSubcommand: List.self
    )

    /// `martlet operators list`.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists the operators, oldest first.",
            discussion: "Example: martlet operators list"
        )

        @OptionGroup var page: PageOptions
        @OptionGroup var connection: ConnectionOptions

        func run() async throws {
            let path: APIPath = "operators"
            let found: MartletWire.List<OperatorResponse> = try await connection.client().get(
                path.query(page.parameters)
            )
            try connection.output.show(
                found,
                head: ["NAME", "ROLE", "STATE", "SINCE", "ID"],
                empty: "There are no operators: martlet operators invite NAME --role admin"
            ) {
                [
                    $0.name, $0.role.rawValue, $0.isDisabled ? "disabled" : "active", $0.createdAt.description,
                    $0.id.description,
                ]
            }
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
        var role: OperatorRoleName
        @OptionGroup var connection: ConnectionOptions

        func run() async throws {
            try await OperatorLookup(connection).change(name, OperatorUpdate(role: role))
        }
    }
}
