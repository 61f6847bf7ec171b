import Foundation

/// A real browser, headless and offline, as the user agent of the simulated push services: `Tests/Browsers/browser.py`.
public final class BrowserProcess: Sendable {
    /// Which browser.
    public enum Kind: String, Sendable, CaseIterable {
        /// Firefox, Debian's `firefox-esr`.
        case firefox
        /// Chromium, Debian's `chromium`.
        case chromium

        /// Whether the machine has it.
        public var isInstalled: Bool {
            let names = self == .firefox ? ["firefox-esr", "firefox"] : ["chromium"]
            let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
            return names.contains { name in
                folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(name)") }
            }
        }
    }

    private static let folder = Program.root + "/server/Tests/Browsers"

    /// The driver; the browser is its child.
    public let process: ProgramProcess

    /// Opens somebody's page.
    ///
    /// - Parameters:
    ///   - browserPort: the simulator's port for Firefox, and for Chromium's check-in.
    ///   - chromiumPort: the simulator's port for Chromium's messages.
    ///   - profile: where the browser keeps what it knows; absent is a new one that is gone at the end.
    public init(_ kind: Kind, browserPort: Int, chromiumPort: Int, url: String, profile: String? = nil) throws {
        process = try Self.start(kind, browserPort, chromiumPort, profile, [url])
    }

    /// Opens the page of `Tests/Browsers/site`, which subscribes and reports.
    ///
    /// - Parameter key: the application server's, as base64url.
    public init(_ kind: Kind, browserPort: Int, chromiumPort: Int, key: String, profile: String? = nil) throws {
        let site = ["--site", Self.folder + "/site", "--key", key]
        process = try Self.start(kind, browserPort, chromiumPort, profile, site)
    }

    private static func start(
        _ kind: Kind,
        _ browserPort: Int,
        _ chromiumPort: Int,
        _ profile: String?,
        _ arguments: [String]
    ) throws -> ProgramProcess {
        var all = [
            "python3", "-B", folder + "/browser.py", kind.rawValue, "--browser-port", "\(browserPort)",
            "--chromium-port", "\(chromiumPort)",
        ]
        if let profile { all += ["--profile", profile] }
        return try ProgramProcess(all + arguments, executable: "/usr/bin/env", leadsGroup: true)
    }

    /// Waits for the page's or its worker's report that contains the text, such as `"kind":"push"`.
    public func report(containing text: String, within seconds: Double = 90) async throws -> String {
        try await process.line(containing: text, within: seconds)
    }

    /// Tells the page or its worker what to do: `click` or `unsubscribe`.
    public func order(_ text: String) async throws {
        struct Serving: Decodable { var url: String }
        let line = try await process.line(containing: #""kind":"serving""#)
        let url = try JSONDecoder().decode(Serving.self, from: Data(line.utf8)).url
        _ = try await LocalCall.send("POST", url.replacing("localhost", with: "127.0.0.1") + "order", text)
    }

    /// Ends the browser.
    public func end() async throws {
        process.send(signal: SIGTERM)
        _ = try await process.result(within: 30)
    }
}
