import Foundation
import MartletTesting
import Testing

@testable import MartletSimulator

/// Debian's Firefox and Chromium as the user agents of the simulated push services.
@Suite("Real browsers at the simulated push services", .timeLimit(.minutes(5)), .serialized)
struct BrowserLiveTests {
    private struct Report: Decodable {
        struct Subscription: Decodable {
            struct Keys: Decodable {
                var p256dh: String
                var auth: String
            }

            var endpoint: String
            var keys: Keys
        }

        var kind: String
        var subscription: Subscription?
    }

    /// What a browser's subscription is sent with.
    private struct Sender {
        let simulator: WebPushSimulator
        let server: WebPushFixture
        let subscription: Report.Subscription

        /// Posts the body to the simulator, as somebody does who maps the address's origin to it.
        func send(_ text: String, isFlipped: Bool = false) async throws -> Int {
            let publicKey = try #require(Base64URL.decode(subscription.keys.p256dh))
            let secret = try #require(Base64URL.decode(subscription.keys.auth))
            var body = try WebPushFixture.seal(text, publicKey: publicKey, authSecret: secret)
            if isFlipped { body[body.count - 1] ^= 1 }
            let endpoint = try #require(URL(string: subscription.endpoint))
            let authorization = try server.authorization(
                audience: "https://\(endpoint.host() ?? "")",
                expires: Double(LiveSimulator.now + 3_600)
            )
            let answer = try await curl(
                [
                    "-H", "authorization: \(authorization)", "-H", "ttl: 60", "-H", "content-encoding: aes128gcm",
                    simulator.url + endpoint.path(),
                ],
                trusting: simulator.authorityPEM,
                body: body
            )
            return answer.status
        }
    }

    private func withBrowser(
        _ kind: BrowserProcess.Kind,
        _ body: (BrowserProcess, Sender) async throws -> Void
    ) async throws {
        let simulator = try await WebPushSimulator.start()
        let server = WebPushFixture()
        let browser = try BrowserProcess(
            kind,
            browserPort: simulator.browserPort,
            chromiumPort: simulator.messagePort,
            key: Base64URL.encode(server.publicKey)
        )
        let line = try await browser.report(containing: #""kind":"subscribed""#)
        let report = try JSONDecoder().decode(Report.self, from: Data(line.utf8))
        let subscription = try #require(report.subscription)
        try await body(browser, Sender(simulator: simulator, server: server, subscription: subscription))
        try await browser.end()
        await simulator.shutdown()
    }

    private func shows(_ kind: BrowserProcess.Kind) async throws {
        try await withBrowser(kind) { browser, sender in
            #expect(try await sender.send("Grüße 1") == 201)
            let report = try await browser.report(containing: #""kind":"push""#)
            #expect(report.contains(#""text":"Grüße 1","shown":["Grüße 1"]"#))
            // What follows a message that cannot be opened is shown.
            #expect(try await sender.send("flipped", isFlipped: true) == 201)
            #expect(try await sender.send("second") == 201)
            #expect(try await browser.report(containing: #""text":"second""#).contains(#""shown":["second"]"#))
            try await browser.order("click")
            #expect(try await browser.report(containing: #""kind":"click""#).contains("second"))
            #expect(!browser.process.standardOutput.contains("flipped"))
            try await browser.order("unsubscribe")
            #expect(try await browser.report(containing: #""kind":"unsubscribed""#).contains("true"))
            let (simulator, id) = (sender.simulator, sender.subscription.endpoint.split(separator: "/").last ?? "")
            try await eventually {
                simulator.service.withRegistry { $0.subscriptions[String(id)]?.state } == .gone
            }
            #expect(try await sender.send("late") == 410)
        }
    }

    @Test("Firefox shows what is sent to it", .enabled(if: BrowserProcess.Kind.firefox.isInstalled, "no Firefox"))
    func firefoxShows() async throws {
        try await shows(.firefox)
    }

    @Test("Chromium shows what is sent to it", .enabled(if: BrowserProcess.Kind.chromium.isInstalled, "no Chromium"))
    func chromiumShows() async throws {
        try await shows(.chromium)
    }

    @Test(
        "Firefox says that it could not open a message, and tells its page that a subscription is lost",
        .enabled(if: BrowserProcess.Kind.firefox.isInstalled, "no Firefox")
    )
    func firefoxSays() async throws {
        try await withBrowser(.firefox) { browser, sender in
            let service = sender.simulator.service
            #expect(try await sender.send("good") == 201)
            #expect(try await sender.send("flipped", isFlipped: true) == 201)
            try await eventually {
                Set(service.browsers.acknowledgements(after: 0, limit: 9).compactMap(\.code)) == [100, 101]
            }
            let name = try #require(service.withRegistry { $0.browsers.keys.first })
            service.withRegistry { $0.forget(browser: name) }
            service.browsers.close(name)
            _ = try await browser.report(containing: #""kind":"changed""#)
            #expect(try await sender.send("late") == 410)
        }
    }
}
