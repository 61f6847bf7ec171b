internal import CNghttp2

/// What all requests of a burst have in common, laid out once for libnghttp2 and never copied per request.
public final class HTTP2RequestTemplate: @unchecked Sendable {  // memory written in init, freed in deinit
    /// Where `:path` stands among the fields; its value is filled in per request.
    static let pathField = 3

    /// Whether requests of it may be sent; its own unless it was given one.
    public let permit: HTTP2Permit

    let fields: UnsafeBufferPointer<nghttp2_nv>
    let body: UnsafeRawBufferPointer
    private let bytes: UnsafeMutablePointer<UInt8>
    private let array: UnsafeMutablePointer<nghttp2_nv>

    /// A template; `content-length` is added when there is a body and `headers` do not have it.
    ///
    /// With a `permit` it is withdrawn together with other templates of that permit.
    public init(
        method: String = "POST",
        scheme: String = "https",
        authority: String,
        headers: [HTTP2Header],
        body: [UInt8],
        permit: HTTP2Permit = HTTP2Permit()
    ) {
        self.permit = permit
        var all = [
            HTTP2Header(":method", method), HTTP2Header(":scheme", scheme), HTTP2Header(":authority", authority),
            HTTP2Header(":path", "", isIndexed: false),
        ]
        all += headers
        if !body.isEmpty, !headers.contains(where: { $0.name == "content-length" }) {
            all.append(HTTP2Header("content-length", String(body.count)))
        }
        let size = all.reduce(body.count) { $0 + $1.name.utf8.count + $1.value.utf8.count }
        self.bytes = .allocate(capacity: max(1, size))
        self.array = .allocate(capacity: all.count)
        var end = self.bytes
        for (index, header) in all.enumerated() {
            let name = end.append(header.name.utf8)
            let value = end.append(header.value.utf8)
            (self.array + index).initialize(
                to: nghttp2_nv(
                    name: name,
                    value: value,
                    namelen: header.name.utf8.count,
                    valuelen: header.value.utf8.count,
                    flags: Self.flags(isIndexed: header.isIndexed)
                )
            )
        }
        let start = end.append(body)
        self.fields = UnsafeBufferPointer(start: self.array, count: all.count)
        self.body = UnsafeRawBufferPointer(start: start, count: body.count)
    }

    deinit {
        self.bytes.deallocate()
        self.array.deallocate()
    }

    /// Name and value are not copied by the library; they live as long as the request.
    static func flags(isIndexed: Bool) -> UInt8 {
        var flags = NGHTTP2_NV_FLAG_NO_COPY_NAME.rawValue | NGHTTP2_NV_FLAG_NO_COPY_VALUE.rawValue
        if !isIndexed { flags |= NGHTTP2_NV_FLAG_NO_INDEX.rawValue }
        return UInt8(flags)
    }
}

extension UnsafeMutablePointer<UInt8> {
    /// Writes bytes here, moves behind them and gives back where they start.
    fileprivate mutating func append(_ bytes: some Collection<UInt8>) -> UnsafeMutablePointer<UInt8> {
        let start = self
        _ = UnsafeMutableBufferPointer(start: start, count: bytes.count).initialize(from: bytes)
        self += bytes.count
        return start
    }
}
