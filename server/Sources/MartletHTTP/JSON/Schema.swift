import MartletCore
import MartletWire

/// What JSON a field may hold. The same value checks requests and describes them in the OpenAPI document, so that the
/// two cannot disagree.
struct Schema: Sendable {
    /// The kinds of values that documents are made of.
    indirect enum Kind: Sendable {
        /// Anything.
        case any
        /// `true` or `false`.
        case boolean
        /// A whole number within these limits.
        case integer(ClosedRange<Int64>)
        /// Text of this many bytes at most.
        case string(limit: Int)
        /// A UUID in its 36-character form.
        case uuid
        /// RFC 3339.
        case time
        /// One of these values.
        case choice([JSONValue])
        /// A value that is no text or, in its place, one of these words.
        case orWords(Schema, [String])
        /// A list.
        case array(Schema)
        /// A list of a known document, each of which is checked by itself when it is read.
        case parts(DocumentSchema)
        /// An object whose members have names of the caller's choosing.
        case map(Schema)
        /// An object of a known document.
        case document(DocumentSchema)
        /// A value that is no object or, in its place, an object of a known document.
        case either(Schema, DocumentSchema)
    }

    var kind: Kind
    /// Whether `null` is a value too.
    var isNullable = false
    /// How many characters a text, members a list or an object have. Said in the OpenAPI document alone: what reads the
    /// value refuses others, with words of its own.
    var counts: ClosedRange<Int>?
    /// What a text looks like, as a regular expression of ECMAScript; likewise.
    var pattern: String?

    /// Text within the bound of the request itself.
    static let string = Schema(kind: .string(limit: .max))
    /// A flag.
    static let boolean = Schema(kind: .boolean)
    static let uuid = Schema(kind: .uuid)
    /// A moment.
    static let time = Schema(kind: .time)
    /// Anything.
    static let any = Schema(kind: .any)

    /// A whole number.
    static func integer(_ limits: ClosedRange<Int64> = 0...Int64.max) -> Schema { Schema(kind: .integer(limits)) }
    /// Text of this many bytes at most.
    static func string(limit: Int) -> Schema { Schema(kind: .string(limit: limit)) }
    /// One of an enumeration's words.
    static func words<Word: RawRepresentable & CaseIterable>(
        of type: Word.Type,
        or aliases: [String] = []
    ) -> Schema where Word.RawValue == String {
        Schema(kind: .choice((type.allCases.map(\.rawValue) + aliases).map(JSONValue.string)))
    }
    static func list(of element: Schema) -> Schema { Schema(kind: .array(element)) }
    /// A list of a known document, each of which is checked by itself when it is read.
    static func parts(of type: any Documented.Type) -> Schema { Schema(kind: .parts(type.schema)) }
    /// An object with names of the caller's choosing.
    static func map(of value: Schema) -> Schema { Schema(kind: .map(value)) }
    /// An object of a known document.
    static func document(_ type: any Documented.Type) -> Schema { Schema(kind: .document(type.schema)) }

    /// A value that is no object or, in its place, an object of a known document.
    static func either(_ plain: Schema, or type: any Documented.Type) -> Schema {
        Schema(kind: .either(plain, type.schema))
    }

    /// A value that is neither text nor an object or, in its place, one of an enumeration's words or an object of a known
    /// document.
    static func either<Word: RawRepresentable & CaseIterable>(
        _ plain: Schema,
        orOneOf words: Word.Type,
        or type: any Documented.Type
    ) -> Schema where Word.RawValue == String {
        either(Schema(kind: .orWords(plain, words.allCases.map(\.rawValue))), or: type)
    }

    /// A value that it accepts.
    var example: JSONValue {
        switch kind {
        case .any, .boolean: true
        case .integer(let limits): .integer(limits.lowerBound)
        case .string: "text"
        case .uuid: "0190a5d0-ac96-774b-bcce-b302099a8057"
        case .time: "2026-03-01T12:00:00.000Z"
        case .choice(let values): values[0]
        case .array(let element): [element.example]
        case .parts(let document): [.object(document.example)]
        case .map(let element): ["name": element.example]
        case .document(let document): .object(document.example)
        case .either(let plain, _), .orWords(let plain, _): plain.example
        }
    }

    /// The document that it is, or is made of.
    var document: DocumentSchema? {
        switch kind {
        case .array(let element), .map(let element): element.document
        case .document(let document), .either(_, let document), .parts(let document): document
        default: nil
        }
    }

    /// The same, as far as the OpenAPI document says it; see ``counts`` and ``pattern``.
    func of(_ counts: ClosedRange<Int>, _ pattern: String? = nil) -> Schema {
        var schema = self
        (schema.counts, schema.pattern) = (counts, pattern)
        return schema
    }

    /// The same, or `null`.
    var orNull: Schema {
        var schema = self
        schema.isNullable = true
        return schema
    }
}

/// A named document: a JSON object with known fields.
struct DocumentSchema: Sendable {
    /// What the one statement about a field says: what it may hold, and what it means.
    typealias Row = (schema: Schema, summary: String)

    /// One field.
    struct Field: Sendable {
        /// The name on the wire.
        let name: String
        /// What it may hold.
        let schema: Schema
        /// What it means.
        let summary: String
        /// Whether it must be there.
        var isRequired: Bool

        init(_ name: String, _ schema: Schema, _ summary: String, isRequired: Bool = true) {
            self.name = name
            self.schema = schema
            self.summary = summary
            self.isRequired = isRequired
        }
    }

    /// The name under which the OpenAPI document lists it.
    let name: String
    /// The fields, in the order in which people read them.
    let fields: [Field]
    /// The fields by name.
    let byName: [String: Field]

    init(_ name: String, _ fields: [Field]) {
        self.name = name
        self.fields = fields
        byName = Dictionary(uniqueKeysWithValues: fields.map { ($0.name, $0) })
    }

    /// A value with every field.
    var example: [String: JSONValue] { byName.mapValues(\.schema.example) }
}

/// A document of the wire that says what it is made of.
protocol Documented: Codable, Sendable {
    /// The names of its fields, in the order in which people read them.
    associatedtype CodingKeys: CodingKey, CaseIterable
    /// What it is made of.
    static var schema: DocumentSchema { get }
}

extension Documented {
    /// A document with one row for each of its fields. Whether a field must be there is what its decoding says.
    static func document(_ name: String, row: (CodingKeys) -> DocumentSchema.Row) -> DocumentSchema {
        var fields = CodingKeys.allCases.map { key in
            let row = row(key)
            return DocumentSchema.Field(key.stringValue, row.schema, row.summary)
        }
        let whole = DocumentSchema(name, fields).example
        for index in fields.indices {
            let rest = whole.filter { $0.key != fields[index].name }
            fields[index].isRequired = (try? DocumentDecoder.decode(Self.self, from: .object(rest))) == nil
        }
        return DocumentSchema(name, fields)
    }
}
