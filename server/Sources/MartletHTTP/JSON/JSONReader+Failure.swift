import MartletCore
import MartletWire

extension JSONReader {
    /// The document of a request.
    ///
    /// - Throws: `Failure` with ``ErrorCode/malformedRequest``, naming the byte at which the text is broken.
    static func document(
        _ body: [UInt8],
        characters: Characters = .strict
    ) throws(Failure) -> JSONValue {
        do throws(SyntaxError) { return try read(body, characters: characters) } catch {
            throw Failure(.malformedRequest, "The body is not JSON. \(error.reason), at byte \(error.position).")
        }
    }
}
