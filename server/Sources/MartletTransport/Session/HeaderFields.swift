internal import CNghttp2

/// Header fields laid out for libnghttp2: the bytes in one buffer, the name/value array beside it.
///
/// Reused for each answer; the library copies what it is given before ``withFields(_:)`` returns.
struct HeaderFields {
    private var bytes: [UInt8] = []
    private var fields: [(name: Int, nameCount: Int, value: Int, valueCount: Int, flags: UInt8)] = []
    private var array: [nghttp2_nv] = []

    /// Forgets all fields and keeps the memory.
    mutating func removeAll() {
        self.bytes.removeAll(keepingCapacity: true)
        self.fields.removeAll(keepingCapacity: true)
        self.array.removeAll(keepingCapacity: true)
    }

    /// Adds a field.
    mutating func append(_ name: String, _ value: String, isIndexed: Bool) {
        let start = self.bytes.count
        self.bytes.append(contentsOf: name.utf8)
        let middle = self.bytes.count
        self.bytes.append(contentsOf: value.utf8)
        let flags = isIndexed ? NGHTTP2_NV_FLAG_NONE : NGHTTP2_NV_FLAG_NO_INDEX
        self.fields.append((start, middle - start, middle, self.bytes.count - middle, UInt8(flags.rawValue)))
    }

    /// Gives the fields as the library's array, valid during the call.
    mutating func withFields<R>(_ body: (UnsafeMutableBufferPointer<nghttp2_nv>) -> R) -> R {
        self.bytes.withUnsafeMutableBufferPointer { bytes in
            for field in self.fields {
                self.array.append(
                    nghttp2_nv(
                        name: bytes.baseAddress! + field.name,
                        value: bytes.baseAddress! + field.value,
                        namelen: field.nameCount,
                        valuelen: field.valueCount,
                        flags: field.flags
                    )
                )
            }
            return self.array.withUnsafeMutableBufferPointer { body($0) }
        }
    }
}
