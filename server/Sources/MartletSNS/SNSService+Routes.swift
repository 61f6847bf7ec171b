package import HTTPTypes
package import Hummingbird
import NIOCore

/// What the interface needs of the context of the router that it is mounted on.
package protocol SNSRequestContext: RequestContext {
    /// Says the id of the access key in the request's log line.
    func note(key: String?)
    /// Says the error's code there.
    func note(code: String)
    /// Reads a body as far as this many bytes and no further.
    ///
    /// - Throws: `Failure` with ``ErrorCode/bodyTooLarge`` for a longer one, with another code for one that trickles in for
    ///   too long, and what the connection threw.
    func collect(_ body: RequestBody, limit: Int) async throws -> [UInt8]
}

/// The paths of this interface, beside those of other interfaces on the router.
extension SNSService {
    /// The path of all operations, with its methods.
    package var paths: [(method: HTTPRequest.Method, path: String)] {
        [(method: .get, path: "/"), (method: .post, path: "/")]
    }

    /// Adds them: one for all operations, which answers in XML whatever happens, and the signing certificate's.
    package func addRoutes(to router: Router<some SNSRequestContext>) {
        for (method, path) in paths {
            router.on(RouterPath(path), method: method) { request, context in
                // A person looks for pages here, and asks for no operation.
                if method == .get, request.isOfBrowser { return Response.redirect(to: "/console", type: .found) }
                let answer = await answer(request, context)
                var fields = answer.fields
                fields[.cacheControl] = "no-store"
                let body = ResponseBody(byteBuffer: ByteBuffer(bytes: answer.body))
                return Response(status: answer.status, headers: fields, body: body)
            }
        }
        router.get("/SimpleNotificationService-{name}") { _, context in try await certificate(for: context) }
    }

    /// The certificate that envelopes are verified with, for everybody, under the name that envelopes give it.
    private func certificate(for context: some RequestContext) async throws -> Response {
        let signer = try await certificate.signer()
        guard let name = context.parameters.get("name"),
            signer.certificateName == "SimpleNotificationService-\(name)"
        else { throw HTTPError(.notFound) }
        return Response(
            status: .ok,
            headers: [.contentType: "application/x-pem-file"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: signer.certificatePEM))
        )
    }
}

extension Request {
    /// Whether a browser opens the address itself: it wants a page and names no operation.
    fileprivate var isOfBrowser: Bool {
        (headers[.accept] ?? "").contains("text/html") && !uri.queryParameters.contains { $0.key == "Action" }
    }
}
