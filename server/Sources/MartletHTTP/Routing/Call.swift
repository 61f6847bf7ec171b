import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import MartletCore
import MartletWire
import NIOCore

/// One request on its way through a handler: who asks, and what beside the document.
struct Call: Sendable {
    /// Who asks.
    let caller: Caller
    /// The method and the path's pattern.
    let route: String
    /// The body's JSON; `null` for an upload, and where the route takes none.
    let document: JSONValue
    /// The client's address, as far as it is known.
    let client: String
    /// What makes a repeated request the same request; `nil` where the client or the route does not ask for it.
    let idempotency: IdempotencyRecord?
    /// The connection that it came on; `nil` where that does not matter.
    let connection: (any Channel)?
    private let request: Request
    private let uploads: [String]
    private let path: Parameters
    private let query: [String: String]

    /// A call whose query parameters are checked.
    ///
    /// - Throws: `Failure` with ``ErrorCode/unknownField`` for a query parameter that the route does not know, with
    ///   ``ErrorCode/malformedRequest`` for one that is duplicated and for a body that is not JSON, and with
    ///   ``ErrorCode/invalidValue`` for one that is not as the route states it, and for an idempotency key that is none.
    init(
        route: Route,
        caller: Caller,
        request: Request,
        path: Parameters,
        body: [UInt8],
        client: String,
        connection: (any Channel)? = nil
    ) throws(Failure) {
        self.connection = connection
        self.caller = caller
        self.client = client
        self.route = "\(route.method.rawValue) \(route.path)"
        self.request = request
        uploads = route.uploads
        self.path = path
        var query: [String: String] = [:]
        for (name, value) in request.uri.queryParameters {
            let name = String(name)
            guard let parameter = route.query.first(where: { $0.name == name }) else {
                let known = route.query.map(\.name).joined(separator: ", ")
                throw Failure(
                    .unknownField,
                    "There is no such query parameter.",
                    hint: known.isEmpty ? "This path takes none." : "The parameters are: \(known).",
                    field: Schema.join("", name)
                )
            }
            guard query.updateValue(String(value), forKey: name) == nil else {
                throw Failure(.malformedRequest, "The query parameter is duplicated.", field: name)
            }
            try parameter.check(String(value))
        }
        self.query = query
        document =
            route.takesDocument
            ? try JSONReader.document(body, characters: route.takesParts ? .tolerant : .strict) : .null
        idempotency = route.isIdempotent ? try Self.idempotency(request, caller.key, self.route, document) : nil
        if !route.isIdempotent, route.method == .post { try refuseIdempotencyKey(route) }
    }

    /// A request that is not made once by its key must not look as if it were.
    private func refuseIdempotencyKey(_ route: Route) throws(Failure) {
        guard header(HeaderName.idempotencyKey) != nil else { return }
        let isBatch = route.takes?.name == NotificationBatchRequest.schema.name
        throw .invalid(
            HeaderName.idempotencyKey,
            "This path takes no key.",
            hint: isBatch ? "Give each notification an 'idempotency_key'." : "Leave it out."
        )
    }

    private static func idempotency(
        _ request: Request,
        _ key: APIKey?,
        _ route: String,
        _ document: JSONValue
    ) throws(Failure) -> IdempotencyRecord? {
        let value = HTTPField.Name(HeaderName.idempotencyKey).flatMap { request.headers[$0] }
        guard let value, let key else { return nil }
        return try IdempotencyRecord(
            value,
            field: HeaderName.idempotencyKey,
            of: document,
            key: key,
            route: route
        )
    }

    /// A parameter of the path, with percent escapes decoded.
    ///
    /// - Throws: `Failure` with ``ErrorCode/malformedRequest`` when its escapes are broken.
    func parameter(_ name: String) throws(Failure) -> String {
        guard let raw = path.get(name), let text = raw.removingPercentEncoding, !text.isEmpty else {
            throw Failure(.malformedRequest, "The path's percent escapes are broken.", field: name)
        }
        return text
    }

    /// An id in the path.
    ///
    /// - Throws: `Failure` with ``ErrorCode/notFound`` when it is not a UUID: there is no such thing.
    func id(_ name: String, of what: String) throws(Failure) -> PublicID {
        guard let id = PublicID(try parameter(name)) else { throw .notFound(what) }
        return id
    }

    /// A header field by its name; `nil` when it is absent.
    func header(_ name: String) -> String? { HTTPField.Name(name).flatMap { request.headers[$0] } }

    /// The body of an upload, which is read now, once.
    ///
    /// - Throws: `Failure` as ``EventsBody/read(_:)`` does.
    func upload(limit: Int) async throws -> EventsBody.Received {
        try await EventsBody(limit: limit, types: uploads).read(request)
    }

    /// A query parameter; `nil` when it is absent.
    func query(_ name: String) -> String? { query[name] }

    /// A query parameter that says yes or no; absent is no.
    func flag(_ name: String) -> Bool { query[name] == "true" }

    /// A query parameter that is a whole number.
    func number(_ name: String) -> Int64? { query[name].flatMap { Int64($0) } }

    /// A query parameter that is a moment.
    func time(_ name: String) -> Timestamp? { query[name].flatMap { UTCTime($0) }.map(Timestamp.init) }

    /// Which part of a list is asked for.
    ///
    /// - Throws: `Failure` naming `cursor`.
    func page() throws(Failure) -> PageRequest {
        let after = try query["cursor"].map { text throws(Failure) in try Cursor.key(of: text, list: route) }
        return PageRequest(after: after, count: number("limit").map { Int($0) } ?? PageLimit.usual)
    }

    /// A page as it goes out.
    func list<Row, Element>(_ page: Page<Row>, _ element: (Row) throws -> Element) rethrows -> List<Element> {
        List(try page.items.map(element), next: page.next.map { Cursor.text(of: $0, list: route) })
    }
}

extension IdempotencyRecord {
    /// What makes a request with this document the same request. Documents that are the same JSON are the same,
    /// however they are written.
    ///
    /// - Parameter field: where the caller has given `value`.
    /// - Throws: `Failure` naming `field`.
    init(_ value: String, field: String, of document: JSONValue, key: APIKey, route: String) throws(Failure) {
        guard (1...255).contains(value.utf8.count), value.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            throw .invalid(field, "It must have 1 to 255 printable ASCII characters.")
        }
        // What was read of a body has no numbers that JSON cannot hold.
        let text = (try? document.json()) ?? Data()
        let hash = SecretHash(bytes: Array(SHA256.hash(data: text)))
        self.init(key: key.row, route: route, value: value, bodyHash: hash)
    }
}

/// How long pages are.
enum PageLimit {
    /// The most that one page holds: the store's bound.
    static let most = PageRequest.limit
    /// How many a page holds when nothing is said.
    static let usual = 100
}
