import Crypto
import Foundation
import MartletSimulator
import MartletWire

/// The story of the demo: a transit backend at the REST interface, and its riders' phones with the SDK in their app.
///
/// An alert concerns amira, who has two phones, ben, and deniz, whose phone is an Android; chiara is not affected. Amira's
/// old phone has lost the app (410), APNs is busy when ben's turn comes (503), amira taps the alert, ben dismisses it, and
/// the backend sends the same alert twice. Then come ``DemoInbox`` and ``DemoBrowser``.
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
    private let account: ServiceAccountFile
    /// What the backend and the server know, so that users have tokens.
    private let tokens = UserTokenMaker(
        secret: DataFolder.newEncryptionKey(),
        issuer: "https://accounts.example.com",
        audience: app
    )

    init(_ world: DemoWorld) {
        self.world = world
        account = world.simulators.fcm.makeAccount(project: DemoSimulators.project)
    }

    /// Plays it and says what came of it.
    @MainActor
    func play() async throws -> DemoReport {
        let admin = try APIClient(server: world.address, key: world.adminKey)
        try await makeApp(admin)
        let clientKey = try await key(.client, name: "the app's key", admin)
        let sendKey = try await key(.send, name: "the backend's key", admin)
        let riders = try DemoPhones(world, key: clientKey)
        try await riders.begin()
        let android = try await DemoAndroid.begin(world, key: clientKey)
        prepareAPNs(riders.phones)
        try await riders.uninstall()

        let backend = try APIClient(server: world.address, key: sendKey)
        var phones = try await known(riders.phones + [android.phone], admin)
        let first = try await send(backend, phones)
        try await riders.answer()
        let shownOnAndroid = try await android.shown()
        let second = try await send(backend, phones)
        let counts = try await counts(of: first.notification, backend)
        await riders.end(in: world)
        let inbox = try await DemoInbox(world, key: clientKey, tokens: tokens).play(admin, backend)
        for index in phones.indices {
            if riders.phones.indices.contains(index) {
                phones[index].shown = riders.phones[index].shown
                phones[index].did = riders.phones[index].did
            } else {
                phones[index].shown = shownOnAndroid
            }
            try await look(at: &phones[index], after: first.notification, admin)
        }
        let browser = await DemoBrowser(world, key: clientKey)?.play(admin, backend)
        return DemoReport(
            server: world.address,
            apns: world.apnsURL,
            control: world.controlURL,
            app: Self.app,
            title: Self.title,
            phones: phones,
            alerts: [first, second],
            counts: counts,
            inbox: inbox,
            browser: browser,
            used: DemoReport.Used(
                keys: [world.adminKey, clientKey, sendKey, tokens.secret] + riders.secrets + inbox.secrets
                    + [android.secret].compactMap(\.self) + signingKeyLines + accountKeyLines,
                tokens: phones.map(\.token) + inbox.tokens + [browser?.endpoint].compactMap(\.self),
                payloads: [Self.title, Self.body, Self.deepLink, DemoInbox.alert, DemoInbox.news]
            ),
            surprises: DemoExpectation.surprises(alerts: [first, second], phones: phones, counts: counts)
                + riders.faults + inbox.surprises
        )
    }

    private func makeApp(_ admin: APIClient) async throws {
        let identity = IdentityRequest(
            mode: .asserted,
            issuer: tokens.issuer.map { .value($0) } ?? .unset,
            audience: tokens.audience.map { .value($0) } ?? .unset,
            secret: .value(tokens.secret)
        )
        let _: Item<AppResponse> = try await admin.call(.post, "apps", AppRequest(name: Self.app, identity: identity))
        world.apns.register(try SimulatorKey(keyID: Self.keyID, teamID: Self.teamID, pem: signingKey.pemRepresentation))
        world.apns.register(try SimulatorApp(topic: Self.app, teamID: Self.teamID))
        var credential = CredentialRequest(platform: .apns, bundleID: Self.app)
        let account = Data(account.json.utf8)
        var firebase = CredentialRequest(platform: .fcm)
        firebase.serviceAccount = try JSONDecoder().decode(MartletWire.JSONValue.self, from: account)
        firebase.url = world.simulators.fcm.url
        firebase.trust = world.simulators.fcm.authorityPEM
        credential.p8 = signingKey.pemRepresentation
        credential.keyID = Self.keyID
        credential.teamID = Self.teamID
        credential.url = world.apnsURL
        credential.trust = world.apns.authorityPEM
        for request in [credential, firebase] {
            let _: MartletWire.List<CredentialResponse> = try await admin.call(
                .put,
                "apps/\(Self.app)/credentials",
                request
            )
        }
    }

    private var signingKeyLines: [String] { Self.lines(of: signingKey.pemRepresentation) }
    private var accountKeyLines: [String] { Self.lines(of: account.privateKey) }

    /// A key's own lines, without the PEM's frame, which is no secret.
    private static func lines(of pem: String) -> [String] {
        pem.split(separator: "\n").filter { !$0.hasPrefix("-----") }.map(String.init)
    }

    private func key(_ scope: KeyScope, name: String, _ admin: APIClient) async throws -> String {
        let request = KeyRequest(scope: scope, app: Self.app, name: name)
        let made: Item<KeyResponse> = try await admin.call(.post, "keys", request)
        return made.data.key ?? ""
    }

    /// The phones with the endpoints that the server made of them.
    private func known(_ phones: [DemoPhone], _ admin: APIClient) async throws -> [DemoPhone] {
        let path: APIPath = "devices"
        let devices: MartletWire.List<DeviceResponse> = try await admin.get(path.query([("app", Self.app)]))
        return phones.map { phone in
            var phone = phone
            phone.endpoint = devices.data.first { $0.deviceToken == phone.token }?.id
            return phone
        }
    }

    /// APNs is busy once, when ben's turn comes.
    private func prepareAPNs(_ phones: [DemoPhone]) {
        let token = phones[DemoPhones.bens - 1].token
        world.apns.add(SimulatorRule(.refuse(.serviceUnavailable), when: .init(token: token), times: 1))
    }

    private func send(_ backend: APIClient, _ phones: [DemoPhone]) async throws -> DemoReport.Alert {
        var request = NotificationRequest(
            audience: AudienceRequest(users: ["amira", "ben", DemoAndroid.user]),
            title: Self.title,
            body: Self.body
        )
        request.deepLink = Self.deepLink
        request.sound = "default"
        request.data = ["alert_id": .string(Self.alert)]
        request.dedup = DedupRequest(key: Self.alert)
        // Shorter than the default of ten seconds, so that nobody waits for the demo.
        request.retry = RetryRequest(maxAttempts: 5, minimumDelaySeconds: 1, maximumDelaySeconds: 2)
        let earlier = world.simulators.mark
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
                rows.row(of: phone, received: world.simulators.received(for: phone, after: earlier))
            }
        )
    }

    /// What the apps reported of a notification, when all of it is there, or after a while.
    private func counts(of id: PublicID, _ backend: APIClient) async throws -> EventCountsResponse {
        let deadline = ContinuousClock.now + .seconds(10)
        while true {
            let found: Item<NotificationResponse> = try await backend.get("notifications/\(id)")
            let counts = found.data.events
            guard counts != DemoExpectation.counts, ContinuousClock.now < deadline else { return counts }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    private func look(at phone: inout DemoPhone, after alert: PublicID, _ admin: APIClient) async throws {
        phone.received = world.simulators.received(for: phone).answers.count
        let events: APIPath = "events"
        let reported: MartletWire.List<EventItem> = try await admin.get(
            events.query([("app", Self.app), ("message_id", "\(alert)")])
        )
        let own = reported.data.filter { $0.apnsToken == phone.token || $0.fcmToken == phone.token }
        phone.reported = own.sorted { $0.time.milliseconds < $1.time.milliseconds }.map(\.type)
        guard let id = phone.endpoint else { return }
        let path: APIPath = "endpoints/\(id)"
        let device: Item<DeviceResponse> = try await admin.get(path.query([("app", Self.app)]))
        phone.isActive = device.data.isActive
        phone.inactiveReason = device.data.inactiveReason
    }
}
