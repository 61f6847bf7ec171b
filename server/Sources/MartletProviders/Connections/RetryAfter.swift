import MartletCore

/// How long a provider asks us to wait. A pure function.
enum RetryAfter {
    /// What an answer can make us wait at most. Ours.
    static let longest: Duration = .seconds(3_600)

    /// The header `retry-after`, in seconds or as a date (RFC 9110, section 10.2.3); `nil` for what is neither, and for no
    /// time at all: a server in trouble is not asked at once because of that.
    static func delay(_ text: String?, now: Timestamp) -> Duration? {
        guard let text else { return nil }
        if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            // A number that is too large for one is longer than the longest.
            guard let seconds = Int64(text) else { return longest }
            return bounded(.seconds(seconds))
        }
        return HTTPDate.parse(text).flatMap { bounded($0 - now) }
    }

    /// At most the longest; none where there is nothing to wait for.
    static func bounded(_ delay: Duration) -> Duration? { delay > .zero ? min(delay, longest) : nil }
}

/// The date form of HTTP (RFC 9110, section 5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`.
enum HTTPDate {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        .map { Array($0.utf8) }
    private static let length = 29

    /// The moment of a date in the preferred form; `nil` for any other text.
    static func parse(_ text: String) -> Timestamp? {
        var text = text
        // Bytes in their fixed places, because every refused push has such a date.
        return text.withUTF8 { parse($0) }
    }

    private static func parse(_ bytes: UnsafeBufferPointer<UInt8>) -> Timestamp? {
        guard bytes.count == length, bytes[3] == 0x2C, bytes[4] == 0x20, bytes[7] == 0x20, bytes[11] == 0x20,
            bytes[16] == 0x20, bytes[19] == 0x3A, bytes[22] == 0x3A, bytes[25...].elementsEqual(" GMT".utf8),
            let month = months.firstIndex(where: { $0.elementsEqual(bytes[8..<11]) }),
            let day = number(bytes[5..<7]), (1...31).contains(day),
            let year = number(bytes[12..<16]), (1970...9999).contains(year),
            let hour = number(bytes[17..<19]), (0...23).contains(hour),
            let minute = number(bytes[20..<22]), (0...59).contains(minute),
            // 60: a leap second.
            let second = number(bytes[23..<25]), (0...60).contains(second)
        else { return nil }
        let seconds = (hour * 60 + minute) * 60 + second
        return Timestamp(milliseconds: Int64(days(year: year, month: month + 1, day: day) * 86_400 + seconds) * 1_000)
    }

    private static func number(_ digits: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
        var number = 0
        for digit in digits {
            guard (0x30...0x39).contains(digit) else { return nil }
            number = number * 10 + Int(digit - 0x30)
        }
        return number
    }

    /// Days from 1970-01-01 in the Gregorian calendar, with years that begin in March so that leap days come last.
    private static func days(year: Int, month: Int, day: Int) -> Int {
        let marchYear = month > 2 ? year : year - 1
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        // 719,468 days lie between 0000-03-01 and 1970-01-01.
        return marchYear * 365 + marchYear / 4 - marchYear / 100 + marchYear / 400 + dayOfYear - 719_468
    }
}
