import AsyncHTTPClient
import Foundation
import HTTPTypes
import Hummingbird
import MartletWire
import NIOCore
import NIOHTTP1
import Synchronization

/// What stands between phones and the server. It passes everything on, but for the turns that a test has put up.
final class Middlebox: Sendable {
    /// What becomes of one request.
    enum Turn: Sendable {
        /// The server never sees it.
        case refuse(Int, retryAfter: Int? = nil)
        /// It waits until ``letGo()``, and is passed on then.
        case hold
        /// The server gets it; of the receipts in the answer only so many come back.
        case keepBack(receipts: Int)
    }

    private struct State {
        var turns: [String: [Turn]] = [:]
        var statuses: [String: [Int]] = [:]
        var held: [CheckedContinuation<Void, Never>] = []
    }

    private let site: LoopbackSite
    private let state: SharedState

    /// The state, apart from the object, because the site's closure is made first.
    private final class SharedState: Sendable {
        let mutex = Mutex(State())
    }

    /// - Parameter server: the address of the server behind it.
    init(before server: String) async throws {
        let state = SharedState()
        self.state = state
        site = try await LoopbackSite { request in try await Self.answer(request, server: server, state) }
    }

    /// Where phones find it.
    var address: URL { site.address }

    /// Puts up turns for the next requests to a path of the interface, such as `events`.
    func next(_ path: String, _ turns: Turn...) {
        state.mutex.withLock { $0.turns[path, default: []] += turns }
    }

    /// The statuses that requests to a path were answered with.
    func statuses(_ path: String) -> [Int] {
        state.mutex.withLock { $0.statuses[path] ?? [] }
    }

    /// How many requests are held.
    var heldCount: Int { state.mutex.withLock { $0.held.count } }

    /// Passes on what is held.
    func letGo() {
        let held = state.mutex.withLock { state in
            defer { state.held = [] }
            return state.held
        }
        for continuation in held { continuation.resume() }
    }

    private static func answer(_ request: Request, server: String, _ state: SharedState) async throws -> Response {
        let path = request.uri.path.split(separator: "/").last.map(String.init) ?? ""
        let turn = state.mutex.withLock { state -> Turn? in
            guard state.turns[path]?.isEmpty == false else { return nil }
            return state.turns[path]?.removeFirst()
        }
        let body = try await request.body.collect(upTo: 8 << 20)
        let response: Response
        switch turn {
        case .refuse(let status, let retryAfter)?:
            var headers = HTTPFields()
            headers[.retryAfter] = retryAfter.map(String.init)
            response = Response(status: .init(code: status), headers: headers)
        case .hold?:
            await withCheckedContinuation { continuation in
                state.mutex.withLock { $0.held.append(continuation) }
            }
            response = try await passed(request, body, to: server, receipts: nil)
        case .keepBack(let receipts)?: response = try await passed(request, body, to: server, receipts: receipts)
        case nil: response = try await passed(request, body, to: server, receipts: nil)
        }
        state.mutex.withLock { $0.statuses[path, default: []].append(response.status.code) }
        return response
    }

    private static func passed(
        _ request: Request,
        _ body: ByteBuffer,
        to server: String,
        receipts: Int?
    ) async throws -> Response {
        var forwarded = HTTPClientRequest(url: server + request.uri.string)
        forwarded.method = HTTPMethod(rawValue: request.method.rawValue)
        for field in request.headers where ![.contentLength, .connection].contains(field.name) {
            forwarded.headers.add(name: field.name.rawName, value: field.value)
        }
        forwarded.body = .bytes(body)
        let answer = try await HTTPClient.shared.execute(forwarded, timeout: .seconds(30))
        var bytes = try await answer.body.collect(upTo: 8 << 20)
        if let receipts {
            var response = try JSONDecoder().decode(EventsResponse.self, from: Data(bytes.readableBytesView))
            response.receipts = Array(response.receipts.prefix(receipts))
            bytes = ByteBuffer(bytes: try JSONEncoder().encode(response))
        }
        var headers = HTTPFields()
        headers[.contentType] = answer.headers.first(name: "content-type")
        headers[.retryAfter] = answer.headers.first(name: "retry-after")
        return Response(
            status: .init(code: Int(answer.status.code)),
            headers: headers,
            body: ResponseBody(byteBuffer: bytes)
        )
    }
}
