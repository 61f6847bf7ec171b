import ArgumentParser
import Foundation
import MartletConsole
import MartletWire

/// `martlet apps credentials`.
struct CredentialsCommand: AsyncParsableCommand, Listed {
    static let configuration = CommandConfiguration(
        commandName: "credentials",
        abstract: "Manages the credentials of an app.",
        subcommands: [ListCommand<Self>.self, Set.self, RotateVAPID.self, Delete.self],
        defaultSubcommand: ListCommand<Self>.self
    )

    static let list = ListRow<CredentialResponse, AppArgument>(
        abstract: "Lists an app's credentials.",
        discussion: "Example: martlet apps credentials list com.example.app",
        path: { "apps/\($0.app)/credentials" },
        empty: { "\($0.app) has no credential: martlet apps credentials set --help" },
        columns: [
            ("PLATFORM", \.platform.rawValue), ("ENVIRONMENT", \.environment.rawValue), ("KIND", \.kind.rawValue),
            ("BUNDLE ID OR PROJECT", { $0.bundleID ?? $0.projectID ?? $0.publicKey }), ("KEY", \.keyID),
            ("TEAM OR ACCOUNT", { $0.teamID ?? $0.clientEmail ?? $0.subject }), ("EXPIRES", \.expiresAt?.description),
            ("ADDRESS", { $0.url ?? "the provider's own" }),
        ]
    )

    /// `martlet apps credentials set`.
    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Stores a credential, and replaces the previous one.",
            discussion: """
                For APNs one of three: a signing key (--p8 with --team-id, and --key-id where the file's name does not say \
                it, as AuthKey_ABC123DEFG.p8 does), a certificate with its key in a password-protected archive (--p12 \
                with --password-file), or both as PEM (--certificate and --private-key). For FCM the JSON file of a \
                service account (--service-account). \
                For Web Push whom push services may write to (--webpush-subject): the server makes a VAPID key, unless \
                --vapid-key has one made elsewhere.

                Examples:
                  martlet apps credentials set com.example.app --p8 AuthKey_ABC123DEFG.p8 --team-id TEAM123456
                  martlet apps credentials set com.example.app --p12 push.p12 --password-file password.txt
                  martlet apps credentials set com.example.app --service-account firebase.json
                  martlet apps credentials set shop --webpush-subject mailto:push@example.com
                """
        )

        @Argument(help: "The app's name or id.")
        var app: String
        @Option(help: "The bundle id. Default: the stored credential's, or the app's name.")
        var bundleID: String?
        @Option(help: "The signing key's file.")
        var p8: String?
        @Option(help: "The signing key's id. Default: the one in the file's name.")
        var keyID: String?
        @Option(help: "The team's id. Default: the stored signing key's.")
        var teamID: String?
        @Option(help: "The certificate's archive.")
        var p12: String?
        @Option(help: "A file with the archive's password. Default: the empty password.")
        var passwordFile: String?
        @Option(help: "The certificate with its chain, as PEM.")
        var certificate: String?
        @Option(help: "The certificate's private key, as PEM.")
        var privateKey: String?
        @Option(help: "The JSON file of a service account of the app's Firebase project.")
        var serviceAccount: String?
        @Option(help: "Whom push services may write to: mailto:… or https://…")
        var webpushSubject: String?
        @Option(help: "A file with the private half of a VAPID key made elsewhere, as base64url.")
        var vapidKey: String?
        @OptionGroup var provider: ProviderOptions
        @OptionGroup var connection: ConnectionOptions

        func run() async throws {
            let client = try await connection.client()
            let found: Item<AppResponse> = try await client.get("apps/\(app)")
            let path: APIPath = "apps/\(found.data.id)/credentials"
            let known: List<CredentialResponse> = try await client.get(path)
            let request = try request(for: found.data, beside: known.data)
            let stored = try await provider.store(request, app: found.data, client: client)
            if connection.json { return try connection.output.json(stored) }
            connection.output.table(Table(stored.data, columns: CredentialsCommand.list.columns))
        }

        /// - Parameter known: what is stored: whoever replaces a key means the same bundle id and team.
        private func request(for app: AppResponse, beside known: [CredentialResponse]) throws -> CredentialRequest {
            let replaced = known.filter {
                $0.platform == .apns && (provider.environment == nil || $0.environment == provider.environment)
            }
            let bundleIDs = Swift.Set(replaced.compactMap(\.bundleID)).sorted()
            let isAPNs = serviceAccount == nil && webpushSubject == nil && vapidKey == nil
            guard bundleID != nil || bundleIDs.count < 2 || !isAPNs else {
                throw CommandFailure(
                    "The environments have bundle ids of their own: \(bundleIDs.joined(separator: ", ")).",
                    hint: "Store it for one after the other, with --environment; or for both, with --bundle-id."
                )
            }
            var request = CredentialRequest(platform: .apns, bundleID: bundleID ?? bundleIDs.first ?? app.name)
            if let serviceAccount {
                // Beside another form too: the server says that one of them is too much.
                request = CredentialRequest(platform: .fcm)
                request.serviceAccount = try InputFile.json(serviceAccount)
            }
            if webpushSubject != nil || vapidKey != nil {
                request = CredentialRequest(platform: .webpush)
                request.subject = webpushSubject
                request.vapidPrivateKey = try vapidKey.map { try InputFile.text($0) }
            }
            request.p8 = try p8.map { try InputFile.text($0) }
            request.keyID = try p8.flatMap { try idOfKey(in: $0) } ?? keyID
            let teams = Swift.Set(replaced.compactMap(\.teamID))
            request.teamID = teamID ?? (p8 != nil && teams.count == 1 ? teams.first : nil)
            request.p12 = try p12.map { try InputFile.data($0).base64EncodedString() }
            if p12 != nil { request.password = try passwordFile.map { try InputFile.text($0) } ?? "" }
            request.certificate = try certificate.map { try InputFile.text($0) }
            request.privateKey = try privateKey.map { try InputFile.text($0) }
            return request
        }

        /// The id of the key in a file, as the file's name has it or the flag.
        private func idOfKey(in path: String) throws -> String? {
            let named = CredentialFile.keyID(in: (path as NSString).lastPathComponent)
            if let named, let keyID, named != keyID {
                throw CommandFailure(
                    "The file's name says that the key's id is \(named), and --key-id says \(keyID).",
                    hint: "Leave --key-id out, or give the other key's file."
                )
            }
            let id = named ?? keyID
            if let id, id.count < 10 {
                let line = "warning: Apple's key ids have 10 characters; \(id) has \(id.count)."
                Terminal.note(TextWidth.printable(line))
            }
            return id
        }
    }

    /// `martlet apps credentials rotate-vapid`.
    struct RotateVAPID: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rotate-vapid",
            abstract: "Makes an app's next VAPID key.",
            discussion: """
                Browsers that subscribed with the present key are pushed to with it until their pages are opened: then they \
                subscribe anew. Old keys are kept.

                Example: martlet apps credentials rotate-vapid shop
                """
        )

        @Argument(help: "The app's name or id.")
        var app: String
        @OptionGroup var connection: ConnectionOptions

        func run() async throws {
            var request = CredentialRequest(platform: .webpush)
            request.isRotation = true
            let path: APIPath = "apps/\(app)/credentials"
            let stored: List<CredentialResponse> = try await connection.client().call(.put, path, request)
            if connection.json { return try connection.output.json(stored) }
            connection.output.table(Table(stored.data, columns: CredentialsCommand.list.columns))
        }
    }

    /// `martlet apps credentials delete`.
    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Deletes a credential: nothing is sent there any more.",
            discussion: """
                Examples:
                  martlet apps credentials delete com.example.app sandbox
                  martlet apps credentials delete com.example.app production --platform fcm
                """
        )

        @Argument(help: "The app's name or id.")
        var app: String
        @Argument(help: "'sandbox' or 'production'.")
        var environment: EnvironmentName
        @Option(help: "'apns', 'fcm' or 'webpush'.")
        var platform = PlatformName.apns
        @OptionGroup var connection: ConnectionOptions

        func run() async throws {
            let client = try await connection.client()
            let platform = platform.rawValue
            try await client.perform(.delete, "apps/\(app)/credentials/\(platform)/\(environment.rawValue)")
            let sentence = "Deleted the \(platform)/\(environment.rawValue) credential of \(app)."
            try connection.output.say(sentence, data: ["deleted": environment.rawValue])
        }
    }
}

/// Where a credential is good, and where its provider is.
struct ProviderOptions: ParsableArguments {
    @Option(help: "'sandbox' or 'production'. Default: both.")
    var environment: EnvironmentName?
    @Option(help: "An address in place of Apple's, such as a simulator's: https://127.0.0.1:9443")
    var apnsURL: String?
    @Option(help: "A PEM file with the certificates to trust at that address.")
    var apnsTrust: String?
    @Option(help: "An address in place of Google's, such as a simulator's: https://127.0.0.1:9445")
    var fcmURL: String?
    @Option(help: "A PEM file with the certificates to trust there and at the service account's token endpoint.")
    var fcmTrust: String?

    /// Stores a credential on the server.
    func store(
        _ request: CredentialRequest,
        app: AppResponse,
        client: APIClient
    ) async throws -> List<CredentialResponse> {
        var request = request
        request.environment = environment
        let (url, trust) = request.platform == .fcm ? (fcmURL, fcmTrust) : (apnsURL, apnsTrust)
        request.url = url
        request.trust = try trust.map { try InputFile.text($0) }
        let path: APIPath = "apps/\(app.id)/credentials"
        var replaced: [CredentialResponse] = []
        if url == nil, request.platform != .webpush {
            let known: List<CredentialResponse> = try await client.get(path)
            replaced = known.data.filter {
                $0.platform == request.platform && (environment == nil || $0.environment == environment)
            }
        }
        let stored: List<CredentialResponse> = try await client.call(.put, path, request)
        Self.tellOfAddresses(replaced)
        return stored
    }

    /// Says which addresses a credential takes away that is stored without one. They are not kept: the certificates to
    /// trust there, which no answer has, would be missing.
    private static func tellOfAddresses(_ replaced: [CredentialResponse]) {
        for one in replaced {
            guard let url = one.url else { continue }
            let (name, flag) = (one.platform.rawValue, one.platform == .fcm ? "--fcm" : "--apns")
            let line = """
                warning: \(name)/\(one.environment.rawValue) goes to the provider's own address from now on. To go on \
                with the stored one, give it again: \(flag)-url \(url) \(flag)-trust FILE
                """
            Terminal.note(TextWidth.printable(line))
        }
    }
}
