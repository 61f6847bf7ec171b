import ArgumentParser
import MartletWire

/// `martlet why`.
struct WhyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "why",
        abstract: "Says why a notification came to a user, or did not.",
        discussion: """
            First the answer in a sentence or two, then what was asked about the user up to what stopped it, then what \
            became of each of their devices. Accepted by a provider does not mean that it reached the phone.

            Examples:
              martlet why 01890a5d-ac96-774b-bcce-b302099a8057 amira
              martlet why 01890a5d-ac96-774b-bcce-b302099a8057 amira --json
            """
    )

    @Argument(help: "The notification's id: martlet notifications list")
    var notification: String
    @Argument(help: "The user, by your own id for them.")
    var user: String
    @OptionGroup var connection: ConnectionOptions

    func run() async throws {
        let path: APIPath = "notifications/\(notification)/why"
        let found: Item<WhyResponse> = try await connection.client().get(path.query([("user", user)]))
        guard !connection.json else { return try connection.output.json(found) }
        connection.output.lines(Self.lines(found.data, columns: connection.output.columns))
    }

    /// The answer for people.
    static func lines(_ why: WhyResponse, columns: Int?) -> [String] {
        var lines = TextWidth.wrapped(TextWidth.printable(why.summary), columns: columns) + [""]
        let steps = why.steps.map { ("\($0.passed ? "✓" : "✗") \($0.step)", Optional($0.detail)) }
        lines += Table.pairs(steps, fitting: columns)
        guard !why.devices.isEmpty else { return lines }
        return lines + [""] + Table(why.devices, columns: deviceColumns).lines(fitting: columns)
    }

    private static let deviceColumns: [Column<DeliveryItem>] = [
        ("DEVICE", \.endpointID?.description), ("PROVIDER", \.platform?.rawValue), ("STATE", \.state.rawValue),
        ("REASON", \.reason), ("ATTEMPTS", \.attempts.description), ("AT", \.at?.description),
    ]
}
