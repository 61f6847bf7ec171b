import Foundation
import MartletWire
import PushNotificationSDKTesting
import Testing

@testable import PushNotificationSDKCore

@Suite("What is counted once") struct OnceTests {
    @Test("an entry is new once, in later launches too") func persists() {
        let storage = MemoryStore()
        let ledger = OnceLedger(storage, key: "k")
        #expect(ledger.insert("a"))
        #expect(!ledger.insert("a"))
        let later = OnceLedger(storage, key: "k")
        #expect(later.contains("a"))
        #expect(!later.insert("a"))
        #expect(later.insert("b"))
    }

    @Test("the oldest of 1,000 entries is forgotten first") func bounded() {
        let storage = MemoryStore()
        let ledger = OnceLedger(storage, key: "k")
        for number in 0...1000 { ledger.insert("\(number)") }
        #expect(!ledger.contains("0"))
        #expect(ledger.contains("1"))
        #expect(storage.values["k"]?.count == 8000)
    }

    @Test("what was entered before the first unlock joins what was stored") func locked() {
        let storage = MemoryStore()
        OnceLedger(storage, key: "k").insert("a")
        storage.lock(true)
        let ledger = OnceLedger(storage, key: "k")
        #expect(ledger.insert("b"))
        storage.lock(false)
        #expect(!ledger.insert("a"))
        #expect(OnceLedger(storage, key: "k").contains("b"))
    }

    @Test("a torn value is no crash", arguments: [1, 7, 9, 8001]) func torn(length: Int) throws {
        let storage = MemoryStore()
        try storage.set(Data(repeating: 1, count: length), for: "k")
        #expect(OnceLedger(storage, key: "k").insert("a"))
    }

    @Test("ids of what is counted once are the same everywhere and differ by every part") func ids() {
        let id = EventIdentity.once("delivery m1", installationID: "i")
        #expect(id == EventIdentity.once("delivery m1", installationID: "i"))
        #expect(id != EventIdentity.once("delivery m2", installationID: "i"))
        #expect(id != EventIdentity.once("open m1", installationID: "i"))
        #expect(id != EventIdentity.once("delivery m1", installationID: "j"))
        // Version 8 of RFC 9562.
        #expect(id.uuid.6 >> 4 == 8)
        #expect(id.uuid.8 >> 6 == 2)
    }
}
