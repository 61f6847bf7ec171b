import ArgumentParser

/// `transit-matcher`: the backend.
@main
struct TransitMatcher: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "transit-matcher",
        abstract: "Reads an agency's service alerts and has Martlet tell the riders whom they affect.",
        subcommands: [RunCommand.self, BenchCommand.self],
        defaultSubcommand: RunCommand.self
    )
}
