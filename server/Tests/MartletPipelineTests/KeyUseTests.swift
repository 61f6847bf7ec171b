import MartletCore
import MartletWire
import Testing

@testable import MartletPipeline

@Suite("When keys are used and expire") struct KeyUseTests {
    private let start = Timestamp(milliseconds: 1_800_000_000_000)

    private func use(_ key: Int64, after seconds: Int64 = 0) -> KeyUse {
        KeyUse(.api(RowID(key)), at: start + .seconds(seconds))
    }

    @Test("a use is written once, and the next one ten minutes later")
    func interval() {
        var notes = KeyUseNotes()
        for second in [0, 1, 599] { notes.note(use(1, after: Int64(second)), last: nil) }
        #expect(notes.take() == [use(1)])
        #expect(notes.take() == [])
        notes.note(use(1, after: 599), last: nil)
        #expect(notes.take() == [])
        notes.note(use(1, after: 600), last: nil)
        #expect(notes.take() == [use(1, after: 600)])
    }

    @Test("keys of both kinds are told apart")
    func kinds() {
        var notes = KeyUseNotes()
        let access = KeyUse(.access(RowID(1)), at: start)
        notes.note(use(1), last: nil)
        notes.note(access, last: nil)
        notes.note(use(2), last: nil)
        #expect(notes.take() == [use(1), access, use(2)])
    }

    @Test("what another process wrote shortly before is not written again, and a clock that goes back writes nothing")
    func written() {
        var notes = KeyUseNotes()
        notes.note(use(1), last: start - .seconds(599))
        notes.note(use(2), last: start + .seconds(60))
        #expect(notes.take() == [])
        notes.note(use(1), last: start - .seconds(600))
        #expect(notes.take() == [use(1)])
    }

    @Test("however many keys are used, what is noted has an end")
    func bounded() {
        var notes = KeyUseNotes()
        let count = Int64(KeyUseNotes.limit)
        for key in 1...(count + 10) { notes.note(use(key), last: nil) }
        #expect(notes.take().count == Int(count))
        notes.note(use(count + 10), last: nil)
        #expect(notes.take() == [use(count + 10)])
    }

    @Test("a key expires in the future, and from that moment on has expired")
    func expiry() throws {
        for moment in [start, start - .seconds(1)] {
            let refusal = #expect(throws: Failure.self) { try KeyExpiry(moment, now: start) }
            #expect(refusal?.detail.field == "expires_at")
        }
        var key = APIKey(
            row: RowID(1),
            id: PublicID(high: 1, low: 1),
            app: nil,
            scope: .send,
            name: "",
            prefix: "",
            createdAt: start,
            revokedAt: nil
        )
        #expect(!key.isExpired(at: start))
        key.expiresAt = try KeyExpiry(start + .seconds(1), now: start).moment
        #expect(!key.isExpired(at: start + .milliseconds(999)) && key.isExpired(at: start + .seconds(1)))
    }
}
