import Foundation
import MartletWire
import PushNotificationSDKTesting
import Testing

@testable import PushNotificationSDKCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What apps hear beside the specified handlers.
@Suite(.timeLimit(.minutes(1))) struct ListenerTests {
    private func collect(_ stream: AsyncStream<Int>, into journal: Journal<Int>) -> Task<Void, Never> {
        Task { for await number in stream { journal.add(number) } }
    }

    @Test("every stream and the handler are told of every message")
    func streams() async {
        let mailbox = Mailbox<Int>()
        let (first, second, handled) = (Journal<Int>(), Journal<Int>(), Journal<Int>())
        let tasks = [collect(mailbox.stream(), into: first), collect(mailbox.stream(), into: second)]
        mailbox.handler = { handled.add($0) }
        for number in 1...3 { mailbox.post(number) }
        for journal in [first, second, handled] { #expect(await journal.wait(for: 3) == [1, 2, 3]) }
        for task in tasks { task.cancel() }
    }

    @Test("what waits goes to whoever listens first, a stream or a handler, and to nobody after it")
    func waiting() async {
        let mailbox = Mailbox<Int>()
        mailbox.post(1)
        #expect(!mailbox.hasListener)
        let heard = Journal<Int>()
        let task = collect(mailbox.stream(), into: heard)
        #expect(await heard.wait(for: 1) == [1])
        #expect(mailbox.hasListener)
        let handled = Journal<Int>()
        mailbox.handler = { handled.add($0) }
        mailbox.post(2)
        #expect(await handled.wait(for: 1) == [2])
        #expect(await heard.wait(for: 2) == [1, 2])
        task.cancel()
    }

    @Test("a stream ends with the task that reads it, and when all is forgotten; then messages wait again")
    func ends() async {
        let mailbox = Mailbox<Int>()
        let read = Journal<Int>()
        let task = collect(mailbox.stream(), into: read)
        let ended = Task { for await _ in mailbox.stream() {} }
        task.cancel()
        await task.value
        mailbox.forget()
        await ended.value
        #expect(!mailbox.hasListener)
        mailbox.post(7)
        let handled = Journal<Int>()
        mailbox.handler = { handled.add($0) }
        #expect(await handled.wait(for: 1) == [7])
    }

    @Test("whoever waits for the handler is told although only a stream listens")
    func completion() async {
        let mailbox = Mailbox<Int>()
        let stream = mailbox.stream()
        await withCheckedContinuation { continuation in mailbox.post(1) { continuation.resume() } }
        withExtendedLifetime(stream) {}
    }

    @Test("a changed permission is told, once, when the app comes to the front; the first that is seen is no change")
    func permission() async throws {
        let fixture = Fixture(platform: RecordingPlatform(status: .authorized))
        let client = try fixture.client()
        let told = Journal<NotificationPermission>()
        client.handlers.permission.handler = { told.add($0) }
        #expect(await client.permission() == .authorized)
        fixture.platform.status = .denied
        client.didBecomeActive()
        #expect(await told.wait(for: 1) == [.denied])
        #expect(await client.permission() == .denied)
        fixture.platform.status = .provisional
        #expect(await client.permission() == .provisional)
        #expect(await told.wait(for: 2) == [.denied, .provisional])
    }

    @Test("an answer at the prompt is a change, also where nothing was looked at before")
    func prompt() async throws {
        let fixture = Fixture(platform: RecordingPlatform())
        let client = try fixture.client()
        let told = Journal<NotificationPermission>()
        client.handlers.permission.handler = { told.add($0) }
        client.requestPermission { _ in }
        #expect(await told.wait(for: 1) == [.authorized])
    }

    @Test("where the configuration says so nothing is recorded before the person has answered, and the answer is kept")
    func consentFirst() throws {
        let fixture = Fixture(platform: RecordingPlatform())
        var configuration = try SDKConfiguration.valid()
        configuration.tracksBeforeConsent = false
        let first = PushClient(configuration, in: fixture.environment)
        #expect(!first.isTrackingEnabled)
        first.events.record(.open, nil, value: nil)
        #expect(fixture.events.recorded.entries.isEmpty)
        first.isTrackingEnabled = true
        first.events.record(.open, nil, value: nil)
        #expect(fixture.events.recorded.entries.count == 1)
        first.close()
        #expect(PushClient(configuration, in: fixture.environment).isTrackingEnabled)
    }

    @Test("the app's own check of a server is asked, and without one the system decides")
    func serverTrust() {
        let answers = Journal<URLSession.AuthChallengeDisposition>()
        let hosts = Journal<String>()
        let challenge = URLAuthenticationChallenge.ofServer()
        let pinned = Exchanges(trust: {
            { challenge, answer in
                hosts.add(challenge.protectionSpace.host)
                answer(.cancelAuthenticationChallenge, nil)
            }
        })
        pinned.urlSession(.shared, didReceive: challenge) { answer, _ in answers.add(answer) }
        Exchanges(trust: { nil }).urlSession(.shared, didReceive: challenge) { answer, _ in answers.add(answer) }
        #expect(hosts.entries == ["api.example.com"])
        #expect(answers.entries == [.cancelAuthenticationChallenge, .performDefaultHandling])
    }
}
