public import NIOCore

/// The result of a request.
public enum HTTP2Answer: Sendable {
    /// The peer answered.
    case response(HTTP2Response)
    /// It did not, or the answer did not arrive.
    case failed(HTTP2Failure)
}

/// Why a request has no answer.
public enum HTTP2Failure: Error, Sendable, Equatable {
    /// Certain that the peer did not process it: never written whole, above GOAWAY's last stream, REFUSED_STREAM.
    /// `isDisowned` when a peer that was reached said so; it may not have been reached at all otherwise.
    case unprocessed(String, isDisowned: Bool = false)
    /// The connection was lost after the request was written: outcome unknown.
    case lost(String)
    /// No answer within the request's time: outcome unknown.
    case deadline
    /// The stream was reset with this code (RFC 9113, section 7): outcome unknown.
    case reset(code: UInt32)
    /// Its answer went beyond a bound of this client, which the text names: outcome unknown.
    case limit(String)
}

/// An answer; the header fields stay packed until they are asked for.
public struct HTTP2Response: Sendable {
    /// `:status`.
    public let status: Int
    /// The body, at most ``HTTP2ClientConfiguration/maxBodyBytes``.
    public let body: [UInt8]
    /// True when the answer went beyond a bound of the client: the rest of it was not read.
    public let isBodyTruncated: Bool
    /// From the request's submission until the answer was read.
    public let duration: TimeAmount

    private let fields: PackedFields

    init(status: Int, fields: PackedFields, body: [UInt8], isBodyTruncated: Bool, duration: TimeAmount) {
        self.status = status
        self.fields = fields
        self.body = body
        self.isBodyTruncated = isBodyTruncated
        self.duration = duration
    }

    /// The header fields in the order received, without pseudo header fields and trailers.
    public var headers: [HTTP2Header] { self.fields.headers }

    /// The first value of a field (lower-case name); quicker than ``headers`` for one of them.
    public func value(of name: String) -> String? { self.fields.value(of: name) }
}

/// Header fields one after another in one array: for each, two bytes of name length, two of value length, name, value.
struct PackedFields: Sendable {
    private var bytes: [UInt8] = []

    mutating func removeAll() {
        // Not keeping the capacity: the array has been given away with the answer.
        if !self.bytes.isEmpty { self.bytes = [] }
    }

    /// Adds a field; name and value have at most 65,535 bytes (the caller's bound on the whole block).
    mutating func append(name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>) {
        if self.bytes.isEmpty { self.bytes.reserveCapacity(128) }
        self.bytes.append(UInt8(truncatingIfNeeded: name.count >> 8))
        self.bytes.append(UInt8(truncatingIfNeeded: name.count))
        self.bytes.append(UInt8(truncatingIfNeeded: value.count >> 8))
        self.bytes.append(UInt8(truncatingIfNeeded: value.count))
        self.bytes.append(contentsOf: name)
        self.bytes.append(contentsOf: value)
    }

    var headers: [HTTP2Header] {
        var headers: [HTTP2Header] = []
        self.forEach { name, value in
            headers.append(HTTP2Header(String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self)))
            return true
        }
        return headers
    }

    func value(of name: String) -> String? {
        var found: String?
        self.forEach { candidate, value in
            guard candidate.elementsEqual(name.utf8) else { return true }
            found = String(decoding: value, as: UTF8.self)
            return false
        }
        return found
    }

    /// Visits the fields until `body` gives back false.
    private func forEach(_ body: (ArraySlice<UInt8>, ArraySlice<UInt8>) -> Bool) {
        var start = 0
        while start + 4 <= self.bytes.count {
            let name = Int(self.bytes[start]) << 8 | Int(self.bytes[start + 1])
            let value = Int(self.bytes[start + 2]) << 8 | Int(self.bytes[start + 3])
            let middle = start + 4 + name
            guard body(self.bytes[(start + 4)..<middle], self.bytes[middle..<(middle + value)]) else { return }
            start = middle + value
        }
    }
}
