import ArgumentParser
import Foundation
import MartletWire

extension AppsCommand {
    /// `martlet apps create`.
    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Creates an app.",
            discussion: """
                With --from-env the name and the APNs key come from APNS_KEY_ID, APNS_TEAM_ID, APNS_BUNDLE_ID and \
                APNS_PRIVATE_KEY_PATH; the name is the bundle id unless one is given. An app of that name that is \
                there already keeps its devices, and gets the key and what the flags say about its identity.

                Examples:
                  martlet apps create com.example.app
                  martlet apps create --from-env
                  martlet apps create com.example.app --identity signed --issuer https://id.example.com/ \\
                      --audience example --jwks-url https://id.example.com/.well-known/jwks.json
                """
        )

        @Argument(help: "The app's name: the bundle id is a good one.")
        var name: String?
        @Flag(name: .customLong("from-env"), help: "Read the name and the APNs key from the environment.")
        var fromEnvironment = false
        @Option(help: "'asserted': the app says who the user is; 'signed': a user token is needed.")
        var identity: IdentityMode?
        @Option(help: "The 'iss' of the user tokens.")
        var issuer: String?
        @Option(help: "The 'aud' of the user tokens.")
        var audience: String?
        @Option(name: .customLong("jwks-url"), help: "Where the identity provider publishes its key set.")
        var keySetURL: String?
        @Option(name: .customLong("secret-file"), help: "A file with the shared secret of HS256 user tokens.")
        var secretFile: String?
        @OptionGroup var provider: ProviderOptions
        @OptionGroup var connection: ConnectionOptions

        func run() async throws {
            let client = try await connection.client()
            let key = fromEnvironment ? try EnvironmentKey(ProcessInfo.processInfo.environment) : nil
            guard let name = name ?? key?.bundleID else {
                throw CommandFailure(
                    "The app's name is missing.",
                    hint: "For example: martlet apps create com.example.app"
                )
            }
            let identity = try identityRequest()
            let (app, isNew) = try await make(name, identity, client: client, orFind: key != nil)
            guard let key else {
                try connection.output.say(
                    "Created \(app.name) (\(app.id)). Next: martlet apps credentials set \(app.name) --help",
                    data: app
                )
                return
            }
            let stored: List<CredentialResponse>
            do {
                stored = try await provider.store(key.request, app: app, client: client)
            } catch {
                // A key that is refused leaves nothing behind.
                if isNew { try await client.perform(.delete, "apps/\(app.id)") }
                throw error
            }
            var shown = app
            if !isNew, let identity {
                let changed: Item<AppResponse> = try await client.call(
                    .patch,
                    "apps/\(app.id)",
                    AppUpdate(identity: identity)
                )
                shown = changed.data
            }
            let details = AppDetails(app: shown, credentials: stored.data, pauses: [], breakers: [])
            if connection.json { try connection.output.json(Item(details)) } else { details.show(connection.output) }
        }

        private func make(
            _ name: String,
            _ identity: IdentityRequest?,
            client: APIClient,
            orFind: Bool
        ) async throws -> (AppResponse, isNew: Bool) {
            do {
                let request = AppRequest(name: name, identity: identity)
                let made: Item<AppResponse> = try await client.call(.post, "apps", request)
                return (made.data, true)
            } catch let failure as CommandFailure
                where orFind && failure.detail.code == .conflict && failure.detail.field == "name"
            {
                let found: Item<AppResponse> = try await client.get("apps/\(name)")
                return (found.data, false)
            }
        }

        private func identityRequest() throws -> IdentityRequest? {
            guard identity != nil || issuer != nil || audience != nil || keySetURL != nil || secretFile != nil else {
                return nil
            }
            return IdentityRequest(
                mode: identity,
                issuer: issuer.map { .value($0) } ?? .unset,
                audience: audience.map { .value($0) } ?? .unset,
                secret: try secretFile.map { .value(try InputFile.text($0)) } ?? .unset,
                jwksURL: keySetURL.map { .value($0) } ?? .unset
            )
        }
    }
}

/// The APNs key that an environment describes, in the variables that transit's backend has.
struct EnvironmentKey {
    let bundleID: String
    let request: CredentialRequest

    /// Reads the variables and the key's file.
    ///
    /// - Throws: `CommandFailure` naming all variables that are missing.
    init(_ environment: [String: String]) throws {
        let names = ["APNS_KEY_ID", "APNS_TEAM_ID", "APNS_BUNDLE_ID", "APNS_PRIVATE_KEY_PATH"]
        let missing = names.filter { environment[$0, default: ""].isEmpty }
        guard missing.isEmpty else {
            throw CommandFailure(
                "The environment lacks \(missing.joined(separator: ", ")).",
                hint: "Set them as in the backend's .env, and export them."
            )
        }
        bundleID = environment["APNS_BUNDLE_ID", default: ""]
        var request = CredentialRequest(platform: .apns, bundleID: bundleID)
        request.keyID = environment["APNS_KEY_ID"]
        request.teamID = environment["APNS_TEAM_ID"]
        request.p8 = try InputFile.text(environment["APNS_PRIVATE_KEY_PATH", default: ""])
        self.request = request
    }
}
