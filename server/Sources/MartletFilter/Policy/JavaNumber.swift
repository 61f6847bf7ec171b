/// How Java writes a number that it has read: an integer as it was, any other by the rules of `Double.toString`.
enum JavaNumber {
    static func text(of number: Text) -> Text {
        if number == "-0" { return "0" }
        let isInteger = number.bytes.allSatisfy { $0 == UInt8(ascii: "-") || (0x30...0x39).contains($0) }
        guard !isInteger, let value = Double(number.string), value.isFinite else { return number }
        return Text(text(of: value))
    }

    private static func text(of value: Double) -> String {
        let sign = value.sign == .minus ? "-" : ""
        guard value != 0 else { return sign + "0.0" }
        // Swift's description has the same shortest digits, with the point elsewhere.
        let parts = value.magnitude.description.split(separator: "e")
        let halves = parts[0].split(separator: ".")
        let whole = String(halves[0])
        let fraction = halves.count > 1 ? String(halves[1]) : ""
        var point = whole.count + (parts.count > 1 ? Int(parts[1]) ?? 0 : 0)
        var digits = whole + fraction
        while digits.hasPrefix("0") {
            digits.removeFirst()
            point -= 1
        }
        while digits.hasSuffix("0") { digits.removeLast() }
        if value.magnitude >= 1e-3, value.magnitude < 1e7 {
            if point <= 0 { return "\(sign)0.\(String(repeating: "0", count: -point))\(digits)" }
            let padded = digits + String(repeating: "0", count: max(0, point - digits.count))
            let rest = padded.dropFirst(point)
            return "\(sign)\(padded.prefix(point)).\(rest.isEmpty ? "0" : rest)"
        }
        let rest = digits.dropFirst()
        return "\(sign)\(digits.prefix(1)).\(rest.isEmpty ? "0" : rest)E\(point - 1)"
    }
}
