/// The people of a hold as the store keeps them: ascending keys, the first one zigzag, then differences, in LEB128. One or two
/// bytes a person.
public enum PeopleList {
    /// Packs people; they are sorted by key, and each is there once.
    public static func encode(_ people: some Sequence<Subject>) -> [UInt8] {
        var bytes: [UInt8] = []
        var last: Int64?
        for key in Set(people.map(\.key)).sorted() {
            let step = last.map { UInt64(bitPattern: key &- $0) } ?? UInt64(bitPattern: key << 1 ^ key >> 63)
            LEB128.append(step, to: &bytes)
            last = key
        }
        return bytes
    }

    /// Unpacks people; `nil` when the bytes were not made by ``encode(_:)``.
    public static func decode(_ bytes: [UInt8]) -> [Subject]? {
        var people: [Subject] = []
        var position = 0
        var last: Int64?
        while position < bytes.count {
            guard let step = LEB128.read(bytes, &position) else { return nil }
            let key: Int64
            if let last {
                key = last &+ Int64(bitPattern: step)
                guard key > last else { return nil }
            } else {
                key = Int64(bitPattern: step >> 1) ^ -Int64(bitPattern: step & 1)
            }
            guard let subject = Subject(key: key) else { return nil }
            people.append(subject)
            last = key
        }
        return people
    }
}

extension Subject {
    /// The subject of a number; `nil` for 0.
    package init?(key: Int64) {
        guard key != 0, key != .min else { return nil }
        self = key > 0 ? .user(RowID(key)) : .endpoint(RowID(-key))
    }
}
