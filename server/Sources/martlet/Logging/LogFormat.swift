import Logging

/// How a log line looks.
enum LogFormat: String, Sendable, CaseIterable {
    /// For people.
    case text
    /// One JSON object a line, for programs.
    case json
}

extension LogFormat {
    /// Sends all logs of the process to standard error; only the first call of a process counts.
    static func bootstrap(level: Logger.Level, format: LogFormat) {
        LoggingSystem.bootstrap { label in StandardErrorLog(label: label, level: level, format: format) }
    }
}
