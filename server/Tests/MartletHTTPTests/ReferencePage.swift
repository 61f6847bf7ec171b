import HTTPTypes
import MartletWire

@testable import MartletHTTP

/// The page for people about a table of routes, `docs/reference.md`: a test holds the file to what is made here.
struct ReferencePage {
    /// The page in Markdown.
    private(set) var text = """
        # The REST interface, path by path

        This page is made from the table of routes, as `/openapi.json` is. [api.md](api.md) explains what is for what, \
        and has examples.

        One thing is answered as `{"data":{…}}`, a part of a list as `{"data":[…],"next":"…"}`. A required field must be \
        in a request, and is always in an answer. Bytes are those of the text in UTF-8. A time is RFC 3339, such as \
        `2026-03-01T12:00:00.000Z`.

        | Path | |
        |---|---|

        """
    /// The documents that were described; each is once, where it is used first.
    private var described: Set<String> = []

    /// Describes these routes.
    init(routes: [Route]) {
        for route in routes { row("[\(route.title)](#\(route.anchor))", route.summary) }
        let common = Self.common(of: routes)
        text += "\n## Parameters of several paths\n\n"
        table(of: common.sorted { $0.name < $1.name })
        for route in routes { describe(route, common: Set(common.map(\.line))) }
        text += "\n## Refusals\n\nWhat is not done is answered with [Error](#error).\n"
        describe(ErrorBody.schema)
    }

    /// Parameters that are the same on several paths; of those of one name that which most have.
    private static func common(of routes: [Route]) -> [QueryParameter] {
        let groups = Dictionary(grouping: routes.flatMap(\.query), by: \.line).filter { $0.value.count > 1 }.values
        return Dictionary(grouping: groups) { $0[0].name }.values.compactMap { groups in
            groups.max { ($0.count, $0[0].line) < ($1.count, $1[0].line) }?.first
        }
    }

    private mutating func describe(_ route: Route, common: Set<String>) {
        text += "\n## \(route.title)\n\n\(route.summary) For \(route.access.callers)."
        if let document = route.takes { text += " Takes \(document.link)." }
        let statuses = route.statuses.map { String($0.code) }.joined(separator: " or ")
        text += " Answers \(statuses) with \(route.shape.words).\n"
        if !route.query.isEmpty {
            let names = route.query.map {
                common.contains($0.line) ? "[`\($0.name)`](#\(Self.commonAnchor))" : "`\($0.name)`"
            }
            text += "\nQuery parameters: \(names.joined(separator: ", ")).\n"
        }
        let own = route.query.filter { !common.contains($0.line) }
        if !own.isEmpty {
            text += "\n"
            table(of: own)
        }
        let headers = OpenAPIDocument.headers(of: route)
        if !headers.isEmpty {
            text += "\n"
            row("Header field", "Meaning")
            row("---", "---")
            for header in headers { row("`\(header.name)`", header.summary) }
        }
        for document in [route.takes, route.shape.document].compactMap({ $0 }) { describe(document) }
    }

    private static let commonAnchor = "parameters-of-several-paths"

    private mutating func table(of parameters: [QueryParameter]) {
        row("Parameter", "Type", "Meaning")
        row("---", "---", "---")
        for parameter in parameters { row("`\(parameter.name)`", parameter.schema.words, parameter.summary) }
    }

    /// Describes a document and those in it, unless it was before.
    private mutating func describe(_ document: DocumentSchema) {
        guard described.insert(document.name).inserted else { return }
        text += "\n### \(document.name)\n\n"
        row("Field", "Type", "Required", "Meaning")
        row("---", "---", "---", "---")
        for field in document.fields {
            row("`\(field.name)`", field.schema.words, field.isRequired ? "yes" : "", field.summary)
        }
        for nested in document.fields.compactMap(\.schema.document) { describe(nested) }
    }

    private mutating func row(_ cells: String...) {
        text += "| \(cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ")) |\n"
    }
}

extension QueryParameter {
    /// All that is said of it.
    fileprivate var line: String { "\(name) \(schema.words) \(summary)" }
}

extension Route {
    fileprivate var title: String { "`\(method.rawValue) \(path)`" }

    /// The heading's anchor, as GitHub makes it.
    fileprivate var anchor: String {
        "\(method.rawValue)-\(path)".lowercased().filter { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
    }
}

extension DocumentSchema {
    fileprivate var link: String { "[\(name)](#\(name.lowercased()))" }
}

extension Access {
    fileprivate var callers: String {
        switch self {
        case .open: "anybody"
        case .admin: "`admin` keys"
        case .send: "`send` and `admin` keys"
        case .registration: "any key"
        case .ingest: "any key, also as `Authorization: TD1 …`"
        case .postback: "any key, also as `\(HeaderName.treasureDataKey)`"
        case .user: "users with their token, who reach what is theirs"
        case .devices: "`send` and `admin` keys, and for users with their token, who reach what is theirs"
        }
    }
}

extension AnswerShape {
    fileprivate var words: String {
        switch self {
        case .item(let document): document.link
        case .list(let document): "a list of \(document.link)"
        case .listOrFile(let document): "a list of \(document.link), or all of it as CSV"
        case .bare(let document): "\(document.link) alone, without `data`"
        case .events(let document): "server-sent events whose data is \(document.link)"
        case .object: "a JSON object"
        case .text: "text"
        case .script: "a script"
        case .nothing: "nothing"
        }
    }
}

extension Schema {
    /// What it may hold.
    fileprivate var words: String { isNullable ? "\(plainWords), or `null`" : plainWords }

    private var plainWords: String {
        switch kind {
        case .any: "any JSON"
        case .boolean: "`true` or `false`"
        case .integer(let limits) where limits.upperBound == .max: "integer, at least \(limits.lowerBound)"
        case .integer(let limits): "integer, \(Self.grouped(limits.lowerBound)) to \(Self.grouped(limits.upperBound))"
        case .string(limit: .max): "string"
        case .string(let limit): "string, at most \(Self.grouped(Int64(limit))) bytes"
        case .uuid: "UUID"
        case .time: "time"
        case .choice(let values):
            values.map { "`\($0.stringValue ?? $0.integerValue?.description ?? "?")`" }.joined(separator: ", ")
        case .orWords(let plain, let words): "\(plain.words); or \(words.map { "`\($0)`" }.joined(separator: ", "))"
        case .array(let element): "list of \(element.words)"
        case .parts(let document): "list of \(document.link)"
        case .map(let element):
            if case .any = element.kind { "object" } else { "object, each member \(element.words)" }
        case .document(let document): document.link
        case .either(let plain, let document): "\(plain.words); or \(document.link)"
        }
    }

    /// A number with commas between thousands.
    private static func grouped(_ number: Int64) -> String {
        let (thousands, rest) = number.quotientAndRemainder(dividingBy: 1_000)
        guard thousands > 0 else { return String(number) }
        return "\(grouped(thousands)),\(String(1_000 + rest).dropFirst())"
    }
}
