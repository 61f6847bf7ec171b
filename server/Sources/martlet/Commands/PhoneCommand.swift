import ArgumentParser
import Foundation

/// `martlet phone`.
struct PhoneCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "phone",
        abstract: "Phones with an app that has the SDK: they receive, show, are tapped, and report.",
        discussion: """
            The phones run here, with the real SDK in their app. They get their tokens and pushes from a simulated \
            APNs ('martlet simulate', to which the app's credential must point) and register and report at a Martlet \
            server. Each is opened once and then locked. When the command ends, the app is gone from them.

            On a terminal it shows their screens, and keys do what a finger does; the last lines say which. Anywhere \
            else, and with --json, orders come on standard input, one a line, and what happens is printed, one line \
            each: 'wait shown', 'tap 1', 'dismiss', 'open', 'login ben' …; 'help' prints all. A script ends at the \
            first line that cannot be done, with 1.

            With --fcm the app has Firebase's SDK beside ours: its pushes come through the simulated FCM ('martlet \
            simulate --fcm'), for whose account the app needs a credential. 'fcm off' goes back to APNs.

            Without --api-key a client key is made with the admin key of --key or --data, and revoked at the end. The \
            app opens only links that --link allows.

            Examples:
              martlet phone --app com.example.app --user amira --user ben
              martlet phone --app com.example.app --count 3 --permission ask --link game:
              martlet phone --app com.example.app --user amira --fcm --project shop-demo
              printf '%s\\n' 'wait shown' tap report | martlet phone --app com.example.app --json
            """
    )

    @Option(help: "The app's name or id at the server.")
    var app: String
    @Option(
        name: .customLong("user"),
        help: "Who uses the app; repeatable, for one phone each. Default: nobody yet."
    )
    var users: [String] = []
    @Option(help: "How many phones, 1 to 64; the users get them in turn. Default: one for each user.")
    var count: Int?
    @Option(help: "The control interface of the simulated APNs.")
    var simulator = "http://127.0.0.1:9444"
    @Flag(help: "The app has Firebase's SDK: pushes come through the simulated FCM.")
    var fcm = false
    @Option(help: "The Firebase project of the simulated FCM, with --fcm.")
    var project = OtherSimulatorOptions.usualProject
    @Option(help: "The client key inside the app (MARTLET_API_KEY).")
    var apiKey: String?
    @Option(help: "What the user answers when the app asks to send notifications: 'allow', 'deny', or 'ask' yourself.")
    var permission = PermissionAnswer.allow
    @OptionGroup var appOptions: PhoneAppOptions
    @OptionGroup var connection: ConnectionOptions

    /// More do not fit on any screen, and each asks the simulated APNs all the time.
    private static let mostPhones = 64

    mutating func validate() throws {
        guard (1...Self.mostPhones).contains(count ?? max(1, users.count)) else {
            throw ValidationError("--count is from 1 to \(Self.mostPhones).")
        }
        guard users.count <= count ?? users.count else {
            throw ValidationError("There are more users than phones: --count \(users.count) or more.")
        }
    }

    func run() async throws {
        let client = try await connection.client()
        let server = try Self.address(client.server, flag: "--server")
        let control = try Self.address(simulator, flag: "--simulator")
        try await check(client, control)
        let settings = try await connection.settings()
        let keys = try await PhoneKeyring(apiKey ?? settings.string("apiKey"), app: app, client: client)
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "martlet-phones-\(UUID().uuidString)"
        )
        defer { try? FileManager.default.removeItem(at: folder) }
        let outcome: Result<Void, any Error>
        do {
            var setup = PhoneSetup(
                app: app,
                bundleID: appOptions.bundleID ?? app,
                apiKey: keys.key,
                server: server,
                simulator: control,
                firebaseProject: fcm ? project : nil,
                users: (0..<(count ?? max(1, users.count))).map { users.isEmpty ? nil : users[$0 % users.count] },
                allows: permission == .ask ? nil : permission == .allow,
                folder: folder
            )
            try appOptions.apply(to: &setup)
            try await play(setup)
            outcome = .success(())
        } catch {
            outcome = .failure(error)
        }
        await keys.giveBack()
        try outcome.get()
    }

    @MainActor
    private func play(_ setup: PhoneSetup) async throws {
        let output = connection.output
        let isTyped = isatty(STDIN_FILENO) == 1
        let isShown = isTyped && !output.isJSON && isatty(STDOUT_FILENO) == 1
        // Before the terminal is taken: a signal that nobody catches would keep it.
        let inputs = await PhoneInputs()
        guard isShown else {
            let phones = try Phones(setup) { PhoneLines.show($0, output) }
            inputs.read(keys: false)
            let lines = PhoneLines(phones: phones, inputs: inputs, output: output, isTyped: isTyped)
            return try await lines.run(allows: setup.allows)
        }
        let log = PhoneLog()
        let phones = try Phones(setup) { log.add($0) }
        try RawMode.enter()
        defer { RawMode.leave() }
        inputs.read(keys: true)
        let title = "\(app) on \(phones.count) phone\(phones.count == 1 ? "" : "s") · \(connectionTitle(setup))"
        try await PhoneTerminal(phones, inputs, log: log, title: title).run(allows: setup.allows)
    }

    private func connectionTitle(_ setup: PhoneSetup) -> String {
        let services = setup.firebaseProject == nil ? "APNs" : "APNs and FCM"
        return "server \(setup.server.absoluteString) · simulated \(services) \(setup.simulator.absoluteString)"
    }

    private static func address(_ text: String, flag: String) throws -> URL {
        guard let url = URL(string: text), ["http", "https"].contains(url.scheme), url.host != nil,
            ["", "/"].contains(url.path)
        else {
            throw CommandFailure("'\(text)' is not a server's address.", hint: "Such as \(flag) http://127.0.0.1:8080")
        }
        return url
    }

    private func check(_ client: APIClient, _ control: URL) async throws {
        guard try await client.status(of: "/healthz") == 200 else {
            throw CommandFailure("\(client.server) is not a Martlet server.", hint: "Does --server name the right one?")
        }
        let status: Int
        do {
            status = try await APIClient(server: control.absoluteString, key: nil).status(of: "/state")
        } catch is CommandFailure {
            throw CommandFailure(
                "No answer from the simulated APNs at \(control.absoluteString).",
                hint: "'martlet simulate' starts one and prints its control interface: --simulator says where it is.",
                status: .unavailable
            )
        }
        guard status == 200 else {
            throw CommandFailure(
                "\(control.absoluteString) is not the control interface of a simulated APNs.",
                hint: "'martlet simulate' prints its address.",
                status: .failed
            )
        }
        guard fcm else { return }
        guard try await APIClient(server: control.absoluteString, key: nil).status(of: "/fcm/state") == 200 else {
            throw CommandFailure(
                "There is no simulated FCM at \(control.absoluteString).",
                hint: "'martlet simulate --fcm' has one.",
                status: .failed
            )
        }
    }
}
