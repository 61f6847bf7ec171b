import Foundation
import PushNotificationSDKCore
import Testing

@Suite("The service extension's spool") final class EventSpoolTests {
    private let container = Sample.folder()
    private var spool: EventSpool { EventSpool(container: container, app: Sample.app) }
    private var earlier: URL { container.appendingPathComponent("martlet-events") }
    private var folder: URL { earlier.appendingPathComponent(Sample.app) }

    deinit { try? FileManager.default.removeItem(at: container) }

    private func files() -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    }

    private func drain() -> (events: [PushEvent], damaged: Int, refusals: [String]) {
        var events: [PushEvent] = []
        var refusals: [String] = []
        let damaged = spool.drain({ events += $0.map(\.event) }, refused: { refusals.append($0) })
        return (events, damaged, refusals)
    }

    @Test("events are handed over oldest first, and their files are gone") func order() throws {
        for number in [3, 1, 2] { try spool.write(Sample.event(number)) }
        #expect(drain().events == [1, 2, 3].map { Sample.event($0) })
        #expect(files().isEmpty)
        #expect(drain().events.isEmpty)
    }

    @Test("the same event twice is one file") func same() throws {
        try spool.write(Sample.event())
        try spool.write(Sample.event())
        #expect(files().count == 1)
    }

    @Test("what is no event is counted, deleted and no obstacle") func damaged() throws {
        try spool.write(Sample.event())
        try Data("{".utf8).write(to: folder.appendingPathComponent("0-x.event"))
        let drained = drain()
        #expect(drained.events == [Sample.event()])
        #expect(drained.damaged == 1)
        #expect(files().isEmpty)
    }

    @Test("a file that cannot be read now stays") func unreadable() throws {
        try spool.write(Sample.event())
        // A folder is there and cannot be read as a file, as a protected file is before the first unlock.
        let locked = folder.appendingPathComponent("0-locked.event")
        try FileManager.default.createDirectory(at: locked, withIntermediateDirectories: true)
        #expect(drain().events.count == 1)
        #expect(files() == ["0-locked.event"])
    }

    @Test("of more than 1,000 files the oldest are removed") func bound() throws {
        for event in Sample.events(1003) { try spool.write(event) }
        #expect(drain().events == Array(Sample.events(1003).suffix(1000)))
    }

    @Test("the extension learns who the install is") func context() throws {
        #expect(spool.context() == EventContext())
        try spool.write(Sample.context)
        #expect(spool.context() == Sample.context)
        #expect(drain().events.isEmpty)
        #expect(spool.context() == Sample.context)
    }

    @Test("why an attachment was not shown reaches the app") func refusal() throws {
        try spool.write(refusal: .tooLarge(.image), time: 1)
        let drained = drain()
        #expect(drained.refusals == [AttachmentRefusal.tooLarge(.image).reason])
        #expect(drained.damaged == 0)
        #expect(files().isEmpty)
    }

    @Test("without a folder there is nothing, and no crash") func missing() {
        spool.takeOver(of: Sample.installation)
        #expect(drain().events.isEmpty)
    }

    @Test("what an earlier version left for this installation is taken over, and nothing of it stays behind")
    func takesOver() throws {
        try Sample.earlierSpool(in: container) { earlier in
            try earlier.write(Sample.context)
            try earlier.write(ExtensionAccess(server: "s", installationSecret: "secret"))
            for number in 1...2 { try earlier.write(Sample.event(number)) }
            earlier.setUploaded(Sample.event(2))
            try earlier.write(refusal: .address, time: 1)
        }
        spool.takeOver(of: Sample.installation)
        #expect(spool.context() == Sample.context)
        #expect(spool.access() == ExtensionAccess(server: "s", installationSecret: "secret"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: earlier.path) == [Sample.app])
        var uploaded: [Bool] = []
        var refusals: [String] = []
        _ = spool.drain({ uploaded = $0.map(\.isUploaded) }, refused: { refusals.append($0) })
        #expect(uploaded == [false, true])
        #expect(refusals == [AttachmentRefusal.address.reason])
    }

    @Test(
        "what an earlier version left, and may be another app's, is not taken over: it goes with the context, or stays",
        arguments: ["another context", "another event", "nobody's event", "another folder"]
    )
    func leavesOthers(what: String) throws {
        var other = Sample.context
        other.installationID = "0195d5a0-7b1c-7c3d-8e4f-001122334466"
        let isOther = what == "another context"
        try Sample.earlierSpool(in: container) { earlier in
            try earlier.write(isOther ? other : Sample.context)
            try earlier.write(ExtensionAccess(server: "s", installationSecret: "secret"))
            try earlier.write(Sample.event(1))
            var event = Sample.event(2)
            if what == "another event" { event.context = other }
            if what == "nobody's event" { event.context = EventContext() }
            try earlier.write(event)
        }
        if what == "another folder" {
            try EventSpool(container: container, app: "com.example.other").write(Sample.event(3))
        }
        spool.takeOver(of: Sample.installation)
        #expect(drain().events.isEmpty)
        let left = try FileManager.default.contentsOfDirectory(atPath: earlier.path)
        // Nobody would find it without the context.
        #expect(left.filter { $0.hasSuffix(".event") }.count == (isOther ? 2 : 0))
        // The secret is that of whoever wrote last, and not for the extension of another app.
        #expect(left.contains("access") == isOther && left.contains("context") == isOther)
        #expect(spool.context() == (isOther ? EventContext() : Sample.context))
        // Where another app was there last, what names this installation goes when the device is forgotten.
        spool.removeEarlier(of: Sample.installation)
        let names = try FileManager.default.contentsOfDirectory(atPath: earlier.path)
        #expect(!names.contains { $0.hasSuffix(".event") } && names.contains("context") == isOther)
    }

    @Test("what names another installation stays where a device is forgotten") func removesItsOwn() throws {
        var other = Sample.event(2)
        other.context.installationID = "0195d5a0-7b1c-7c3d-8e4f-001122334466"
        try Sample.earlierSpool(in: container) { earlier in
            for event in [Sample.event(1), other] { try earlier.write(event) }
        }
        spool.removeEarlier(of: Sample.installation)
        let names = try FileManager.default.contentsOfDirectory(atPath: earlier.path)
        #expect(names.count == 1 && names.first?.contains(other.id.uuidString) == true)
    }
}
