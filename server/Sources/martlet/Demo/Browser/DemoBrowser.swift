import Foundation
import MartletSimulator
import MartletWire

/// Whether a browser takes part in the demo, and which.
struct DemoBrowserChoice: Sendable {
    let isWanted: Bool
    let installed: InstalledBrowser?
    let site: DemoSite?

    init(isWanted: Bool) async {
        self.isWanted = isWanted
        installed = isWanted ? InstalledBrowser.found : nil
        site = installed == nil ? nil : try? await DemoSite.start()
    }
}

/// The demo's third part: a rider with a real browser, at the simulated push services.
///
/// It has its time and no more, and what goes wrong with it is told and does not fail the demo: a browser is not ours.
struct DemoBrowser: Sendable {
    static let user = "emil"
    /// The time that the browser has.
    private static let limit = Duration.seconds(30)

    private let world: DemoWorld
    private let key: String
    private let deadline = ContinuousClock.now + limit

    /// - Parameter key: the client key inside the page.
    /// - Returns: `nil` where no browser is to take part.
    init?(_ world: DemoWorld, key: String) {
        guard world.browser.isWanted else { return nil }
        self.world = world
        self.key = key
    }

    /// Plays it and says what came of it.
    func play(_ admin: APIClient, _ backend: APIClient) async -> DemoBrowserReport {
        var report = DemoBrowserReport(user: Self.user, device: world.browser.installed?.kind.name)
        guard let browser = world.browser.installed else { return report }
        do {
            guard let site = world.browser.site, let webPush = world.simulators.webPush else {
                throw CommandFailure("its page could not be served")
            }
            try await allowWebPush(admin)
            site.open(.init(server: world.address, app: DemoStory.app, key: key, userID: Self.user))
            let run = try start(browser, at: site, webPush)
            do {
                try await subscribe(run, site)
                try await receive(&report, admin, backend, site, webPush)
            } catch {
                report.problem = Self.words(error)
            }
            await run.end()
        } catch {
            report.problem = Self.words(error)
        }
        return report
    }

    private func allowWebPush(_ admin: APIClient) async throws {
        var credential = CredentialRequest(platform: .webpush)
        credential.subject = "mailto:push@example.com"
        let _: MartletWire.List<CredentialResponse> = try await admin.call(
            .put,
            "apps/\(DemoStory.app)/credentials",
            credential
        )
    }

    private func start(
        _ browser: InstalledBrowser,
        at site: DemoSite,
        _ webPush: WebPushSimulator
    ) throws -> BrowserRun {
        let profile = world.folder.appendingPathComponent("browser", isDirectory: true)
        let ports = InstalledBrowser.Ports(browser: webPush.browserPort, messages: webPush.messagePort)
        let command = try browser.command(opening: site.origin + "/", profile: profile, ports: ports)
        return try BrowserRun(command, home: profile)
    }

    private func subscribe(_ run: BrowserRun, _ site: DemoSite) async throws {
        try await until("it did not subscribe") {
            if let failed = site.last(.failed) {
                throw CommandFailure("its page says: \(failed.texts.first ?? "nothing")")
            }
            if let status = run.endedWith { throw CommandFailure("it ended with status \(status)") }
            return site.last(.subscribed) != nil
        }
    }

    private func receive(
        _ report: inout DemoBrowserReport,
        _ admin: APIClient,
        _ backend: APIClient,
        _ site: DemoSite,
        _ webPush: WebPushSimulator
    ) async throws {
        let path: APIPath = "users/\(Self.user)/endpoints"
        let devices: MartletWire.List<DeviceResponse> = try await admin.get(path.query([("app", DemoStory.app)]))
        report.endpoint = devices.data.first?.deviceToken
        let request = NotificationRequest(
            audience: AudienceRequest(users: [Self.user]),
            title: DemoStory.title,
            body: DemoStory.body
        )
        let accepted: Item<NotificationAccepted> = try await backend.call(.post, "notifications", request)
        let id = accepted.data.id
        let left = max(.seconds(1), deadline - ContinuousClock.now)
        _ = try await SendWait(client: backend, id: id, limit: left).finished()
        let deliveries: MartletWire.List<DeliveryItem> = try await backend.get("notifications/\(id)/deliveries")
        report.state = deliveries.data.first?.state
        report.attempts = deliveries.data.first?.attempts ?? 0
        report.answers = webPush.received().map { push in
            [push.status.map(String.init), push.reason].compactMap(\.self).joined(separator: " ")
        }
        try await until("it did not show the alert") { site.last(.shown) != nil }
        report.shown = site.last(.shown)?.texts ?? []
        let events: APIPath = "events"
        let query = events.query([("app", DemoStory.app), ("message_id", "\(id)")])
        var reported: [EventType] = []
        try await until("its worker reported nothing") {
            let found: MartletWire.List<EventItem> = try await admin.get(query)
            reported = found.data.map(\.type)
            return !reported.isEmpty
        }
        report.reported = reported
    }

    /// Looks until it is so, or the browser's time is over.
    private func until(_ failure: String, _ isSo: () async throws -> Bool) async throws {
        while try await !isSo() {
            guard ContinuousClock.now < deadline else {
                throw CommandFailure("\(failure) within \(Self.limit.components.seconds) s")
            }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    private static func words(_ error: any Error) -> String {
        (error as? CommandFailure)?.detail.message ?? "\(error)"
    }
}
