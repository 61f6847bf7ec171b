import HTTPTypes
import Hummingbird
import NIOCore

/// An answer with a script for pages of other origins.
struct JavaScript: ResponseGenerator {
    static var shape: AnswerShape { .script }
    var bytes: [UInt8]

    /// Seconds for which a browser does not ask again. Ours: short, because a worker that is wrong must be replaced soon.
    private static let lifetime = 300

    func response(default status: HTTPResponse.Status) -> Response {
        var headers: HTTPFields = [
            .contentType: "text/javascript; charset=utf-8",
            .cacheControl: "public, max-age=\(JavaScript.lifetime)",
            .xContentTypeOptions: "nosniff",
        ]
        // A page that is isolated from other origins may load it too (Fetch Standard, "Cross-Origin-Resource-Policy").
        if let policy = HTTPField.Name("Cross-Origin-Resource-Policy") { headers[policy] = "cross-origin" }
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }
}
