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
        var schema = plain
        guard isNullable else { return .object(schema) }
        if case .string(let type)? = schema["type"] {
            schema["type"] = [.string(type), "null"]
            return .object(schema)
        }
        return ["anyOf": [.object(schema), ["type": "null"]]]
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
        case .choice(let values): ["enum": .array(values)]
        case .orWords(let plain, let words): ["anyOf": [plain.json, ["enum": .array(words.map(JSONValue.string))]]]
        case .array(let element): ["type": "array", "items": element.json]
        case .parts(let document): ["type": "array", "items": document.reference]
        case .map(let element): ["type": "object", "additionalProperties": element.json]
        case .document(let document): document.reference.objectValue ?? [:]
        case .either(let plain, let document): ["anyOf": [plain.json, document.reference]]
        }
    }
}
