#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The header fields of the last request, by their place: the next request mostly has the same ones, and then nothing is
/// copied or checked to be UTF-8 a second time.
struct RecentFields {
    /// How many places are remembered: more fields than a request of ours has.
    private static let limit = 32

    private var fields: [HTTP2Header] = []

    /// The field at a place of a request: the last request's where it is the same.
    mutating func field(
        at place: Int,
        name: UnsafeBufferPointer<UInt8>,
        value: UnsafeBufferPointer<UInt8>,
        isIndexed: Bool
    ) -> HTTP2Header {
        let last = place < self.fields.count ? self.fields[place] : nil
        let hasName = last.map { Self.isEqual($0.name, name) } ?? false
        if let last, hasName, last.isIndexed == isIndexed, Self.isEqual(last.value, value) { return last }
        let field = HTTP2Header(
            hasName ? last?.name ?? "" : String(decoding: name, as: UTF8.self),
            String(decoding: value, as: UTF8.self),
            isIndexed: isIndexed
        )
        if place < self.fields.count {
            self.fields[place] = field
        } else if place == self.fields.count, place < Self.limit {
            self.fields.append(field)
        }
        return field
    }

    private static func isEqual(_ text: String, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard text.utf8.count == bytes.count else { return false }
        guard let address = bytes.baseAddress else { return true }
        // Not byte by byte: it is done for every field of every request.
        let isEqual = text.utf8.withContiguousStorageIfAvailable { known in
            known.baseAddress.map { memcmp($0, address, bytes.count) == 0 } ?? true
        }
        return isEqual ?? text.utf8.elementsEqual(bytes)
    }
}
