import Foundation
import MartletWire
import PushNotificationSDKCore
import PushNotificationSDKTesting
import Testing

@Suite("What an answer means for a batch") struct UploadAnswerTests {
    private let martlet = MartletDestination { nil }

    private func meaning(_ answer: HTTPAnswer?, count: Int = 1) -> UploadAnswer {
        UploadAnswer(answer, of: martlet, count: count, now: Sample.noon)
    }

    @Test("no answer, 408, 425, 429 and 5xx are tried again", arguments: [nil, 408, 425, 429, 500, 502, 503, 599])
    func again(status: Int?) {
        #expect(meaning(status.map { HTTPAnswer(status: $0) }) == .again(after: nil))
    }

    @Test(
        "Retry-After is read as seconds and as a date",
        arguments: [
            ("7", 7000), ("0", 0), ("Sun, 01 Mar 2026 12:00:30 GMT", 30_000), ("Sun, 01 Mar 2026 11:00:00 GMT", 0),
            ("soon", nil), ("-1", nil), ("", nil),
        ] as [(String, Int64?)]
    )
    func retryAfter(text: String, milliseconds: Int64?) {
        let answer = HTTPAnswer(status: 429, headers: ["Retry-After": text])
        #expect(meaning(answer) == .again(after: milliseconds))
    }

    @Test("a batch that cannot be read is taken apart", arguments: [400, 413]) func bisect(status: Int) {
        #expect(meaning(HTTPAnswer(status: status)) == .bisect)
    }

    @Test("everything else stops", arguments: [301, 401, 403, 404, 405, 415, 422]) func stop(status: Int) {
        let answer = HTTPAnswer.error(status, .unauthorized, "Not you.")
        #expect(meaning(answer) == .stop(status: status, message: "Not you."))
    }

    @Test("a stop without the server's words has words of its own") func stopWithoutBody() {
        #expect(meaning(HTTPAnswer(status: 401)) == .stop(status: 401, message: "The events were not taken."))
    }

    @Test("receipts are read by position") func receipts() {
        let failure = EventReceipt.Failure(name: "RecordTooLargeError", description: "")
        let answer = HTTPAnswer.json(200, EventsResponse(receipts: [.kept, .refused(failure)]))
        #expect(meaning(answer, count: 2) == .receipts([.kept, .refused("RecordTooLargeError")]))
    }

    @Test("a 200 that is no answer to this batch is tried again", arguments: ["", "<html>", #"{"receipts":[]}"#])
    func foreign(body: String) {
        #expect(meaning(HTTPAnswer(status: 200, body: Data(body.utf8))) == .again(after: nil))
    }

    @Test("Treasure Data's three permanent errors are final, others are not") func treasureData() throws {
        let found = try TreasureDataSettings(["TDWriteKey": "1/abc"])
        let settings = try #require(found)
        let destination = TreasureDataDestination(settings, timeout: 30)
        let names = [
            "InvalidCollectionNameError", "InvalidPropertyNameError", "InvalidPropertyValueError",
            "InternalServerError",
        ]
        let receipts = names.map { EventReceipt.refused(.init(name: $0, description: "")) }
        let answer = HTTPAnswer.json(200, EventsResponse(receipts: [.kept] + receipts))
        let verdicts = destination.receipts(answer, count: 5)
        #expect(verdicts == [.kept] + names.prefix(3).map { .refused($0) } + [.later])
    }
}
