/// What is wrong with a request's JSON, as Google says it.
struct FieldViolation: Error, Equatable {
    /// The path of the member; empty for the request.
    var field: String
    var description: String
}

/// Compares a request's JSON with the messages of the interface: unknown members and wrong types.
struct SchemaCheck {
    private static let types = "type.googleapis.com/google.firebase.fcm.v1."

    func check(_ tree: JSONTree) throws(FieldViolation) {
        try check(tree, as: "SendMessageRequest") { "" }
    }

    /// - Parameter path: where it stands, put together only for a violation: most requests have none.
    private func check(_ tree: JSONTree, as message: String, at path: () -> String) throws(FieldViolation) {
        guard let members = tree.members else {
            throw invalid(tree, at: path(), Self.types + message)
        }
        let fields = FCMSchema.current.fields(of: message)
        for member in members {
            guard let field = fields[member.name] else {
                let path = path()
                let place = path.isEmpty ? "" : " at '\(path)'"
                throw FieldViolation(
                    field: path,
                    description:
                        "Invalid JSON payload received. Unknown name \"\(member.name)\"\(place): Cannot find field."
                )
            }
            if member.value == .null { continue }
            try check(member.value, as: field.kind) {
                let path = path()
                return path.isEmpty ? field.name : "\(path).\(field.name)"
            }
        }
    }

    private func check(
        _ value: JSONTree,
        as kind: FCMSchema.Kind,
        at path: () -> String
    ) throws(FieldViolation) {
        switch kind {
        case .string: try require(value.text != nil, value, path, "TYPE_STRING")
        case .bool: try require(value == .bool(true) || value == .bool(false), value, path, "TYPE_BOOL")
        case .int32: try require(isNumber(value) { Int32(exactly: $0) != nil }, value, path, "TYPE_INT32")
        case .float: try require(isNumber(value) { $0.isFinite }, value, path, "TYPE_FLOAT")
        case .duration:
            try require(value.text.flatMap(FCMDuration.init) != nil, value, path, wellKnown("Duration"))
        case .timestamp:
            try require(value.text.map(Self.isTimestamp) ?? false, value, path, wellKnown("Timestamp"))
        case .anyObject: try require(value.members != nil, value, path, wellKnown("Struct"))
        case .map:
            guard let members = value.members else { throw invalid(value, at: path(), "Map") }
            for (index, member) in members.enumerated() {
                try require(member.value.text != nil, member.value, { "\(path())[\(index)].value" }, "TYPE_STRING")
            }
        case .list(let element):
            guard case .array(let values) = value else { throw invalid(value, at: path(), "List") }
            for (index, value) in values.enumerated() { try check(value, as: element) { "\(path())[\(index)]" } }
        case .choice(let name, let values):
            // Google takes the names in lower case too, as its own firebase-admin sends them.
            try require(value.text.map { values.contains($0.uppercased()) } ?? false, value, path, Self.types + name)
        case .message(let name): try check(value, as: name, at: path)
        }
    }

    private func wellKnown(_ name: String) -> String { "type.googleapis.com/google.protobuf.\(name)" }

    /// Protocol buffers take a number as text too.
    private func isNumber(_ value: JSONTree, _ fits: (Double) -> Bool) -> Bool {
        switch value {
        case .number(let text), .string(let text): Double(text).map(fits) ?? false
        default: false
        }
    }

    private func require(
        _ holds: Bool,
        _ value: JSONTree,
        _ path: () -> String,
        _ type: @autoclosure () -> String
    ) throws(FieldViolation) {
        if !holds { throw invalid(value, at: path(), type()) }
    }

    private func invalid(_ value: JSONTree, at path: String, _ type: String) -> FieldViolation {
        FieldViolation(field: path, description: "Invalid value at '\(path)' (\(type)), \(value.json)")
    }

    /// RFC 3339 by its form, as `2026-11-26T08:00:00Z`.
    private static func isTimestamp(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20, bytes[10] == UInt8(ascii: "T") else { return false }
        let digits = [0, 1, 2, 3, 5, 6, 8, 9, 11, 12, 14, 15, 17, 18]
        let last = bytes[bytes.count - 1]
        return digits.allSatisfy { bytes[$0].isDigit }
            && (last == UInt8(ascii: "Z") || text.dropFirst(19).contains(":"))
    }
}

/// A duration in JSON's form of protocol buffers: seconds with at most nine decimals, then `s`.
struct FCMDuration: Equatable {
    var seconds: Double

    init?(_ text: String) {
        guard text.hasSuffix("s") else { return nil }
        let parts = text.dropLast().split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let whole = parts.first else { return nil }
        let digits = whole.hasPrefix("-") ? whole.dropFirst() : whole
        guard !digits.isEmpty, digits.utf8.allSatisfy(\.isDigit), digits.utf8.count <= 12 else { return nil }
        if parts.count == 2 {
            guard (1...9).contains(parts[1].utf8.count), parts[1].utf8.allSatisfy(\.isDigit) else { return nil }
        }
        guard let seconds = Double(text.dropLast()) else { return nil }
        self.seconds = seconds
    }
}
