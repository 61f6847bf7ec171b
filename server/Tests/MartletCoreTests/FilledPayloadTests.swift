import MartletWire
import Testing

@testable import MartletCore

@Suite("A payload with holes")
struct FilledPayloadTests {
    private static let id = PublicID("01890a5d-ac96-774b-bcce-b302099a8057")!  // a literal

    struct Row: Sendable {
        var text: String
        var holes: [Payload.Hole]
        var badge: Int32?
        var filled: String

        init(_ text: String, _ holes: [Payload.Hole], badge: Int32? = nil, _ filled: String) {
            (self.text, self.holes, self.badge, self.filled) = (text, holes, badge, filled)
        }
    }

    static let inAPS = Payload.Hole(.badge, at: 8, before: #""badge":"#, after: ",")

    static let rows: [Row] = [
        Row("{}", [], badge: 3, "{}"),
        Row(#"{"aps":{"sound":"s"}}"#, [inAPS], badge: 3, #"{"aps":{"badge":3,"sound":"s"}}"#),
        Row(#"{"aps":{"sound":"s"}}"#, [inAPS], badge: 0, #"{"aps":{"badge":0,"sound":"s"}}"#),
        Row(#"{"aps":{"sound":"s"}}"#, [inAPS], badge: .max, #"{"aps":{"badge":2147483647,"sound":"s"}}"#),
        // Without a value nothing of the member is there.
        Row(#"{"aps":{"sound":"s"}}"#, [inAPS], #"{"aps":{"sound":"s"}}"#),
        Row(#"{"delivery_id":""}"#, [.init(.deliveryID, at: 16)], #"{"delivery_id":"\#(id)"}"#),
        Row(
            #"{"aps":{"sound":"s"},"delivery_id":""}"#,
            [inAPS, .init(.deliveryID, at: 36)],
            badge: 7,
            #"{"aps":{"badge":7,"sound":"s"},"delivery_id":"\#(id)"}"#
        ),
        // At both ends, and two at one place.
        Row("x", [.init(.badge, at: 0), .init(.badge, at: 1), .init(.badge, at: 1, before: "-")], badge: 1, "1x1-1"),
    ]

    @Test("a value stands in its place with what belongs to it", arguments: rows)
    func filled(row: Row) {
        let payload = Payload(Array(row.text.utf8), holes: row.holes)
        let filled = payload.filled(badge: row.badge, deliveryID: Self.id)
        #expect(String(decoding: filled, as: UTF8.self) == row.filled)
        #expect(filled.count <= payload.largestCount)
    }

    @Test("the device and the time that is left stand in their places")
    func target() {
        let holes: [Payload.Hole] = [
            .init(.target, at: 12, after: ","), .init(.timeToLive, at: 23, before: #""ttl":""#, after: #"s""#),
        ]
        let payload = Payload(Array(#"{"message":{"android":{}}}"#.utf8), holes: holes)
        let filled = payload.filled(badge: nil, deliveryID: Self.id, target: #""token":"t""#, secondsToLive: 60)
        #expect(
            String(decoding: filled, as: UTF8.self) == #"{"message":{"token":"t","android":{"ttl":"60s"}}}"#
        )
        #expect(filled.count <= payload.largestCount)
        let none = payload.filled(badge: nil, deliveryID: Self.id)
        #expect(String(decoding: none, as: UTF8.self) == #"{"message":{"android":{}}}"#)
    }

    @Test("no filling is larger than the largest count, which the largest values reach")
    func largest() {
        for row in Self.rows {
            let payload = Payload(Array(row.text.utf8), holes: row.holes)
            #expect(payload.filled(badge: .max, deliveryID: Self.id).count == payload.largestCount)
        }
    }
}
