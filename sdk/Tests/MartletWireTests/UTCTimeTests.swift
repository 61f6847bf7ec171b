import Foundation
import MartletWire
import Testing

@Suite("A moment on the wire")
struct UTCTimeTests {
    static let texts: [(String, Int64)] = [
        ("1970-01-01T00:00:00Z", 0), ("1970-01-01T00:00:00.001Z", 1), ("2000-02-29T23:59:59.999Z", 951_868_799_999),
        ("2026-03-01T12:00:00+09:00", 1_772_334_000_000), ("2026-03-01t12:00:00z", 1_772_366_400_000),
        ("2026-03-01T12:00:00.1239999-00:30", 1_772_368_200_123), ("9999-12-31T23:59:59Z", 253_402_300_799_000),
    ]

    @Test("is read from RFC 3339", arguments: texts)
    func reads(text: String, milliseconds: Int64) {
        #expect(UTCTime(text)?.milliseconds == milliseconds)
    }

    static let broken = [
        "", "now", "2026-03-01", "2026-03-01T12:00:00", "2026-13-01T00:00:00Z", "2026-02-29T00:00:00Z",
        "2026-03-01T24:00:00Z", "2026-03-01T00:60:00Z", "2026-03-01T00:00:60Z", "2026-03-01T00:00:00.Z",
        "2026-03-01 00:00:00Z", "1969-12-31T23:59:59Z", "2026-03-01T00:00:00+9:00", "2026-03-01T00:00:00Z ",
        "+026-03-01T00:00:00Z", "9999-12-31T23:59:59-00:01",
    ]

    @Test("is refused when it is not RFC 3339", arguments: broken)
    func refuses(_ text: String) {
        #expect(UTCTime(text) == nil)
    }

    @Test("is written as Foundation writes it, for every day of 130 years")
    func writes() throws {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        for day in stride(from: Int64(0), to: 47_500, by: 1) {
            let time = UTCTime(milliseconds: day * 86_400_000 + day * 1_817 % 86_400_000)
            let date = Date(timeIntervalSince1970: Double(time.milliseconds / 1000))
            let expected = date.formatted(style).prefix(19)
            #expect(time.description.prefix(19) == expected)
            #expect(UTCTime(time.description) == time)
        }
    }
}
