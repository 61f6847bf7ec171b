import Foundation
import PushNotificationSDKCore
import PushNotificationSDKTesting
import Testing

@Suite(.timeLimit(.minutes(1))) struct PermissionTests {
    typealias Answer = Result<Bool, PushNotificationError>

    private func ask(_ client: PushClient) async -> Answer {
        await withCheckedContinuation { continuation in
            client.requestPermission { continuation.resume(returning: $0) }
        }
    }

    @Test(
        "what was decided before is returned without asking",
        arguments: [
            (AuthorizationStatus.denied, Answer.failure(.permissionDenied)), (.authorized, .success(true)),
            (.ephemeral, .success(true)),
        ]
    )
    func knownAnswers(_ status: AuthorizationStatus, _ expected: Answer) async throws {
        let fixture = Fixture(platform: RecordingPlatform(status: status))
        #expect(await ask(try fixture.client()) == expected)
        let isAllowed = expected == .success(true)
        #expect(fixture.platform.requests.entries == (isAllowed ? [.register] : []))
    }

    @Test("who was not asked is asked, and registered when they allow", arguments: [true, false])
    func asks(_ allows: Bool) async throws {
        let fixture = Fixture(platform: RecordingPlatform(allows: allows))
        #expect(await ask(try fixture.client()) == .success(allows))
        let prompt = RecordingPlatform.Request.prompt([.alert, .sound, .badge])
        #expect(fixture.platform.requests.entries == (allows ? [prompt, .register] : [prompt]))
    }

    @Test(
        "quiet notifications on trial become full ones by asking, and are not asked for again",
        arguments: [true, false]
    )
    func provisional(_ allows: Bool) async throws {
        let fixture = Fixture(platform: RecordingPlatform(status: .provisional, allows: allows))
        let client = try fixture.client()
        let trial = await withCheckedContinuation { continuation in
            client.requestPermission([.alert, .provisional]) { continuation.resume(returning: $0) }
        }
        #expect(trial == .success(true))
        #expect(fixture.platform.requests.entries == [.register])
        #expect(await ask(client) == .success(allows))
        #expect(fixture.platform.requests.entries.contains(.prompt([.alert, .sound, .badge])))
        #expect(await ask(client) == (allows ? .success(true) : .failure(.permissionDenied)))
    }

    @Test("the second call returns what was decided in the first")
    func secondCall() async throws {
        let refusing = Fixture(platform: RecordingPlatform(allows: false))
        let client = try refusing.client()
        #expect(await ask(client) == .success(false))
        #expect(await ask(client) == .failure(.permissionDenied))
        #expect(refusing.platform.requests.entries.count == 1)
    }

    @Test("calls that come while the prompt is shown share it")
    func callsShareThePrompt() async throws {
        let fixture = Fixture(platform: RecordingPlatform())
        fixture.platform.holdPrompts()
        let client = try fixture.client()
        let answers = Journal<Answer>()
        for _ in 0..<10 { client.requestPermission { answers.add($0) } }
        _ = await fixture.platform.requests.wait(for: 1)
        for _ in 0..<10 { client.requestPermission { answers.add($0) } }
        #expect(answers.entries.isEmpty)
        fixture.platform.answerPrompts()
        #expect(await answers.wait(for: 20) == Array(repeating: .success(true), count: 20))
        #expect(fixture.platform.requests.entries == [.prompt([.alert, .sound, .badge]), .register])
    }

    @Test func theCompletionComesOnTheMainQueueFromAnyThread() async throws {
        let client = try Fixture(platform: RecordingPlatform()).client()
        let places = Journal<Bool>()
        await onAnotherThread { client.requestPermission { _ in places.add(MainQueue.isCurrent) } }
        #expect(await places.wait(for: 1) == [true])
    }

    @Test func aSystemThatCannotAskIsARefusal() async throws {
        let fixture = Fixture(platform: RecordingPlatform())
        fixture.platform.failPrompts(TransportError.failed("not allowed here"))
        #expect(await ask(try fixture.client()) == .failure(.permissionDenied))
    }
}
