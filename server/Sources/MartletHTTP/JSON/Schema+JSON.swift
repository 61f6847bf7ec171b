import MartletWire

extension DocumentSchema {
    /// Where the OpenAPI document holds it.
    var reference: JSONValue { ["$ref": .string("#/components/schemas/\(name)")] }

    /// The document as JSON Schema (draft 2020-12, as OpenAPI 3.1 uses it).
    var json: JSONValue {
        var properties: [String: JSONValue] = [:]
        for field in fields {
            var property = field.schema.json.objectValue ?? [:]
            property["description"] = .string(field.summary)
            properties[field.name] = .object(property)
        }
        var schema: [String: JSONValue] = [
            "type": "object", "properties": .object(properties), "additionalProperties": false,
        ]
        let required = fields.filter(\.isRequired).map { JSONValue.string($0.name) }
        if !required.isEmpty { schema["required"] = .array(required) }
        return .object(schema)
    }
}

extension Schema {
    /// The schema as JSON Schema (draft 2020-12).
    var json: JSONValue {
        var schema = plain.merging(stated) { $1 }
        guard isNullable else { return .object(schema) }
        if schema["enum"] == nil, case .string(let type)? = schema["type"] {
            schema["type"] = [.string(type), "null"]
            return .object(schema)
        }
        return ["anyOf": [.object(schema), ["type": "null"]]]
    }

    /// What is said of texts, lists and objects beside their type.
    private var stated: [String: JSONValue] {
        let names =
            switch kind {
            case .array, .parts: (least: "minItems", most: "maxItems")
            case .map: (least: "minProperties", most: "maxProperties")
            default: (least: "minLength", most: "maxLength")
            }
        var schema: [String: JSONValue] = [:]
        if let counts {
            if counts.lowerBound > 0 { schema[names.least] = .integer(Int64(counts.lowerBound)) }
            if counts.upperBound < .max { schema[names.most] = .integer(Int64(counts.upperBound)) }
        }
        if let pattern { schema["pattern"] = .string(pattern) }
        return schema
    }

    /// Values of one type each, which generators of clients make enumerations of.
    private static func choice(_ values: [JSONValue]) -> [String: JSONValue] {
        let words = values.filter { $0.stringValue != nil }
        let numbers = values.filter { $0.stringValue == nil }
        if numbers.isEmpty { return ["type": "string", "enum": .array(words)] }
        return ["anyOf": [["type": "integer", "enum": .array(numbers)], ["type": "string", "enum": .array(words)]]]
    }

    private var plain: [String: JSONValue] {
        switch kind {
        case .any: [:]
        case .boolean: ["type": "boolean"]
        case .integer(let limits):
            limits.upperBound == .max
                ? ["type": "integer", "minimum": .integer(limits.lowerBound)]
                : [
                    "type": "integer", "minimum": .integer(limits.lowerBound),
                    "maximum": .integer(limits.upperBound),
                ]
        // JSON Schema counts characters where we count bytes: no text over so many characters has fewer bytes.
        case .string(let limit):
            limit == .max ? ["type": "string"] : ["type": "string", "maxLength": .integer(Int64(limit))]
        case .uuid: ["type": "string", "format": "uuid"]
        case .time: ["type": "string", "format": "date-time"]
        case .choice(let values): Self.choice(values)
        case .orWords(let plain, let words): ["anyOf": [plain.json, .object(Self.choice(words.map(JSONValue.string)))]]
        case .array(let element): ["type": "array", "items": element.json]
        case .parts(let document): ["type": "array", "items": document.reference]
        case .map(let element): ["type": "object", "additionalProperties": element.json]
        case .document(let document): document.reference.objectValue ?? [:]
        case .either(let plain, let document): ["anyOf": [plain.json, document.reference]]
        }
    }
}
