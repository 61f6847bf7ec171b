import Foundation
import MartletTransport
import NIOCore
import Testing

@testable import MartletSimulator

@Suite("Received pushes")
struct ReceivedLogTests {
    private func packed(
        _ device: String = Account.device,
        method: String = "POST",
        headers: [HTTP2Header] = [],
        body: String = "{}",
        answerID: String? = nil,
        outcome: ReceivedOutcome = .answered,
        status: Int = 200,
        reason: String? = nil
    ) -> PackedPush {
        PackedPush(
            HTTP2ServerRequest(
                method: method,
                path: "/3/device/\(device)",
                headers: headers,
                body: ByteBuffer(string: body)
            ),
            keyID: "ABC123DEFG",
            answerID: answerID,
            time: 17,
            connection: 3,
            stream: 5,
            environment: .sandbox,
            outcome: outcome,
            status: status,
            reason: reason
        )
    }

    @Test("packing keeps everything but the provider token")
    func packs() throws {
        let push = packed(
            headers: [
                HTTP2Header("authorization", "bearer secret.secret.secret"), HTTP2Header("apns-topic", "a.b"),
                HTTP2Header("x-own", "1"), HTTP2Header("x-own", "2"), HTTP2Header("user-agent", ""),
            ],
            body: #"{"aps":{"badge":3,"x":[1.5,null,true,17055628018016613580]}}"#,
            answerID: "id-1",
            status: 410,
            reason: "Unregistered"
        ).unpacked()
        #expect(push.token == Account.device)
        #expect(push.method == "POST")
        #expect(
            push.headers == [
                "authorization": "bearer (key ABC123DEFG)", "apns-topic": "a.b", "x-own": "1, 2", "user-agent": "",
            ]
        )
        #expect(push.payload?["aps"]?["badge"] == .integer(3))
        let large = try #require(Decimal(string: "17055628018016613580"))
        #expect(push.payload?["aps"]?["x"] == .array([.number(1.5), .null, .bool(true), .decimal(large)]))
        #expect(push.payloadBytes == 60)
        #expect(push.apnsID == "id-1")
        #expect((push.time, push.connection, push.stream) == (17, 3, 5))
        #expect((push.status, push.reason) == (410, "Unregistered"))
        #expect((push.environment, push.outcome) == (.sandbox, .answered))
    }

    @Test("what is not JSON is kept as text, and other methods are named")
    func packsOddities() {
        let push = packed("zz", method: "GET", body: #"{"aps"#, outcome: .hung).unpacked()
        #expect(push.method == "GET")
        #expect(push.path == "/3/device/zz")
        #expect(push.payload == nil)
        #expect(push.payloadText == #"{"aps"#)
        #expect(push.status == nil)
        #expect(push.apnsID == nil)
    }

    @Test("a header is found without unpacking")
    func findsHeader() {
        let push = packed(headers: [HTTP2Header("accept", "*/*"), HTTP2Header("apns-topic", "a.b")])
        #expect(push.header("apns-topic") == "a.b")
        #expect(push.header("apns-id") == nil)
    }

    @Test("the log drops the oldest, counts all, and numbers go on")
    func ring() {
        var log = RecordLog<PackedPush>(limit: 3)
        func seqs(after: Int = 0, count: Int = 10) -> [Int] {
            log.packed(after: after, count: count) { _ in true }.map(\.seq)
        }
        #expect(seqs().isEmpty)
        for status in [200, 200, 410, 200, 503] {
            log.append(packed(status: status, reason: status == 200 ? nil : "R\(status)"))
        }
        log.append(packed(outcome: .hung, status: 0))
        #expect(seqs() == [4, 5, 6])
        #expect(seqs(after: 5) == [6])
        #expect(seqs(after: 6).isEmpty)
        #expect(seqs(count: 2) == [4, 5])
        #expect(log.counts.total == 6)
        #expect(log.counts.kept == 3)
        #expect(log.counts.byStatus == ["200": 3, "410": 1, "503": 1])
        #expect(log.counts.byReason == ["R410": 1, "R503": 1])
        #expect(log.counts.byOutcome == ["answered": 5, "hung": 1])
        log.removeAll()
        #expect(log.counts.total == 0)
        #expect(seqs().isEmpty)
        for _ in 0..<4 { log.append(packed()) }
        #expect(seqs() == [8, 9, 10])
    }
}
