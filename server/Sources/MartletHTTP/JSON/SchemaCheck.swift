import MartletCore
import MartletWire

extension DocumentSchema {
    /// Checks that a value is this document: every field known, of the right type, and none missing.
    ///
    /// - Throws: `Failure` naming the field by its path: ``ErrorCode/unknownField``, ``ErrorCode/malformedRequest`` for a
    ///   wrong type or a missing field, ``ErrorCode/invalidValue`` for a value that the field cannot have.
    func check(_ value: JSONValue, at path: String = "") throws(Failure) {
        guard case .object(let members) = value else {
            throw Schema.wrongType("an object", value, path)
        }
        // In their order, where there is one.
        let isAnyUnknown = members.keys.contains { byName[$0] == nil }
        for name in isAnyUnknown ? members.keys.sorted() : [] where byName[name] == nil {
            throw Failure(
                .unknownField,
                "There is no such field.",
                hint: "The fields are: \(fields.map(\.name).joined(separator: ", ")).",
                field: Schema.join(path, name)
            )
        }
        for field in fields {
            if let member = members[field.name] {
                try field.schema.check(member, at: Schema.join(path, field.name))
            } else if field.isRequired {
                throw Failure(.malformedRequest, "The field is missing.", field: Schema.join(path, field.name))
            }
        }
    }
}

extension Schema {
    /// Checks one value; see ``DocumentSchema/check(_:at:)``.
    func check(_ value: JSONValue, at path: String) throws(Failure) {
        if isNullable, value == .null { return }
        switch kind {
        case .any: guard !value.hasNull else { throw Schema.hasNull(path) }
        case .boolean: guard case .bool = value else { throw Schema.wrongType("true or false", value, path) }
        case .integer(let limits): try checkInteger(value, limits, path)
        case .string(let limit):
            let text = try Schema.text(value, "a string", path)
            guard text.utf8.count <= limit else { throw .invalid(path, "It may have at most \(limit) bytes.") }
        case .uuid:
            let text = try Schema.text(value, "a string with a UUID", path)
            guard PublicID(text) != nil else { throw .invalid(path, "It is not a UUID.") }
        case .time:
            let text = try Schema.text(value, "a string with an RFC 3339 time", path)
            guard UTCTime(text) != nil else {
                throw .invalid(path, "It is not an RFC 3339 time.", hint: "Write it as 2026-03-01T12:00:00Z.")
            }
        case .choice(let values): try checkChoice(value, values, path)
        case .orWords(let plain, let words):
            if case .string = value {
                try checkChoice(value, words.map(JSONValue.string), path)
            } else {
                try plain.check(value, at: path)
            }
        case .array(let element):
            guard case .array(let elements) = value else { throw Schema.wrongType("a list", value, path) }
            for (index, item) in elements.enumerated() { try element.check(item, at: "\(path)[\(index)]") }
        case .parts: guard case .array = value else { throw Schema.wrongType("a list", value, path) }
        case .map(let element):
            guard case .object(let members) = value else { throw Schema.wrongType("an object", value, path) }
            for (name, item) in members {
                guard !name.utf8.contains(0) else { throw Schema.hasNull(path) }
                try element.check(item, at: Schema.join(path, name))
            }
        case .document(let document): try document.check(value, at: path)
        case .either(let plain, let document):
            if case .object = value { try document.check(value, at: path) } else { try plain.check(value, at: path) }
        }
    }

    private func checkInteger(_ value: JSONValue, _ limits: ClosedRange<Int64>, _ path: String) throws(Failure) {
        guard let integer = value.integerValue else {
            guard value.doubleValue != nil else { throw Schema.wrongType("a whole number", value, path) }
            throw Failure(.malformedRequest, "Expected a whole number of at most 64 bits.", field: path)
        }
        guard limits.contains(integer) else {
            let bounds =
                limits.upperBound == .max
                ? "at least \(limits.lowerBound)" : "between \(limits.lowerBound) and \(limits.upperBound)"
            throw .invalid(path, "It must be \(bounds).")
        }
    }

    private func checkChoice(_ value: JSONValue, _ values: [JSONValue], _ path: String) throws(Failure) {
        guard !values.contains(value) else { return }
        let kinds = Set(values.map(Schema.name(of:)))
        guard kinds.contains(Schema.name(of: value)) else {
            throw Schema.wrongType(kinds.sorted().joined(separator: " or "), value, path)
        }
        let words = values.map { value in
            switch value {
            case .string(let word): "'\(word)'"
            case .integer(let number): "\(number)"
            default: "?"
            }
        }
        throw .invalid(path, "It must be one of \(words.joined(separator: ", ")).")
    }

    private static func text(_ value: JSONValue, _ expected: String, _ path: String) throws(Failure) -> String {
        guard case .string(let text) = value else { throw wrongType(expected, value, path) }
        guard !text.utf8.contains(0) else { throw hasNull(path) }
        return text
    }

    /// The refusal of a character that PostgreSQL's texts cannot hold. Bodies have it only where they are read part by
    /// part, so that one part costs no other.
    private static func hasNull(_ path: String) -> Failure { .invalid(path, "It may not contain U+0000.") }

    /// The refusal of a value of another type.
    static func wrongType(_ expected: String, _ value: JSONValue, _ path: String) -> Failure {
        Failure(
            .malformedRequest,
            "Expected \(expected), found \(name(of: value)).",
            hint: value == .null ? "Leave the field out." : nil,
            field: path.isEmpty ? nil : path
        )
    }

    private static func name(of value: JSONValue) -> String {
        switch value {
        case .null: "null"
        case .bool: "true or false"
        case .integer, .number, .decimal: "a number"
        case .string: "a string"
        case .array: "a list"
        case .object: "an object"
        }
    }

    /// A path one member deeper. Names come from the caller and are cut at 100 characters.
    static func join(_ path: String, _ name: String) -> String { FieldPath.join(path, name) }
}

extension JSONValue {
    /// Whether a text in it, or a name, has U+0000.
    fileprivate var hasNull: Bool {
        switch self {
        case .string(let text): text.utf8.contains(0)
        case .array(let elements): elements.contains(where: \.hasNull)
        case .object(let members): members.contains { $0.key.utf8.contains(0) || $0.value.hasNull }
        default: false
        }
    }
}
