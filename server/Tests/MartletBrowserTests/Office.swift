import Foundation
import MartletCore
import MartletTesting
import MartletWire
import Synchronization

/// A server that somebody runs: an app with a few people and devices at a simulated APNs, and the console before it.
final class Office: Sendable {
    static let password = "correct horse battery"
    static let app = "shop"

    let stage: DeliveryStage
    let server: ServerProcess
    /// The one-time link that the server printed.
    let invitation: String
    /// The one that took the server's place.
    private let successor = Mutex<ServerProcess?>(nil)

    /// Starts it.
    init() async throws {
        stage = try await DeliveryStage(app: Self.app)
        server = try await stage.startServer(Self.settings(stage))
        let line = try await server.process.line(containing: "/console/invitations/")
        invitation = String(line.split(separator: " ").last ?? "")
        try await stage.connect(server)
        try await server.call(
            "POST",
            "/categories",
            #"{"app": "shop", "key": "offers", "names": {"en": "Offers", "ja": "特売"}}"#
        )
        for (number, user) in ["ann", "bob", "cleo"].enumerated() {
            let token = Self.token(number + 1)
            try await server.call(
                "POST",
                "/devices",
                #"{"app": "shop", "user_id": "\#(user)", "token": "\#(token)", "environment": "production"}"#
            )
        }
        try await server.call(
            "PATCH",
            "/users/cleo/preferences?app=shop",
            #"{"categories": {"offers": {"push": false}}}"#
        )
    }

    private static func settings(_ stage: DeliveryStage) -> [String: String] {
        ["MARTLET_CONSOLE_SIMULATOR": stage.simulator.control]
    }

    /// Stops the server, and starts it again at the same address after what happens meanwhile.
    func restart(meanwhile: () async throws -> Void) async throws {
        _ = try await server.stop()
        try await meanwhile()
        guard let port = URL(string: server.address)?.port else { return }
        let settings = stage.settings.merging(Self.settings(stage)) { $1 }
        // Of an option that is there twice the later one counts.
        let arguments = ["--port", String(port)]
        let next = try await ServerProcess(data: stage.data, arguments: arguments, environment: settings)
        successor.withLock { $0 = next }
    }

    /// The path of a page of the console.
    func page(_ path: String) -> String { server.address + "/console" + path }

    /// Opens the console for the first time, by the link.
    func welcome(_ browser: WebDriver) async throws {
        try await browser.open(invitation)
        try await browser.write(Self.password, into: "[name=password]")
        try await browser.write(Self.password, into: "[name=again]")
        try await browser.click("main button")
        try await Eventually.is("the overview is there", within: 20) { try await browser.count(".who") == 1 }
    }

    /// Signs the first operator in.
    func signIn(_ browser: WebDriver, language: String = "en") async throws {
        try await browser.open(page("/sign-in?lang=\(language)"))
        try await browser.write("admin", into: "[name=name]")
        try await browser.write(Self.password, into: "[name=password]")
        try await browser.click("main button")
        try await Eventually.is("somebody is signed in", within: 20) { try await browser.count(".who") == 1 }
    }

    /// The app's id.
    func appID() async throws -> String {
        try await server.call("GET", "/apps/\(Self.app)")?.objectValue?["id"]?.stringValue ?? ""
    }

    /// Sends an offer to everybody.
    ///
    /// - Returns: the notification's id.
    func announce() async throws -> String {
        let body = """
            {"app": "shop", "audience": {"all": true}, "title": "Socks", "body": "Half the price", "category": "offers"}
            """
        let sent = try await server.call("POST", "/notifications", body)?.objectValue
        let id = sent?["id"]?.stringValue ?? ""
        try await Eventually.is("it has ended", within: 60) {
            try await self.server.call("GET", "/notifications/\(id)")?.objectValue?["status"]?.stringValue == "done"
        }
        return id
    }

    /// axe-core's script, which comes with a Python package.
    static func axe() async throws -> String {
        let words = "import axe_selenium_python as a, os; print(os.path.dirname(a.__file__))"
        let found = try await ProgramProcess(["python3", "-c", words], executable: "/usr/bin/env").result()
        let folder = found.standardOutput.trimmingCharacters(in: .whitespacesAndNewlines)
        return try String(contentsOfFile: folder + "/node_modules/axe-core/axe.min.js", encoding: .utf8)
    }
}
