internal import CNghttp2

/// The name/value array of the burst being submitted: the template's fields stay, only pointers change per request.
struct RequestFields {
    private var array: [nghttp2_nv] = []
    private var shared = 0

    /// Lays out what the burst's requests have in common.
    mutating func begin(_ burst: HTTP2Burst) {
        self.array.removeAll(keepingCapacity: true)
        self.array.append(contentsOf: burst.template.fields)
        self.shared = self.array.count
        for field in burst.fields { self.append(field) }
        if let field = burst.lengthField { self.append(field) }
    }

    private mutating func append(_ field: HTTP2Burst.Field) {
        self.array.append(
            nghttp2_nv(name: field.name, value: field.name, namelen: field.count, valuelen: 0, flags: field.flags)
        )
    }

    /// Fills in a request of the burst given to ``begin(_:)``; its memory and the body's must outlive the stream.
    mutating func withFields<R>(
        of burst: HTTP2Burst,
        request: Int,
        ownBody: RequestBody? = nil,
        _ body: (UnsafeMutableBufferPointer<nghttp2_nv>) -> R
    ) -> R {
        let path = burst.value(of: request, column: 0)
        let shared = self.shared
        return self.array.withUnsafeMutableBufferPointer { array in
            array[HTTP2RequestTemplate.pathField].value = path.baseAddress
            array[HTTP2RequestTemplate.pathField].valuelen = path.count
            var end = shared
            for column in burst.fields.indices {
                let value = burst.value(of: request, column: column + 1)
                if value.isEmpty { continue }
                let field = burst.fields[column]
                array[end] = nghttp2_nv(
                    name: field.name,
                    value: value.baseAddress,
                    namelen: field.count,
                    valuelen: value.count,
                    flags: field.flags
                )
                end += 1
            }
            if let ownBody, let field = burst.lengthField {
                array[end] = nghttp2_nv(
                    name: field.name,
                    value: ownBody.length.baseAddress,
                    namelen: field.count,
                    valuelen: ownBody.length.count,
                    flags: field.flags
                )
                end += 1
            }
            return body(UnsafeMutableBufferPointer(rebasing: array[..<end]))
        }
    }
}

/// Requests that certainly were not processed, grouped so that another connection can take them.
struct ReturnedRequests {
    private var slices: [RequestSlice] = []
    private var burst: HTTP2Burst?
    private var attempt = 0
    private var indices: [Int32] = []

    /// Adds one request that had been submitted.
    mutating func add(_ burst: HTTP2Burst, index: Int, attempt: Int) {
        if self.burst !== burst || self.attempt != attempt { self.closeGroup() }
        self.burst = burst
        self.attempt = attempt
        self.indices.append(Int32(index))
    }

    /// Adds requests that had not been submitted.
    mutating func add(_ slice: RequestSlice) {
        self.slices.append(slice)
    }

    /// Gives them out.
    mutating func take() -> [RequestSlice] {
        self.closeGroup()
        defer { self.slices = [] }
        return self.slices
    }

    private mutating func closeGroup() {
        guard let burst = self.burst else { return }
        self.slices.append(RequestSlice(burst, indices: self.indices, attempt: self.attempt))
        self.burst = nil
        self.indices = []
    }
}

/// The body of one request alone, with the digits of its length, where they lie as long as the stream is open.
final class RequestBody {
    let bytes: UnsafeRawBufferPointer
    let length: UnsafeMutableBufferPointer<UInt8>
    private let memory: UnsafeMutableBufferPointer<UInt8>

    init(_ body: [UInt8]) {
        let length = String(body.count).utf8
        self.memory = .allocate(capacity: body.count + length.count)
        _ = self.memory.initialize(from: body)
        self.length = UnsafeMutableBufferPointer(rebasing: self.memory[body.count...])
        _ = self.length.initialize(from: length)
        self.bytes = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(self.memory)[..<body.count])
    }

    deinit {
        self.memory.deallocate()
    }
}
