import Crypto
import MartletSimulator
import MartletWire

/// The story of the demo, told through the REST interface as a transit backend and its riders' apps would.
///
/// An alert concerns amira, who has two phones, and ben; chiara is not affected. Amira's old phone has lost the app
/// (410), APNs is busy when ben's turn comes (503), and the backend sends the same alert twice.
struct DemoStory: Sendable {
    static let app = "com.example.transit"
    static let keyID = "DEMOKEY001"
    static let teamID = "DEMOTEAM01"
    static let title = "Line T4: signal failure"
    static let body = "Trains run every 20 minutes between Central and Bondi Junction."
    static let alert = "alert-t4-signal-failure"
    static let deepLink = "transit://alerts/t4-signal-failure"

    private let world: DemoWorld
    private let signingKey = P256.Signing.PrivateKey()

    init(_ world: DemoWorld) { self.world = world }

    /// Plays it and says what came of it.
    func play() async throws -> DemoReport {
        let admin = try APIClient(server: world.address, key: world.adminKey)
        try await makeApp(admin)
        let clientKey = try await key(.client, name: "the app's key", admin)
        let sendKey = try await key(.send, name: "the backend's key", admin)
        var phones = [
            DemoPhone(user: "amira", name: "iPhone"), DemoPhone(user: "amira", name: "old iPhone"),
            DemoPhone(user: "ben", name: "iPhone"), DemoPhone(user: "chiara", name: "iPhone"),
        ]
        let apps = try APIClient(server: world.address, key: clientKey)
        for index in phones.indices { try await register(&phones[index], apps) }
        try prepareAPNs(phones)

        let backend = try APIClient(server: world.address, key: sendKey)
        var alerts: [DemoReport.Alert] = []
        for _ in 0..<2 { alerts.append(try await send(backend, phones)) }
        for index in phones.indices { try await look(at: &phones[index], backend) }
        let secrets = phones.compactMap(\.secret)
        return DemoReport(
            server: world.address,
            apns: world.apnsURL,
            control: world.controlURL,
            app: Self.app,
            title: Self.title,
            phones: phones,
            alerts: alerts,
            used: DemoReport.Used(
                keys: [world.adminKey, clientKey, sendKey] + secrets + signingKeyLines,
                tokens: phones.map(\.token),
                payloads: [Self.title, Self.body, Self.deepLink]
            ),
            surprises: DemoExpectation.surprises(alerts: alerts, phones: phones)
        )
    }

    private func makeApp(_ admin: APIClient) async throws {
        let _: Item<AppResponse> = try await admin.call(.post, "apps", AppRequest(name: Self.app))
        world.apns.register(try SimulatorKey(keyID: Self.keyID, teamID: Self.teamID, pem: signingKey.pemRepresentation))
        world.apns.register(try SimulatorApp(topic: Self.app, teamID: Self.teamID))
        var credential = CredentialRequest(platform: .apns, bundleID: Self.app)
        credential.p8 = signingKey.pemRepresentation
        credential.keyID = Self.keyID
        credential.teamID = Self.teamID
        credential.url = world.apnsURL
        credential.trust = world.apns.authorityPEM
        let _: MartletWire.List<CredentialResponse> = try await admin.call(
            .put,
            "apps/\(Self.app)/credentials",
            credential
        )
    }

    /// The key's own lines, without the PEM's frame, which is no secret.
    private var signingKeyLines: [String] {
        signingKey.pemRepresentation.split(separator: "\n").filter { !$0.hasPrefix("-----") }.map(String.init)
    }

    private func key(_ scope: KeyScope, name: String, _ admin: APIClient) async throws -> String {
        let request = KeyRequest(scope: scope, app: Self.app, name: name)
        let made: Item<KeyResponse> = try await admin.call(.post, "keys", request)
        return made.data.key ?? ""
    }

    /// What the SDK does when the app starts.
    private func register(_ phone: inout DemoPhone, _ app: APIClient) async throws {
        let request = TokenRegistrationRequest(
            installationID: phone.installation,
            token: phone.token,
            environment: .production,
            userID: .value(phone.user)
        )
        let registered: Item<TokenRegistrationResponse> = try await app.call(.post, "tokens", request)
        phone.endpoint = registered.data.endpointID
        phone.secret = registered.data.installationSecret
    }

    private func prepareAPNs(_ phones: [DemoPhone]) throws {
        // A moment after the registration: an older 410 would say nothing about the token that was registered since.
        let uninstalled = SimulatorClock.system.now() + 1
        for phone in phones {
            let state: SimulatorDevice.State = phone.name == "old iPhone" ? .unregistered(since: uninstalled) : .active
            world.apns.register(try SimulatorDevice(token: phone.token, topic: Self.app, state: state))
        }
        for phone in phones where phone.user == "ben" {
            let busy = SimulatorRule(.refuse(.serviceUnavailable), when: .init(token: phone.token), times: 1)
            world.apns.add(busy)
        }
    }

    private func send(_ backend: APIClient, _ phones: [DemoPhone]) async throws -> DemoReport.Alert {
        var request = NotificationRequest(
            audience: AudienceRequest(users: ["amira", "ben"]),
            title: Self.title,
            body: Self.body
        )
        request.deepLink = Self.deepLink
        request.sound = "default"
        request.data = ["alert_id": .string(Self.alert)]
        request.dedup = DedupRequest(key: Self.alert)
        // Shorter than the default of ten seconds, so that nobody waits for the demo.
        request.retry = RetryRequest(maxAttempts: 5, minimumDelaySeconds: 1, maximumDelaySeconds: 2)
        let earlier = world.apns.received().last?.seq ?? 0
        let accepted: Item<NotificationAccepted> = try await backend.call(.post, "notifications", request)
        let id = accepted.data.id
        let done = try await SendWait(client: backend, id: id, limit: .seconds(30)).finished()
        let deliveries: MartletWire.List<DeliveryItem> = try await backend.get("notifications/\(id)/deliveries")
        let left: MartletWire.List<SuppressionItem> = try await backend.get("notifications/\(id)/suppressions")
        let rows = DemoRows(deliveries: deliveries.data, suppressions: left.data)
        return DemoReport.Alert(
            notification: id,
            summary: NotificationsCommand.summary(done.counts),
            rows: phones.map { phone in
                rows.row(of: phone, received: world.apns.received(token: phone.token, after: earlier))
            }
        )
    }

    private func look(at phone: inout DemoPhone, _ backend: APIClient) async throws {
        guard let id = phone.endpoint else { return }
        let path: APIPath = "endpoints/\(id)"
        let device: Item<DeviceResponse> = try await backend.get(path)
        phone.isActive = device.data.isActive
        phone.inactiveReason = device.data.inactiveReason
        phone.received = world.apns.received(token: phone.token).count
    }
}
