import HTTPTypes
import Hummingbird
import MartletCore
import MartletWire

/// Reads the body of an upload, which may be compressed.
struct EventsBody {
    /// The most bytes, as they come and when they are not compressed.
    let limit: Int
    /// The media types that it may have.
    let types: [String]

    /// What to do with a body that is too large.
    static let hint = "Send fewer events in one request."

    /// A body as it came.
    struct Received: Sendable {
        let bytes: [UInt8]
        let isCompressed: Bool
        fileprivate let limit: Int

        /// The bytes of the upload itself.
        ///
        /// - Throws: `Failure` as ``EventsInflation/inflate(_:)`` does.
        func inflated() throws(Failure) -> [UInt8] {
            isCompressed ? try EventsInflation(limit: limit).inflate(bytes) : bytes
        }
    }

    /// The body, which is not decompressed yet.
    ///
    /// - Throws: `Failure` as ``RequestBodyReader/read(_:)`` does.
    func read(_ request: Request) async throws -> Received {
        if let type = request.headers[.contentType], !types.contains(Self.essence(type)) {
            throw Failure(
                .unsupportedMediaType,
                "This path does not accept the body's media type.",
                hint: "Send 'Content-Type: \(types[0])'."
            )
        }
        let encoding = request.headers[.contentEncoding].map(Self.essence) ?? "identity"
        guard ["identity", "gzip", "x-gzip", "deflate"].contains(encoding) else {
            throw Failure(
                .unsupportedMediaType,
                "The body's Content-Encoding is not supported.",
                hint: "Send it with 'Content-Encoding: gzip', or as it is."
            )
        }
        let reader = RequestBodyReader(limit: limit, hint: EventsBody.hint)
        return Received(
            bytes: try await reader.readAny(request),
            isCompressed: encoding != "identity",
            limit: limit
        )
    }

    private static func essence(_ value: String) -> String {
        value.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }.lowercased()
    }
}
