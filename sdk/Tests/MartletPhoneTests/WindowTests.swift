import Foundation
import MartletPhone
import PushNotificationSDKCore
import PushNotificationSDKTesting
import Testing

@Suite("An app with the SDK and two windows", .timeLimit(.minutes(1)))
@MainActor
struct WindowTests {
    /// The order in which the user opened them.
    enum Window: CaseIterable {
        case first, second
    }

    private struct TwoWindows {
        var sdk: SDKPhone
        var sessions: [Window: String]

        subscript(window: Window) -> String { sessions[window] ?? "" }
    }

    /// A phone with the app in front, in two windows.
    private func phone(forwardsTaps: Bool = true) async throws -> TwoWindows {
        let sdk = try SDKPhone { setup in
            setup.configuration.automaticForwarding = forwardsTaps
            setup.forwardsTaps = forwardsTaps
            setup.links = LinkPolicy([.deepLink("myapp"), .web("example.com")])
        }
        sdk.phone.setNotifications(allowed: true)
        _ = try await sdk.launch()
        let first = try #require(sdk.phone.windows.first)
        let second = await sdk.phone.openWindow()
        return TwoWindows(sdk: sdk, sessions: [.first: first, .second: second])
    }

    private func scenes(_ app: SDKApp) -> [String] { app.linkScenes.map { $0 ?? "-" } }

    private func heard(_ link: String, on sdk: SDKPhone) async throws {
        let url = try #require(URL(string: link))
        await sdk.phone.journal.first { $0 == .handled(.deepLink(url)) }
    }

    @Test(
        "a tap that starts it leads into the window that the system chose, also where only the scene is told of the tap",
        arguments: Window.allCases,
        [true, false]
    )
    func coldTap(_ window: Window, forwardsTaps: Bool) async throws {
        let windows = try await phone(forwardsTaps: forwardsTaps)
        let sdk = windows.sdk
        await sdk.phone.kill()
        await sdk.phone.receive(.message("m1", more: #","deeplink":"myapp://mission/7""#))
        try await sdk.phone.tap("m1", in: windows[window])
        try await heard("myapp://mission/7", on: sdk)
        #expect(sdk.app.deepLinks.map(\.absoluteString) == ["myapp://mission/7"])
        #expect(scenes(sdk.app) == [windows[window]])
        #expect(sdk.app.received.map(\.messageID) == ["m1"])
        #expect(sdk.phone.journal.faults.isEmpty)
    }

    @Test("so does a tap that finds it running, in front or behind", arguments: Window.allCases, [true, false])
    func warmTap(_ window: Window, inFront: Bool) async throws {
        let windows = try await phone()
        let sdk = windows.sdk
        if !inFront { await sdk.phone.goHome() }
        await sdk.phone.receive(.message("m1", more: #","deeplink":"myapp://mission/7""#))
        try await sdk.phone.tap("m1", in: windows[window])
        try await heard("myapp://mission/7", on: sdk)
        #expect(scenes(sdk.app) == [windows[window]])
        #expect(sdk.phone.journal.faults.isEmpty)
    }

    @Test(
        "a link that starts it leads there too, and so does one that finds it running",
        arguments: Window.allCases,
        ["myapp://mission/", "https://example.com/mission/"]
    )
    func links(_ window: Window, kind: String) async throws {
        let windows = try await phone()
        let sdk = windows.sdk
        await sdk.phone.kill()
        for link in [kind + "1", kind + "2"] {
            await sdk.phone.open(try #require(URL(string: link)), in: windows[window])
            try await heard(link, on: sdk)
        }
        await sdk.phone.goHome()
        await sdk.phone.open(try #require(URL(string: kind + "3")), in: windows[window])
        try await heard(kind + "3", on: sdk)
        #expect(sdk.app.deepLinks.map(\.absoluteString) == ["1", "2", "3"].map { kind + $0 })
        #expect(scenes(sdk.app) == Array(repeating: windows[window], count: 3))
        #expect(sdk.app.errors.isEmpty && sdk.phone.page == nil)
        #expect(sdk.phone.journal.faults.isEmpty)
    }

    @Test("links of others are neither told nor an error, whether they start it or not")
    func others() async throws {
        let windows = try await phone()
        let sdk = windows.sdk
        await sdk.phone.kill()
        for link in ["login://start", "login://done", "https://other.example/"] {
            await sdk.phone.open(try #require(URL(string: link)), in: windows[.first])
        }
        await sdk.phone.open(try #require(URL(string: "myapp://mission/1")), in: windows[.first])
        try await heard("myapp://mission/1", on: sdk)
        #expect(sdk.app.deepLinks.count == 1)
        #expect(sdk.app.errors.isEmpty)
    }

    @Test("a tapped notification's page shows over the window that the system chose", arguments: Window.allCases)
    func pages(_ window: Window) async throws {
        let windows = try await phone()
        let sdk = windows.sdk
        await sdk.phone.kill()
        await sdk.phone.receive(.message("m1", more: #","link":"https://example.com/promo""#))
        try await sdk.phone.tap("m1", in: windows[window])
        let url = try #require(URL(string: "https://example.com/promo"))
        await sdk.phone.journal.first { $0 == .browsed(url) }
        for other in Window.allCases { #expect(sdk.phone.page(in: windows[other]) == (other == window ? url : nil)) }
    }
}
