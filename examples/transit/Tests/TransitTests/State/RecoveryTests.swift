import Foundation
import Synchronization
import Testing
import Transit

/// The process can end at any byte of the journal, and at any step of a send.
@Suite struct RecoveryTests {
    /// What a rider is told over the story below, whatever happens in between.
    private static let story: [[ServiceAlert]] = {
        let other = Scene.alert("Other", id: "a-2", route: "T8")
        return [
            [Scene.alert(), other],
            [Scene.alert("Worse", severity: .severe), other],
            [other],
            [other],
        ]
    }()

    private static func play(_ scene: Scene) async throws {
        for alerts in story {
            let backend = try await scene.backend()
            try await scene.feed(alerts, to: backend)
            try await scene.send(backend)
        }
    }

    /// Each feed is taken by a process that ends before it has sent anything; the next one sends.
    private static func playWithCrashes(_ scene: Scene) async throws {
        // The withdrawal is counted anew by every process.
        for alerts in story {
            try await scene.feed(alerts, to: try await scene.backend())
            try await sendAnew(scene)
        }
        let last = try await scene.backend()
        for _ in 0..<2 { try await scene.feed(story[3], to: last) }
        try await scene.send(last)
    }

    private static func sendAnew(_ scene: Scene) async throws { try await scene.send(try await scene.backend()) }

    private static func told(_ scene: Scene) -> [String] {
        scene.martlet.accepted.flatMap { intent in
            intent.riders.map { "\(intent.alert) \(intent.purpose.rawValue) \(intent.version) \($0)" }
        }.sorted()
    }

    @Test("a backend that is started anew for every feed says what one does that runs on")
    func restarts() async throws {
        let through = Scene(), again = Scene()
        let backend = try await through.backend()
        for alerts in Self.story {
            try await through.feed(alerts, to: backend)
            try await through.send(backend)
        }
        try await Self.playWithCrashes(again)
        #expect(Self.told(through) == Self.told(again))
    }

    @Test("cut off at every byte, the journal is the state of its whole lines, and can be added to")
    func everyByte() async throws {
        let scene = Scene()
        try await Self.play(scene)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: scene.path))
        var expected = Ledger()
        var lineStart = 0
        let path = scene.path + "-cut"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let first = try #require(bytes.firstIndex(of: UInt8(ascii: "\n")))
        for end in (first + 1)...bytes.count {
            let last = bytes[..<end].lastIndex(of: UInt8(ascii: "\n")) ?? 0
            if last + 1 > lineStart {
                for line in bytes[lineStart..<(last + 1)].split(separator: UInt8(ascii: "\n")) {
                    let record = JournalLine.record(line)
                    expected.apply(try #require(record))
                }
                lineStart = last + 1
            }
            // Every byte of the ends of lines; in between every fiftieth.
            guard end - lineStart < 12 || end % 50 == 0 else { continue }
            try bytes[..<end].write(to: URL(fileURLWithPath: path))
            let file = try StateFile(path: path)
            #expect(file.ledger == expected && file.tornBytes == end - lineStart)
            try file.append([.feed(made: 7)])
            #expect(file.ledger.feedMade == 7)
        }
    }

    /// Who read what, as often as they did.
    private static func read(_ scene: Scene) -> [String] {
        scene.martlet.accepted.filter { $0.purpose == .tell }.flatMap { intent in
            intent.riders.map { "\($0): \(intent.body("body") ?? "")" }
        }
    }

    @Test("cut off at every line and started again, with the same Martlet, nobody is told twice or never")
    func everyLine() async throws {
        let whole = Scene()
        try await Self.play(whole)
        let reference = Set(Self.read(whole))
        #expect(reference.count == 6)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: whole.path))
        let lines = bytes.split(separator: UInt8(ascii: "\n")).count
        for kept in 1...lines {
            let scene = Scene()
            try await Self.replay(scene, of: bytes, lines: kept)
            let read = Self.read(scene)
            #expect(Set(read).count == read.count, "twice after line \(kept)")
            #expect(Set(read) == reference, "after line \(kept)")
            #expect(scene.martlet.accepted.contains { $0.purpose == .end }, "after line \(kept)")
        }
    }

    /// Martlet has had every request of the lines that were kept, also one whose answer was not written down; then the
    /// backend goes on with the feed at which it was killed.
    private static func replay(_ scene: Scene, of bytes: Data, lines: Int) async throws {
        var kept = Data()
        var feeds = 0
        for line in bytes.split(separator: UInt8(ascii: "\n")).prefix(lines) {
            kept += line + Data("\n".utf8)
            switch JournalLine.record(line) {
            case .intent(let intent): _ = await scene.martlet.send(intent)
            case .feed: feeds += 1
            default: break
            }
        }
        try kept.write(to: URL(fileURLWithPath: scene.path))
        scene.time.withLock { $0 += 1_000 }
        let backend = try await scene.backend()
        for alerts in story.dropFirst(max(0, feeds - 1)) + [story[3]] {
            try await scene.feed(alerts, to: backend)
            try await scene.send(backend)
        }
    }

    @Test("ended after it had written a feed down and before it had planned, it takes the same feed again")
    func feedTwice() async throws {
        let scene = Scene()
        let snapshot = FeedSnapshot(made: 1_774_800_000, alerts: [Scene.alert()])
        do { try StateFile(path: scene.path).append([.feed(made: snapshot.made)]) }
        let backend = try await scene.backend()
        #expect(try await backend.take(snapshot))
        try await scene.send(backend)
        #expect(scene.martlet.accepted.map(\.riders) == [["amira", "ben"]])
        #expect(try await backend.take(snapshot) == false)
    }

    @Test("a broken line in the middle is no torn end: the file is refused, and kept as it is")
    func damaged() async throws {
        let scene = Scene()
        try await Self.play(scene)
        var bytes = try Data(contentsOf: URL(fileURLWithPath: scene.path))
        bytes[bytes.count / 3] ^= 0x20
        try bytes.write(to: URL(fileURLWithPath: scene.path))
        #expect(throws: StateFileError.self) { try StateFile(path: scene.path) }
        #expect(try Data(contentsOf: URL(fileURLWithPath: scene.path)) == bytes)
    }

    @Test("a second process is refused")
    func locked() throws {
        let scene = Scene()
        let first = try StateFile(path: scene.path)
        #expect(throws: StateFileError.self) { try StateFile(path: scene.path) }
        withExtendedLifetime(first) {}
    }

    @Test("a compacted file says the same, and is smaller")
    func compaction() async throws {
        let scene = Scene()
        do {
            let file = try StateFile(path: scene.path)
            file.compactionSize = 20_000
            try file.append([.version(alert: "a", number: 1, fingerprint: "f", severity: .info)])
            for part in 1...500 {
                let intent = Intent(
                    key: "e-a-v1-p\(part)",
                    purpose: .tell,
                    alert: "a",
                    version: 1,
                    riders: ["r"],
                    body: "{}"
                )
                try file.append([.intent(intent)])
                if part < 500 { try file.append([.accepted(key: intent.key, alert: "a", notification: "n")]) }
                if part % 100 == 0 { try file.append([.cancelled(alert: "a")]) }
            }
            #expect(try Data(contentsOf: URL(fileURLWithPath: scene.path)).count < 60_000)
            #expect(file.ledger.pending.count == 1 && file.ledger.alerts["a"]?.parts == 500)
            try file.append([.feed(made: 3)])
        }
        let again = try StateFile(path: scene.path)
        #expect(again.ledger.pending.map(\.key) == ["e-a-v1-p500"])
        #expect(again.ledger.alerts["a"]?.told == ["r": 1] && again.ledger.feedMade == 3)
    }

    @Test("a lost file: another epoch, so that no request is taken for an old one; the dedup key is the same")
    func lost() async throws {
        let scene = Scene()
        try await scene.feed([Scene.alert()], to: try await scene.backend())
        let before = try StateFile(path: scene.path).ledger
        let first = try #require(before.pending.first)
        try FileManager.default.removeItem(atPath: scene.path)
        try await scene.feed([Scene.alert()], to: try await scene.backend())
        let after = try StateFile(path: scene.path).ledger
        let second = try #require(after.pending.first)
        #expect(first.key != second.key)
        #expect(first.body("dedup", "key") == second.body("dedup", "key"))
    }
}
