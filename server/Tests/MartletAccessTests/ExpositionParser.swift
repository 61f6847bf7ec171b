/// A strict reader of Prometheus's text format 0.0.4: what the format's description does not allow is an error.
struct Exposition {
    struct Sample: Equatable {
        var name: String
        var labels: [String: String]
        var value: Double
    }
    struct Family {
        var help: String
        var type: String
        var samples: [Sample] = []
    }
    struct Malformed: Error { var line: String, reason: String }

    private(set) var names: [String] = []
    private(set) var families: [String: Family] = [:]

    init(_ text: String) throws {
        guard text.isEmpty || text.hasSuffix("\n") else { throw Malformed(line: "", reason: "no line feed at the end") }
        var seen: Set<String> = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init) {
            if line.hasPrefix("# HELP ") {
                let parts = line.dropFirst(7).split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
                let name = String(parts[0])
                guard families[name] == nil, parts.count == 2 else { throw Malformed(line: line, reason: "HELP") }
                names.append(name)
                families[name] = Family(help: String(parts[1]), type: "")
            } else if line.hasPrefix("# TYPE ") {
                let parts = line.dropFirst(7).split(separator: " ")
                guard parts.count == 2, names.last == String(parts[0]), families[names.last ?? ""]?.type == "",
                    ["counter", "gauge", "histogram"].contains(parts[1])
                else { throw Malformed(line: line, reason: "TYPE") }
                families[String(parts[0])]?.type = String(parts[1])
            } else {
                let sample = try Exposition.sample(line)
                guard let family = names.last, let type = families[family]?.type else {
                    throw Malformed(line: line, reason: "no family")
                }
                let suffixes = type == "histogram" ? ["_bucket", "_sum", "_count"] : [""]
                guard suffixes.contains(where: { sample.name == family + $0 }) else {
                    throw Malformed(line: line, reason: "not of \(family)")
                }
                guard seen.insert("\(sample.name) \(sample.labels.sorted { $0.key < $1.key })").inserted else {
                    throw Malformed(line: line, reason: "twice")
                }
                families[family]?.samples.append(sample)
            }
        }
    }

    func value(_ name: String, _ labels: [String: String] = [:]) -> Double? {
        families.values.lazy.flatMap(\.samples).first { $0.name == name && $0.labels == labels }?.value
    }

    private static func sample(_ line: String) throws -> Sample {
        var rest = line.unicodeScalars[...]
        func fail(_ reason: String) -> Malformed { Malformed(line: line, reason: reason) }
        func isStart(_ scalar: Unicode.Scalar) -> Bool {
            ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || scalar == "_"
        }
        func word(colon: Bool) throws -> String {
            let text = rest.prefix { isStart($0) || ("0"..."9").contains($0) || (colon && $0 == ":") }
            guard let first = text.first, !("0"..."9").contains(first) else { throw fail("name") }
            rest = rest[text.endIndex...]
            return String(String.UnicodeScalarView(text))
        }
        func skip(_ scalar: Unicode.Scalar) throws {
            guard rest.first == scalar else { throw fail("expected \(scalar)") }
            rest = rest.dropFirst()
        }
        let name = try word(colon: true)
        var labels: [String: String] = [:]
        if rest.first == "{" {
            repeat {
                rest = rest.dropFirst()
                let label = try word(colon: false)
                guard labels[label] == nil, !label.hasPrefix("__") else { throw fail("label \(label)") }
                try skip("=")
                try skip("\"")
                var value = String.UnicodeScalarView()
                while let scalar = rest.popFirst(), scalar != "\"" {
                    guard scalar == "\\" else {
                        value.append(scalar)
                        continue
                    }
                    switch rest.popFirst() {
                    case "n": value.append("\n")
                    case "\\": value.append("\\")
                    case "\"": value.append("\"")
                    default: throw fail("escape")
                    }
                }
                labels[label] = String(value)
            } while rest.first == ","
            try skip("}")
        }
        try skip(" ")
        let number = String(String.UnicodeScalarView(rest))
        let special: [String: Double] = ["NaN": .nan, "+Inf": .infinity, "-Inf": -.infinity]
        guard let value = special[number] ?? (number.lowercased().contains("n") ? nil : Double(number)) else {
            throw fail("number")
        }
        return Sample(name: name, labels: labels, value: value)
    }
}
