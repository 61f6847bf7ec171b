import Logging
import MartletTesting
import MartletWire
import NIOCore
import Synchronization
import Testing

@testable import MartletConsole
@testable import MartletCore

@Suite("How far a send has come") struct SendProgressTests {
    @Test("the rest at this rate is the time that is left")
    func left() {
        var progress = SendProgress(counts: DeliveryCounts(pending: 300, accepted: 90, rejected: 10))
        #expect(progress.total == 400 && progress.settled == 100 && progress.secondsLeft == nil)
        progress.rate = 100
        #expect(progress.secondsLeft == 3 && progress.shownRate == 100)
        progress.rate = 12_345
        #expect(progress.shownRate == 12_000 && progress.secondsLeft == 1)
        progress.rate = 0
        #expect(progress.secondsLeft == nil && progress.shownRate == nil)
    }

    @Test("what was not made for a reason of ours is no progress")
    func wanted() {
        let progress = SendProgress(counts: DeliveryCounts(pending: 300, suppressed: 7_000))
        #expect(progress.wanted == 300 && progress.total == 7_300)
    }

    @Test("a rate is that of the last seconds")
    func samples() {
        let (samples, start) = (ProgressSamples(), Timestamp(milliseconds: 1_000_000))
        #expect(samples.rate(0, at: start) == nil)
        #expect(samples.rate(500, at: start + .seconds(1)) == 500)
        #expect(samples.rate(500, at: start + .seconds(10)) == 50)
        #expect(samples.rate(500, at: start + .seconds(12)) == 0)
    }

    @Test("a bar's parts fill it, and the least is seen")
    func widths() {
        #expect(SendProgress.widths([0, 0, 0]) == [0, 0, 0])
        #expect(SendProgress.widths([1, 1, 0]).reduce(0, +) == 1_000)
        let widths = SendProgress.widths([1_000_000, 1, 0, 1])
        #expect(widths.reduce(0, +) == 1_000 && widths[1] == 4 && widths[2] == 0)
    }

    @Test("values of a payload are masked, and its names stay")
    func masked() {
        let value: JSONValue = [
            "aps": ["alert": ["title": "secret"], "badge": 3], "list": ["a", true], "none": .null,
        ]
        let masked: JSONValue = [
            "aps": ["alert": ["title": "•••"], "badge": "•••"], "list": ["•••", true], "none": .null,
        ]
        #expect(value.masked == masked)
    }
}

@Suite("Pages that are told of changes") struct LiveHubTests {
    private let clock = ManualClock()
    private var hub: LiveHub { LiveHub(clock: clock, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }) }

    private static func reader(
        _ owner: Int64,
        session: Int64 = 1,
        isAllowed: @escaping @Sendable () async -> Bool = { true }
    ) -> LiveReader {
        LiveReader(owner: RowID(owner), session: RowID(session), isAllowed: isAllowed)
    }

    @Test("many pages of one thing cost one look, and are told once of a change and nothing without one")
    func sharing() async throws {
        let hub = hub
        let looks = Count()
        let part = LivePart(html: "<p>1</p>\n<p>2</p>", isOver: false)
        let leases = try (0..<20).map { index in
            try hub.open("x", known: index == 0 ? part.version : "", reader: Self.reader(1)) {
                looks.add()
                return part
            }
        }
        await hub.look()
        await hub.look()
        #expect(looks.value == 2 && hub.count == 20)
        for lease in leases { lease.finish() }
        #expect(await leases[0].events.reduce(into: []) { $0.append(String(buffer: $1)) } == [])
        let told = await leases[1].events.reduce(into: []) { $0.append(String(buffer: $1)) }
        #expect(told == ["event: changed\nid: \(part.version)\ndata: <p>1</p>\ndata: <p>2</p>\n\n"])
    }

    @Test("an event's lines are each marked, so that none of them is a field of its own")
    func events() {
        let part = LivePart(html: "<p>\n\nevent: end\r\n</p>", isOver: false)
        let data = "data: <p>\ndata: \ndata: event: end\ndata: </p>\n\n"
        #expect(String(buffer: part.event) == "event: changed\nid: \(part.version)\n" + data)
    }

    @Test("the streams of a session that is over end, those of another go on, and each session is asked for once")
    func sessions() async throws {
        let hub = hub
        let asked = Count()
        let part = LivePart(html: "x", isOver: false)
        let over = try (0..<3).map { index in
            let reader = Self.reader(1, session: 1) {
                asked.add()
                return false
            }
            return try hub.open("\(index)", known: part.version, reader: reader) { part }
        }
        let other = try hub.open("0", known: "", reader: Self.reader(1, session: 2)) { part }
        await hub.look()
        #expect(asked.value == 1)
        for lease in over { #expect(await lease.events.reduce(into: 0) { count, _ in count += 1 } == 0) }
        other.finish()
        #expect(await other.events.reduce(into: 0) { count, _ in count += 1 } == 1)
    }

    @Test("of very many sessions each has its turn")
    func turns() async throws {
        let hub = hub
        let asked = Count()
        let part = LivePart(html: "x", isOver: false)
        let leases = try (1...Int64(LiveHub.checkLimit + 1)).map { number in
            let reader = Self.reader(number, session: number) {
                asked.add()
                return number != LiveHub.checkLimit + 1
            }
            return try hub.open("x", known: part.version, reader: reader) { part }
        }
        await hub.look()
        #expect(asked.value == LiveHub.checkLimit && hub.count == leases.count)
        await hub.look()
        #expect(asked.value == 2 * LiveHub.checkLimit)
        #expect(await leases.last?.events.reduce(into: 0) { count, _ in count += 1 } == 0)
    }

    @Test("every stream ends with the server, and none is opened afterwards")
    func stopping() async throws {
        let hub = hub
        let part = LivePart(html: "x", isOver: false)
        let lease = try hub.open("x", known: part.version, reader: Self.reader(1)) { part }
        let running = Task { await hub.run() }
        running.cancel()
        await running.value
        #expect(await lease.events.reduce(into: 0) { count, _ in count += 1 } == 0)
        #expect(throws: Failure.self) { try hub.open("y", known: "", reader: Self.reader(1)) { part } }
    }

    @Test("a stream ends when its thing is over, when its page is gone, and when its time is up")
    func ends() async throws {
        let hub = hub
        var over: LiveLease? = try hub.open("over", known: "", reader: Self.reader(1)) {
            LivePart(html: "", isOver: true)
        }
        await hub.look()
        let told = await over?.events.reduce(into: []) { $0.append(String(buffer: $1)) }
        #expect(told?.last == "event: end\ndata:\n\n")
        over = nil
        #expect(hub.count == 0)
        let lease = try hub.open("long", known: "", reader: Self.reader(1)) { LivePart(html: "x", isOver: false) }
        clock.advance(by: LiveHub.lifetime)
        await hub.look()
        #expect(await lease.events.reduce(into: 0) { count, _ in count += 1 } <= 1)
    }

    @Test("an operator has so many streams and no more")
    func bounds() throws {
        let hub = hub
        let look: @Sendable () async throws -> LivePart = { LivePart(html: "", isOver: false) }
        let leases = try (0..<LiveHub.ownerLimit).map {
            try hub.open("\($0)", known: "", reader: Self.reader(1), look: look)
        }
        #expect(throws: Failure.self) { try hub.open("one more", known: "", reader: Self.reader(1), look: look) }
        let other = try hub.open("x", known: "", reader: Self.reader(2), look: look)
        #expect(hub.count == leases.count + 1)
        other.finish()
    }
}

/// Counts, from any task.
private final class Count: Sendable {
    private let number = Mutex(0)

    var value: Int { number.withLock { $0 } }

    func add() { number.withLock { $0 += 1 } }
}
