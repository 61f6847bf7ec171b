import ArgumentParser
import AsyncHTTPClient
import Foundation
import MartletCore
import MartletWire

/// The command line: what there is to do, one subcommand each.
struct Martlet: AsyncParsableCommand {
    /// The program's version, as the SDK's.
    static let version = "1.0.0"

    static let configuration = CommandConfiguration(
        commandName: "martlet",
        abstract: "Self-hosted push notifications.",
        discussion: """
            Start with 'martlet demo': it shows the whole way of a push without an account anywhere.

            Settings come from flags, then from the environment (MARTLET_DATA, MARTLET_PORT, …), then from the YAML \
            file that --config names. Commands other than serve, simulate and demo talk to a server: --server says \
            where it is, --key who you are.

            A command returns 0 when it did what it was told, 1 when that was refused or came out otherwise, 64 when \
            it was told wrongly, and 69 when there was no server.
            """,
        version: version,
        subcommands: [
            ServeCommand.self, SimulateCommand.self, PhoneCommand.self, DemoCommand.self, SendCommand.self,
            AnnounceCommand.self, WhyCommand.self, MissedCommand.self, ResendCommand.self, AppsCommand.self,
            CategoriesCommand.self,
            UsersCommand.self,
            PreferencesCommand.self, InboxCommand.self,
            KeysCommand.self, OperatorsCommand.self, AuditCommand.self, DevicesCommand.self, TopicsCommand.self,
            SubscriptionsCommand.self,
            NotificationsCommand.self, EventsCommand.self, StatsCommand.self, DeadLettersCommand.self,
            WebhookDeadLettersCommand.self,
            QuarantineCommand.self,
            FilterCommand.self, DoctorCommand.self,
        ]
    )
}

@main
enum Program {
    static func main() async {
        // A reader that goes away, as in `martlet … | head`, is an error of the write and no reason to die of.
        signal(SIGPIPE, SIG_IGN)
        let arguments = Array(CommandLine.arguments.dropFirst())
        // The parser shows the help of the last command that it knows, and says nothing of the next word.
        if arguments.first == "help", let failure = UnknownCommand.failure(arguments, of: Martlet.self) { end(failure) }
        do {
            var command = try Martlet.parseAsRoot()
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch let failure as CommandFailure {
            end(failure)
        } catch let failure as Failure {
            end(CommandFailure(failure.detail))
        } catch {
            let status = Martlet.exitCode(for: error)
            if status == .validationFailure, let failure = UnknownCommand.failure(arguments, of: Martlet.self) {
                end(failure)
            }
            // Help that was asked for is no error, and a bare exit code has nothing to say.
            guard isJSON, !status.isSuccess, !(error is ExitCode) else { Martlet.exit(withError: error) }
            end(CommandFailure(Martlet.message(for: error), status: status == .validationFailure ? .usage : .failed))
        }
    }

    /// Whether programs read what is said; looked up by hand, because flags that are wrong are not parsed.
    private static var isJSON: Bool { CommandLine.arguments.contains("--json") }

    private static func end(_ failure: CommandFailure) -> Never {
        if isJSON, let body = try? JSONEncoder().encode(ErrorBody(failure.detail)) {
            Terminal.note(String(decoding: body, as: UTF8.self))
        } else {
            for line in failure.lines { Terminal.note(line) }
        }
        exit(failure.status.rawValue)
    }
}
