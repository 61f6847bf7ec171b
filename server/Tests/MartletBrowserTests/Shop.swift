import Crypto
import Foundation
import MartletCore
import MartletTesting
import MartletWire

/// The site of `examples/web` in a real browser, with a server and simulated push services: all of them processes.
final class Shop: Sendable {
    /// The page as its visitor finds it.
    struct Page: Decodable {
        var title = ""
        /// What it says of notifications.
        var state = ""
        /// Where the browser's pushes go; empty is nowhere.
        var endpoint = ""
        /// The notifications that the browser shows: title, colon, body.
        var shown: [String] = []
        /// The inbox: title, space, body.
        var items: [String] = []
        var unread = 0
        /// By category, whether push and inbox are on.
        var choices: [String: [Bool]] = [:]
        var error = ""
    }

    static let user = "ann"
    private static let secret = "a secret that is long enough for HS256"
    private static let issuer = "https://login.example"

    let stage: DeliveryStage
    let server: ServerProcess
    let site: BrowserSite
    private let browser: BrowserProcess

    /// Serves the site, and opens it in the browser.
    init(_ kind: BrowserProcess.Kind) async throws {
        let folder = try TemporaryFolder()
        let files = folder.file("site")
        try FileManager.default.copyItem(atPath: Program.root + "/examples/web", toPath: files)
        for script in ["person.js", "person-worker.js"] {
            let original = Program.root + "/server/Tests/Browsers/shop/" + script
            try FileManager.default.copyItem(atPath: original, toPath: files + "/" + script)
        }
        site = try await BrowserSite(files)
        stage = try await DeliveryStage(
            app: "shop",
            platform: .webpush,
            settings: ["MARTLET_WEB_ORIGINS": site.origin]
        )
        server = try await stage.startServer()
        try await Self.make(on: server, secret: stage.folder.file("secret.txt"))
        try await Self.configure(files, for: server)
        let ports = try await stage.simulator.browserPorts()
        browser = try BrowserProcess(
            kind,
            browserPort: ports.firefox,
            chromiumPort: ports.chromium,
            url: site.origin + "/"
        )
        self.folder = folder
    }

    private let folder: TemporaryFolder

    /// The app, as the example's README has it made.
    private static func make(on server: ServerProcess, secret file: String) async throws {
        try Data(secret.utf8).write(to: URL(filePath: file))
        let commands = [
            [
                "apps", "create", "shop", "--identity", "signed", "--issuer", issuer, "--audience", "shop",
                "--secret-file", file,
            ],
            ["apps", "credentials", "set", "shop", "--webpush-subject", "mailto:push@example.com"],
        ]
        for command in commands {
            let result = try await ProgramProcess(command, environment: server.environment).result()
            guard result.status == 0 else { throw ProgramProcess.Failure(description: result.standardError) }
        }
        for (key, name) in [("orders", "Orders"), ("offers", "Offers")] {
            let category: JSONValue = ["app": "shop", "key": .string(key), "names": ["en": .string(name)]]
            try await server.call("POST", "/categories", String(decoding: try category.json(), as: UTF8.self))
        }
    }

    /// Writes what a site has of its own, and has the page do what the test says.
    private static func configure(_ files: String, for server: ServerProcess) async throws {
        let made = try await server.call("POST", "/keys", #"{"scope": "client", "app": "shop", "name": "site"}"#)
        let key = made?.objectValue?["key"]?.stringValue ?? ""
        try write("window.site = { server: '\(server.address)', app: 'shop', key: '\(key)' };", "\(files)/config.js")
        let worker = "importScripts('\(server.address)/webpush/worker.js');\nimportScripts('/person-worker.js');\n"
        try write(worker, "\(files)/sw.js")
        let page = try String(contentsOfFile: "\(files)/index.html", encoding: .utf8)
        let last = #"<script src="page.js"></script>"#
        guard page.contains(last) else { throw ProgramProcess.Failure(description: "the page has no '\(last)'") }
        try write(page.replacing(last, with: last + #"<script src="person.js"></script>"#), "\(files)/index.html")
    }

    private static func write(_ text: String, _ file: String) throws {
        try Data(text.utf8).write(to: URL(filePath: file))
    }

    /// A token of the site's login for the user.
    var userToken: String {
        get throws {
            let end = Int64(Date().timeIntervalSince1970) + 3_600
            let claims: JSONValue = [
                "iss": .string(Self.issuer), "aud": "shop", "sub": .string(Self.user), "exp": .integer(end),
            ]
            let header: JSONValue = ["alg": "HS256", "typ": "JWT"]
            let signed = try Self.text(header.json()) + "." + Self.text(claims.json())
            let code = HMAC<SHA256>.authenticationCode(
                for: Data(signed.utf8),
                using: SymmetricKey(data: Data(Self.secret.utf8))
            )
            return signed + "." + Self.text(Data(code))
        }
    }

    private static func text(_ data: Data) -> String {
        data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    // MARK: The visitor

    /// Does something on the page; the page afterwards is what ``untilPage(_:_:)`` looks at.
    func visitor(_ words: String) async throws { _ = try await site.order(words) }

    /// The page once it is so.
    @discardableResult
    func untilPage(_ what: String, doing words: String = "look", _ isSo: (Page) -> Bool) async throws -> Page {
        var page = Page()
        do {
            try await Eventually.is(what, within: 90) {
                page = try JSONDecoder().decode(Page.self, from: try await site.order(words))
                return isSo(page)
            }
        } catch {
            throw ProgramProcess.Failure(description: "\(error)\nthe page: \(page)")
        }
        return page
    }

    /// Turns notifications on.
    ///
    /// - Returns: where the browser's pushes go.
    @discardableResult
    func turnOn() async throws -> String {
        try await untilPage("notifications are on", doing: "turn-on") { $0.state == "Notifications are on." }.endpoint
    }

    /// Signs the user in.
    func signIn() async throws {
        try await visitor("sign-in \(try userToken)")
        try await untilPage("the user's choices are there") { $0.choices.count == 2 }
        try await Eventually.is("the browser is the user's") { try await devices().count == 1 }
    }

    // MARK: The backend

    /// The user's devices.
    func devices() async throws -> [[String: JSONValue]] {
        guard case .array(let all)? = try await server.call("GET", "/devices?app=shop&user_id=\(Self.user)")
        else { return [] }
        return all.compactMap(\.objectValue)
    }

    /// Sends to the user.
    ///
    /// - Parameter members: members of the request beside app, audience and title.
    /// - Returns: the notification's id.
    func send(_ title: String, _ members: String = "") async throws -> String {
        let body = """
            {"app": "shop", "audience": {"users": ["\(Self.user)"]}, "title": "\(title)"\(members)}
            """
        let sent = try await server.call("POST", "/notifications", body)?.objectValue
        guard let id = sent?["id"]?.stringValue else {
            throw ProgramProcess.Failure(description: "nothing was sent: \(sent ?? [:])")
        }
        return id
    }

    /// A notification's counts once nothing of it waits.
    func counts(of notification: String) async throws -> [String: JSONValue] {
        var counts: [String: JSONValue] = [:]
        try await Eventually.is("the notification has ended", within: 60) {
            let found = try await server.call("GET", "/notifications/\(notification)")?.objectValue
            counts = found?["counts"]?.objectValue ?? [:]
            return found?["status"]?.stringValue == "done"
        }
        return counts
    }

    /// The kinds of events that were recorded of a notification.
    func events(of notification: String) async throws -> Set<String> {
        guard case .array(let all)? = try await server.call("GET", "/events?app=shop&message_id=\(notification)")
        else { return [] }
        return Set(all.compactMap { $0.objectValue?["type"]?.stringValue })
    }

    /// Returns when events of these kinds were recorded of a notification.
    func untilEvents(_ kinds: Set<String>, of notification: String) async throws {
        try await Eventually.is("\(kinds.sorted()) were recorded", within: 60) {
            try await events(of: notification).isSuperset(of: kinds)
        }
    }

    /// Ends the browser.
    func close() async throws { try await browser.end() }
}
