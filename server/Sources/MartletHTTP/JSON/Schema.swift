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
        /// A list.
        case array(Schema)
        /// An object whose members have names of the caller's choosing.
        case map(Schema)
        /// An object of a known document.
        case document(DocumentSchema)
    }

    /// The kind.
    var kind: Kind
    /// Whether `null` is a value too.
    var isNullable = false

    /// Text within the bound of the request itself.
    static let string = Schema(kind: .string(limit: .max))
    /// A flag.
    static let boolean = Schema(kind: .boolean)
    /// A UUID.
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
    /// A list.
    static func list(of element: Schema) -> Schema { Schema(kind: .array(element)) }
    /// An object with names of the caller's choosing.
    static func map(of value: Schema) -> Schema { Schema(kind: .map(value)) }
    /// An object of a known document.
    static func document(_ type: any Documented.Type) -> Schema { Schema(kind: .document(type.schema)) }

    /// The same, or `null`.
    var orNull: Schema {
        var schema = self
        schema.isNullable = true
        return schema
    }
}

/// A named document: a JSON object with known fields.
struct DocumentSchema: Sendable {
    /// One field.
    struct Field: Sendable {
        /// The name on the wire.
        var name: String
        /// What it may hold.
        var schema: Schema
        /// Whether it must be there.
        var isRequired: Bool
        /// What it means.
        var summary: String

        /// A field that must be there.
        static func required(_ name: String, _ schema: Schema, _ summary: String) -> Field {
            Field(name: name, schema: schema, isRequired: true, summary: summary)
        }

        /// A field that may be absent.
        static func optional(_ name: String, _ schema: Schema, _ summary: String) -> Field {
            Field(name: name, schema: schema, isRequired: false, summary: summary)
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
}

/// A document of the wire that says what it is made of.
protocol Documented: Sendable {
    /// What it is made of.
    static var schema: DocumentSchema { get }
}
