import Foundation

/// A browser of this machine that can use the simulated push services (`docs/simulator.md`, "Real browsers").
struct InstalledBrowser: Sendable {
    enum Kind: String, Sendable, CaseIterable {
        case firefox, chromium

        /// What people call it.
        var name: String { rawValue.capitalized }
        fileprivate var programs: [String] { self == .firefox ? ["firefox-esr", "firefox"] : ["chromium"] }
    }

    let kind: Kind
    let program: String

    /// The first that is found.
    static var found: InstalledBrowser? {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        for kind in Kind.allCases {
            for program in kind.programs {
                let paths = folders.map { "\($0)/\(program)" }
                guard let path = paths.first(where: FileManager.default.isExecutableFile) else { continue }
                return InstalledBrowser(kind: kind, program: path)
            }
        }
        return nil
    }
}

extension InstalledBrowser {
    /// Where the simulated push services take browsers.
    struct Ports: Sendable {
        /// Firefox's, and Chromium's check-in.
        var browser: Int
        /// Chromium's messages.
        var messages: Int
    }

    /// The command that opens a page without a window, offline, with a profile that knows the simulated services.
    func command(opening url: String, profile: URL, ports: Ports) throws -> [String] {
        try FileManager.default.createDirectory(at: profile, withIntermediateDirectories: true)
        switch kind {
        case .firefox:
            try Data(Self.preferences(ports).utf8).write(to: profile.appendingPathComponent("user.js"))
            return [program, "--headless", "--no-remote", "--profile", profile.path, url]
        case .chromium:
            let folder = profile.appendingPathComponent("Default", isDirectory: true)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            // A permission that DevTools grants ends with its session.
            let settings = #"{"profile":{"default_content_setting_values":{"notifications":1}}}"#
            try Data(settings.utf8).write(to: folder.appendingPathComponent("Preferences"))
            return [program] + Self.flags(profile, ports) + [url]
        }
    }

    private static func preferences(_ ports: Ports) -> String {
        let values = [
            ("dom.push.serverURL", #""ws://127.0.0.1:\#(ports.browser)/""#),
            ("dom.push.testing.allowInsecureServerURL", "true"),
            ("dom.push.retryBaseInterval", "500"),
            ("permissions.default.desktop-notification", "1"),
            // Without a desktop the system shows nothing, and showNotification fails.
            ("alerts.useSystemBackend", "false"),
            // No page, no question and no download of its own.
            ("app.normandy.enabled", "false"),
            ("app.update.enabled", "false"),
            ("browser.aboutwelcome.enabled", "false"),
            ("browser.shell.checkDefaultBrowser", "false"),
            ("browser.startup.homepage_override.mstone", #""ignore""#),
            ("datareporting.policy.dataSubmissionEnabled", "false"),
            ("network.captive-portal-service.enabled", "false"),
            ("network.connectivity-service.enabled", "false"),
            ("toolkit.telemetry.enabled", "false"),
        ]
        return values.map { "user_pref(\"\($0.0)\", \($0.1));\n" }.joined()
    }

    private static func flags(_ profile: URL, _ ports: Ports) -> [String] {
        let gcm = "http://127.0.0.1:\(ports.browser)"
        return [
            "--headless=new", "--no-sandbox", "--no-first-run", "--disable-gpu", "--disable-dev-shm-usage",
            "--password-store=basic", "--user-data-dir=\(profile.path)", "--ignore-certificate-errors",
            "--gcm-checkin-url=\(gcm)/checkin", "--gcm-registration-url=\(gcm)/register",
            "--gcm-mcs-endpoint=https://127.0.0.1:\(ports.messages)",
        ]
    }
}
