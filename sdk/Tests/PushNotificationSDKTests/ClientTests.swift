import Foundation
import MartletWire
import PushNotificationSDKCore
import PushNotificationSDKTesting
import Testing

@Suite(.timeLimit(.minutes(1))) struct ClientTests {
    let fixture = Fixture()

    private func present(_ notification: ReceivedNotification, _ client: PushClient) async -> NotificationPresentation?
    {
        await withCheckedContinuation { continuation in
            client.willPresent(notification) { continuation.resume(returning: $0) }
        }
    }

    private func respond(_ response: PersonResponse, _ client: PushClient) async {
        await withCheckedContinuation { continuation in client.didReceive(response) { continuation.resume() } }
    }

    @MainActor
    private func wake(
        _ push: ReceivedNotification,
        _ state: ApplicationState,
        _ client: PushClient,
        isAutomatic: Bool = false
    ) async -> FetchResult {
        await withCheckedContinuation { continuation in
            client.didReceiveRemote(push.payload, in: state, isAutomatic: isAutomatic) {
                continuation.resume(returning: $0)
            }
        }
    }

    /// What the handlers were told, in order.
    private func listen() -> Journal<String> {
        let told = Journal<String>()
        fixture.handlers.received.handler = { told.add("received \($0.messageID ?? "-")") }
        fixture.handlers.opened.handler = { told.add("opened \($0.messageID ?? "-")") }
        fixture.handlers.actions.handler = { told.add("\($0.identifier) \($0.payload.messageID ?? "-")") }
        return told
    }

    @Test func makingAClientTouchesNeitherDiskNorNetwork() throws {
        fixture.storage.lock(true)
        _ = try fixture.client(.valid(player: "p"))
        #expect(fixture.storage.values.isEmpty)
        #expect(fixture.transport.calls.entries.isEmpty)
        #expect(fixture.platform.requests.entries.isEmpty)
        #expect(fixture.platform.attached == 1)
    }

    @Test func aNotificationInFrontIsToldRecordedAndShown() async throws {
        let told = listen()
        let client = try fixture.client()
        #expect(await present(try .alert("m1"), client) == [.banner, .sound])
        #expect(told.entries == ["received m1"])
        #expect(fixture.events.recorded.entries == [.init(.delivery, "m1")])
    }

    @Test("a message that arrives is told once, and a tap on it is told whatever was told before")
    func toldOnce() async throws {
        let told = listen()
        let client = try fixture.client()
        _ = await present(try .alert("m1"), client)
        _ = await present(try .alert("m1"), client)
        await respond(.init(try .alert("m1"), .tap), client)
        await respond(.init(try .alert("m2"), .tap), client)
        #expect(told.entries == ["received m1", "opened m1", "received m1", "opened m2", "received m2"])
        #expect(
            fixture.events.recorded.entries == [
                .init(.delivery, "m1"), .init(.open, "m1"), .init(.open, "m2"),
            ]
        )
    }

    @Test("the same tap, told twice by the system, is counted once")
    func tapsAreCountedOnce() async throws {
        let told = listen()
        let client = try fixture.client()
        for _ in 0..<3 { await respond(.init(try .alert(), .tap), client) }
        for _ in 0..<3 { await respond(.init(try .alert(), .button("CONFIRM")), client) }
        await respond(.init(try .alert(), .button("LATER")), client)
        #expect(told.entries == ["opened m1", "received m1", "CONFIRM m1", "LATER m1"])
        #expect(
            fixture.events.recorded.entries == [
                .init(.open, "m1"), .init(.open, "m1", value: "CONFIRM"), .init(.open, "m1", value: "LATER"),
            ]
        )
    }

    @Test func aDismissalIsRecordedAndNotTold() async throws {
        let told = listen()
        let client = try fixture.client()
        await respond(.init(try .alert(), .dismiss), client)
        #expect(told.entries.isEmpty)
        #expect(fixture.events.recorded.entries == [.init(.dismiss, "m1")])
    }

    @Test("a tap that started the app waits for the handler")
    func coldStart() async throws {
        let client = try fixture.client()
        await respond(.init(try .alert(), .tap), client)
        await respond(.init(try .alert("m2"), .button("CONFIRM")), client)
        let told = listen()
        #expect(Set(await told.wait(for: 3)) == ["received m1", "opened m1", "CONFIRM m2"])
    }

    @Test("a push without an id is told in front, by a tap and where it wakes the app, and is not counted")
    func withoutID() async throws {
        let told = listen()
        let client = try fixture.client()
        let json = #"{"aps":{"alert":"Service Alert","badge":1},"alert_id":"7","deep_link":"transit://alerts/7"}"#
        var push = try ReceivedNotification.push(json)
        push.date = 1
        #expect(await present(push, client) == [.banner, .sound])
        // Nothing tells it from the one before but the time.
        push.date = 2
        #expect(await present(push, client) == [.banner, .sound])
        #expect(told.entries == ["received -", "received -"])
        await respond(.init(push, .tap), client)
        await respond(.init(push, .button("CONFIRM")), client)
        #expect(await wake(try .push(#"{"aps":{"content-available":1}}"#), .background, client) == .newData)
        #expect(Array(told.entries.dropFirst(2)) == ["opened -", "received -", "CONFIRM -", "received -"])
        fixture.platform.delivered = [push]
        client.didBecomeActive()
        _ = await fixture.platform.requests.wait(for: 1)
        #expect(fixture.events.recorded.entries.isEmpty)
    }

    @Test("two pushes with one message id are two: in front by their date, where they wake the app by their content")
    func repeatedID() async throws {
        let told = listen()
        let client = try fixture.client()
        var push = try ReceivedNotification.alert("m1")
        for date: Int64 in [1, 1, 2] {
            push.date = date
            _ = await present(push, client)
        }
        #expect(told.entries == ["received m1", "received m1"])
        for level in [1, 1, 2] {
            let json = #"{"aps":{"content-available":1},"message_id":"s1","level":\#(level)}"#
            #expect(await wake(try .push(json), .background, client) == .newData)
        }
        #expect(Array(told.entries.dropFirst(2)) == ["received s1", "received s1"])
    }

    @Test(
        "a push with another vendor's marker is left alone, unless it has an id of ours",
        arguments: [
            #""gcm.message_id":"1""#, #""com.urbanairship.metadata":"e30=""#, #""custom":{"i":"7d"}"#,
            #""ab":{"c":"x"}"#, #""com.batch":{"l":"x"}"#, #""itbl":{"messageId":"x"}"#, #""moengage":{"cid":"x"}"#,
            #""wzrk_id":"x""#, #""CIO-Delivery-ID":"x""#, #""_lpm":1"#, #""pw_msg":"1""#, #""_sid":"SFMC""#,
            #""com.nifty.PushId":"x""#, #""krt_push_notification":"true""#, #""krt_mass_push_notification":"true""#,
        ]
    )
    func vendors(_ marker: String) async throws {
        let told = listen()
        let client = try fixture.client()
        let foreign = try ReceivedNotification.push(#"{"aps":{"alert":"x"},\#(marker)}"#)
        #expect(await present(foreign, client) == nil)
        await respond(.init(foreign, .tap), client)
        #expect(await wake(foreign, .background, client) == .noData)
        #expect(told.entries.isEmpty && fixture.events.recorded.entries.isEmpty)
        let push = try ReceivedNotification.push(#"{"aps":{"alert":"x"},\#(marker),"message_id":"m1"}"#)
        #expect(await present(push, client) == [.banner, .sound])
        #expect(told.entries == ["received m1"])
    }

    @Test("the app's own values under the names of markers are no markers")
    func noMarkers() async throws {
        let client = try fixture.client()
        for json in [#"{"ab":"variant A"}"#, #"{"custom":{"id":1}}"#, #"{"custom":"i"}"#, #"{"_sid":"7"}"#] {
            #expect(await present(try .push(json), client) == [.banner, .sound])
        }
    }

    @Test("a local notification is neither told nor recorded, and shows where the app forwards it")
    func localNotification() async throws {
        let told = listen()
        let client = try fixture.client()
        let local = try ReceivedNotification.push(#"{"aps":{"alert":"x"},"message_id":"m"}"#, isRemote: false)
        // An app that forwards its own local notification has it shown.
        #expect(await present(local, client) == [.banner, .sound])
        await respond(.init(local, .tap), client)
        #expect(told.entries.isEmpty)
        #expect(fixture.events.recorded.entries.isEmpty)
    }

    @Test("a silent push is told in front and behind, one with an alert is told when it is shown or tapped")
    func wakingPushes() async throws {
        let told = listen()
        let client = try fixture.client()
        let silent = try ReceivedNotification.push(#"{"aps":{"content-available":1},"message_id":"s1"}"#)
        let loud = try ReceivedNotification.push(#"{"aps":{"alert":"x","content-available":1},"message_id":"l1"}"#)
        #expect(await wake(silent, .background, client) == .newData)
        #expect(await wake(loud, .background, client) == .newData)
        #expect(await wake(loud, .active, client) == .newData)
        #expect(told.entries == ["received s1"])
        #expect(fixture.events.recorded.entries.map(\.type) == [.delivery, .delivery])
        _ = await present(loud, client)
        #expect(told.entries == ["received s1", "received l1"])
    }

    @Test(
        "a push with a sound, content-available and no alert is told once in front, whichever call of the system comes first",
        arguments: [#""message_id":"m1""#, #""a":1"#],
        [false, true]
    )
    func pairedCalls(_ id: String, wakesFirst: Bool) async throws {
        let reloads = Journal<Void>()
        var environment = fixture.environment
        environment.makeRefresh = { _ in CountedRefresh(reloads) }
        let told = listen()
        let client = PushClient(try .valid(), in: environment, handlers: fixture.handlers)
        let json = #"{"aps":{"sound":"default","content-available":1},\#(id)}"#
        func arrive() async throws {
            var shown = try ReceivedNotification.push(json, identifier: UUID().uuidString)
            shown.date = fixture.clock.now
            if wakesFirst { #expect(await wake(shown, .active, client) == .newData) }
            #expect(await present(shown, client) == [.banner, .sound])
            if !wakesFirst { #expect(await wake(shown, .active, client) == .newData) }
        }
        try await arrive()
        #expect(told.entries.count == 1 && reloads.entries.count == 1)
        fixture.clock.advance(by: 1)
        try await arrive()
        // Where there is an id, it is the same push to the handler.
        #expect(told.entries.count == (id.contains("message_id") ? 1 : 2) && reloads.entries.count == 2)
    }

    @Test("pushes of the same content are each told where they are no two calls about one push")
    func unpairedCalls() async throws {
        let told = listen()
        let client = try fixture.client()
        let push = try ReceivedNotification.push(#"{"aps":{"content-available":1},"a":1}"#)
        for state in [ApplicationState.active, .active, .background] {
            #expect(await wake(push, state, client) == .newData)
        }
        #expect(told.entries.count == 3)
        fixture.clock.advance(by: 2001)
        _ = await present(push, client)
        #expect(told.entries.count == 4)
    }

    @Test(
        "a push that the app hands over behind the automatic way is the same for 2 s, and two in one way are two",
        arguments: [ApplicationState.active, .background]
    )
    func handedAgain(in state: ApplicationState) async throws {
        let told = listen()
        let client = try fixture.client()
        let push = try ReceivedNotification.push(#"{"aps":{"content-available":1},"campaign_id":"c"}"#)
        for isAutomatic in [true, true, false, false] {
            #expect(await wake(push, state, client, isAutomatic: isAutomatic) == .newData)
        }
        #expect(told.entries.count == 2 && fixture.events.recorded.entries.count == 2)
        for _ in 1...2 { #expect(await wake(push, state, client) == .newData) }
        #expect(told.entries.count == 4 && fixture.events.recorded.entries.count == 4)
        _ = await wake(push, state, client, isAutomatic: true)
        fixture.clock.advance(by: 2001)
        _ = await wake(push, state, client)
        #expect(told.entries.count == 6 && fixture.events.recorded.entries.count == 6)
    }

    @Test("a push in front that the system tells of in two ways, and the app hands over too, is told and counted once")
    func handedAgainInFront() async throws {
        let told = listen()
        let client = try fixture.client()
        let push = try ReceivedNotification.push(#"{"aps":{"sound":"x","content-available":1},"message_id":"m1"}"#)
        _ = await present(push, client)
        for isAutomatic in [true, false] {
            #expect(await wake(push, .active, client, isAutomatic: isAutomatic) == .newData)
        }
        #expect(told.entries == ["received m1"])
        #expect(fixture.events.recorded.entries == [.init(.delivery, "m1")])
    }

    @Test("the policy says how notifications are shown, asked on the main thread")
    func presentationPolicy() async throws {
        var configuration = try SDKConfiguration.valid()
        configuration.presentation = [.badge]
        let client = try fixture.client(configuration)
        #expect(await present(try .alert("m1"), client) == .badge)
        client.presentationPolicy = .always([.sound])
        #expect(await present(try .alert("m2"), client) == .sound)
        client.presentationPolicy = .decided { $0.messageID == "m3" && MainQueue.isCurrent ? [] : .all }
        #expect(await present(try .alert("m3"), client) == [])
        #expect(await present(try .alert("m4"), client) == .all)
        client.presentationPolicy = nil
        #expect(await present(try .alert("m5"), client) == .badge)
    }

    @Test("a launch adds the categories and asks for a token, whatever the person allows")
    func launch() async throws {
        var configuration = try SDKConfiguration.valid()
        configuration.categories = [NotificationCategory("MISSION", actions: [.init("CONFIRM", title: "確認")])]
        let client = try fixture.client(configuration)
        client.didLaunch()
        client.didLaunch()
        client.didBecomeActive()
        let requests = await fixture.platform.requests.wait(for: 2)
        #expect(requests.contains(.categories([.standard] + configuration.categories)))
        #expect(requests.filter { $0 == .register }.count == 1)

        // The token exists without permission too.
        let refused = Fixture(platform: RecordingPlatform(status: .denied))
        let silent = try refused.client()
        silent.didLaunch()
        #expect(await refused.platform.requests.wait(for: 2) == [.register, .categories([.standard])])
    }

    @Test("what the notification center still shows was delivered")
    func deliveredAtNextLaunch() async throws {
        fixture.platform.delivered = [
            try .alert("m1"), try .push(#"{"aps":{"alert":"x"}}"#, identifier: "local", isRemote: false),
            try .push(#"{"aps":{"alert":"y"},"campaign_id":"c"}"#, identifier: "no-id"),
            try .push(#"{"aps":{"alert":"z"},"gcm.message_id":"1"}"#, identifier: "another vendor's"),
        ]
        try fixture.client().didBecomeActive()
        #expect(
            await fixture.events.recorded.wait(for: 2) == [.init(.delivery, "m1"), .init(.delivery, "no-id")]
        )
    }

    @Test("consent that is taken back outlives the launch, and nothing is recorded until it is given again")
    func consent() async throws {
        let client = try fixture.client()
        #expect(client.isTrackingEnabled)
        client.isTrackingEnabled = false
        _ = await present(try .alert("m1"), client)
        let next = try fixture.client()
        #expect(!next.isTrackingEnabled)
        _ = await present(try .alert("m2"), next)
        #expect(fixture.events.recorded.entries.isEmpty)
        #expect(fixture.events.consents.entries == [false])
        next.isTrackingEnabled = true
        _ = await present(try .alert("m3"), next)
        #expect(fixture.events.recorded.entries == [.init(.delivery, "m3")])
    }

    @Test func theBadgeIsNeverNegative() async throws {
        let client = try fixture.client()
        client.setBadge(-5)
        #expect(await fixture.platform.requests.wait(for: 1) == [.badge(0)])
    }

    @Test("of numbers that are set one after the other the last one stays on the icon")
    func badgesStayInOrder() async throws {
        let client = try fixture.client()
        for number in 1...1000 { client.setBadge(number) }
        let requests = fixture.platform.requests
        while !requests.entries.contains(.badge(1000)), !Task.isCancelled { await Task.yield() }
        let numbers = requests.entries.compactMap { if case .badge(let number) = $0 { number } else { nil } }
        #expect(numbers == Set(numbers).sorted())
    }

    @Test("the service extension counts on from the number that was set last")
    func badgesOfTheExtension() async throws {
        let container = FileManager.default.temporaryDirectory.appendingPathComponent("badge-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: container, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: container) }
        var configuration = try SDKConfiguration.valid()
        configuration.appGroup = "group.example"
        var environment = fixture.environment
        environment.container = { _ in container }
        environment.bundleID = "com.example.game"
        let client = PushClient(configuration, in: environment)
        client.setBadge(9)
        client.setBadge(3)
        while !fixture.platform.requests.entries.contains(.badge(3)), !Task.isCancelled { await Task.yield() }
        #expect(SharedBadge(container, app: "com.example.game").countUp() == 4)
    }

    @Test("the number is written to the app group in background time, which the app takes before it locks the folder")
    func badgeInBackgroundTime() async throws {
        let container = FileManager.default.temporaryDirectory.appendingPathComponent("badge-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: container, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: container) }
        var configuration = try SDKConfiguration.valid()
        configuration.appGroup = "group.example"
        let requests = fixture.platform.requests
        let before = Journal<[RecordingPlatform.Request]>()
        var files = SystemFiles()
        files.put = { data, file, options in
            before.add(requests.entries)
            try data.write(to: file, options: options)
        }
        var environment = fixture.environment
        environment.container = { _ in container }
        environment.bundleID = "com.example.game"
        environment.files = files
        let client = PushClient(configuration, in: environment)
        client.setBadge(9)
        #expect(await requests.wait(for: 3) == [.beginTask("martlet.badge"), .endTask, .badge(9)])
        #expect(before.entries == [[.beginTask("martlet.badge")]])
    }

    @Test("the icon is counted up by one writer at a time, in a file that cannot be read before the first unlock")
    func badgeTurns() async throws {
        let container = FileManager.default.temporaryDirectory.appendingPathComponent("badge-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: container, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: container) }
        let written = Journal<Data.WritingOptions>()
        var files = SystemFiles()
        files.put = { data, file, options in
            written.add(options)
            try data.write(to: file, options: options)
        }
        let badge = SharedBadge(container, app: "com.example.game", files: files)
        let numbers = await withTaskGroup(of: [Int].self) { group in
            for _ in 0..<8 { group.addTask { (0..<25).compactMap { _ in badge.countUp() } } }
            return await group.reduce(into: [Int]()) { $0 += $1 }
        }
        #expect(numbers.sorted() == Array(1...200))
        #expect(written.entries.allSatisfy { $0.contains(.completeFileProtectionUntilFirstUserAuthentication) })
        // A folder in its place can be seen and not read, as the file is before the first unlock.
        let file = container.appendingPathComponent("martlet-badge-com.example.game")
        try FileManager.default.removeItem(at: file)
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
        #expect(badge.countUp() == nil)
    }

    @Test("a client that was closed sends nothing more")
    func closing() async throws {
        let client = try fixture.client()
        client.close()
        #expect(fixture.platform.attached == 0)
        #expect(await client.outcome() == .failure(.notConfigured))
        #expect(fixture.transport.calls.entries.isEmpty)
    }

    @Test("1,000 notifications from eight threads are each told and recorded once")
    func manyThreads() async throws {
        let told = listen()
        let client = try fixture.client()
        await withTaskGroup(of: Void.self) { group in
            for thread in 0..<8 {
                group.addTask {
                    // Every message arrives twice.
                    for number in 0..<25 {
                        let push = try? ReceivedNotification.alert("m\(thread * 25 + number)")
                        for _ in 0..<2 { push.map { client.willPresent($0) { _ in } } }
                        push.map { client.didReceive(.init($0, .tap)) }
                    }
                }
            }
        }
        // An arrival and a tap of each, and each tap as one.
        let entries = await told.wait(for: 600)
        await MainQueue.drain()
        #expect(told.entries.count == 600)
        #expect(Set(entries).count == 400)
        #expect(fixture.events.recorded.entries.filter { $0.type == .open }.count == 200)
    }
}

/// Counts the pushes that arrived.
private struct CountedRefresh: RefreshSink {
    let arrivals: Journal<Void>

    init(_ arrivals: Journal<Void>) { self.arrivals = arrivals }

    func received(_ notification: ReceivedNotification, in state: ApplicationState) { arrivals.add(()) }
    func tapped(_ notification: ReceivedNotification) {}
    func didBecomeActive() {}
    func forget() {}
}
