import Foundation
import MartletWire
import PushNotificationSDKCore
import PushNotificationSDKTesting
import Testing

@Suite("The uploader", .timeLimit(.minutes(1))) struct UploaderTests {
    /// An uploader over a scripted server. Bodies are not packed, so that the script can read them.
    struct Setup {
        let clock = ManualClock(now: Sample.noon)
        let store = EventStore(MemoryStore())
        let errors = Journal<PushNotificationError>()
        let server: ScriptedTransport
        let uploader: EventUploader

        init(isReady: Locked<Bool> = Locked(true), _ script: @escaping ScriptedTransport.Script) {
            server = ScriptedTransport(script)
            let environment = UploadEnvironment(
                transport: server,
                clock: clock,
                random: { 0.5 },
                context: { Sample.context },
                report: { [errors] in errors.add($0) },
                log: Log(level: { .off }, sink: { _, _ in })
            )
            uploader = EventUploader(store, to: PlainDestination(ready: isReady), environment)
        }

        func add(_ events: [PushEvent]) {
            for event in events { store.append(event) }
        }

        var batches: [[Int]] { server.calls.entries.map(PlainDestination.numbers) }
    }

    @Test("1,200 events go in three requests, in order") func batches() async {
        let setup = Setup { call, _ in .success(PlainDestination.kept(call)) }
        setup.add(Sample.events(1000))
        await setup.uploader.flush()
        setup.add(Array(Sample.events(1200)[1000...]))
        await setup.uploader.flush()
        #expect(setup.batches.map(\.count) == [500, 500, 200])
        #expect(setup.batches.flatMap(\.self) == Array(0..<1200))
        #expect(setup.store.tally == EventTally())
    }

    @Test("what had to make room for newer events while its batch waited is not sent") func droppedMeanwhile() async {
        let setup = Setup { call, index in
            index == 0 ? .failure(.unreachable("offline")) : .success(PlainDestination.kept(call))
        }
        let events = Sample.events(1400)
        setup.add(Array(events[..<1000]))
        await setup.uploader.flush()
        setup.add(Array(events[1000...]))
        #expect(setup.store.tally == EventTally(waiting: 1000, dropped: 400))
        await setup.uploader.flush()
        #expect(setup.batches.dropFirst().flatMap(\.self) == Array(400..<1400))
        #expect(setup.store.tally == EventTally(waiting: 0, dropped: 400))
    }

    @Test("what happens within two seconds goes in one request") func gathers() async {
        let setup = Setup { call, _ in .success(PlainDestination.kept(call)) }
        for event in Sample.events(5) {
            setup.store.append(event)
            setup.uploader.recorded()
        }
        await setup.clock.passSleep(1)
        _ = await setup.server.calls.wait(for: 1)
        await setup.uploader.flush()
        #expect(setup.batches == [[0, 1, 2, 3, 4]])
        #expect(setup.clock.sleeps.entries == [Sample.noon + 2000])
    }

    @Test("one request is under way at a time") func oneInFlight() async {
        let inFlight = Locked((now: 0, most: 0))
        let setup = Setup { call, _ in
            inFlight.with { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
            await Task.yield()
            inFlight.with { $0.now -= 1 }
            return .success(PlainDestination.kept(call))
        }
        setup.add(Sample.events(1000))
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    setup.uploader.recorded()
                    setup.uploader.resume()
                    await setup.uploader.flush()
                }
            }
        }
        #expect(inFlight.with { $0.most } == 1)
        #expect(setup.batches.flatMap(\.self) == Array(0..<1000))
    }

    @Test("a 500 keeps the events, waits with jitter and sends them again") func serverError() async {
        let setup = Setup { call, index in
            .success(index == 0 ? HTTPAnswer(status: 500) : PlainDestination.kept(call))
        }
        setup.add(Sample.events(3))
        await setup.uploader.flush()
        #expect(setup.store.tally.waiting == 3)
        await setup.clock.passSleep(1)
        _ = await setup.server.calls.wait(for: 2)
        await setup.uploader.flush()
        #expect(setup.clock.sleeps.entries == [Sample.noon + 1000])
        #expect(setup.batches == [[0, 1, 2], [0, 1, 2]])
        #expect(setup.store.tally.waiting == 0)
        #expect(setup.errors.entries.isEmpty)
    }

    @Test("a 429 with Retry-After is obeyed, flushes and foreground or not") func retryAfter() async {
        let setup = Setup { call, index in
            .success(
                index == 0
                    ? HTTPAnswer(status: 429, headers: ["Retry-After": "60"]) : PlainDestination.kept(call)
            )
        }
        setup.add(Sample.events(1))
        await setup.uploader.flush()
        await setup.uploader.flush()
        setup.uploader.resume()
        await setup.uploader.flush()
        #expect(setup.batches.count == 1)
        setup.clock.advance(by: 60_000)
        await setup.uploader.flush()
        #expect(setup.batches.count == 2)
        #expect(setup.store.tally.waiting == 0)
    }

    @Test("after a clock was set back a day, uploads wait for what the server asked for, and no longer")
    func clockSetBack() async {
        let setup = Setup { call, index in
            .success(
                index == 0
                    ? HTTPAnswer(status: 429, headers: ["Retry-After": "60"]) : PlainDestination.kept(call)
            )
        }
        setup.add(Sample.events(1))
        await setup.uploader.flush()
        setup.clock.set(Sample.noon - 86_400_000)
        setup.clock.advance(by: 59_999)
        await setup.uploader.flush()
        #expect(setup.batches.count == 1)
        setup.clock.advance(by: 1)
        await setup.uploader.flush()
        #expect(setup.batches.count == 2)
        #expect(setup.store.tally.waiting == 0)
    }

    @Test("the device offline keeps everything") func offline() async {
        let setup = Setup { _, _ in .failure(.unreachable("offline")) }
        setup.add(Sample.events(10))
        await setup.uploader.flush()
        await setup.uploader.flush()
        #expect(setup.store.tally.waiting == 10)
        #expect(setup.batches.count == 2)
        #expect(setup.errors.entries.isEmpty)
    }

    @Test("after a failure the wait is kept, but for who asks for an upload in spite of it") func keepsBackoff() async {
        let setup = Setup { _, _ in .failure(.unreachable("offline")) }
        setup.add(Sample.events(1))
        await setup.uploader.flush(ignoringBackoff: false)
        await setup.uploader.flush(ignoringBackoff: false)
        #expect(setup.batches.count == 1)
        await setup.uploader.flush()
        #expect(setup.batches.count == 2)
    }

    @Test("partial receipts take away what is kept and refused, and leave the rest") func partial() async {
        let setup = Setup { call, index in
            let names = ["", "No", "Later"]
            let receipts = PlainDestination.numbers(call).map { number in
                names[number % 3] == "" || index > 0
                    ? EventReceipt.kept : .refused(.init(name: names[number % 3], description: ""))
            }
            return .success(.json(200, EventsResponse(receipts: receipts)))
        }
        setup.add(Sample.events(9))
        await setup.uploader.flush()
        #expect(setup.store.peek(9).map(\.id) == [2, 5, 8].map(Sample.id))
        #expect(setup.errors.entries == [.eventsRejected(count: 3, message: "No")])
        await setup.uploader.flush()
        #expect(setup.batches.last == [2, 5, 8])
        #expect(setup.store.tally.waiting == 0)
    }

    @Test("a 401 stops, is reported once, and is tried again in front") func unauthorized() async {
        let setup = Setup { call, index in
            .success(index == 0 ? .error(401, .unauthorized, "Not you.") : PlainDestination.kept(call))
        }
        setup.add(Sample.events(2))
        await setup.uploader.flush()
        setup.uploader.recorded()
        await setup.uploader.flush()
        #expect(setup.batches.count == 1)
        #expect(setup.errors.entries == [.serverError(statusCode: 401, message: "Not you.")])
        #expect(setup.store.tally.waiting == 2)
        setup.uploader.resume()
        await setup.uploader.flush()
        #expect(setup.store.tally.waiting == 0)
    }

    @Test("a 400 is taken apart: of 500 events the one that cannot be read is lost", arguments: [0, 250, 499])
    func bisects(bad: Int) async {
        let setup = Setup { call, _ in
            .success(
                PlainDestination.numbers(call).contains(bad) ? HTTPAnswer(status: 400) : PlainDestination.kept(call)
            )
        }
        setup.add(Sample.events(500))
        await setup.uploader.flush()
        #expect(setup.store.tally == EventTally())
        #expect(setup.errors.entries == [.eventsRejected(count: 1, message: "The request could not be read.")])
        let kept = setup.batches.filter { !$0.contains(bad) }.flatMap(\.self)
        #expect(kept.sorted() == (0..<500).filter { $0 != bad })
        // Two for each halving at the most.
        #expect(setup.batches.count <= 20)
    }

    @Test("a server that can read nothing does not cost all events") func unreadableServer() async {
        let setup = Setup { _, _ in .success(HTTPAnswer(status: 400)) }
        setup.add(Sample.events(1000))
        await setup.uploader.flush()
        #expect(setup.store.tally.waiting == 984)
        #expect(setup.errors.entries.last == .serverError(statusCode: 400, message: "The requests could not be read."))
    }

    @Test("nothing is asked before the installation is registered") func notReady() async {
        let isReady = Locked(false)
        let setup = Setup(isReady: isReady) { call, _ in .success(PlainDestination.kept(call)) }
        setup.add(Sample.events(1))
        setup.uploader.recorded()
        await setup.uploader.flush()
        #expect(setup.batches.isEmpty)
        isReady.with { $0 = true }
        await setup.uploader.flush()
        #expect(setup.batches == [[0]])
    }

    @Test("when the system takes the time away the request is given up and the events stay") func cancelled() async {
        let began = Journal<Int>()
        let setup = Setup { call, index in
            guard index == 0 else { return .success(PlainDestination.kept(call)) }
            began.add(index)
            // As a request does: it waits until it is cancelled.
            let never = ManualClock()
            do { try await never.sleep(until: .max) } catch {}
            return .failure(.cancelled)
        }
        setup.add(Sample.events(1))
        let flush = Task { await setup.uploader.flush() }
        _ = await began.wait(for: 1)
        flush.cancel()
        await flush.value
        #expect(setup.store.tally.waiting == 1)
        setup.uploader.resume()
        await setup.uploader.flush()
        #expect(setup.store.tally.waiting == 0)
    }

    @Test("an uploader that was closed asks nothing more") func closed() async {
        let setup = Setup { call, _ in .success(PlainDestination.kept(call)) }
        setup.add(Sample.events(1))
        setup.uploader.close()
        await setup.uploader.flush()
        #expect(setup.batches.isEmpty)
    }
}

/// A destination whose requests are the numbers of the events, one a line. A receipt named `Later` is not final.
struct PlainDestination: EventDestination {
    let name = "plain"
    let limits = BatchLimits(events: 500, bytes: 1 << 30)
    var ready = Locked(true)

    func isReady() -> Bool { ready.with { $0 } }

    func call(for events: [PushEvent]) -> HTTPCall? {
        let lines = events.map { PublicID($0.id).description.suffix(12) }.joined(separator: "\n")
        return HTTPCall("POST", URL(string: "https://x.example")!, body: Data(lines.utf8), timeout: 30)
    }

    func receipts(_ answer: HTTPAnswer, count: Int) -> [ReceiptVerdict]? {
        guard let response = try? JSONDecoder().decode(EventsResponse.self, from: answer.body),
            response.receipts.count == count
        else { return nil }
        return response.receipts.map { receipt in
            receipt.success ? .kept : receipt.error?.name == "Later" ? .later : .refused(receipt.error?.name ?? "")
        }
    }

    static func numbers(_ call: HTTPCall) -> [Int] {
        String(decoding: call.body ?? Data(), as: UTF8.self).split(separator: "\n").compactMap { Int($0, radix: 16) }
    }

    static func kept(_ call: HTTPCall) -> HTTPAnswer {
        .json(200, EventsResponse(receipts: numbers(call).map { _ in .kept }))
    }
}
