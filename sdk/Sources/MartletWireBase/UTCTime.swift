/// A moment on the wire: RFC 3339 in UTC with milliseconds, such as `2026-03-01T12:00:00.000Z`.
///
/// Any offset and any number of fraction digits are read; what lies below a millisecond is dropped.
public struct UTCTime: Sendable, Hashable {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    public var milliseconds: Int64

    /// A moment by its milliseconds since 1970.
    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// Reads the `date-time` of RFC 3339, section 5.6; `nil` when the text is not one, or its
    /// year in UTC is not between 1970 and 9999.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard (20...40).contains(bytes.count), bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
            bytes[10] | 0x20 == UInt8(ascii: "t"), bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"),
            let year = Self.number(bytes[0..<4]), let month = Self.number(bytes[5..<7]),
            let day = Self.number(bytes[8..<10]), let hour = Self.number(bytes[11..<13]),
            let minute = Self.number(bytes[14..<16]), let second = Self.number(bytes[17..<19]),
            year >= 1970, (1...12).contains(month), (1...Self.days(of: month, year: year)).contains(day),
            hour < 24, minute < 60, second < 60
        else { return nil }
        var rest = bytes[19...]
        var fraction: Int64 = 0
        if rest.first == UInt8(ascii: ".") {
            let digits = rest.dropFirst().prefix { (0x30...0x39).contains($0) }
            guard !digits.isEmpty else { return nil }
            let thousandths = Array(digits.prefix(3)) + Array(repeating: 0x30, count: max(0, 3 - digits.count))
            fraction = Int64(Self.number(thousandths[...]) ?? 0)
            rest = rest[digits.endIndex...]
        }
        guard let offset = Self.offset(rest) else { return nil }
        let day64 = Int64(Self.dayNumber(year: year, month: month, day: day))
        let clock = Int64(hour * 3600 + minute * 60 + second) - Int64(offset * 60)
        milliseconds = (day64 * 86_400 + clock) * 1000 + fraction
        guard (0...Self.last).contains(milliseconds) else { return nil }
    }

    /// The last millisecond whose year has four digits, as RFC 3339 wants it: 9999-12-31T23:59:59.999Z.
    private static let last: Int64 = 253_402_300_799_999

    /// Minutes east of UTC, from `Z` or `+hh:mm`.
    private static func offset(_ text: ArraySlice<UInt8>) -> Int? {
        let bytes = Array(text)
        if bytes.count == 1 { return bytes[0] | 0x20 == UInt8(ascii: "z") ? 0 : nil }
        guard bytes.count == 6, bytes[3] == UInt8(ascii: ":"), let hours = number(bytes[1..<3]),
            let minutes = number(bytes[4..<6]), hours < 24, minutes < 60
        else { return nil }
        switch bytes[0] {
        case UInt8(ascii: "+"): return hours * 60 + minutes
        case UInt8(ascii: "-"): return -(hours * 60 + minutes)
        default: return nil
        }
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        var value = 0
        for digit in digits {
            guard (0x30...0x39).contains(digit) else { return nil }
            value = value * 10 + Int(digit - 0x30)
        }
        return value
    }

    private static func days(of month: Int, year: Int) -> Int {
        switch month {
        case 2: year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Days since 1970-01-01 in the proleptic Gregorian calendar. The year is taken to begin in March, so that the leap
    /// day is its last.
    private static func dayNumber(year: Int, month: Int, day: Int) -> Int {
        let marchYear = month > 2 ? year : year - 1
        let marchMonth = month > 2 ? month - 3 : month + 9
        let leapDays = marchYear / 4 - marchYear / 100 + marchYear / 400
        // 719_468 days lie between 0000-03-01 and 1970-01-01.
        return marchYear * 365 + leapDays + (153 * marchMonth + 2) / 5 + day - 1 - 719_468
    }
}

extension UTCTime: CustomStringConvertible {
    /// The form with three fraction digits and `Z`.
    public var description: String {
        let (seconds, fraction) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        let (day, clock) = Int(seconds).quotientAndRemainder(dividingBy: 86_400)
        // 400 years have 146_097 days; the day is counted within its era, from 0000-03-01.
        let shifted = day + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        var text: [UInt8] = []
        text.reserveCapacity(24)
        Self.append(year, digits: 4, to: &text, then: "-")
        Self.append(month, digits: 2, to: &text, then: "-")
        Self.append(dayOfYear - (153 * marchMonth + 2) / 5 + 1, digits: 2, to: &text, then: "T")
        Self.append(clock / 3600, digits: 2, to: &text, then: ":")
        Self.append(clock % 3600 / 60, digits: 2, to: &text, then: ":")
        Self.append(clock % 60, digits: 2, to: &text, then: ".")
        Self.append(Int(fraction), digits: 3, to: &text, then: "Z")
        return String(decoding: text, as: UTF8.self)
    }

    private static func append(_ value: Int, digits: Int, to text: inout [UInt8], then: Unicode.Scalar) {
        var divisor = digits == 4 ? 1000 : digits == 3 ? 100 : 10
        while divisor > 0 {
            text.append(0x30 + UInt8(value / divisor % 10))
            divisor /= 10
        }
        text.append(UInt8(ascii: then))
    }
}

extension UTCTime: Comparable {
    /// Earlier moments are smaller.
    public static func < (a: UTCTime, b: UTCTime) -> Bool { a.milliseconds < b.milliseconds }
}

extension UTCTime: Codable {
    /// Decodes RFC 3339 text.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let time = UTCTime(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not an RFC 3339 time")
        }
        self = time
    }

    /// Encodes RFC 3339 text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
