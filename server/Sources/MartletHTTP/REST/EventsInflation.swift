import CZlib
import MartletCore
import MartletWire

/// Takes the compression off a body, as far as its limit and no further: a body of a kilobyte can hold a megabyte.
struct EventsInflation {
    /// The most bytes that come out.
    let limit: Int

    /// The bytes that were compressed with gzip (RFC 1952) or zlib (RFC 1950, which HTTP calls `deflate`).
    ///
    /// - Throws: `Failure` with ``ErrorCode/bodyTooLarge`` as soon as the limit is reached, and with
    ///   ``ErrorCode/malformedRequest`` for what is not compressed so, breaks off, or has something behind its end.
    func inflate(_ compressed: [UInt8]) throws(Failure) -> [UInt8] {
        var stream = z_stream()
        // The largest window, and 32 for either of the two headers (zlib.h, inflateInit2).
        guard inflateInit2_(&stream, 15 + 32, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            throw Failure(.internalError, "There is not enough memory to decompress the body.")
        }
        defer { inflateEnd(&stream) }
        var inflated: [UInt8] = []
        var input = compressed
        var part = [UInt8](repeating: 0, count: 64 * 1024)
        let code = input.withUnsafeMutableBufferPointer { input in
            stream.next_in = input.baseAddress
            stream.avail_in = UInt32(input.count)
            var code = Z_OK
            while code == Z_OK, inflated.count <= limit {
                let made = part.withUnsafeMutableBufferPointer { part in
                    stream.next_out = part.baseAddress
                    stream.avail_out = UInt32(part.count)
                    code = CZlib.inflate(&stream, Z_NO_FLUSH)
                    return part.count - Int(stream.avail_out)
                }
                inflated.append(contentsOf: part.prefix(made))
            }
            return code
        }
        guard inflated.count <= limit else {
            throw Failure(
                .bodyTooLarge,
                "The decompressed body has more than \(limit) bytes.",
                hint: EventsBody.hint
            )
        }
        guard code == Z_STREAM_END, stream.avail_in == 0 else {
            throw Failure(
                .malformedRequest,
                "The body is not compressed as Content-Encoding says.",
                hint: "Send it as one whole gzip stream, or without Content-Encoding."
            )
        }
        return inflated
    }
}
