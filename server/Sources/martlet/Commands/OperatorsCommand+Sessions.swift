import ArgumentParser
import MartletWire

extension OperatorsCommand {
    /// `martlet operators sessions`.
    struct Sessions: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists who is signed in, from where.",
            discussion: "Example: martlet operators sessions"
        )

        @OptionGroup var page: PageOptions
        @OptionGroup var connection: ConnectionOptions

        func run() async throws {
            let path: APIPath = "operators/sessions"
            let found: MartletWire.List<OperatorSessionItem> = try await connection.client()
                .get(path.query(page.parameters))
            try connection.output.show(
                found,
                head: ["NAME", "FROM", "SIGNED IN", "LAST USED", "BROWSER", "ID"],
                empty: "Nobody is signed in."
            ) {
                [
                    $0.operatorName, $0.address, $0.createdAt.description, $0.usedAt.description,
                    String($0.userAgent.prefix(40)), $0.id.description,
                ]
            }
        }
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
}
