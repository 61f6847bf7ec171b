import Hummingbird
import MartletCore
import MartletWire

/// One line of the table of contents: what a path answers to, for whom, and with which documents.
struct Route: Sendable {
    let method: HTTPRequest.Method
    /// The path with its parameters in braces.
    let path: String
    /// Who may call it.
    let access: Access
    /// One sentence for people.
    let summary: String
    /// The query parameters that it knows; others are refused.
    let query: [QueryParameter]
    /// The document that it takes.
    let takes: DocumentSchema?
    /// The media types of a body that is read by the handler itself and may be compressed; empty for any other.
    let uploads: [String]
    /// Whether it takes an `Idempotency-Key`.
    let isIdempotent: Bool
    /// The statuses of its success, the usual one first.
    let statuses: [HTTPResponse.Status]
    /// What its success looks like.
    let shape: AnswerShape
    /// Answers one call.
    let respond: @Sendable (Call) async throws -> Response

    /// A route without a request document, or with one whose parts the handler checks one by one.
    init<Answer: ResponseGenerator>(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ access: Access,
        _ summary: String,
        query: [QueryParameter] = [],
        statuses: [HTTPResponse.Status] = [.ok],
        isIdempotent: Bool = false,
        takes: DocumentSchema? = nil,
        respond: @escaping @Sendable (Call) async throws -> Answer
    ) {
        (self.method, self.path, self.access, self.summary, self.query) = (method, path, access, summary, query)
        (self.statuses, self.isIdempotent, shape) = (statuses, isIdempotent, Answer.shape)
        (self.takes, uploads) = (takes, [])
        self.respond = { call in try await respond(call).response(default: statuses[0]) }
    }

    /// A route that takes a document.
    init<Document: Documented, Answer: ResponseGenerator>(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ access: Access,
        _ summary: String,
        query: [QueryParameter] = [],
        statuses: [HTTPResponse.Status] = [.ok],
        isIdempotent: Bool = false,
        respond: @escaping @Sendable (Document, Call) async throws -> Answer
    ) {
        (self.method, self.path, self.access, self.summary, self.query) = (method, path, access, summary, query)
        (self.statuses, self.isIdempotent, shape) = (statuses, isIdempotent, Answer.shape)
        (takes, uploads) = (Document.schema, [])
        self.respond = { call in
            try Document.schema.check(call.document)
            let document = try DocumentDecoder.decode(Document.self, from: call.document)
            return try await respond(document, call).response(default: statuses[0])
        }
    }

    /// A route that takes uploads, whose parts are checked one by one.
    init<Answer: ResponseGenerator>(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ access: Access,
        _ summary: String,
        query: [QueryParameter] = [],
        uploads: DocumentSchema,
        as types: [String],
        respond: @escaping @Sendable (Call) async throws -> Answer
    ) {
        (self.method, self.path, self.access, self.summary, self.query) = (method, path, access, summary, query)
        (statuses, isIdempotent, shape) = ([.ok], false, Answer.shape)
        (takes, self.uploads) = (uploads, types)
        self.respond = { call in try await respond(call).response(default: .ok) }
    }

    /// Whether it changes what has a revision.
    var takesRevision: Bool { takes?.name == PreferencesUpdate.schema.name }

    /// Whether its document has parts, each of which is refused on its own.
    var takesParts: Bool { takes?.fields.contains { if case .parts = $0.schema.kind { true } else { false } } ?? false }

    /// Whether its body is read as JSON before the handler is called.
    var takesDocument: Bool { takes != nil && uploads.isEmpty }

    /// What it is about: the path's first word.
    var noun: String {
        let words = path.split(separator: "/").map(String.init)
        if path.hasPrefix("/api/v1/") { return words[2] }
        // Treasure Data's two paths receive events.
        if takes != nil { return "events" }
        return words[0] == "webpush" ? words[0] : Route.operations
    }

    /// What is about the server itself.
    static let operations = "operations"

    /// The names in braces.
    var pathParameters: [String] {
        path.split(separator: "/").filter { $0.first == "{" }.map { String($0.dropFirst().dropLast()) }
    }
}

/// Who may call a route.
enum Access: Sendable, Hashable {
    /// Anybody.
    case open
    /// Holders of an `admin` key.
    case admin
    /// Holders of a `send` or an `admin` key.
    case send
    /// Holders of any key: the SDK's registration.
    case registration
    /// Holders of any key, which may come as Treasure Data's clients send theirs: `Authorization: TD1 …`.
    case ingest
    /// Holders of any key, which may come as Treasure Data's postback interface wants it: `X-TD-Write-Key: …`.
    case postback
    /// A user with their token, for their own devices; or holders of a `send` or an `admin` key.
    case devices
    /// A user with their token, for what is theirs. Keys name the user in the path of another route.
    case user
}

/// A query parameter that a route knows.
struct QueryParameter: Sendable {
    var name: String
    /// What it may hold; all but whole numbers are text.
    var schema: Schema
    /// What it means.
    var summary: String

    /// Checks what a request says.
    ///
    /// - Throws: `Failure` with ``ErrorCode/invalidValue``.
    func check(_ text: String) throws(Failure) {
        switch schema.kind {
        case .boolean:
            guard ["true", "false"].contains(text) else { throw .invalid(name, "It must be 'true' or 'false'.") }
        case .integer(let limits):
            guard let number = Int64(text), limits.contains(number) else {
                throw .invalid(name, "It is a whole number between \(limits.lowerBound) and \(limits.upperBound).")
            }
        default: try schema.check(.string(text), at: name)
        }
    }

    /// Which app's things are asked for.
    static let app = QueryParameter(
        name: "app",
        schema: .string,
        summary: "The id or name of the app; absent takes the key's app."
    )
    /// How long a page is.
    static let limit = QueryParameter(
        name: "limit",
        schema: .integer(1...Int64(PageLimit.most)),
        summary: "How many at most; absent is \(PageLimit.usual)."
    )
    /// Where a page begins.
    static let cursor = QueryParameter(
        name: "cursor",
        schema: .string,
        summary: "The 'next' of the page before."
    )
    /// What every list takes.
    static let page = [limit, cursor]
}
