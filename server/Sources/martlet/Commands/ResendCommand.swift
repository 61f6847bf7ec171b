import ArgumentParser
import MartletWire

/// `martlet resend`.
struct ResendCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resend",
        abstract: "Sends a notification again to those who missed it.",
        discussion: """
            It has to be over. Without --reason it goes to those who missed it for a reason that can have passed: it expired, \
            was cancelled or used up its attempts, they had no device or another one, their device was disabled, the app had \
            no credential. Nobody gets it who has it already on some device, and who switched it off still gets nothing.

            Examples:
              martlet resend 01890a5d-ac96-774b-bcce-b302099a8057
              martlet resend 01890a5d-ac96-774b-bcce-b302099a8057 --reason expired --reason dead
              martlet resend 01890a5d-ac96-774b-bcce-b302099a8057 --dry-run
            """
    )

    @Argument(help: "The notification's id: martlet notifications list")
    var notification: String
    @Option(name: .customLong("reason"), help: "Only for this reason or state, as 'martlet missed' has it; repeatable.")
    var reasons: [String] = []
    @Option(help: "What makes a repeated command the same one, for 24 hours.")
    var idempotencyKey: String?
    @Flag(help: "Send nothing: only say for how many devices it would be.")
    var dryRun = false
    @OptionGroup var connection: ConnectionOptions

    func run() async throws {
        let resent: Item<ResendResponse> = try await connection.client().call(
            .post,
            "notifications/\(notification)/resend",
            ResendRequest(reasons: reasons.isEmpty ? nil : reasons, isDryRun: dryRun ? true : nil),
            headers: idempotencyKey.map { [(HeaderName.idempotencyKey, $0)] } ?? []
        )
        let count = resent.data.count
        let devices = "\(count) device\(count == 1 ? "" : "s")"
        try connection.output.say(
            resent.data.id.map { "Accepted: \($0), for \(devices)." }
                ?? "It would be for \(devices). Nothing was sent.",
            data: resent.data
        )
    }
}
