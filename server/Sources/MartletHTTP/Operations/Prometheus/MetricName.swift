/// Names and values as Prometheus's text format 0.0.4 takes them.
enum MetricName {
    /// A metric's name: every character outside `[a-zA-Z0-9_:]` becomes `_`, and a digit at the start gets one before.
    static func metric(_ label: String) -> String { clean(label, colon: true) }

    /// A label's name: as a metric's, without the colon, and without two leading `_`, which Prometheus keeps to itself.
    static func label(_ name: String) -> String {
        let cleaned = clean(name, colon: false)
        guard cleaned.hasPrefix("__") else { return cleaned }
        return "_" + cleaned.drop { $0 == "_" }
    }

    /// Labels as they stand between the braces: sorted by name, values escaped, a name that comes twice only once.
    ///
    /// - Parameter reserved: a name that the metric itself uses (`le`); a label of that name is called `exported_…`,
    ///   as Prometheus does it.
    static func labels(_ dimensions: [(String, String)], reserved: String?) -> String {
        guard !dimensions.isEmpty else { return "" }
        var values: [String: String] = [:]
        for (name, value) in dimensions {
            let name = label(name)
            values[name == reserved ? "exported_" + name : name] = value
        }
        return values.sorted { $0.key < $1.key }.map { "\($0.key)=\"\(escape($0.value, quotes: true))\"" }
            .joined(separator: ",")
    }

    /// Text with `\` and line feeds escaped, in label values quotes too.
    static func escape(_ text: String, quotes: Bool) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": escaped += "\\\\"
            case "\n": escaped += "\\n"
            case "\"" where quotes: escaped += "\\\""
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// A number as Go's `ParseFloat` reads it.
    static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value > 0 ? "+Inf" : "-Inf" }
        if let whole = Int64(exactly: value) { return String(whole) }
        return value.description
    }

    private static func clean(_ text: String, colon: Bool) -> String {
        var cleaned: [UInt8] = []
        for scalar in text.unicodeScalars {
            switch scalar {
            case "a"..."z", "A"..."Z", "_": cleaned.append(UInt8(scalar.value))
            case "0"..."9":
                if cleaned.isEmpty { cleaned.append(UInt8(ascii: "_")) }
                cleaned.append(UInt8(scalar.value))
            case ":" where colon: cleaned.append(UInt8(scalar.value))
            default: cleaned.append(UInt8(ascii: "_"))
            }
        }
        return cleaned.isEmpty ? "_" : String(decoding: cleaned, as: UTF8.self)
    }
}
