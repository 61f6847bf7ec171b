import Foundation
import PushNotificationSDKCore
import PushNotificationSDKTesting
import Testing

@Suite(.timeLimit(.minutes(1))) struct MailboxTests {
    let mailbox = Mailbox<Int>()
    let seen = Journal<Int>()

    @Test func messagesAreHandedOverOnTheMainQueueInOrder() async {
        let places = Journal<Bool>()
        mailbox.handler = { [seen] number in
            seen.add(number)
            places.add(MainQueue.isCurrent)
        }
        await onAnotherThread { for number in 0..<20 { mailbox.post(number) } }
        #expect(await seen.wait(for: 20) == Array(0..<20))
        #expect(places.entries.allSatisfy { $0 })
    }

    @Test func whatArrivesBeforeAHandlerIsReplayedOnce() async {
        mailbox.post(1)
        mailbox.post(2)
        await MainQueue.drain()
        mailbox.handler = { [seen] in seen.add($0) }
        #expect(await seen.wait(for: 2) == [1, 2])
        mailbox.handler = { [seen] in seen.add($0 * 10) }
        mailbox.post(3)
        #expect(await seen.wait(for: 3) == [1, 2, 30])
    }

    @Test func theOldestAreDroppedBeyondTheBound() async {
        let mailbox = Mailbox<Int>(bound: 3)
        for number in 0..<10 { mailbox.post(number) }
        mailbox.handler = { [seen] in seen.add($0) }
        #expect(await seen.wait(for: 3) == [7, 8, 9])
    }

    @MainActor
    @Test("with a handler a burst is handed over whole, while the main thread is busy")
    func bursts() async {
        let mailbox = Mailbox<Int>(bound: 3)
        mailbox.handler = { [seen] in seen.add($0) }
        // The test holds the main thread until it waits.
        for number in 0..<500 { mailbox.post(number) }
        #expect(await seen.wait(for: 500) == Array(0..<500))
    }

    @Test("whoever waits for a handler is told when there is none, and when it is taken away")
    func nobodyWaitsForever() async {
        let told = Journal<String>()
        mailbox.post(1) { told.add("none") }
        #expect(await told.wait(for: 1) == ["none"])
        mailbox.handler = { [mailbox, seen] number in
            seen.add(number)
            mailbox.handler = nil
        }
        mailbox.post(2) { told.add("two") }
        mailbox.post(3) { told.add("three") }
        #expect(Set(await told.wait(for: 3)) == ["none", "two", "three"])
        await MainQueue.drain()
        #expect(seen.entries == [1])
    }

    @Test func aHandlerMayPostAndReplaceItselfWhileItIsCalled() async {
        mailbox.handler = { [mailbox, seen] number in
            seen.add(number)
            if number == 1 { mailbox.post(2) }
            mailbox.handler = { [seen] in seen.add($0 * 10) }
        }
        mailbox.post(1)
        #expect(await seen.wait(for: 2) == [1, 20])
    }

    @Test("a handler that causes the next message each time leaves the main thread to others in between")
    func aHandlerThatCausesItsOwnMessages() async {
        let others = Journal<Int>()
        mailbox.handler = { [mailbox, seen] number in
            seen.add(number)
            if number == 0 { DispatchQueue.main.async { others.add(seen.entries.count) } }
            // Were it endless, a mailbox that never lets go would hang the test instead of failing it.
            if number < 100 { mailbox.post(number + 1) }
        }
        mailbox.post(0)
        #expect(await seen.wait(for: 101) == Array(0...100))
        #expect(await others.wait(for: 1) == [1])
    }

    @Test func theOldHandlerIsLetGo() async {
        final class Owner: Sendable {}
        weak var weakOwner: Owner?
        do {
            let owner = Owner()
            weakOwner = owner
            mailbox.handler = { _ in _ = owner }
        }
        #expect(weakOwner != nil)
        mailbox.handler = nil
        #expect(weakOwner == nil)
    }

    @MainActor
    @Test("a handler that is bound to the main thread may be called from anywhere")
    func mainActorHandlers() async {
        final class Screen {
            var shown: [Int] = []
        }
        let screen = Screen()
        let box = mailbox
        // Swift 6 takes this closure for one of the main actor and stops the program where it is called elsewhere.
        box.handler = { [seen] number in
            screen.shown.append(number)
            seen.add(number)
        }
        await onAnotherThread { for number in 0..<5 { box.post(number) } }
        _ = await seen.wait(for: 5)
        #expect(screen.shown == Array(0..<5))
    }

    @Test("1,000 messages from eight threads are each handed over once")
    func manyThreads() async {
        let mailbox = Mailbox<Int>(bound: 1000)
        let seen = seen
        await withTaskGroup(of: Void.self) { group in
            for thread in 0..<8 {
                group.addTask {
                    for number in 0..<125 {
                        mailbox.post(thread * 125 + number)
                        if number == 60 { mailbox.handler = { seen.add($0) } }
                    }
                }
            }
        }
        #expect(await seen.wait(for: 1000).sorted() == Array(0..<1000))
    }
}
