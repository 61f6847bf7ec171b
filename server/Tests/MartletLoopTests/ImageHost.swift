import Foundation
import Hummingbird
import NIOCore

/// A web server on this machine with one picture.
enum ImageHost {
    /// A picture of one pixel.
    static let png = Data(base64Encoded: "\(header)\(pixel)") ?? Data()
    private static let header = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ"
    private static let pixel = "AAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="

    static func open() async throws -> LoopbackSite {
        try await LoopbackSite { request in
            guard request.uri.path == "/banner.png" else { return Response(status: .notFound) }
            return Response(
                status: .ok,
                headers: [.contentType: "image/png"],
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: Self.png))
            )
        }
    }
}
