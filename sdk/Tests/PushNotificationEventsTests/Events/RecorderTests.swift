import Foundation
import MartletWire
import PushNotificationSDKCore
import PushNotificationSDKTesting
import Testing

@Suite("The recorder", .timeLimit(.minutes(1))) final class RecorderTests {
    private let storage = InterruptedStore()
    private let container = Sample.folder()
    private let clock = ManualClock(now: Sample.noon)
    private let errors = Journal<PushNotificationError>()
    private let server = ScriptedTransport { call, _ in .success(PlainDestination.kept(call)) }

    deinit { try? FileManager.default.removeItem(at: container) }

    /// A recorder on the same storage is the same install, started again.
    private func launch() -> (recorder: EventRecorder, store: EventStore, identity: Identity) {
        var environment = PushEnvironment(
            platform: RecordingPlatform(),
            transport: server,
            storage: storage,
            clock: clock
        )
        environment.random = { 0.5 }
        let log = Log(level: { .off }, sink: { _, _ in })
        let identity = Identity(storage: storage, clock: clock)
        let subject = EventSubject(identity: identity, platform: environment.platform)
        let upload = UploadEnvironment(
            transport: server,
            clock: clock,
            random: { 0.5 },
            context: { await subject.complete() },
            report: { _ in },
            log: log
        )
        let store = EventStore(storage)
        let uploader = EventUploader(store, to: PlainDestination(ready: Locked(false)), upload)
        let recorder = EventRecorder(
            [UploadQueue(store, uploader)],
            about: subject,
            spool: { [container] in EventSpool(container: container, app: Sample.app) },
            environment: environment,
            report: { [errors] in errors.add($0) },
            log: log
        )
        return (recorder, store, identity)
    }

    /// What the service extension does when a notification arrives.
    private func extensionSees(_ notification: ReceivedNotification) throws {
        let spool = EventSpool(container: container, app: Sample.app)
        var event = PushEvent(id: UUID(), type: .delivery, time: clock.now, message: MessageReference(notification))
        event.context = spool.context()
        try spool.write(event)
    }

    @Test("an event has the time, the message, the user, the install and the device") func columns() async throws {
        let (recorder, store, identity) = launch()
        identity.set(.somebody("player-1", isSigned: false))
        identity.keep(token: "a1b2")
        identity.set(fcmToken: "f:cm")
        await recorder.flush()
        let notification = Sample.notification("m1", custom: ["td_campaign_id": "c"])
        recorder.record(.linkOpen, notification, value: "https://example.com")
        let event = try #require(store.peek(9).last)
        #expect(event.type == .linkOpen)
        #expect(event.time == Sample.noon)
        #expect(event.message == MessageReference(messageID: "m1", campaignID: "c", requestID: "r1"))
        #expect(event.value == "https://example.com")
        #expect(event.context.userID == "player-1")
        #expect(try event.context.installationID == identity.installationID().description)
        #expect(event.context.apnsToken == "a1b2")
        #expect(event.context.fcmToken == "f:cm")
    }

    @Test("a delivery is counted once across the app and its extension") func delivery() throws {
        let (recorder, store, _) = launch()
        recorder.didBecomeActive()
        let notification = Sample.notification()
        try extensionSees(notification)
        recorder.record(.delivery, notification, value: nil)
        recorder.collect()
        recorder.record(.delivery, notification, value: nil)
        #expect(store.tally.waiting == 1)
        let later = launch()
        later.recorder.record(.delivery, notification, value: nil)
        try extensionSees(notification)
        later.recorder.collect()
        #expect(later.store.tally.waiting == 1)
        later.recorder.record(.delivery, Sample.notification("m2"), value: nil)
        #expect(later.store.tally.waiting == 2)
    }

    @Test("the extension reports for whoever was logged in when the app left the screen") func user() async throws {
        let (recorder, store, identity) = launch()
        identity.set(.somebody("player-1", isSigned: false))
        recorder.didBecomeActive()
        identity.set(.somebody("player-2", isSigned: false))
        await recorder.flush()
        try extensionSees(Sample.notification())
        recorder.collect()
        #expect(store.peek(9).map(\.context.userID) == ["player-2"])
    }

    @Test("a delivery that the extension saw belongs to who was logged in when it arrived, whatever it was told")
    func userOfItsTime() throws {
        let (recorder, _, identity) = launch()
        identity.set(.somebody("player-1", isSigned: false))
        recorder.didBecomeActive()
        try extensionSees(Sample.notification("m1"))
        clock.advance(by: 1000)
        // The app ends before it tells of the logout.
        identity.set(.nobody)
        clock.advance(by: 1000)
        try extensionSees(Sample.notification("m2"))
        let later = launch()
        later.recorder.collect()
        #expect(later.store.peek(9).map(\.context.userID) == ["player-1", nil])
    }

    @Test("app and extension give a delivery the same id, whoever is first") func sameID() throws {
        let first = launch()
        first.recorder.didBecomeActive()
        try extensionSees(Sample.notification())
        first.recorder.collect()
        let seenByExtension = first.store.peek(1).map(\.id)
        try storage.remove("martlet.counted")
        first.store.removeAll()
        let second = launch()
        second.recorder.record(.delivery, Sample.notification(), value: nil)
        #expect(second.store.peek(1).map(\.id) == seenByExtension)
    }

    @Test("an extension that ran before the app said who it is gets its install from the app") func early() throws {
        try extensionSees(Sample.notification())
        let (recorder, store, identity) = launch()
        recorder.collect()
        #expect(try store.peek(1).first?.context.installationID == identity.installationID().description)
    }

    @Test("an open is counted once for each action, in later launches too") func opens() {
        let (recorder, store, _) = launch()
        for value in [nil, nil, "CONFIRM", "CONFIRM", "LATER"] as [String?] {
            recorder.record(.open, Sample.notification(), value: value)
        }
        #expect(store.peek(9).map(\.value) == [nil, "CONFIRM", "LATER"])
        let later = launch()
        later.recorder.record(.open, Sample.notification(), value: nil)
        #expect(later.store.tally.waiting == 3)
    }

    @Test("links and tokens are counted as often as they happen") func links() {
        let (recorder, store, _) = launch()
        for _ in 0..<2 {
            recorder.record(.linkOpen, Sample.notification(), value: "https://example.com")
            recorder.record(.tokenRegister, nil, value: nil)
        }
        #expect(store.tally.waiting == 4)
    }

    @Test("a notification without an id is told from others by its request") func withoutID() {
        let (recorder, store, _) = launch()
        recorder.record(.delivery, Sample.notification(nil, identifier: "a"), value: nil)
        recorder.record(.delivery, Sample.notification(nil, identifier: "a"), value: nil)
        recorder.record(.delivery, Sample.notification(nil, identifier: "b"), value: nil)
        #expect(store.tally.waiting == 2)
    }

    @Test("without consent the queue is emptied and nothing is recorded") func consent() throws {
        let (recorder, store, _) = launch()
        recorder.record(.tokenRegister, nil, value: nil)
        recorder.setEnabled(false)
        recorder.record(.tokenRegister, nil, value: nil)
        try extensionSees(Sample.notification())
        recorder.collect()
        #expect(store.tally == EventTally())
        recorder.setEnabled(true)
        recorder.collect()
        recorder.record(.tokenRegister, nil, value: nil)
        #expect(store.tally.waiting == 1)
    }

    @Test("what is being recorded while the consent is taken back is not kept") func consentMeanwhile() {
        let (recorder, store, _) = launch()
        storage.interrupt { recorder.setEnabled(false) }
        recorder.record(.tokenRegister, nil, value: nil)
        #expect(store.tally == EventTally())
    }

    @Test("what the extension saw is not lost when the recorder is closed while it is brought in")
    func closedMeanwhile() throws {
        let (recorder, store, _) = launch()
        try extensionSees(Sample.notification())
        storage.interrupt { recorder.close() }
        recorder.collect()
        #expect(store.tally.waiting == 0)
        let later = launch()
        later.recorder.collect()
        #expect(later.store.tally.waiting == 1)
    }

    @Test("Firebase's token is a part of every event until it is taken away, and outlives the launch") func fcmToken() {
        let (recorder, store, identity) = launch()
        identity.set(fcmToken: "one")
        identity.saveFCMToken()
        recorder.record(.tokenRegister, nil, value: nil)
        #expect(store.peek(9).map(\.context.fcmToken) == ["one"])
        let later = launch()
        later.recorder.record(.tokenRegister, nil, value: nil)
        #expect(later.store.peek(9).last?.context.fcmToken == "one")
        later.identity.set(fcmToken: nil)
        later.recorder.record(.tokenRegister, nil, value: nil)
        #expect(later.store.peek(9).last?.context.fcmToken == nil)
    }

    @Test("an attachment that the extension refused reaches the app's handler") func refusal() throws {
        let (recorder, _, _) = launch()
        try EventSpool(container: container, app: Sample.app).write(refusal: .address, time: 1)
        recorder.collect()
        #expect(errors.entries == [.attachmentFailed(AttachmentRefusal.address.reason)])
    }

    @Test("what happens before the first unlock is recorded when the storage can be read") func locked() throws {
        storage.lock(true)
        let (recorder, store, identity) = launch()
        recorder.record(.delivery, Sample.notification(), value: nil)
        #expect(store.tally.waiting == 0)
        storage.lock(false)
        recorder.record(.delivery, Sample.notification(), value: nil)
        recorder.collect()
        #expect(store.tally.waiting == 1)
        #expect(try store.peek(1).first?.context.installationID == identity.installationID().description)
    }

    @Test("a recorder that was closed writes nothing more") func closed() {
        let (recorder, store, _) = launch()
        recorder.close()
        recorder.record(.tokenRegister, nil, value: nil)
        #expect(store.tally.waiting == 0)
    }
}
