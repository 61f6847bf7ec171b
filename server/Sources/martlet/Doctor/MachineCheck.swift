import Foundation
import MartletCore
import MartletHTTP
import MartletWire

/// Looks at what a server would find on this machine; changes nothing.
struct MachineCheck {
    let settings: Settings

    /// What was found.
    func findings() async -> [Finding] {
        let serve: ServeSettings
        do {
            serve = try ServeSettings(settings)
            _ = try LogSettings(settings)
        } catch {
            return [Finding(error, subject: "settings"), clock]
        }
        var findings = [Finding(.ok, "settings", "They can be read."), clock]
        let data = serve.data
        guard FileManager.default.fileExists(atPath: data.path) else {
            let isGiven = settings.string("data") != nil
            findings.append(
                Finding(
                    isGiven ? .problem : .warning,
                    "data directory",
                    "There is none at \(data.path).",
                    advice: "The first 'martlet serve' creates it; --data says where it is."
                )
            )
            return findings
        }
        findings.append(folder(data))
        findings.append(encryptionKey(data, given: serve.encryptionKey))
        if data.openKeys.contains(data.adminKey) {
            findings.append(
                Finding(
                    .problem,
                    "admin key",
                    "Others can read \(data.adminKey).",
                    advice: "Keep other users out: chmod 600 \(data.adminKey)"
                )
            )
        }
        findings += await database(serve.database, data)
        return findings
    }

    private var clock: Finding {
        // Provider tokens carry the time and are refused when it is an hour off; 2025 is when this was written.
        let isSet = SystemClock().now().rawValue > 1_735_689_600_000
        return Finding(
            isSet ? .ok : .problem,
            "clock",
            "It is \(UTCTime(SystemClock().now())).",
            advice: isSet
                ? nil : "Set the clock: providers refuse tokens with a wrong time. An NTP service keeps it right."
        )
    }

    private func folder(_ data: DataFolder) -> Finding {
        guard access(data.path, R_OK | W_OK | X_OK) == 0 else {
            return Finding(
                .problem,
                "data directory",
                "This user cannot write to \(data.path).",
                advice: "Run as the server's user, or change the directory's owner."
            )
        }
        let mode = DataFolder.mode(of: data.path) ?? 0
        let isOpen = mode & 0o077 != 0
        return Finding(
            isOpen ? .warning : .ok,
            "data directory",
            "\(data.path) has the mode \(String(mode, radix: 8)).",
            advice: isOpen ? "Keep other users out: chmod 700 \(data.path)" : nil
        )
    }

    private func encryptionKey(_ data: DataFolder, given: String?) -> Finding {
        let subject = "encryption key"
        do {
            if let given {
                _ = try Vault(base64: given)
                return Finding(.ok, subject, "It comes from the settings.")
            }
            guard let kept = try DataFolder.read(data.encryptionKey) else {
                return Finding(
                    .warning,
                    subject,
                    "There is none yet.",
                    advice: "Set MARTLET_ENCRYPTION_KEY (openssl rand -base64 32), or the next start creates one."
                )
            }
            _ = try Vault(base64: kept)
        } catch {
            return Finding(error, subject: subject)
        }
        let isOpen = (DataFolder.mode(of: data.encryptionKey) ?? 0) & 0o077 != 0
        return Finding(
            isOpen ? .problem : .warning,
            subject,
            isOpen
                ? "Others can read \(data.encryptionKey)." : "It is beside the database that it protects.",
            advice: isOpen
                ? "Keep other users out: chmod 600 \(data.encryptionKey)"
                : "In production move it into MARTLET_ENCRYPTION_KEY and delete \(data.encryptionKey)."
        )
    }

    private func database(_ database: DatabaseAddress, _ data: DataFolder) async -> [Finding] {
        guard case .file(let path) = database else { return await store(database) }
        do { try data.checkDatabase() } catch { return [Finding(error, subject: "database")] }
        guard FileManager.default.fileExists(atPath: path) else {
            return [Finding(.warning, "database", "There is none yet.", advice: "The first 'martlet serve' makes it.")]
        }
        return await store(database)
    }

    private func store(_ database: DatabaseAddress) async -> [Finding] {
        do {
            let statistics = try await Composition.checkStore(database)
            let waiting = statistics.backlogs.reduce(0) { $0 + $1.deliveries }
            let message = """
                Its schema is this program's; \(statistics.enabledEndpoints) devices, \(waiting) deliveries waiting, \
                \(statistics.deadLetters) dead letters.
                """
            return [Finding(.ok, "database", message)] + statistics.findings
        } catch {
            return [Finding(error, subject: "database")]
        }
    }
}

extension Finding {
    /// A problem in the words of the error that showed it.
    init(_ error: any Error, subject: String) {
        let detail = (error as? CommandFailure)?.detail ?? (error as? Failure)?.detail
        self.init(.problem, subject, detail?.message ?? "\(error)", advice: detail?.hint)
    }
}
