import Foundation
import MartletSimulator
import MartletWire
import PushNotificationSDK

/// The demo's second part: a rider with two devices, one of them switched off, and her notice list.
///
/// Nadia switched notifications off in her iPad's Settings, and pushes of the category `news` in the app. The backend
/// sends her news and an alert: one push, two notices on both devices. She reads the alert on the iPad, and it leaves the
/// iPhone's screen.
@MainActor
struct DemoInbox {
    nonisolated static let user = "nadia"
    nonisolated static let alert = "Line T4: buses replace trains"
    nonisolated static let news = "New fares from July"
    /// The numbers by which the story calls the devices.
    private static let iPhone = 1, iPad = 2
    private static let devices = ["iPhone", "iPad"]
    /// Seconds that something may take which takes a moment.
    private static let timeout = 30

    private let world: DemoWorld
    private let hands: Phones
    private let journal = DemoJournal()

    /// - Parameter key: the client key inside the app.
    init(_ world: DemoWorld, key: String, tokens: UserTokenMaker) throws {
        guard let server = URL(string: world.address), let simulator = URL(string: world.controlURL) else {
            throw CommandFailure("The demo has no address.", status: .failed)
        }
        self.world = world
        let setup = PhoneSetup(
            app: DemoStory.app,
            bundleID: DemoStory.app,
            apiKey: key,
            server: server,
            simulator: simulator,
            users: Self.devices.map { _ in Self.user },
            tokens: tokens,
            links: [.deepLink("transit")],
            folder: world.folder.appendingPathComponent("inbox", isDirectory: true)
        )
        hands = try Phones(setup) { [journal] in journal.events.append($0) }
    }

    /// Plays it and says what came of it.
    func play(_ admin: APIClient, _ backend: APIClient) async throws -> DemoInboxReport {
        try await prepare(admin)
        await hands.begin(allows: true)
        for number in [Self.iPhone, Self.iPad] {
            try await perform(.wait(.registered, seconds: Self.timeout), on: number)
        }
        var report = DemoInboxReport(
            tokens: journal.events.filter { $0.what == .token }.compactMap(\.value),
            secrets: hands.secrets
        )
        try await perform(.allow(false), on: Self.iPad)
        // The SDK tells it when the app is in front again.
        try await perform(.open, on: Self.iPad)
        try await untilRefused(admin)
        try await perform(.change(.category("news", push: .off)), on: Self.iPhone)

        let news = try await send(Self.news, "A weekly ticket is no dearer.", category: "news", backend)
        let alert = try await send(Self.alert, "Until 22:00, from Central.", category: "alerts", backend)
        try await perform(.wait(.shown, seconds: Self.timeout), on: Self.iPhone)
        for number in [Self.iPhone, Self.iPad] { try await perform(.notices, on: number) }
        // She puts the iPhone away: what comes meanwhile is for the system to show.
        try await perform(.home, on: Self.iPhone)
        report.before = moment()

        try await perform(.read(1), on: Self.iPad)
        // The new number on the icon comes as a push, and with it what is to leave the screen.
        try await perform(.wait(.removed, seconds: Self.timeout), on: Self.iPhone)
        let badge = hands.screens[Self.iPhone - 1].badge
        try await perform(.notices, on: Self.iPhone)
        report.after = moment()
        report.after[Self.iPhone - 1].badge = badge
        for id in [alert, news] {
            let path: APIPath = "notifications/\(id)/why"
            let why: Item<WhyResponse> = try await backend.get(path.query([("user", Self.user)]))
            report.why.append(why.data)
        }
        await world.putAway(hands)
        report.faults = journal.faults
        return report
    }

    private func prepare(_ admin: APIClient) async throws {
        var update = AppUpdate()
        update.badgeSync = true
        let _: Item<AppResponse> = try await admin.call(.patch, "apps/\(DemoStory.app)", update)
        for (key, name) in [("alerts", "Alerts"), ("news", "News")] {
            let request = CategoryRequest(app: DemoStory.app, key: key, names: ["en": name])
            let _: Item<CategoryResponse> = try await admin.call(.post, "categories", request)
        }
    }

    /// Waits until the server knows that a device shows nothing.
    private func untilRefused(_ admin: APIClient) async throws {
        let deadline = ContinuousClock.now + .seconds(Self.timeout)
        let path: APIPath = "users/\(Self.user)/endpoints"
        while true {
            let found: MartletWire.List<DeviceResponse> = try await admin.get(path.query([("app", DemoStory.app)]))
            if found.data.contains(where: { $0.permission == .denied }) { return }
            guard ContinuousClock.now < deadline else {
                throw CommandFailure("The iPad did not tell that notifications are off.", status: .failed)
            }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    private func send(_ title: String, _ body: String, category: String, _ backend: APIClient) async throws -> PublicID
    {
        var request = NotificationRequest(audience: AudienceRequest(users: [Self.user]), title: title, body: body)
        request.category = category
        request.badge = .inbox(.unread)
        request.deepLink = "transit://\(category)"
        let accepted: Item<NotificationAccepted> = try await backend.call(.post, "notifications", request)
        _ = try await SendWait(client: backend, id: accepted.data.id, limit: .seconds(Self.timeout)).finished()
        return accepted.data.id
    }

    /// What the devices show now.
    private func moment() -> [DemoInboxReport.Device] {
        hands.screens.enumerated().map { index, screen in
            let token = journal.events.first { $0.phone == screen.phone && $0.what == .token }?.value
            return DemoInboxReport.Device(
                name: Self.devices[index],
                pushes: world.apns.received(token: token ?? "").count,
                shows: screen.notifications.map(\.title),
                badge: screen.badge,
                list: screen.notices?.words
            )
        }
    }

    private func perform(_ order: PhoneOrder, on number: Int) async throws {
        do throws(PhoneOrder.Wrong) {
            try await hands.perform(PhoneOrder.Line(phone: number, order: order))
        } catch {
            throw CommandFailure(error.message, hint: "Run it again with --log-level debug", status: .failed)
        }
    }
}
