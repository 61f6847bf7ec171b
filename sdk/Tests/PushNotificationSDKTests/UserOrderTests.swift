import Foundation
import PushNotificationSDKCore
import PushNotificationSDKTesting
import Testing

@Suite(.timeLimit(.minutes(1))) struct UserOrderTests {
    @Test("of two threads that log in at the same time, memory and disk keep the same user")
    func memoryAndDiskAgree() async {
        let storage = WatchedStore()
        let identity = Identity(storage: storage, clock: ManualClock())
        let isOver = Locked(false)
        let ended = Journal<Void>()
        // The second login comes while the first one's user is being written.
        storage.atNextWrite { _, _ in
            Thread.detachNewThread {
                identity.set(.somebody("second", isSigned: false))
                isOver.with { $0 = true }
                ended.add(())
            }
            while identity.userID != "second" { sched_yield() }
            // Its own write would be the earlier one if nothing held it back; where something does, it waits for this one.
            for _ in 0..<10_000 where !isOver.with({ $0 }) { sched_yield() }
        }
        await onAnotherThread { identity.set(.somebody("first", isSigned: false)) }
        _ = await ended.wait(for: 1)
        #expect(identity.userID == "second")
        #expect(Identity(storage: storage, clock: ManualClock()).userID == "second")
    }
}
