import HTTPTypes
import HummingbirdTesting
import MartletPipeline
import MartletStore
import MartletTesting
import MartletWire
import Testing

@testable import MartletConsole
@testable import MartletCore

/// The console with an operator of each role who is signed in, and an app that can send.
struct PeopleScene: Sendable {
    private let harness: Harness
    private let visitors: [OperatorRole: Visitor]

    var store: Store { harness.store }
    var clock: ManualClock { harness.clock }
    var app: App { harness.app }
    var submitter: Submitter { harness.console.submitter }

    static func run(_ test: @Sendable (PeopleScene) async throws -> Void) async throws {
        try await Harness.run { harness in
            let summary = CredentialSummary(
                kind: .token,
                topic: harness.app.name,
                keyID: "KEY",
                teamID: "TEAM",
                expiresAt: nil
            )
            _ = try await harness.store.storeCredential(
                DeliveryQueue(app: harness.app.row, platform: .apns, environment: .production),
                StoredCredentialDraft(summary: summary, sealed: [1], url: nil, trust: nil)
            )
            var visitors: [OperatorRole: Visitor] = [:]
            for role in OperatorRole.allCases { visitors[role] = try await visitor(role, harness) }
            try await test(PeopleScene(harness: harness, visitors: visitors))
        }
    }

    /// Somebody who is signed in, without a password's work.
    private static func visitor(_ role: OperatorRole, _ harness: Harness) async throws -> Visitor {
        let (token, secret) = (Secret(prefix: ""), SessionSecret())
        let draft = InvitationDraft(name: role.rawValue, role: role, hash: token.hash)
        _ = try await harness.store.createInvitation(draft, by: .system)
        let password = PasswordHash(ofNothing: .standard)
        let owner = try await harness.store.redeemInvitation(token.hash, password: password)
        let session = SessionDraft(owner: owner, hash: secret.hash, address: "", userAgent: "")
        _ = try await harness.store.createSession(session)
        return Visitor(client: harness.client, secret: secret)
    }

    // MARK: Requests

    func get(_ path: String, as role: OperatorRole = .admin, language: String = "en") async throws -> Visitor.Answer {
        var visitor = try #require(visitors[role])
        visitor.headers = [.acceptLanguage: language]
        return try await visitor.get(Self.below(path))
    }

    /// Sends a form, with the token that the page has.
    func post(
        _ path: String,
        as role: OperatorRole = .admin,
        _ fields: KeyValuePairs<String, String> = [:]
    ) async throws -> Visitor.Answer {
        try await #require(visitors[role]).post(Self.below(path), fields)
    }

    /// Pages have whole addresses, a visitor names those below the console's.
    private static func below(_ path: String) -> String { String(path.dropFirst("/console".count)) }

    // MARK: Things

    /// Gives a person a device.
    @discardableResult
    func device(of user: String, token: String = PeopleScene.token) async throws -> Endpoint {
        let request = DeviceRequest(userID: user, token: token, environment: .production)
        let registrar = Registrar(
            store: store,
            providers: harness.console.providers,
            vault: harness.console.credentials.vault
        )
        return try await registrar.register(request, app: app, by: .server, deviceLimit: nil).endpoint
    }

    static let token = String(repeating: "aabbccdd11223344", count: 4)

    /// Where a person's pages are.
    func address(of user: String) -> String { Person(app: app, user: user).address }

    func category(_ key: String, names: [String: String] = [:]) async throws -> MartletCore.Category {
        try await store.createCategory(CategoryRequest(key: key, names: names), of: app.row, actor: "test")
    }

    /// What was written down in the audit log, newest first, but for operators and their sessions.
    func audited() async throws -> [AuditEntry] {
        try await store.auditEntries(AuditFilter(), PageRequest()).items.filter { entry in
            !["operator", "session"].contains(entry.subject.kind)
        }
    }
}
