import MartletWire
import Testing

@testable import MartletCore

@Suite struct NotificationIDsTests {
    private static let now = Timestamp(milliseconds: 1_750_000_000_000)

    @Test("an id begins with its key's bits, and is a UUID of version 7 of its millisecond")
    func roundTrip() {
        let ids = NotificationIDs()
        for _ in 0..<1_000 {
            let id = ids.next(at: Self.now)
            #expect(PublicID(key: id.key).key == id.key)
            #expect(id.bytes[6] >> 4 == 7 && id.bytes[8] >> 6 == 2)
        }
        let moment = ids.next(at: Self.now).bytes.prefix(6).reduce(Int64(0)) { $0 << 8 | Int64($1) }
        #expect(abs(moment - Self.now.rawValue) <= 1)
    }

    @Test("keys increase while the clock stands and while it is set back a little")
    func increases() {
        let ids = NotificationIDs()
        let clocks = [0, 0, 0, -10, 1, -59_000, 2].map { Self.now + .milliseconds($0) }
        let keys = clocks.map { ids.nextKey(at: $0) }
        #expect(keys == keys.sorted() && Set(keys).count == keys.count)
        #expect(PublicID(key: keys[6]) > PublicID(key: keys[0]))
    }

    @Test("after a clock that was far ahead keys are of the present again")
    func farAhead() {
        let ids = NotificationIDs()
        let far = ids.nextKey(at: Self.now + .seconds(86_400 * 365))
        #expect(ids.nextKey(at: Self.now) < far)
    }

    @Test("a UUID of somebody else's has some key too")
    func foreign() throws {
        for text in ["ffffffff-ffff-ffff-ffff-ffffffffffff", "00000000-0000-0000-0000-000000000000"] {
            let id = try #require(PublicID(text))
            // Whatever it is: no arithmetic traps.
            #expect(id.key != 0)
        }
    }
}
