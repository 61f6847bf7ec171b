import Foundation
import PushNotificationSDK
import PushNotificationSDKTesting
import Testing

@testable import PushNotificationSDKCore

@Suite(.timeLimit(.minutes(1))) struct ConsentTests {
    let fixture = Fixture()
    let storage = WatchedStore()

    private var consents: [Bool] { fixture.events.consents.entries }
    private var stored: String? { try? storage.base.string(for: "martlet.consent") }

    private func client() throws -> PushClient {
        var environment = fixture.environment
        environment.storage = storage
        return PushClient(try .valid(), in: environment, handlers: fixture.handlers)
    }

    @Test("an answer that the person changed while the client looked it up is not obeyed any more")
    func outdatedAnswers() throws {
        let client = try client()
        client.isTrackingEnabled = false
        // It comes to the front without consent, and is given it right then.
        storage.atNextRead { _ in client.isTrackingEnabled = true }
        client.events.didBecomeActive()
        #expect(client.isTrackingEnabled)
        #expect(consents.last == true)
        #expect(stored == "on")
    }

    @Test("of two threads that answer at the same time, what counts, what is stored and what is obeyed is the same")
    func answersAtTheSameTime() async throws {
        let client = try client()
        let isOver = Locked(false)
        let ended = Journal<Void>()
        // It is taken back while it is being written down that it was given.
        storage.atNextWrite { _, _ in
            Thread.detachNewThread {
                client.isTrackingEnabled = false
                isOver.with { $0 = true }
                ended.add(())
            }
            while client.isTrackingEnabled { sched_yield() }
            // Its own write would be the earlier one if nothing held it back; where something does, it waits for this one.
            for _ in 0..<10_000 where !isOver.with({ $0 }) { sched_yield() }
        }
        await onAnotherThread { client.isTrackingEnabled = true }
        _ = await ended.wait(for: 1)
        #expect(!client.isTrackingEnabled)
        #expect(stored == "off")
        #expect(consents.last == false)
    }

    @Test("whoever settles late settles the newest answer", arguments: [true, false], [true, false])
    func lateSettling(answer: Bool, isSettledBetween: Bool) throws {
        let client = try client()
        client.presetTracking(!answer)
        if isSettledBetween { client.settleTracking() }
        client.isTrackingEnabled = answer
        client.settleTracking()
        #expect(client.isTrackingEnabled == answer)
        #expect(stored == (answer ? "on" : "off"))
        #expect(consents.last == answer)
    }

    @Test("a client that gave way to another neither writes its answer down nor obeys it")
    func closedClients() throws {
        let old = try client()
        old.presetTracking(true)
        old.close()
        let new = try client()
        new.isTrackingEnabled = false
        old.settleTracking()
        #expect(stored == "off")
        #expect(consents == [false])
        #expect(try !client().isTrackingEnabled)
    }

    @Test("what there was before is discarded though the consent was given again before anybody obeyed")
    func takenBackAndGivenAgain() throws {
        let client = try client()
        client.presetTracking(false)
        client.presetTracking(true)
        client.settleTracking()
        #expect(consents == [false, true])
        client.isTrackingEnabled = true
        #expect(consents == [false, true, true])
    }

    @Test("until what was seen without consent is discarded it is off on the disk, and on before anything is recorded")
    func crashes() throws {
        let client = try client()
        client.isTrackingEnabled = false
        let before = Journal<[Bool]>()
        storage.atNextWrite { [fixture] _, _ in before.add(fixture.events.consents.entries) }
        client.isTrackingEnabled = true
        #expect(before.entries == [[false, false]])
        #expect(consents == [false, false, true])
    }

    @Test("an answer from before the first unlock is written down when the app comes to the front")
    func beforeFirstUnlock() throws {
        storage.base.lock(true)
        let client = try client()
        client.isTrackingEnabled = false
        storage.base.lock(false)
        #expect(stored == nil)
        client.didBecomeActive()
        #expect(stored == "off")
        #expect(try !self.client().isTrackingEnabled)
    }
}

extension FacadeSuites {
    @Suite struct ConsentOrderTests {
        @Test("a consent that is taken back right after the configuration stays taken back", arguments: 0..<20)
        func takenBackAtOnce(_ round: Int) async throws {
            let phone = await FacadePhone()
            await phone.start()
            PushNotificationSDK.isTrackingEnabled = true
            try PushNotificationSDK.configure(.valid())
            // In every other round what was said before the configuration is written down first.
            if round.isMultiple(of: 2) { _ = await phone.events.consents.wait(for: 1) }
            PushNotificationSDK.isTrackingEnabled = false
            _ = await phone.events.consents.wait(for: 2)
            #expect(!PushNotificationSDK.isTrackingEnabled)
            #expect(phone.events.consents.entries.last == false)
            #expect(try phone.storage.string(for: "martlet.consent") == "off")
        }
    }
}
