import Configuration
import Foundation
import Synchronization
import SystemPackage

/// What the program is told: by flags, then by the environment (`MARTLET_…`), then by a YAML file, then by defaults.
///
/// A key such as `log.level` is `MARTLET_LOG_LEVEL` in the environment and `level` under `log` in the file.
struct Settings: Sendable {
    private let reader: ConfigReader

    /// Every key that a file may have; `docs/configuration.md` says what they mean.
    private static let known: Set<String> = [
        "data", "database", "host", "port", "log.level", "log.format", "encryptionKey", "privateHosts", "batches",
        "batchesPerQueue",
        "backlogLimit", "retention.notifications", "retention.claims", "retention.removedEndpoints",
        "retention.deadLetters", "retention.staleEndpoints", "retention.events", "retention.pendingSubscriptions",
        "retention.preferenceChanges", "retention.auditLog",
        "apns.requestTimeout", "fcm.requestTimeout", "fcm.url", "fcm.trust", "fcm.tokenHosts", "fcm.rate",
        "connections", "connectionsPerAddress", "trustedProxies", "quotas.events",
        "quotas.eventBytes", "quotas.registrations", "quotas.tests", "quotas.testsOfApp",
        "quotas.installationsPerAddress", "quotas.devicesPerUser", "eventReserve",
        "webpush.requestTimeout", "webpush.hosts", "webpush.origins", "webpush.trust", "web.origins",
        "console.simulator",
        "sns.region", "sns.account", "sns.publicURL", "sns.apnsURL", "sns.apnsTrust", "server", "key",
    ]

    /// Reads the environment and, if there is one, the file.
    ///
    /// - Parameters:
    ///   - flags: what the command line gave, by key; `nil` was not given.
    ///   - file: the YAML file; absent is what `MARTLET_CONFIG` names, or none.
    /// - Throws: `CommandFailure` when the file is not there, is not YAML, or has a key that is no setting.
    init(
        flags: [String: String?] = [:],
        file: String? = nil,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) async throws {
        var given: [AbsoluteConfigKey: ConfigValue] = [:]
        for (key, value) in flags {
            guard let value else { continue }
            given[AbsoluteConfigKey(ConfigKey(key))] = ConfigValue(.string(value), isSecret: false)
        }
        // An empty variable counts as absent: shells and compose files leave such ones behind.
        let variables = environment.filter { $0.key.hasPrefix("MARTLET_") && !$0.value.isEmpty }
        var providers: [any ConfigProvider] = [
            InMemoryProvider(name: "flags", values: given),
            EnvironmentVariablesProvider(environmentVariables: variables).prefixKeys(with: "martlet"),
        ]
        if let path = file ?? variables["MARTLET_CONFIG"] {
            providers.append(try await Settings.file(path))
        }
        reader = ConfigReader(providers: providers)
    }

    /// Reads a file and checks its keys, so that a typing error is not a setting that stays at its default.
    private static func file(_ path: String) async throws -> FileProvider<YAMLSnapshot> {
        let keys = Mutex<Set<String>>([])
        // The parser asks of every key whether its value is secret, and offers no other list of them. All of them are:
        // keys stand among them.
        let options = YAMLSnapshot.ParsingOptions(
            secretsSpecifier: .dynamic { key, _ in
                keys.withLock { _ = $0.insert(key) }
                return true
            }
        )
        let file: FileProvider<YAMLSnapshot>
        do {
            file = try await FileProvider<YAMLSnapshot>(parsingOptions: options, filePath: FilePath(path))
        } catch {
            throw CommandFailure(
                "The configuration file \(path) cannot be read: \(error)",
                hint: "Give a YAML file, such as one with the line: port: 8080"
            )
        }
        let reader = ConfigReader(provider: file)
        for key in keys.withLock({ $0.sorted() }) {
            guard known.contains(key) else {
                throw CommandFailure(
                    "The configuration file \(path) has an unknown setting: '\(key)'.",
                    hint: "The settings are: \(known.sorted().joined(separator: ", "))."
                )
            }
            guard reader.string(forKey: ConfigKey(key)) != nil else {
                throw CommandFailure("The setting '\(key)' in the configuration file \(path) has no single value.")
            }
        }
        return file
    }

    /// A text.
    func string(_ key: String) -> String? { text(key) }

    /// A whole number within bounds.
    ///
    /// - Throws: `CommandFailure` for anything else.
    func number(_ key: String, in range: ClosedRange<Int>) throws -> Int? {
        guard let text = text(key) else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw CommandFailure(
                "The setting \(key) is a whole number from \(range.lowerBound) to \(range.upperBound)."
            )
        }
        return number
    }

    /// One of a few words.
    ///
    /// - Throws: `CommandFailure` naming them, for any other.
    func word<Word: RawRepresentable & CaseIterable>(_ key: String) throws -> Word? where Word.RawValue == String {
        guard let text = text(key) else { return nil }
        guard let word = Word(rawValue: text.lowercased()) else {
            let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
            throw CommandFailure("The setting \(key) is one of: \(words).")
        }
        return word
    }

    /// A YAML number is read as text too, so that each setting has one way to be written wrong.
    private func text(_ key: String) -> String? {
        let key = ConfigKey(key)
        if let text = reader.string(forKey: key) { return text }
        if let number = reader.int(forKey: key) { return String(number) }
        return nil
    }
}
