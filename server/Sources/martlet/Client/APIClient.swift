import AsyncHTTPClient
import Foundation
import MartletCore
import MartletTransport
import MartletWire
import NIOCore
import NIOHTTP1

/// Talks to a server's REST interface.
struct APIClient: Sendable {
    /// The server's address, such as `http://127.0.0.1:8080`.
    let server: String
    /// The API key.
    let key: String?

    /// What a request does with what its path names.
    enum Method: String, Sendable {
        case get, post, put, patch, delete
    }

    /// The longest answer that is read: a page of 1,000 items of at most 4 KB, with room.
    private static let answerLimit = 16 << 20
    /// As long as a person waits for a server that does not answer.
    private static let connectTimeout = TimeAmount.seconds(5)
    /// The largest request that a server reads: 1 MiB. It closes the connection in the middle of a larger one, and what it
    /// answered is lost.
    private static let requestLimit = 1 << 20
    /// One for the process, as long as it lives. A server that is not there is said at once: trying again is for the
    /// person in front of it.
    private static let http: HTTPClient = {
        var configuration = HTTPClient.Configuration(timeout: .init(connect: connectTimeout))
        configuration.connectionPool.retryConnectionEstablishment = false
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()
    /// How often a search asks for the next page.
    private static let searchRequests = 20
    /// Ours: a send is answered after one commit, a diagnosis after a few connections to providers.
    private static let timeout: TimeAmount = .seconds(60)

    /// A client of a server.
    ///
    /// - Throws: `CommandFailure` when the address is not one.
    init(server: String, key: String?) throws {
        guard let address = URL(string: server), ["http", "https"].contains(address.scheme), address.host != nil else {
            throw CommandFailure(
                "The server's address \(server) is not an http or https address.",
                hint: "Give it as --server http://127.0.0.1:8080"
            )
        }
        self.server = server.hasSuffix("/") ? String(server.dropLast()) : server
        self.key = key
    }

    /// Reads one thing.
    func get<Answer: Decodable & Sendable>(_ path: APIPath, as: Answer.Type = Answer.self) async throws -> Answer {
        try decode(try await send(.get, path, body: nil))
    }

    /// Reads a list of which a page may have few entries, and the rest only where it goes on.
    func search<Element: Codable & Sendable>(
        _ path: APIPath,
        _ query: [(String, String?)],
        limit: Int,
        from cursor: String?
    ) async throws -> List<Element> {
        var found = List<Element>([], next: cursor)
        for _ in 0..<Self.searchRequests {
            let rest = [("limit", String(limit - found.data.count)), ("cursor", found.next)]
            let page: List<Element> = try await get(path.query(query + rest))
            found = List(found.data + page.data, next: page.next)
            if found.next == nil || found.data.count >= limit { break }
        }
        return found
    }

    /// Hands a document over and reads the answer.
    func call<Answer: Decodable & Sendable>(
        _ method: Method,
        _ path: APIPath,
        _ document: (any Encodable & Sendable)? = nil,
        headers: [(String, String)] = [],
        as: Answer.Type = Answer.self
    ) async throws -> Answer {
        let body = try document.map { Data(try JSONText($0).bytes) }
        return try decode(try await send(method, path, body: body, headers: headers))
    }

    /// Does what has no answer worth reading.
    func perform(_ method: Method, _ path: APIPath) async throws {
        _ = try await send(method, path, body: nil)
    }

    /// Reads an answer of any length piece by piece, as it comes.
    func stream(_ path: APIPath, _ write: @Sendable (Data) throws -> Void) async throws {
        let request = request(.get, path)
        let response = try await reach { try await Self.http.execute(request, deadline: .distantFuture) }
        guard (200...299).contains(response.status.code) else {
            let answer = try await reach { try await response.body.collect(upTo: Self.answerLimit) }
            throw refusal(response.status, answer)
        }
        do {
            for try await piece in response.body { try write(Data(piece.readableBytesView)) }
        } catch let error where !(error is CommandFailure || error is CancellationError) {
            throw CommandFailure(
                "The answer of \(server) ended before all of it was there: \(Self.text(of: error)).",
                hint: "Ask again.",
                status: .failed
            )
        }
    }

    /// Whether the server is there and what it says about itself; `path` is outside of `/api/v1`.
    func status(of path: String) async throws -> Int {
        let request = HTTPClientRequest(url: server + path)
        let response = try await reach { try await Self.http.execute(request, timeout: .seconds(5)) }
        return Int(response.status.code)
    }

    private func send(
        _ method: Method,
        _ path: APIPath,
        body: Data?,
        headers: [(String, String)] = []
    ) async throws -> ByteBuffer {
        var request = request(method, path)
        for (name, value) in headers { request.headers.add(name: name, value: value) }
        if let body {
            guard body.count <= Self.requestLimit else {
                throw CommandFailure(
                    "The request has \(body.count.formatted()) bytes; a server reads \(Self.requestLimit.formatted()) at most.",
                    hint: "Is a file the right one? A key, a certificate or a policy has a few thousand bytes."
                )
            }
            request.headers.add(name: "Content-Type", value: "application/json")
            request.body = .bytes(ByteBuffer(bytes: body))
        }
        let (response, answer) = try await reach { [request] in
            let response = try await Self.http.execute(request, timeout: Self.timeout)
            return (response, try await response.body.collect(upTo: Self.answerLimit))
        }
        guard (200...299).contains(response.status.code) else { throw refusal(response.status, answer) }
        return answer
    }

    private func request(_ method: Method, _ path: APIPath) -> HTTPClientRequest {
        var request = HTTPClientRequest(url: server + path.text)
        request.method = HTTPMethod(rawValue: method.rawValue.uppercased())
        if let key { request.headers.add(name: "Authorization", value: "Bearer \(key)") }
        return request
    }

    private func reach<Answer: Sendable>(_ work: @Sendable () async throws -> Answer) async throws -> Answer {
        do {
            return try await work()
        } catch let error as CancellationError {
            throw error
        } catch {
            throw CommandFailure("No answer from \(server): \(Self.text(of: error)).", hint: hint, status: .unavailable)
        }
    }

    private var hint: String {
        let other = server.hasPrefix("https") ? "http" : "https"
        return "Is the server running there, and with \(other)? --server says where it is; 'martlet serve' starts one."
    }

    private static func text(of error: any Error) -> String {
        switch error as? HTTPClientError {
        case .remoteConnectionClosed?: "it closed the connection without an answer"
        case .connectTimeout?: "no connection within \(connectTimeout.nanoseconds / 1_000_000_000) s"
        case .deadlineExceeded?, .readTimeout?: "nothing came in time"
        default: ConnectionErrorText.text(of: error)
        }
    }

    private func refusal(_ status: HTTPResponseStatus, _ body: ByteBuffer) -> CommandFailure {
        guard let error = try? JSONDecoder().decode(ErrorBody.self, from: Data(body.readableBytesView)) else {
            return CommandFailure(
                "\(server) answered \(status.code), but not as a Martlet server does.",
                hint: "Does --server name the right one?",
                status: .failed
            )
        }
        var failure = CommandFailure(error.error)
        if failure.detail.code == .unauthorized, failure.detail.hint == nil || key == nil {
            failure.detail.hint = "Give a key with --key, MARTLET_KEY, or --data DIR of a server on this machine."
        }
        return failure
    }

    private func decode<Answer: Decodable>(_ body: ByteBuffer) throws -> Answer {
        do {
            return try DocumentDecoder.decode(Answer.self, from: JSONValue(json: Data(body.readableBytesView)))
        } catch {
            throw CommandFailure(
                "\(server) gave an answer that this program does not understand.",
                hint: "Are both of the same version?",
                status: .failed
            )
        }
    }
}
