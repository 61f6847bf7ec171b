import Foundation
public import MartletCore
public import MartletWire

/// A server's data directory and a simulated provider, each to be used by processes of their own, with an app that sends from
/// the one to the other.
public final class DeliveryStage: Sendable {
    /// The signing key's id and its team's.
    public static let keyID = "KEY4567890"
    /// See ``keyID``.
    public static let teamID = "TEAM567890"

    /// The app's name, which is its topic too.
    public let app: String
    /// Where everything is kept.
    public let folder: TemporaryFolder
    /// Where the app's pushes go.
    public let simulator: SimulatorProcess
    /// The server's data directory.
    public let data: String
    /// The address of the PostgreSQL database that has the rows; `nil` where SQLite has them.
    public let database: String?
    /// What the server's settings are, in the form of the environment.
    public let settings: [String: String]
    /// The network that both are in, if one of their own.
    public let network: NetworkNamespace?
    /// The clock that both have, if another one than the machine's.
    public let clock: MovableClock?

    /// Starts the simulator; the app is made by ``connect(_:)``.
    ///
    /// - Parameters:
    ///   - data: the server's data directory, where it is to be elsewhere than in ``folder``.
    ///   - simulator: further arguments of the simulator's.
    public init(
        app: String,
        platform: Platform = .apns,
        data: String? = nil,
        database: String? = nil,
        settings: [String: String] = [:],
        simulator arguments: [String] = [],
        in network: NetworkNamespace? = nil,
        clock: MovableClock? = nil
    ) async throws {
        self.app = app
        self.network = network
        self.clock = clock
        let environment = clock?.environment ?? [:]
        folder = try TemporaryFolder()
        self.data = data ?? folder.file("data")
        self.database = database
        simulator = try await SimulatorProcess(
            folder: folder,
            platform: platform,
            arguments: [
                "--topic", app, "--new-key", "key.p8", "--key-id", Self.keyID, "--team-id", Self.teamID, "--log-level",
                "error",
            ] + arguments,
            environment: environment,
            in: network
        )
        self.settings = settings.merging(environment) { $1 }.merging(Self.settings(of: simulator)) { $1 }
    }

    /// The push services whose addresses lead to the simulator.
    private static let services = [
        "https://fcm.googleapis.com", "https://jmt17.google.com", "https://updates.push.services.mozilla.com",
    ]

    private static func settings(of simulator: SimulatorProcess) -> [String: String] {
        guard simulator.platform == .webpush else { return [:] }
        return [
            "MARTLET_WEBPUSH_ORIGINS": services.map { "\($0)=\(simulator.address)" }.joined(separator: ","),
            "MARTLET_WEBPUSH_TRUST": simulator.ca,
        ]
    }

    /// Starts the server on the data that is there, with further settings.
    public func startServer(_ more: [String: String] = [:]) async throws -> ServerProcess {
        let arguments = database.map { ["--database", $0] } ?? []
        return try await ServerProcess(
            data: data,
            arguments: arguments,
            environment: settings.merging(more) { $1 },
            in: network
        )
    }

    /// The signing key that the simulator made.
    public func signingKey() throws -> String { try String(contentsOfFile: folder.file("key.p8"), encoding: .utf8) }

    /// Makes the app and gives it its credential.
    public func connect(_ server: ServerProcess) async throws {
        try await server.call("POST", "/apps", #"{"name": "\#(app)"}"#)
        switch simulator.platform {
        case .apns: try await setCredential(server)
        case .fcm: try await setServiceAccount(server)
        case .webpush: try await put(["platform": "webpush", "subject": "mailto:push@example.com"], server)
        }
    }

    private func setServiceAccount(_ server: ServerProcess) async throws {
        let account = try Data(contentsOf: URL(filePath: folder.file("service-account.json")))
        try await put(
            [
                "platform": "fcm", "service_account": try JSONDecoder().decode(JSONValue.self, from: account),
                "url": .string(simulator.address), "trust": .string(try trust()),
            ],
            server
        )
    }

    private func trust() throws -> String { try String(contentsOfFile: simulator.ca, encoding: .utf8) }

    private func put(_ credential: JSONValue, _ server: ServerProcess) async throws {
        let body = String(decoding: try credential.json(), as: UTF8.self)
        try await server.call("PUT", "/apps/\(app)/credentials", body)
    }

    /// Gives the app a credential for APNs.
    ///
    /// - Parameters:
    ///   - url: where its pushes go; absent is the simulator.
    ///   - key: the signing key as PEM; absent is ``signingKey()``.
    public func setCredential(
        _ server: ServerProcess,
        url: String? = nil,
        key: String? = nil,
        keyID: String = DeliveryStage.keyID
    ) async throws {
        try await put(
            [
                "platform": "apns", "p8": .string(try key ?? signingKey()), "key_id": .string(keyID),
                "team_id": .string(Self.teamID), "bundle_id": .string(app), "url": .string(url ?? simulator.apns),
                "trust": .string(try trust()),
            ],
            server
        )
    }

    /// Sends to everybody; returns the notification's id.
    ///
    /// - Parameter members: further members of the request, as JSON, each with a comma before it.
    public func send(through server: ServerProcess, _ members: String = "") async throws -> PublicID {
        let body = #"{"app": "\#(app)", "audience": {"all": true}, "title": "Delay"\#(members)}"#
        let answer = try await server.call("POST", "/notifications", body)
        guard let id = (answer?.objectValue?["id"]?.stringValue).flatMap({ PublicID($0) }) else {
            throw ProgramProcess.Failure(description: "no id in \(String(describing: answer))")
        }
        return id
    }
}
