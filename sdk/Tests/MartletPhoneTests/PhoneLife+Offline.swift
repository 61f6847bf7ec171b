import Dispatch
import Foundation
import MartletPhone
import MartletWire
import PushNotificationSDKCore
import PushNotificationSDKTesting

/// What is recorded without a network, in the order in which it is.
struct PhoneLifeStretch {
    typealias Deed = PhoneLifeInstall.Deed

    /// The most events that wait.
    let bound: Int
    /// Everything that was recorded, oldest first, whether it still waits or not.
    private(set) var recorded: [Deed] = []
    /// What the service extension left for the app, oldest first.
    private var spooled: [Deed] = []
    private var known: Set<Deed> = []

    init(bound: Int, waiting: [Deed]) {
        self.bound = bound
        for deed in waiting { happened(deed) }
    }

    /// How many wait.
    var waiting: Int { min(bound, recorded.count) }
    /// How many had to make room.
    var dropped: Int { recorded.count - waiting }

    mutating func happened(_ deed: Deed) {
        if known.insert(deed).inserted { recorded.append(deed) }
    }

    mutating func isSpooled(_ deed: Deed) { spooled.append(deed) }

    /// The app looks at what the extension left.
    mutating func isCollected() {
        for deed in spooled { happened(deed) }
        spooled = []
    }
}

/// A long time without a network: the queue fills, and the oldest events make room for newer ones.
extension PhoneLife {
    /// The bound that the guide names, which holds where none is configured.
    private static let ownBound = 1000

    func liveOffline() async {
        await end { await phone.kill() }
        network.turn(on: false)
        server.disconnect()
        await clear()
        history.append("offline")
        // Where the SDK's own bound holds, an earlier time without a network has filled the queue already.
        let earlier = bound == nil ? fill(Self.ownBound - Int.random(in: 0...3, using: &random)) : []
        stretch = PhoneLifeStretch(bound: bound ?? Self.ownBound, waiting: earlier)
        await settle { await launch() }
        let surplus = Int.random(in: 1...12, using: &random)
        var number = 0
        while let stretch, stretch.dropped < surplus, problems.isEmpty {
            number += 1
            clock.advance(by: 10)
            await settle { await stepOffline(number) }
        }
        // In front, so that nothing is left in the app group for when the queue is emptied.
        await settle { await launch() }
        // What is on its way when it has to make room would arrive all the same.
        await app.flush()
        guard let stretch else { return }
        self.stretch = nil
        install.filled(
            stretch.recorded.dropFirst(stretch.dropped),
            dropping: stretch.recorded.prefix(stretch.dropped)
        )
        await upload()
    }

    /// Uploads what waits before there is a registration, whose event would need room too.
    private func upload() async {
        network.turn(on: true)
        (server.isWell, server.registers) = (true, false)
        defer { (server.isWell, server.registers) = (false, true) }
        let deadline = DispatchTime.now() + 30
        while app.waitingEvents > 0, DispatchTime.now() < deadline {
            clock.advance(by: 60_000)
            await app.flush()
            await Task.yield()
        }
    }

    /// Each message comes once: what was counted long ago does not matter here.
    private func stepOffline(_ number: Int) async {
        switch Int.random(in: 0..<16, using: &random) {
        case 0..<5: await push("o\(number)")
        case 5..<10: await act(.tap)
        case 10: await act(.dismissal)
        case 11: await act(.button(Bool.random(using: &random) ? "CONFIRM" : "LATER"))
        case 12: await pushSilently("q\(number)")
        case 13: becomeAnotherUser()
        case 14: await goHome()
        default: await kill()
        }
    }

    /// Lets something happen, and waits until the app has recorded what it must: no event more, and none less.
    private func settle(_ happens: () async -> Void) async {
        let wasInFront = phone.state == .foreground
        await happens()
        guard let recorder = app.client?.recorder else { return }
        recorder.collect()
        stretch?.isCollected()
        if phone.state == .foreground, !wasInFront {
            for notification in phone.notifications { stretch?.happened(.delivery(notification.id)) }
        }
        guard let stretch else { return }
        let dropped = install.dropped + stretch.dropped
        let deadline = DispatchTime.now() + 30
        while app.waitingEvents != stretch.waiting || app.droppedEvents != dropped {
            guard DispatchTime.now() < deadline else {
                return problems.append(
                    """
                    \(app.waitingEvents) events wait and \(app.droppedEvents) were dropped, \
                    not \(stretch.waiting) and \(dropped)
                    """
                )
            }
            await Task.yield()
        }
    }

    /// Puts events into the queue on the phone's disk, as an earlier process of the app left them there.
    private func fill(_ count: Int) -> [Deed] {
        let folder = disk.folder.appendingPathComponent("installs/\(installs.count)/app")
        let storage = FileStore(
            folder: folder.appendingPathComponent("Library/Application Support/martlet"),
            files: PhoneFiles(disk: PhoneDisk(), gate: ProcessGate())
        )
        var context = EventContext()
        context.userID = install.user
        let messages = (0..<count).map { "p\($0)" }
        let events = messages.map { message in
            PushEvent(
                id: UUID(),
                type: .delivery,
                time: clock.now,
                message: MessageReference(messageID: message),
                context: context
            )
        }
        EventStore(storage).append(contentsOf: events)
        return messages.map { .delivery($0) }
    }
}
