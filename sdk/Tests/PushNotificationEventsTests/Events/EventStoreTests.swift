import Foundation
import MartletWire
import PushNotificationSDKCore
import PushNotificationSDKTesting
import Testing

@Suite("The event queue") struct EventStoreTests {
    @Test("events come back in the order in which they were added, with every column") func order() {
        let storage = MemoryStore()
        let store = EventStore(storage)
        for event in Sample.events(100) { store.append(event) }
        #expect(store.peek(3) == Sample.events(3))
        #expect(EventStore(storage).peek(1000) == Sample.events(100))
    }

    @Test("an event is in the queue until it is acknowledged") func acknowledge() {
        let storage = MemoryStore()
        let store = EventStore(storage)
        for event in Sample.events(60) { store.append(event) }
        let sent = Set([0, 1, 30, 59].map(Sample.id))
        store.acknowledge(sent.union([UUID()]))
        let left = Sample.events(60).filter { !sent.contains($0.id) }
        #expect(store.peek(100) == left)
        #expect(EventStore(storage).peek(100) == left)
        store.acknowledge(Set(left.map(\.id)))
        #expect(store.tally == EventTally())
        #expect(storage.values.isEmpty)
    }

    @Test("of 1,500 events the newest 1,000 are kept and 500 are counted as dropped") func bound() {
        let storage = MemoryStore()
        let store = EventStore(storage)
        for event in Sample.events(1500) { store.append(event) }
        #expect(store.peek(5000) == Array(Sample.events(1500).suffix(1000)))
        #expect(store.tally == EventTally(waiting: 1000, dropped: 500))
        #expect(EventStore(storage).tally == EventTally(waiting: 1000, dropped: 500))
    }

    @Test("many at once are kept as they are one by one", arguments: [1, 24, 25, 999, 1000, 1001, 2500])
    func batch(count: Int) {
        let storage = MemoryStore()
        let store = EventStore(storage)
        store.append(Sample.event(-1))
        store.append(contentsOf: Sample.events(count) + Sample.events(min(count, 3)))
        let all = [Sample.event(-1)] + Sample.events(count)
        #expect(store.peek(5000) == Array(all.suffix(1000)))
        #expect(store.tally == EventTally(waiting: min(1000, count + 1), dropped: max(0, count - 999)))
        #expect(EventStore(storage).peek(5000) == Array(all.suffix(1000)))
        #expect(EventStore(storage).tally == store.tally)
    }

    @Test("an event that waits already is not added again") func doubled() {
        let storage = MemoryStore()
        EventStore(storage).append(Sample.event())
        let store = EventStore(storage)
        store.append(Sample.event())
        #expect(store.tally.waiting == 1)
    }

    @Test("an append writes no more than a few events, however many wait") func appendIsSmall() throws {
        let storage = MemoryStore()
        let store = EventStore(storage)
        for event in Sample.events(999) { store.append(event) }
        let before = storage.values
        store.append(Sample.event(999))
        let changed = storage.values.filter { before[$0.key] != $0.value }
        #expect(changed.count == 1)
        let bytes = try #require(changed.values.first)
        #expect(bytes.count <= 24 * (Sample.event(999).line.count + 16))
    }

    @Test("a segment that is cut off loses what is behind the cut, and no more", arguments: [0, 1, 7, 8, 9, 100])
    func torn(end: Int) throws {
        let storage = MemoryStore()
        let store = EventStore(storage)
        for event in Sample.events(30) { store.append(event) }
        let key = try #require(storage.values.keys.min())
        let whole = try #require(storage.values[key])
        // Where the third line begins, and some bytes of it.
        let start = whole.indices.filter { whole[$0] == UInt8(ascii: "\n") }[1] + 1
        try storage.set(whole.prefix(start + end), for: key)

        let read = EventStore(storage)
        #expect(read.peek(100) == Sample.events(2) + Array(Sample.events(30)[24...]))
        #expect(read.tally.damaged == (end == 0 ? 0 : 1))
    }

    @Test("changed bytes are found, skipped and counted once, whatever they are") func changed() throws {
        let storage = MemoryStore()
        let store = EventStore(storage)
        for event in Sample.events(3) { store.append(event) }
        let key = try #require(storage.values.keys.first)
        let whole = try #require(storage.values[key])
        var random = SeededRandom(1)
        for _ in 0..<300 {
            var bytes = whole
            let place = bytes.indices.randomElement(using: &random) ?? 0
            bytes[place] ^= UInt8.random(in: 1...255, using: &random)
            try storage.set(bytes, for: key)
            try storage.remove("martlet.events.damaged")
            let read = EventStore(storage)
            #expect(read.peek(9).allSatisfy { Sample.events(3).contains($0) })
            #expect((1...2).contains(read.tally.waiting))
            #expect(read.tally.damaged >= 1)
            #expect(EventStore(storage).tally == read.tally)
        }
    }

    @Test("a value that holds no events is no crash", arguments: [Data(), Data([0xFF, 0, 10, 10]), Data("{}".utf8)])
    func foreign(bytes: Data) throws {
        let storage = MemoryStore()
        try storage.set(bytes, for: "martlet.events.s1")
        try storage.set(bytes, for: "martlet.events.snone")
        try storage.set(bytes, for: "martlet.events.dropped")
        let store = EventStore(storage)
        store.append(Sample.event())
        #expect(store.peek(9) == [Sample.event()])
    }

    @Test("what happens before the first unlock is kept and joins what was stored") func locked() {
        let storage = MemoryStore()
        EventStore(storage).append(Sample.event(0))
        storage.lock(true)
        let store = EventStore(storage)
        store.append(Sample.event(0))
        store.append(Sample.event(1))
        #expect(store.tally.waiting == 2)
        storage.lock(false)
        #expect(store.peek(9) == Sample.events(2))
        #expect(EventStore(storage).peek(9) == Sample.events(2))
    }

    @Test("before the first unlock the bound holds too") func lockedBound() {
        let storage = MemoryStore()
        storage.lock(true)
        let store = EventStore(storage)
        for event in Sample.events(1001) { store.append(event) }
        #expect(store.tally == EventTally(waiting: 1000, dropped: 1))
        storage.lock(false)
        #expect(EventStore(storage).tally == EventTally())
        #expect(store.peek(2000) == Array(Sample.events(1001).suffix(1000)))
        #expect(EventStore(storage).tally == EventTally(waiting: 1000, dropped: 1))
    }

    @Test("two queues in one storage do not see each other") func twoQueues() {
        let storage = MemoryStore()
        let one = EventStore(storage)
        let other = EventStore(storage, name: "martlet.events-td")
        one.append(Sample.event(1))
        other.append(Sample.event(2))
        one.removeAll()
        #expect(EventStore(storage).tally.waiting == 0)
        #expect(EventStore(storage, name: "martlet.events-td").peek(9) == [Sample.event(2)])
    }

    @Test("the queue in UserDefaults is found again") func userDefaults() throws {
        let name = "martlet.test.\(UUID().uuidString)"
        let defaults = try #require(UserDefaults(suiteName: name))
        defer { defaults.removePersistentDomain(forName: name) }
        let store = EventStore(UserDefaultsStore(defaults, marker: nil))
        for event in Sample.events(50) { store.append(event) }
        store.acknowledge(Set((0..<10).map(Sample.id)))
        let read = EventStore(UserDefaultsStore(defaults, marker: nil))
        #expect(read.peek(100) == Array(Sample.events(50).dropFirst(10)))
    }

    @Test("an event without any column but the first three is stored as well") func bare() {
        let storage = MemoryStore()
        let event = PushEvent(id: UUID(), type: .tokenRegister, time: 0)
        EventStore(storage).append(event)
        #expect(EventStore(storage).peek(1) == [event])
    }
}
