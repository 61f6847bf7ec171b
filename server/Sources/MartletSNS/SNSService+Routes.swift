import HTTPTypes
package import Hummingbird
import MartletCore
package import MartletHTTP
import NIOCore

/// The paths of this interface, beside those of the REST interface's table.
extension SNSService {
    /// Adds them: one for all operations, which answers in XML whatever happens, and the signing certificate's.
    package func addRoutes(to router: Router<APIContext>) {
        for method in [HTTPRequest.Method.get, .post] {
            router.on("/", method: method) { request, context in
                let answer = await answer(request, note: context.note)
                var fields = answer.fields
                fields[.cacheControl] = "no-store"
                let body = ResponseBody(byteBuffer: ByteBuffer(bytes: answer.body))
                return Response(status: answer.status, headers: fields, body: body)
            }
        }
        router.get("/SimpleNotificationService-{name}") { _, context in try await certificate(for: context) }
    }

    /// The certificate that envelopes are verified with, for everybody, under the name that envelopes give it.
    private func certificate(for context: APIContext) async throws -> Response {
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
