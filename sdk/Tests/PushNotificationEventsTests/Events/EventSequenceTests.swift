import Foundation
import MartletWire
import PushNotificationSDKCore
import PushNotificationSDKTesting
import Testing

@Suite("Random sequences", .timeLimit(.minutes(15))) struct EventSequenceTests {
    @Test("in 10,000 sequences of events, answers and crashes nothing is lost or doubled") func sequences() async {
        await withTaskGroup(of: [String].self) { group in
            for part in 0..<4 as Range<UInt64> {
                group.addTask {
                    var faults: [String] = []
                    for seed in stride(from: part, to: EventSequence.count, by: 4) {
                        faults += await EventSequence(seed: seed).run().map { "seed \(seed): \($0)" }
                    }
                    return faults
                }
            }
            for await faults in group {
                for fault in faults.prefix(5) { Issue.record("\(fault)") }
            }
        }
    }
}

/// One install over several launches, with a server that does what a seed says.
private final class EventSequence {
    static let count: UInt64 = 10_000
    private static let bound = 12
    private let storage = MemoryStore()
    private let clock = ManualClock(now: Sample.noon)
    private let server: SequenceServer
    private var random: SeededRandom
    private var recorder: EventRecorder
    private var store: EventStore
    /// Ids that were in the queue when a step ended, and so must not be lost.
    private var owed: Set<UUID> = []
    private var faults: [String] = []

    init(seed: UInt64) {
        random = SeededRandom(seed)
        server = SequenceServer(seed: seed ^ 0xABCD)
        // Nothing is uploaded before the install is registered, so its id is stored by then.
        _ = try? Identity(storage: storage, clock: clock).installationID()
        (recorder, store) = Self.launch(storage, clock, server)
    }

    func run() async -> [String] {
        for _ in 0..<Int.random(in: 3...12, using: &random) { await step() }
        // In the end everything works.
        storage.lock(false)
        restart()
        server.recover()
        clock.advance(by: 86_400_000)
        recorder.didBecomeActive()
        await recorder.flush()
        let tally = store.tally
        if tally.waiting > 0 { faults.append("\(tally.waiting) events were never taken") }
        let lost = owed.subtracting(server.settled)
        if lost.count > tally.dropped { faults.append("\(lost.count) lost, \(tally.dropped) counted as dropped") }
        if server.mostInFlight > 1 { faults.append("\(server.mostInFlight) requests at a time") }
        for (key, ids) in server.idsByKey where ids.count > 1 { faults.append("\(key) counted \(ids.count) times") }
        recorder.close()
        return faults
    }

    private func step() async {
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<10: record()
        case 10..<13:
            recorder.didBecomeActive()
            await recorder.flush()
        case 13..<15: await recorder.flush()
        case 15: clock.advance(by: Int64.random(in: 0...120_000, using: &random))
        case 16: restart()
        case 17: await crash()
        case 18:
            restart()
            storage.lock(true)
            record()
            storage.lock(false)
        default: for _ in 0..<8 { record() }
        }
        if store.tally.waiting > Self.bound { faults.append("\(store.tally.waiting) wait") }
        owed.formUnion(store.peek(Self.bound).map(\.id))
    }

    private func record() {
        let notification = Sample.notification("m\(Int.random(in: 0..<12, using: &random))")
        switch Int.random(in: 0..<5, using: &random) {
        case 0: recorder.record(.delivery, notification, value: nil)
        case 1: recorder.record(.open, notification, value: Bool.random(using: &random) ? "CONFIRM" : nil)
        case 2: recorder.record(.dismiss, notification, value: nil)
        case 3: recorder.record(.linkOpen, notification, value: "https://example.com")
        default: recorder.record(.tokenRegister, nil, value: nil)
        }
    }

    /// The process dies in the middle of writing, and is started again.
    private func crash() async {
        storage.crash(afterWrites: Int.random(in: 0..<4, using: &random))
        record()
        await recorder.flush()
        restart()
    }

    private func restart() {
        recorder.close()
        storage.crash(afterWrites: nil)
        (recorder, store) = Self.launch(storage, clock, server)
    }

    private static func launch(
        _ storage: MemoryStore,
        _ clock: ManualClock,
        _ server: SequenceServer
    ) -> (EventRecorder, EventStore) {
        let transport = SequenceTransport(server)
        let environment = PushEnvironment(
            platform: RecordingPlatform(),
            transport: transport,
            storage: storage,
            clock: clock
        )
        let log = Log(level: { .off }, sink: { _, _ in })
        let subject = EventSubject(
            identity: Identity(storage: storage, clock: clock),
            platform: environment.platform
        )
        let upload = UploadEnvironment(
            transport: transport,
            clock: clock,
            random: { 0.5 },
            context: { await subject.complete() },
            report: { _ in },
            log: log
        )
        let store = EventStore(storage, bound: bound)
        let queue = UploadQueue(store, EventUploader(store, to: SequenceDestination(), upload))
        let recorder = EventRecorder(
            [queue],
            about: subject,
            spool: nil,
            environment: environment,
            report: { _ in },
            log: log
        )
        return (recorder, store)
    }
}

/// Small batches, so that there are several; a line an event, which is read in no time.
private struct SequenceDestination: EventDestination {
    let name = "sequence"
    let limits = BatchLimits(events: 5, bytes: 1 << 20)

    func isReady() -> Bool { true }

    func call(for events: [PushEvent]) -> HTTPCall? {
        let body = Data(events.map(\.line).joined(separator: [10]))
        return HTTPCall("POST", URL(string: "https://x.example")!, body: body, timeout: 30)
    }

    /// A letter for each event: k for kept, r for refused, l for later.
    func receipts(_ answer: HTTPAnswer, count: Int) -> [ReceiptVerdict]? {
        guard answer.body.count == count else { return nil }
        return answer.body.map { $0 == UInt8(ascii: "k") ? .kept : $0 == UInt8(ascii: "r") ? .refused("r") : .later }
    }
}

/// The way of one launch to the server: what a process that died had under way is not counted against the next.
private final class SequenceTransport: HTTPTransport {
    private let server: SequenceServer
    private let inFlight = Locked(0)

    init(_ server: SequenceServer) { self.server = server }

    func send(_ call: HTTPCall) async throws(TransportError) -> HTTPAnswer {
        server.began(
            inFlight.with { inFlight in
                inFlight += 1
                return inFlight
            }
        )
        let answer = server.answer(call)
        inFlight.with { $0 -= 1 }
        guard let answer else { throw .timedOut }
        return answer
    }
}

/// A server that keeps events by their ids, and whose answers go wrong in every way.
private final class SequenceServer: Sendable {
    private struct State {
        var random: SeededRandom
        var isWell = false
        var kept: Set<UUID> = []
        var refused: Set<UUID> = []
        var idsByKey: [String: Set<UUID>] = [:]
        var mostInFlight = 0
    }

    private let state: Locked<State>

    init(seed: UInt64) { state = Locked(State(random: SeededRandom(seed))) }

    func recover() { state.with { $0.isWell = true } }

    var settled: Set<UUID> { state.with { $0.kept.union($0.refused) } }
    var idsByKey: [String: Set<UUID>] { state.with { $0.idsByKey } }
    var mostInFlight: Int { state.with { $0.mostInFlight } }

    func began(_ inFlight: Int) { state.with { $0.mostInFlight = max($0.mostInFlight, inFlight) } }

    func answer(_ call: HTTPCall) -> HTTPAnswer? {
        let events = (call.body ?? Data()).split(separator: 10).compactMap { PushEvent(line: Data($0)) }
        return state.with { state in
            switch state.isWell ? 9 : Int.random(in: 0..<12, using: &state.random) {
            case 0: return nil
            case 1: return HTTPAnswer(status: 503)
            case 2: return HTTPAnswer(status: 429, headers: ["Retry-After": "60"])
            case 3: return HTTPAnswer(status: 401)
            case 4:
                // Kept, but the answer is lost on its way.
                for event in events { keep(event, &state) }
                return nil
            case 5: return HTTPAnswer(status: 200, body: receipts(events, &state))
            case 6: return HTTPAnswer(status: 200, body: Data("<html>".utf8) + Data(count: 10))
            default:
                for event in events { keep(event, &state) }
                return HTTPAnswer(status: 200, body: Data(repeating: UInt8(ascii: "k"), count: events.count))
            }
        }
    }

    private func receipts(_ events: [PushEvent], _ state: inout State) -> Data {
        var letters = Data()
        for event in events {
            switch Int.random(in: 0..<4, using: &state.random) {
            case 0:
                state.refused.insert(event.id)
                letters.append(UInt8(ascii: "r"))
            case 1: letters.append(UInt8(ascii: "l"))
            default:
                keep(event, &state)
                letters.append(UInt8(ascii: "k"))
            }
        }
        return letters
    }

    private func keep(_ event: PushEvent, _ state: inout State) {
        state.kept.insert(event.id)
        switch event.type {
        case .delivery, .open, .dismiss:
            let key = "\(event.type) \(event.message.messageID ?? "") \(event.value ?? "")"
            state.idsByKey[key, default: []].insert(event.id)
        default: break
        }
    }
}
