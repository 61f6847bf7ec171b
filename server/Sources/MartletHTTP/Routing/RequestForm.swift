import HTTPTypes
import Hummingbird
import MartletCore
import MartletWire

/// Refuses requests that another server in front could read differently: without one valid `Host` (RFC 9112, section
/// 3.2), and with a path that has an empty segment, as `//api` and `/api/` have, which the router would pass over. And
/// those whose path and query are too long.
struct RequestForm: RouterMiddleware {
    /// The most bytes of a path with its query: what RFC 9110, section 4.1, recommends to take at least.
    private static let pathLimit = 8_000

    func handle(
        _ request: Request,
        context: APIContext,
        next: (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        // A person types '/' behind the console's address, which no program does.
        if request.method == .get, request.uri.path == "/console/" {
            return .redirect(to: "/console" + (request.uri.query.map { "?\($0)" } ?? ""), type: .found)
        }
        if let refusal = Self.refusal(of: request) { throw refusal }
        return try await next(request, context)
    }

    /// Why a request is not looked at; `nil` when it is.
    static func refusal(of request: Request) -> Failure? {
        // First of all: whatever looks at a path goes through all of it.
        guard request.head.path?.utf8.count ?? 0 <= pathLimit else {
            return Failure(
                .uriTooLong,
                "The path and query have more than \(pathLimit) bytes.",
                hint: "Send long values in a request body."
            )
        }
        let hasHost = request.head.authority != nil
        // The first `Host` is the authority; the second stays among the fields.
        guard hasHost, !request.headers.contains(where: { $0.name.canonicalName == hostName }) else {
            return Failure(
                .malformedRequest,
                "The request has \(hasHost ? "more than one" : "no") Host field.",
                hint: "Send one, with the server's name.",
                field: hostName
            )
        }
        guard request.head.authority?.utf8.allSatisfy(isOfHost) ?? true else {
            return Failure(
                .malformedRequest,
                "The Host field has characters that no host name has.",
                hint: "Send the server's name, as in 'Host: push.example.com'.",
                field: hostName
            )
        }
        guard isPlain(path: request.uri.path) else {
            return Failure(
                .notFound,
                "There is no such path: it has an empty segment.",
                hint: "Write it without '//' and without '/' at its end."
            )
        }
        return nil
    }

    private static let hostName = "host"

    /// Whether a name, an address or a port may have this character (RFC 3986, section 3.2.2).
    private static func isOfHost(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "-._~%!$&'()*+,;=:[]".utf8.contains(byte)
        }
    }

    private static func isPlain(path: String) -> Bool {
        path == "/" || !path.contains("//") && !path.hasSuffix("/")
    }
}
