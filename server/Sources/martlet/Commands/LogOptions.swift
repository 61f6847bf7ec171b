import ArgumentParser

/// How a process that runs for long logs, and where its settings are.
struct LogOptions: ParsableArguments {
    @Option(help: "A YAML file with settings (MARTLET_CONFIG).")
    var config: String?
    @Option(help: "trace, debug, info, notice, warning, error or critical (MARTLET_LOG_LEVEL).")
    var logLevel: String?
    @Option(help: "'text' or 'json', one line per event on standard error (MARTLET_LOG_FORMAT).")
    var logFormat: String?

    /// The settings, over which the flags stand.
    func settings(_ flags: [String: String?]) async throws -> Settings {
        let own = ["log.level": logLevel, "log.format": logFormat]
        return try await Settings(flags: flags.merging(own) { $1 }, file: config)
    }
}
