import MartletCore
import MartletWire

/// Takes typed members out of a JSON object; what is left at the end was not known.
struct MemberReader {
    /// Members that have not been taken.
    private(set) var rest: [String: JSONValue]
    /// The object's own path, for messages.
    let path: String

    init(_ members: [String: JSONValue], path: String) {
        self.rest = members
        self.path = path
    }

    /// A member's path.
    func field(_ key: String) -> String { "\(path).\(key)" }

    /// Any value.
    mutating func value(_ key: String) -> JSONValue? { rest.removeValue(forKey: key) }

    mutating func string(_ key: String) throws(Failure) -> String? {
        try take(key, "a string") { $0.stringValue }
    }

    mutating func strings(_ key: String) throws(Failure) -> [String]? {
        try take(key, "an array of strings") { $0.stringArray }
    }

    mutating func object(_ key: String) throws(Failure) -> [String: JSONValue]? {
        try take(key, "an object") { $0.objectValue }
    }

    /// A whole number that is not negative.
    mutating func count(_ key: String, _ expected: String = "a whole number, 0 or more") throws(Failure) -> Int64? {
        try take(key, expected) { $0.integerValue.flatMap { $0 >= 0 ? $0 : nil } }
    }

    mutating func number(_ key: String, in range: ClosedRange<Double>, _ expected: String) throws(Failure) -> Double? {
        try take(key, expected) { $0.doubleValue.flatMap { range.contains($0) ? $0 : nil } }
    }

    /// A switch that Apple writes as the number 1.
    mutating func one(_ key: String) throws(Failure) -> Bool {
        try take(key, "the number 1") { $0.integerValue == 1 ? true : nil } ?? false
    }

    mutating func bool(_ key: String) throws(Failure) -> Bool {
        try take(key, "true or false") { if case .bool(let value) = $0 { value } else { nil } } ?? false
    }

    mutating func word<Word: RawRepresentable & CaseIterable>(_ key: String) throws(Failure) -> Word?
    where Word.RawValue == String {
        let words = Word.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
        return try take(key, "one of \(words)") { $0.stringValue.flatMap(Word.init) }
    }

    private mutating func take<Value>(
        _ key: String,
        _ expected: String,
        _ convert: (JSONValue) -> Value?
    ) throws(Failure) -> Value? {
        guard let json = rest.removeValue(forKey: key) else { return nil }
        guard let value = convert(json) else { throw .invalid(field(key), "\(key) is \(expected).") }
        return value
    }
}

extension JSONValue {
    fileprivate var stringArray: [String]? {
        guard case .array(let values) = self else { return nil }
        let texts = values.compactMap(\.stringValue)
        return texts.count == values.count ? texts : nil
    }
}
