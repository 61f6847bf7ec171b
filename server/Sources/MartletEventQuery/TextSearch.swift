/// A search for a part of a text in time that grows with the two and not with their product (Knuth, Morris and Pratt).
struct TextSearch {
    /// What is looked for.
    let part: [UInt8]
    /// For each beginning of the part, how many bytes of it are also its end.
    private var overlaps: [Int]

    /// A search for a part.
    init(for part: [UInt8]) {
        self.part = part
        overlaps = Array(repeating: 0, count: part.count)
        var overlap = 0
        for index in part.indices.dropFirst() {
            while overlap > 0, part[index] != part[overlap] { overlap = overlaps[overlap - 1] }
            if part[index] == part[overlap] { overlap += 1 }
            overlaps[index] = overlap
        }
    }

    /// The index at which the part first begins; that of the beginning for a part without bytes.
    func first(in bytes: ArraySlice<UInt8>) -> Int? {
        guard !part.isEmpty else { return bytes.startIndex }
        var matched = 0
        for index in bytes.indices {
            while matched > 0, bytes[index] != part[matched] { matched = overlaps[matched - 1] }
            if bytes[index] == part[matched] { matched += 1 }
            if matched == part.count { return index - matched + 1 }
        }
        return nil
    }
}
