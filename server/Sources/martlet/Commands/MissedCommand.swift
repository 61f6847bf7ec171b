import ArgumentParser
import MartletWire

/// `martlet missed`.
struct MissedCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "missed",
        abstract: "Lists who did not get a notification, and why.",
        discussion: """
            People who were left out as a whole come first, then devices. 'martlet why' explains one person's case.

            Examples:
              martlet missed 01890a5d-ac96-774b-bcce-b302099a8057
              martlet missed 01890a5d-ac96-774b-bcce-b302099a8057 --reason no_endpoint
              martlet missed 01890a5d-ac96-774b-bcce-b302099a8057 --on-no-device --csv > missed.csv
            """
    )

    @Argument(help: "The notification's id: martlet notifications list")
    var notification: String
    @Option(help: "Only those for this reason, such as no_endpoint, or in this state, such as expired.")
    var reason: String?
    @Flag(help: "Only those who have it on none of their devices.")
    var onNoDevice = false
    @Flag(help: "Print all of them as CSV (RFC 4180), the columns' names first.")
    var csv = false
    @OptionGroup var page: PageOptions
    @OptionGroup var connection: ConnectionOptions

    func validate() throws {
        if csv, connection.json { throw ValidationError("Give --csv or --json, not both.") }
    }

    func run() async throws {
        let path: APIPath = "notifications/\(notification)/missed"
        let client = try await connection.client()
        guard !csv else {
            let file = path.query(filter + [("format", "csv"), ("cursor", page.cursor)])
            return try await client.stream(file) { StandardStream.output($0) }
        }
        let list: List<MissedItem> = try await client.get(path.query(filter + page.parameters))
        try connection.output.show(list, columns: Self.columns, empty: "Nobody was left out.")
    }

    private var filter: [(String, String?)] {
        [("reason", reason), ("reached_otherwise", onNoDevice ? "false" : nil)]
    }

    private static let columns: [Column<MissedItem>] = [
        ("USER", \.userID), ("DEVICE", \.endpointID?.description), ("PROVIDER", \.platform?.rawValue),
        ("STATE", \.state.rawValue), ("REASON", \.reason), ("WHY", \.detail), ("AT", \.at?.description),
        ("ELSEWHERE", { $0.reachedOtherwise ? "has it" : nil }),
    ]
}
